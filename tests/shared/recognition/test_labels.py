import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.model import PhiType, Span, Tag
from shared.recognition.labels import (
    LabelRun,
    Scheme,
    decode,
    encode,
    label_runs,
    phi_type_named,
    type_name,
)


@st.composite
def apart_runs(draw):
    runs, at = [], 0
    for _ in range(draw(st.integers(0, 6))):
        first = at + draw(st.integers(0, 3))
        last = first + draw(st.integers(0, 3))
        runs.append(LabelRun(first, last, draw(st.sampled_from(["A:X", "A:Y"]))))
        at = last + 1
    return runs


@given(apart_runs(), st.sampled_from(Scheme))
def test_labels_lead_back_to_the_runs(runs, scheme):
    count = runs[-1].last + 3 if runs else 4

    assert decode(encode(runs, count, scheme)) == runs


@pytest.mark.parametrize(
    ("labels", "runs"),
    [
        (["I-X", "I-X", "O"], [LabelRun(0, 1, "X")]),
        (["B-X", "I-Y"], [LabelRun(0, 0, "X"), LabelRun(1, 1, "Y")]),
        (["B-X", "E-X", "E-X"], [LabelRun(0, 1, "X"), LabelRun(2, 2, "X")]),
        (["S-X", "S-X"], [LabelRun(0, 0, "X"), LabelRun(1, 1, "X")]),
    ],
)
def test_broken_labels_are_taken_as_best_it_can(labels, runs):
    assert decode(labels) == runs


def tag(start, end, name="X"):
    return Tag(Span(start, end), PhiType("C", name))


@pytest.mark.parametrize(
    ("tags", "runs"),
    [
        ([tag(0, 3)], [LabelRun(0, 0, "C:X")]),
        ([tag(1, 5)], [LabelRun(0, 1, "C:X")]),
        ([tag(3, 4)], []),
        ([tag(0, 7), tag(4, 7, "Y")], [LabelRun(0, 1, "C:X")]),
        ([tag(4, 7, "Y"), tag(0, 3)], [LabelRun(0, 0, "C:X"), LabelRun(1, 1, "C:Y")]),
    ],
)
def test_a_tag_takes_every_token_that_it_touches(tags, runs):
    assert label_runs(tags, starts=[0, 4, 8], ends=[3, 7, 11]) == runs


def test_type_names_lead_back_to_types():
    assert phi_type_named(type_name(PhiType("LOCATION", "LOCATION-OTHER"))).name == "LOCATION-OTHER"
