from hypothesis import given

from shared.text.tokens import token_starts, whitespace_tokens
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
