"""What is kept up to date while one tags is what a check of the whole would find."""

import re
from dataclasses import dataclass
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from shared.consistency import untagged_index as module
from shared.consistency.untagged_index import UntaggedIndex
from shared.model import Document, Layer, MergedView, Patient, PhiType, Span, Tag
from tests.builders import exact_findings

DOCTOR, PATIENT = PhiType("NAME", "DOCTOR"), PhiType("NAME", "PATIENT")
TEXTS = (
    "Kai Lee, Lee. Kai\nLee's Kai  Lee",
    "Lee? Kai; Kai Lee Kai",
)
BROKEN = (
    "Ferrándiz, Ferrán-\ndiz; ferrándiz FERRANDIZ Ferra\u0301ndiz",
    "Dr. Ferrándiz's ferrán-\n diz",
)


@dataclass(frozen=True)
class Tagged:
    span: Span
    phi_type: PhiType = DOCTOR

    @property
    def start(self):
        return self.span.start

    @property
    def end(self):
        return self.span.end


def merged_view():
    documents = (Document(f"1-0{at}", "1", text) for at, text in enumerate(TEXTS, 1))
    return MergedView(Patient("1", tuple(documents)))


def texts(live):
    text = merged_view().text
    return [text[each.start : each.end] for each in live.places]


def test_tagging_one_shows_the_others():
    live = UntaggedIndex(merged_view(), [])
    change = live.change([], [Tagged(Span(0, 7))])
    assert texts(live) == ["Kai\nLee", "Kai  Lee", "Kai Lee"]
    assert len(change.added) == 3


def test_the_longest_of_places_inside_each_other_counts():
    live = UntaggedIndex(merged_view(), [Tagged(Span(0, 7)), Tagged(Span(9, 12))])
    assert texts(live) == ["Kai\nLee", "Kai  Lee", "Lee", "Kai Lee"]


def test_removing_the_only_tag_ends_it():
    live = UntaggedIndex(merged_view(), [Tagged(Span(0, 7))])
    change = live.change([Tagged(Span(0, 7))], [])
    assert not live.places
    assert len(change.removed) == 3


def test_the_type_most_often_given():
    tags = [Tagged(Span(0, 3)), Tagged(Span(14, 17), PATIENT), Tagged(Span(24, 27), PATIENT)]
    live = UntaggedIndex(merged_view(), tags)
    assert {live.phi_type(each) for each in live.places} == {PATIENT}


def test_of_types_that_are_given_as_often_it_is_the_same_in_whichever_order_they_came():
    tags = [Tagged(Span(0, 3), PATIENT), Tagged(Span(14, 17))]
    for every in (tags, tags[::-1]):
        live = UntaggedIndex(merged_view(), every)
        assert {live.phi_type(each) for each in live.places} == {DOCTOR}


def test_how_often_a_text_is_tagged_as_what():
    tags = [Tagged(Span(0, 3)), Tagged(Span(14, 17), PATIENT), Tagged(Span(24, 27), PATIENT)]
    live = UntaggedIndex(merged_view(), tags)
    assert live.types(Span(0, 3)) == {DOCTOR: 1, PATIENT: 2}
    live.change([tags[0]], [])
    assert live.types(Span(0, 3)) == {PATIENT: 2}
    assert live.types(Span(9, 12)) == {}


def word_spans():
    text = merged_view().text
    starts = [at for at, char in enumerate(text) if char in "KL"]
    ends = [at + 3 for at in starts]
    pairs = [(start, end) for start in starts for end in ends if 0 < end - start < 9]
    return [Span(*pair) for pair in pairs if "," not in text[pair[0] : pair[1]]]


inside = [
    span
    for span in word_spans()
    if merged_view().section_at(span.start) == merged_view().section_at(span.end)
]


