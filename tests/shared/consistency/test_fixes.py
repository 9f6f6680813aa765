"""Whoever fixes what is found comes to an end: no fix calls for another that undoes it."""

from collections.abc import Iterable

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import TAG_KINDS, Finding, FindingKind
from shared.model import Document, Layer, Tag
from shared.synthetic import annotate, fabricate
from tests.builders import document, layer, tagged_records

PATIENTS = 5
MOST = 400


def fixed(layers: dict[str, Layer], finding: Finding) -> dict[str, Layer]:
    """The layers after what a finding proposes; where it asks for a type, all are of the first."""
    if finding.choices:
        return answered(layers, finding)
    before = layers[finding.record_id]
    there = [tag for tag in before.tags if tag.span == finding.span]
    wanted = finding.kind is not FindingKind.TYPES
    fitting = [tag for tag in there if (tag.phi_type == finding.phi_type) is wanted]
    gone = [*fitting, *there][:1] if finding.kind in TAG_KINDS else []
    kept = [tag for tag in before.tags if not any(tag is each for each in gone)]
    marks = {tag.mark for tag in kept}
    new = [Tag(*mark) for mark in finding.fix or () if mark not in marks]
    return layers | {finding.record_id: Layer.of(finding.record_id, "ana", [*kept, *new])}


def answered(layers: dict[str, Layer], finding: Finding) -> dict[str, Layer]:
    """The layers after somebody chose the first of the types, at all places of the finding."""
    layers = dict(layers)
    for place in {place for each in finding.choices for place in each.places}:
        tags = layers[place.record_id].tags
        kept = [tag for tag in tags if tag.span != place.span]
        new = Tag(place.span, finding.choices[0].phi_type)
        layers[place.record_id] = Layer.of(place.record_id, "ana", [*kept, new])
    return layers


def left(documents: Iterable[Document], layers: dict[str, Layer], which: int) -> list[Finding]:
    """What nobody but a person can fix, after the first (0) or last (-1) was fixed each time."""
    documents = list(documents)
    for _ in range(MOST):
        found = check_patient(tagged_records(documents, layers.values()))
        able = [each for each in found if each.fix is not None or each.choices]
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
