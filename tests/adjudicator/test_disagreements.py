from collections.abc import Sequence

import pytest

from adjudicator.disagreements import Disagreement, find_disagreements
from shared.errors import RequestError
from shared.formats.schema_auto import schema_of_types
from shared.model import Layer, MergedView, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from tests.adjudicator.desk import layers_of
from tests.builders import patient

FIRST = [
    "Seen by Dr. [Lee|DOCTOR] of [Mercy|HOSPITAL] on [May 9, 2071|DATE].",
    "[Kai|PATIENT] called [555-0143|PHONE] in [Salem|CITY].",
]
SECOND = [
    "Seen by Dr. [Lee|PATIENT] of Mercy on [May 9|DATE].",
    "[Kai|PATIENT] called 555-0143 in Salem.",
]


def disagreements(first: Sequence[str], second: Sequence[str]) -> tuple[MergedView, list]:
    view = MergedView(patient(*first))
    pairs = zip(layers_of(first, "ana"), layers_of(second, "ben"), strict=True)
    return view, find_disagreements(view, [list(pair) for pair in pairs], I2B2_2014)


def words(view: MergedView, found: list[Disagreement]) -> list[str]:
    return [each.span.text_in(view.text) for each in found]


def test_order_is_missed_names_then_missed_others_then_types_then_edges_then_agreed():
    view, found = disagreements(FIRST, SECOND)
    assert words(view, found) == ["555-0143", "Mercy", "Salem", "Lee", "May 9, 2071", "Kai"]


def test_span_is_that_of_the_merged_view_and_key_that_of_the_record():
    view, found = disagreements(FIRST, SECOND)
    phone = found[0]
    assert phone.key.record_id == "110-02"
    assert view.merged_span("110-02", phone.key.span) == phone.span
    assert phone.shift == view.section("110-02").start


def test_sides_hold_the_tags_of_each_annotator():
    _, found = disagreements(["[Lee|DOCTOR]"], ["[Lee|PATIENT]"])
    assert [[tag.phi_type.name for tag in side] for side in found[0].sides] == [
        ["DOCTOR"],
        ["PATIENT"],
    ]


def test_key_does_not_change_with_what_is_tagged_elsewhere():
    _, before = disagreements(["[Lee|DOCTOR] saw Kai"], ["Lee saw Kai"])
    _, after = disagreements(["[Lee|DOCTOR] saw [Kai|PATIENT]"], ["Lee saw Kai"])
    assert before[0].key in [each.key for each in after]


def test_key_spans_from_the_first_mark_to_the_last():
    _, found = disagreements(["[John Smith|PATIENT]"], ["[John|PATIENT] [Smith|PATIENT]"])
    assert found[0].key.span == Span(0, 10)


def test_patterns_are_alike_across_line_ends():
    view, found = disagreements(["[Kai Lee|PATIENT]. [Kai\nLee|PATIENT]"], ["Kai Lee. Kai\nLee"])
    assert found[0].tagged_texts(view.text) == found[1].tagged_texts(view.text)


def test_what_tells_who_somebody_is_comes_first_whatever_a_schema_calls_it():
    friend, name = PhiType("LOCATION", "FRIEND"), PhiType("PHI", "NOMBRE")
    view = MergedView(patient("Ana Gil"))
    tags = [Tag(Span(0, 3), friend), Tag(Span(4, 7), name)]
    layers = [Layer.of("110-01", "ana", tags), Layer.of("110-01", "ben", [])]
    found = find_disagreements(view, [layers], schema_of_types([friend, name], "auto"))
    assert words(view, found) == ["Gil", "Ana"]


def test_one_layer_is_refused():
    view = MergedView(patient("Kai"))
    with pytest.raises(RequestError, match="two annotators, got 1"):
        find_disagreements(view, [layers_of(["Kai"], "ana")], I2B2_2014)
