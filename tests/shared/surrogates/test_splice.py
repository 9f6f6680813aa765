"""Surrogates put in their places, and the articles before them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import RequestError
from shared.language.languages import language
from shared.language.sections import Articles
from shared.model import Span
from shared.surrogates.splice import (
    article_rule,
    begins_with_vowel_sound,
    drop_article,
    splice,
)

RULE = article_rule(language("en"), is_place=False)


@given(
    st.lists(
        st.tuples(st.text("xyz \n", max_size=5), st.text("PQ", min_size=1, max_size=4),
                  st.text("st", max_size=6)),
        max_size=6,
    ),
    st.text("xyz \n", max_size=5),
)  # fmt: skip
def test_spans_hold_the_surrogates_and_the_rest_is_as_it_was(
    pieces: list[tuple[str, str, str]], rest: str
) -> None:
    pieces = [(between, old, new) for between, old, new in pieces if new]
    text, spans = "", list[Span]()
    for between, old, _ in pieces:
        start = len(text) + len(between)
        spans.append(Span(start, start + len(old)))
        text += between + old
    done = splice(text + rest, spans, [new for _, _, new in pieces], [RULE] * len(spans))
    assert done.text == "".join(between + new for between, _, new in pieces) + rest
    assert [span.text_in(done.text) for span in done.spans] == [new for _, _, new in pieces]
    for offset in range(len(text), len(text + rest)):
        assert done.text[done.to_new(offset)] == (text + rest)[offset]


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        ("a ", "Cambodian", "Irish", "an "),
        ("an ", "Irish", "Cambodian", "a "),
        ("is an\n", "89", "90", "is a\n"),
        ("A ", "truck driver", "electrician", "An "),
        ("AN ", "IRISH", "CAMBODIAN", "A "),
        ("a ", "Irish", "Ethiopian", "a "),
        ("a ", "nurse", "teacher", "a "),
        ("of ", "Cambodian", "Irish", "of "),
        ("Asia ", "Cambodian", "Irish", "Asia "),
        ("a ", "university clerk", "engineer", "an "),
    ],
)
def test_articles(before: str, old: str, new: str, after: str) -> None:
    assert RULE(before, old, new) == after


@pytest.mark.parametrize(
    ("text", "vowel"),
    [
        ("hour", True), ("house", False), ("11", True), ("118", False), ("8th", True),
        ("Ukrainian", False), ("uncle", True), ("one-legged", False), ("MRI", True),
        ("BWH", False), ("European", False), ("Eugene", False), ("", False),
    ],
)  # fmt: skip
def test_vowel_sounds(text: str, vowel: bool) -> None:
    assert begins_with_vowel_sound(text, language("en")) is vowel


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        ("vive en la ", "India", "Uruguay", "vive en "),
        ("natural del ", "Perú", "Irán", "natural de "),
        ("viaje al ", "Japón", "Francia", "viaje a "),
        ("volvió de los ", "Emiratos", "Chile", "volvió de "),
        ("vecino de La ", "Coruña", "Getafe", "vecino de "),
        ("es ", "Perú", "Irán", "es "),
        ("con el ", "peruano", "iraní", "con el "),
        ("sala ", "Perú", "Irán", "sala "),
        ("papel ", "Perú", "Irán", "papel "),
    ],
)
def test_a_spanish_place_has_no_article(before: str, old: str, new: str, after: str) -> None:
    assert drop_article(before, old, new, language("es")) == after


def test_a_rule_for_articles_that_nobody_knows_is_refused() -> None:
    spoken = replace(language("en"), articles=Articles(agreement="by ear"))
    with pytest.raises(RequestError):
        article_rule(spoken, is_place=False)
