import pytest
from hypothesis import given

from shared.text.folding import folded
from tests.strategies import texts


@pytest.mark.parametrize(
    ("text", "small"),
    [("HOLCOMB, Dennis", "holcomb, dennis"), ("ÉTÉ", "été"), ("İZMİR Ave", "İzmİr ave")],
)
def test_capitals_and_small_letters_fall_together(text, small):
    assert folded(text) == small


@given(texts())
def test_every_character_keeps_its_place(text):
    assert len(folded(text)) == len(text)
    assert folded(folded(text)) == folded(text)
