"""Sloppy typing: as long as what was typed, and only now and then."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from shared.synthetic.typing_errors import with_typing_errors

TEXT = "Seen by Renata Voss, whose patient complains of something nobody understands.\n" * 3


@given(st.text(max_size=80), st.integers(0, 400))
def test_the_length_stays(text, seed):
    assert len(with_typing_errors(text, Random(seed))) == len(text)


def test_most_texts_stay_as_they_are():
    made = [with_typing_errors(TEXT, Random(seed)) for seed in range(300)]

    assert made.count(TEXT) > 180
    assert {TEXT.lower(), TEXT.upper()} < set(made)


def test_typists_swap_letters_inside_of_words():
    made = {with_typing_errors(TEXT, Random(seed)) for seed in range(300)} - {TEXT}
    swapped = [each for each in made if each not in (TEXT.lower(), TEXT.upper())]

    assert swapped
    assert all(sorted(each.lower()) == sorted(TEXT.lower()) for each in swapped)


def test_programs_print_capitals_and_leave_colons_out():
    made = {with_typing_errors(f"Name: Voss\n{TEXT}", Random(seed)) for seed in range(300)}

    assert any("Whose Patient Complains of Something" in each for each in made)
    assert any(each.startswith("Name  Voss\nSeen by") for each in made)
