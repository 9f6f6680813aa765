"""A dismissed finding stays away until the text around it changes."""

from dataclasses import replace

import pytest

from shared.consistency.check import check_patient
from shared.consistency.dismissals import (
    LEAK,
    UNTAGGED,
    Dismissal,
    dismissal_key,
    dismissal_key_at,
    places_without_tag,
    read_dismissals,
    without_dismissed,
)
from shared.consistency.findings import ALL_KINDS, TAG_KINDS, FindingKind
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


@pytest.mark.parametrize("kind", sorted(ALL_KINDS))
def test_that_there_is_no_tag_is_said_to_every_list_and_nothing_is_said_of_tags(
    dismissal: Dismissal, kind: FindingKind
) -> None:
    other = replace(finding(), kind=kind)
    left = without_dismissed([other], [document(SOURCE)], {dismissal.key})
    assert bool(left) is (kind in TAG_KINDS)


@pytest.mark.parametrize("kind", [*sorted(TAG_KINDS), LEAK])
def test_what_is_said_of_a_tag_or_a_leak_is_said_of_that_alone(kind: str) -> None:
    own = dismissal_key_at(finding().place, kind, document(SOURCE))
    others = {dismissal_key_at(own.place, each, document(SOURCE)) for each in {*ALL_KINDS, LEAK}}
    assert own.asks == kind
    assert own not in {each for each in others if each.kind != kind}
    assert not list(places_without_tag([document(SOURCE)], [own]))


def test_what_is_taken_back_is_so_by_whichever_list_it_was_dismissed(dismissal: Dismissal) -> None:
    key = dismissal_key_at(dismissal.key.place, FindingKind.LOOKALIKE, document(SOURCE))
    assert key.asks == UNTAGGED
    back = replace(dismissal, key=key).as_taken_back()
    assert not list(read_dismissals([dismissal.as_entry(), back], "gold"))


def test_a_place_is_without_tag_until_the_text_around_it_changes(dismissal: Dismissal) -> None:
    assert list(places_without_tag([document(SOURCE)], [dismissal.key])) == [finding().place]
    changed = SOURCE.replace("manoeuvre", "family")
    assert not list(places_without_tag([document(changed)], [dismissal.key]))
    assert not list(places_without_tag([], [dismissal.key]))


@pytest.mark.parametrize("kind", ["", "{}", "no kind", UNTAGGED])
def test_a_kind_that_is_none_dismisses_nothing(dismissal: Dismissal, kind: str) -> None:
    assert not list(read_dismissals([{**dismissal.as_entry(), "kind": kind}], "gold"))


def test_no_text_of_the_record_is_kept(dismissal: Dismissal) -> None:
    assert "Okafor" not in str(dismissal.as_entry())
