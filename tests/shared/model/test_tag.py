from dataclasses import replace

from shared.model import Origin, PhiType, Span, Tag
from tests.builders import phi


def tag(start: int, end: int, name: str = "DATE", tag_id: str = "") -> Tag:
    return Tag(Span(start, end), phi(name), id=tag_id)


def test_the_id_takes_no_part_in_equality():
    assert tag(0, 4, tag_id="P1") == tag(0, 4, tag_id="P2")


def test_comment_and_origin_do():
    assert replace(tag(0, 4), comment="unsure") != tag(0, 4)
    assert replace(tag(0, 4), origin=Origin.IMPORT) != tag(0, 4)


def test_the_mark_is_where_and_as_what():
    marked = replace(tag(0, 4), comment="unsure", origin=Origin.SUGGESTION, confidence=0.5)
    assert marked.mark == tag(0, 4).mark == (Span(0, 4), PhiType("DATE", "DATE"))


def test_tags_stand_in_the_order_of_start_end_type_and_id():
    ordered = [tag(0, 4), tag(0, 9, "CITY"), tag(0, 9, "DOCTOR"), tag(2, 3, tag_id="P1")]
    mixed = ordered[::-1]
    assert sorted(mixed, key=Tag.sort_key) == ordered


def test_a_type_alone_in_its_category_is_named_once():
    assert [str(phi("DATE")), str(phi("DOCTOR"))] == ["DATE", "NAME:DOCTOR"]


def test_a_tag_starts_and_ends_where_its_span_does():
    assert (tag(2, 9).start, tag(2, 9).end) == (2, 9)


def test_it_tells_whose_suggestion_was_accepted():
    by_hand, own = tag(0, 4), replace(tag(0, 4), origin=Origin.SUGGESTION)
    others = replace(own, attributes=(("other", "x"), ("suggested_by", "gpt")))
    told = [each.provenance for each in (by_hand, own, others)]
    assert told == ["hand", "suggestion", "suggestion (gpt)"]
