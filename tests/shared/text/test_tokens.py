from hypothesis import given
from hypothesis import strategies as st

from shared.model import Span
from shared.text.tokens import token_count, token_starts, token_starts_in, whitespace_tokens
from tests.strategies import texts


def test_tokens_are_runs_between_blanks():
    text = "Dr. Lee,\n\tseen 3/4"
    assert [span.text_in(text) for span in whitespace_tokens(text)] == [
        "Dr.",
        "Lee,",
        "seen",
        "3/4",
    ]


@given(texts())
def test_tokens_are_what_split_gives(text):
    assert [span.text_in(text) for span in whitespace_tokens(text)] == text.split()


@given(texts())
def test_starts_are_those_of_the_tokens(text):
    assert token_starts(text) == [span.start for span in whitespace_tokens(text)]


@given(texts())
def test_tokens_are_counted(text):
    assert token_count(text) == len(list(whitespace_tokens(text)))


@given(texts(), st.sampled_from(["", "x" * 119, "x" * 120, "x" * 121, " " + "x" * 400]), st.data())
def test_the_tokens_of_a_stretch_are_those_that_have_a_character_of_it(text, long, data):
    text = text + long + text + "."
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    touched = [each.start for each in whitespace_tokens(text) if each.overlaps(Span(start, end))]
    assert token_starts_in(text, start, end) == touched
