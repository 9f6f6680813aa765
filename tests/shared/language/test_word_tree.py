"""An expression for a list of words finds these and no other."""

import re

from hypothesis import given
from hypothesis import strategies as st

from shared.language.word_tree import any_of

WORDS = st.lists(st.text("ab. é-(", min_size=1, max_size=5), min_size=1, max_size=12)


@given(WORDS, st.text("ab. é-(", max_size=5))
def test_each_word_is_found_whole_and_nothing_else_is(words: list[str], other: str) -> None:
    found = re.compile(any_of(words))

    assert all(found.fullmatch(each) for each in words)
    assert bool(found.fullmatch(other)) == (other in words)


@given(WORDS, st.text("ab. é-(", max_size=9))
def test_the_longest_word_that_is_there_is_found(words: list[str], text: str) -> None:
    there = [each for each in words if text.startswith(each)]
    found = re.match(any_of(words), text)

    assert (found[0] if found else None) == max(there, key=len, default=None)


def test_a_line_may_end_between_two_words() -> None:
    assert re.fullmatch(any_of(["Sri Lanka", "Sudan"]), "Sri\nLanka")
    assert not re.fullmatch(any_of(["Sri Lanka"]), "SriLanka")


def test_of_no_word_nothing_is_found() -> None:
    assert not re.search(any_of([]), "any text")
