"""A dismissed finding stays away until the text around it changes."""

import pytest

from shared.consistency.check import check_patient
from shared.consistency.dismissals import (
    Dismissal,
    dismissal_key,
    read_dismissals,
    without_dismissed,
)
from tests.builders import document, layer, tagged_records

SOURCE = "[Okafor|DOCTOR] wrote: the Okafor manoeuvre"


def finding(source: str = SOURCE):
    (found,) = check_patient(tagged_records([document(source)], [layer(source)]))
    return found


def left(source: str, dismissed: Dismissal) -> int:
    return len(without_dismissed([finding(source)], [document(source)], {dismissed.key}))


@pytest.fixture
def dismissal() -> Dismissal:
    key = dismissal_key(finding(), document(SOURCE))
    return Dismissal(key, "gold", "ana", "2026-01-01T00:00:00+00:00", "a term")


def test_it_stays_away(dismissal: Dismissal) -> None:
    assert left(SOURCE, dismissal) == 0


def test_it_comes_back_when_the_text_around_changes(dismissal: Dismissal) -> None:
    assert left(SOURCE.replace("manoeuvre", "family"), dismissal) == 1


def test_it_is_read_as_it_was_written(dismissal: Dismissal) -> None:
    assert list(read_dismissals([dismissal.as_entry()], "gold")) == [dismissal]
    assert list(read_dismissals([dismissal.as_entry()], "ana")) == []


@pytest.mark.parametrize("key", ["record", "start", "kind", "layer"])
def test_a_broken_entry_is_skipped(dismissal: Dismissal, key: str) -> None:
    entry = dismissal.as_entry()
    del entry[key]
    broken = {**dismissal.as_entry(), key: {}}
    assert not list(read_dismissals([entry], "gold"))
    assert not [each for each in read_dismissals([broken], "gold") if each == dismissal]


def test_no_text_of_the_record_is_kept(dismissal: Dismissal) -> None:
    assert "Okafor" not in str(dismissal.as_entry())
