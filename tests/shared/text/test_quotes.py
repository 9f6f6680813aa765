"""A quote is found where nothing else can be meant, and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.model import Span
from shared.text.quotes import FAR, NEAR, Misfit, Quote, QuoteFinder
from tests.benchmarks.bench_quotes import SPOILT, known_places, strangers, tried

FAR_AWAY = "so " * FAR


def found(text: str, quote: str, start: int | None = None, before: str = "", after: str = ""):
    span = QuoteFinder(text).find(Quote(quote, start, before, after))
    return span if isinstance(span, Misfit) else (span.start, span.text_in(text))


@pytest.mark.parametrize(
    ("text", "quote", "there"),
    [
        ("Seen by Dr. Lee.", "Lee", "Lee"),
        ("Seen by Dr. Ada\n  Lee.", "Dr. Ada Lee", "Dr. Ada\n  Lee"),
        ("Frau Ferrán-\ndiz kam.", "Ferrándiz", Misfit.OTHERWISE),
        ("Seen by Lee, not by Lee.", "Lee", Misfit.SEVERAL),
        ("Leeds is far.", "Lee", Misfit.AMID_WORD),
        ("Leeds is far, Lee.", "Lee", "Lee"),
        ("room 5551234", "555", Misfit.AMID_WORD),
        ("an 82yo woman", "82", Misfit.AMID_WORD),
        ("Seen by Dr. Lee.", "Ortiz", Misfit.NOWHERE),
        ("Seen by Dr. Lee.", "  ", Misfit.EMPTY),
        ("It may rain.", "May", Misfit.OTHERWISE),
        ("The waters rose.", "Water", Misfit.AMID_WORD),
        ("Callum D. Ewing came.", "Callum Ewing", Misfit.OTHERWISE),
        ("王小明于2071年入院", "2071", "2071"),
        ("王小明入院", "小明", "小明"),
    ],
)
def test_a_quote_without_anything_else(text, quote, there):
    said = found(text, quote)
    assert (said if isinstance(said, Misfit) else said[1]) == there


@pytest.mark.parametrize(
    ("before", "after", "there"),
    [
        ("seen by", "", 8),
        ("", "today", 33),
        ("not by", "today", 33),
        ("Seen by", "and", 8),
        ("nothing like", "this at all", Misfit.OTHER_CONTEXT),
    ],
)
def test_context_tells_which_is_meant(before, after, there):
    said = found("Seen by Lee and by Ortiz, not by Lee today.", "Lee", None, before, after)
    assert (said if isinstance(said, Misfit) else said[0]) == there


def test_context_vouches_for_what_is_written_otherwise():
    text = "She was seen by Dr. Okafor on Monday in an 82yo house."
    assert found(text, "DR OKAFOR", None, "was seen by", "on Monday") == (16, "Dr. Okafor")
    assert found(text, "Dr. Okaforr", None, "was seen by", "on Monday") == (16, "Dr. Okafor")
    assert found(text, "82", None, "Monday in an ", "yo house") == (43, "82")
    assert found(text, "82", None, "Monday in an ", "house") is Misfit.OTHER_CONTEXT


def test_digits_have_to_be_the_very_digits():
    text = "Call 555-0134 for it."
    assert found(text, "555-0143", None, "Call", "for it") is Misfit.NOWHERE


def test_an_offset_tells_which_is_meant_only_while_no_other_is_anywhere_near():
    text = f"Lee {FAR_AWAY} Lee"
    last = len(text) - 3
    assert found(text, "Lee", NEAR) == (0, "Lee")
    assert found(text, "Lee", last) == (last, "Lee")
    assert found(text, "Lee", last - NEAR) == (last, "Lee")
    assert found(text, "Lee", last - NEAR - 1) is Misfit.SEVERAL
    assert found("Lee and Lee", "Lee", 1) is Misfit.SEVERAL


@pytest.mark.parametrize("start", [-5, 10**9])
def test_an_offset_beyond_the_text_is_no_help_and_no_harm(start):
    assert found("Seen by Lee.", "Lee", start) == (8, "Lee")


def test_what_stands_at_the_offset_amid_a_number_is_not_meant_where_it_stands_elsewhere():
    assert found("MRN 55123, room 5 in 1999", "5", 4) == (16, "5")


@given(st.text(max_size=60), st.text(max_size=12), st.integers(-3, 70), st.text(max_size=8))
def test_whatever_is_quoted_there_is_a_place_with_its_letters_or_a_reason(text, quote, start, side):
    said = QuoteFinder(text).find(Quote(quote, start, side, side))
    assert isinstance(said, Misfit) or 0 <= said.start < said.end <= len(text)


@pytest.fixture(scope="module")
def known():
    return known_places(11, 77, "held-out")[:1000]


@pytest.mark.parametrize("name", [name for name in SPOILT if name != "offset of anywhere"])
def test_of_a_thousand_spoilt_places_none_is_put_elsewhere(known, name):
    counts = tried(known, SPOILT[name], 3)
    assert len(known) == 1000
    assert counts["wrong"] == 0, counts
    assert counts["right"] + counts["listed"] == 1000
    assert counts["right"] > 700, counts


def test_a_quote_of_another_record_finds_no_place(known):
    for name in ("no offset", "context", "context, retold"):
        counts = strangers(known[:300], SPOILT[name], 4)
        assert counts["found"] == 0
        assert counts["listed"] > 100


def test_a_span_is_found_as_it_is():
    text = "Seen by Lee."
    assert QuoteFinder(text).find(Quote("Lee", 8)) == Span(8, 11)
