"""Initials of a name that stands in the records in full are a leak."""

from collections.abc import Callable

import pytest

from shared.surrogates.leak_check import INITIALS, Leak

Leaks = Callable[..., tuple[Leak, ...]]


@pytest.mark.parametrize(
    ("rest", "is_leak"),
    [
        ("Letter to Z. B. by noon", True),
        ("letter to z. b. by noon", True),
        ("letter to z.b. by noon", True),
        ("Letter To z. b. By Noon", False),
        ("letter at 8 z.b. by noon", False),
        ("letter to b. z. by noon", False),
    ],
)
def test_small_ones_count_where_a_text_has_no_capitals(
    leaks: Leaks, rest: str, is_leak: bool
) -> None:
    name = "Zora Bell" if rest[0].isupper() else "zora bell"
    assert (INITIALS in {each.what for each in leaks(f"[{name}|PATIENT]. {rest}")}) is is_leak


def test_what_notes_abbreviate_is_none(leaks: Leaks) -> None:
    assert leaks("[bela ivo dorn|PATIENT]. aspirin b.i.d. given") == ()
