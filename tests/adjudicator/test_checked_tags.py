"""The check of a whole corpus, on one core and on several."""

import os
import signal
import sys

import pytest

from adjudicator import checked_tags
from adjudicator.checked_tags import CheckedTags
from shared import processes
from shared.consistency.findings import Finding
from shared.formats.base import Record
from shared.synthetic import fabricate, remove_repeats

PATIENTS = 12


@pytest.fixture(name="tagged")
def with_gaps(monkeypatch: pytest.MonkeyPatch) -> CheckedTags:
    monkeypatch.setattr(checked_tags, "_FEW", 1)
    # the thread that watches how long a test takes holds nothing that a copy wants
    monkeypatch.setattr(processes, "can_be_copied", lambda: sys.platform == "linux")
    patients, _ = remove_repeats(fabricate(PATIENTS, 1), 60, 1)
    return CheckedTags.of_records(
        [
            Record.of(document, each.gold[document.record_id].tags)
            for each in patients
            for document in each.patient.documents
        ]
    )


def as_values(found: list[Finding]) -> list[tuple[object, ...]]:
    """All of each finding, what does not count when findings are compared too."""
    return [(each, each.why, each.certainty, each.fix, each.choices) for each in found]


def test_several_cores_find_the_same_in_the_same_order(tagged: CheckedTags):
    alone = tagged.findings(certainty=0.0)
    assert len(alone) >= 60
    assert len({each.patient_id for each in alone}) > 6
    assert as_values(tagged.findings(certainty=0.0, cores=3)) == as_values(alone)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
def test_patients_are_checked_in_copies_of_the_process(
    tagged: CheckedTags, monkeypatch: pytest.MonkeyPatch
):
    def where(*_: object, **__: object) -> list[int]:
        return [os.getpid()]

    monkeypatch.setattr(checked_tags, "check_patient", where)
    first, *others = tagged.findings(cores=2)
    assert first == os.getpid()
    assert len(others) == PATIENTS - 1
    assert os.getpid() not in others


def test_a_watcher_sees_every_patient_once(tagged: CheckedTags):
    seen: list[str] = []
    tagged.findings(cores=2, watch=lambda items: (seen.append(each) or each for each in items))
    assert seen == list(tagged.patients)


def test_what_a_copy_leaves_undone_when_it_dies_is_done_here(
    tagged: CheckedTags, monkeypatch: pytest.MonkeyPatch
):
    alone, ours, check = tagged.findings(), os.getpid(), checked_tags.check_patient

    def dying(*arguments: object, **options: object) -> object:
        if os.getpid() != ours:
            os.kill(os.getpid(), signal.SIGKILL)
        return check(*arguments, **options)  # pyright: ignore

    monkeypatch.setattr(checked_tags, "check_patient", dying)
    assert as_values(tagged.findings(cores=2)) == as_values(alone)
