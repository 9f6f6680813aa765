"""The builder knows where everything went, however lines are wrapped."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from shared.model import PhiType, Span
from shared.synthetic.builder import RecordBuilder
from shared.synthetic.dates import Days

NAME = PhiType("NAME", "PATIENT")
PIECES = st.lists(
    st.tuples(st.booleans(), st.text(st.sampled_from("ab Xy9.\n"), min_size=1, max_size=30))
)


def test_phi_is_noted_with_its_entity_and_days():
    builder = RecordBuilder()
    day = date(2007, 5, 9)
    builder.append("Seen ")
    builder.append_phi("5/9", NAME, "person/1", Days(day, day, "md"))
    (mention,) = builder.mentions
    assert (mention.span, mention.entity) == (Span(5, 8), "person/1")
    assert mention.days == Days(day, day, "md")


def test_wrapping_turns_blanks_into_line_ends_and_may_cut_a_name_in_two():
    builder = RecordBuilder(width=20)
    builder.append("The patient Mr. ")
    builder.append_phi("Dennis Holcomb", NAME)
    assert builder.text == "The patient Mr.\nDennis Holcomb"
    builder = RecordBuilder(width=24)
    builder.append("The patient Mr. ")
    builder.append_phi("Dennis Holcomb", NAME)
    assert builder.mentions[0].span.text_in(builder.text) == "Dennis\nHolcomb"


def test_a_word_longer_than_the_line_stays_whole():
    builder = RecordBuilder(width=5)
    builder.append("abcdefghij")
    assert builder.text == "abcdefghij"


def test_the_article_follows_what_is_written_next():
    builder = RecordBuilder()
    builder.article_next()
    builder.append_phi("83", PhiType("AGE", "AGE"))
    builder.append("-year-old, ")
    builder.article_next()
    builder.append("man")
    assert builder.text == "an 83-year-old, a man"
    assert builder.mentions[0].span.text_in(builder.text) == "83"


def test_the_next_letter_is_made_a_capital_once():
    builder = RecordBuilder()
    builder.capitalise_next()
    builder.append("gout and gout")
    assert builder.text == "Gout and gout"


def test_padding_reaches_a_column_with_one_blank_at_least():
    builder = RecordBuilder()
    builder.append("WBC")
    builder.pad_to(6)
    builder.append("8.9")
    builder.pad_to(3)
    builder.append("x")
    assert builder.text == "WBC   8.9 x"


@given(PIECES, st.sampled_from([None, 8, 20]))
def test_wrapping_changes_no_offset(pieces, width):
    builder = RecordBuilder(width)
    written = []
    for is_phi, text in pieces:
        if is_phi:
            builder.append_phi(text, NAME)
            written.append(text)
        else:
            builder.append(text)
    found = [mention.span.text_in(builder.text) for mention in builder.mentions]
    assert [text.replace("\n", " ") for text in found] == [
        text.replace("\n", " ") for text in written
    ]
    assert len(builder.text) == sum(len(text) for _, text in pieces)