@given(
    st.lists(st.sampled_from(inside), max_size=15, unique=True),
    st.lists(st.sampled_from(inside), max_size=15, unique=True),
    st.integers(1, 60),
)
def test_many_at_once_are_the_same_as_at_once(first, then, piece):
    before, after = [list(map(Tagged, each)) for each in (first, then)]
    with (
        patch.object(module, "_PORTION", 2),
        patch.object(module, "_FEW", 0),
        patch.object(module, "_PIECE", piece),
    ):
        live = UntaggedIndex(merged_view(), before)
        live.change(before, after)
    assert set(live.places) == set(UntaggedIndex(merged_view(), after).places)
    live.change(after, [])
    assert not live.places


@given(
    st.lists(st.tuples(st.sampled_from(inside), st.sampled_from([DOCTOR, PATIENT])), max_size=15)
)
def test_step_by_step_is_the_same_as_at_once(steps):
    view, tags = merged_view(), []
    live = UntaggedIndex(view, [])
    for span, phi_type in steps:
        tag = Tagged(span, phi_type)
        if tag in tags:
            tags.remove(tag)
            live.change([tag], [])
        else:
            tags.append(tag)
            live.change([], [tag])
    assert set(live.places) == set(UntaggedIndex(view, tags).places)
    assert found_by_check(view, tags) <= {(each.start, each.end) for each in live.places}


def found_by_check(view, tags):
    layers = []
    for section in view.sections:
        here = [each for each in tags if view.section_at(each.span.start) == section]
        placed = [Tag(each.span.shifted(-section.start), each.phi_type) for each in here]
        layers.append(Layer.of(section.record_id, "ana", placed))
    findings = exact_findings(view.patient.documents, layers)
    spans = [view.merged_span(each.record_id, each.span) for each in findings]
    return {(span.start, span.end) for span in spans}


BROKEN_VIEW = MergedView(
    Patient("1", tuple(Document(f"1-0{at}", "1", text) for at, text in enumerate(BROKEN, 1)))
)
BROKEN_NAMES = [
    Span(*found.span())
    for found in re.finditer(r"f(?:[a-zá\u0301]|-\n ?){8,}", BROKEN_VIEW.text, re.IGNORECASE)
]


def broken_texts(live):
    return [BROKEN_VIEW.text[each.start : each.end] for each in live.places]


def test_a_text_is_found_over_line_ends_in_capitals_and_without_accents():
    live = UntaggedIndex(BROKEN_VIEW, [])
    live.change([], [Tagged(BROKEN_NAMES[0])])
    assert broken_texts(live) == ["Ferrán-\ndiz", "FERRANDIZ", "Ferra\u0301ndiz", "Ferrándiz"]


def test_what_is_tagged_over_a_line_end_is_found_whole():
    live = UntaggedIndex(BROKEN_VIEW, [Tagged(BROKEN_NAMES[1])])
    assert broken_texts(live) == ["Ferrándiz", "FERRANDIZ", "Ferra\u0301ndiz", "Ferrándiz"]


def test_a_small_word_is_found_once_one_is_tagged():
    live = UntaggedIndex(BROKEN_VIEW, [Tagged(BROKEN_NAMES[0])])
    live.change([], [Tagged(BROKEN_NAMES[2])])
    assert "ferrán-\n diz" in broken_texts(live)
    live.change([Tagged(BROKEN_NAMES[2])], [])
    assert "ferrán-\n diz" not in broken_texts(live)


@given(st.lists(st.sampled_from(BROKEN_NAMES), max_size=15), st.integers(0, 1))
def test_step_by_step_is_the_same_as_at_once_however_a_text_stands(spans, few):
    tags = []
    live = UntaggedIndex(BROKEN_VIEW, [])
    with patch.object(module, "_FEW", few):
        for tag in map(Tagged, spans):
            is_there = tag in tags
            live.change([tag] if is_there else [], [] if is_there else [tag])
            tags = [each for each in tags if each != tag] if is_there else [*tags, tag]
            now = UntaggedIndex(BROKEN_VIEW, tags)
            assert set(live.places) == set(now.places)
