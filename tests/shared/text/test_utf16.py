import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.text.utf16 import Utf16Map, display_copy
from tests.strategies import texts


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(texts(), st.data())
def test_positions_are_those_of_the_encoded_text(text, data):
    offset = data.draw(st.integers(0, len(text)))
    utf16 = Utf16Map(text)
    assert utf16.to_units(offset) == units(text[:offset])
    assert utf16.length == units(text)


@given(texts(), st.data())
def test_offsets_go_to_units_and_back(text, data):
    offset = data.draw(st.integers(0, len(text)))
    utf16 = Utf16Map(text)
    assert utf16.to_offset(utf16.to_units(offset)) == offset


@pytest.mark.parametrize(("position", "offset"), [(0, 0), (1, 1), (2, 1), (3, 2), (4, 3)])
def test_the_middle_of_a_pair_is_the_character_that_it_stands_for(position, offset):
    assert Utf16Map("a😀b").to_offset(position) == offset


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\0b", "a\u2400b"),
        ("a\u2029b", "a\nb"),
        ("\ufeffa", "\ufffda"),
        ("\ud83d \udc69", "\ufffd \ufffd"),
        ("Jose\u0301 😀 \u2028 \x0c\x85", "Jose\u0301 😀 \u2028 \x0c\x85"),
    ],
)
def test_what_qt_would_not_keep_is_shown_by_a_stand_in(text, shown):
    assert display_copy(text) == shown


@given(texts())
def test_the_copy_that_is_shown_has_every_position_of_the_text(text):
    shown = display_copy(text)
    assert (len(shown), units(shown)) == (len(text), units(text))
    assert display_copy(shown) == shown
