"""Whoever fixes what is found comes to an end: no fix calls for another that undoes it."""

from collections.abc import Iterable

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import TAG_KINDS, Finding, FindingKind
from shared.model import Document, Layer, Tag
from shared.synthetic import annotate, fabricate
from tests.builders import document, layer, tagged_records

PATIENTS = 10
MOST = 400


def fixed(layers: dict[str, Layer], finding: Finding) -> dict[str, Layer]:
    """The layers after what the finding proposes."""
    assert finding.fix is not None
    before = layers[finding.record_id]
    gone = finding.span if finding.kind in TAG_KINDS else None
    kept = [tag for tag in before.tags if tag.span != gone]
    marks = {tag.mark for tag in kept}
    new = [Tag(*mark) for mark in finding.fix if mark not in marks]
    return layers | {finding.record_id: Layer.of(finding.record_id, "ana", [*kept, *new])}


def left(documents: Iterable[Document], layers: dict[str, Layer], which: int) -> list[Finding]:
    """What nobody but a person can fix, after the first (0) or last (-1) was fixed each time."""
    documents = list(documents)
    for _ in range(MOST):
        found = check_patient(tagged_records(documents, layers.values()))
        able = [each for each in found if each.fix is not None]
        if not able:
            return list(found)
        layers = fixed(layers, able[which])
    raise AssertionError(f"still found: {[(each.kind, each.why) for each in able[:3]]}")


@pytest.mark.parametrize("which", [0, -1])
@pytest.mark.parametrize("name", ["ana", "ben"])
def test_the_list_of_a_simulated_annotator_can_be_brought_to_empty(name, which):
    for each in fabricate(PATIENTS, 2026):
        assert left(each.patient.documents, annotate(each, name, 5), which) == []


@pytest.mark.parametrize("which", [0, -1])
def test_a_title_in_one_tag_is_no_reason_to_have_it_in_another(which):
    source = "Seen by [Dr. Lee|DOCTOR]. Then Dr. [Lee|DOCTOR] left."
    only = {"110-01": layer(source)}
    assert left([document(source)], only, which) == []


def test_the_longer_extent_is_the_one_at_fault():
    source = "Seen by [Dr. Lee|DOCTOR]. Then Dr. [Lee|DOCTOR] left."
    (found,) = check_patient(tagged_records([document(source)], [layer(source)]))
    assert found.text == "Dr. Lee"


def test_what_would_be_against_the_guidelines_is_left_to_a_person():
    source = "[EMERGENCY DEPT|DEPARTMENT] note. Seen in the EMERGENCY DEPT."
    repeat = next(
        each
        for each in check_patient(tagged_records([document(source)], [layer(source)]))
        if each.kind is FindingKind.REPEAT
    )
    assert repeat.fix is None
