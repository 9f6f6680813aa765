"""What becomes of a tag that would lie in another, or have one in it."""

from collections import namedtuple

import pytest

from shared.errors import RequestError
from shared.model import PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.tag_operations import TagOperations
from tests.patient_layers import DOCTOR, merged_view, open_layer

PATIENT = PhiType("NAME", "PATIENT")
Suggested = namedtuple("Suggested", "span phi_type confidence")


@pytest.fixture
def view():
    return merged_view({"1-01": "Kai Yamamoto came.", "1-02": "No change."})


@pytest.fixture
def layer(view):
    return open_layer(view, [])


@pytest.fixture
def operations(view, layer):
    return TagOperations(view, layer, I2B2_2014)


def test_less_than_a_tag_is_what_is_left_of_it(operations, layer):
    operations.tag(Span(0, 12), PATIENT)
    operations.comment(next(iter(layer.tags)), "sure")
    operations.tag(Span(4, 12), PATIENT)
    (placed,) = layer.tags
    assert (placed.span, placed.tag.comment, placed.tag_id) == (Span(4, 12), "sure", "P0")
    layer.undo()
    assert [each.span for each in layer.tags] == [Span(0, 12)]


def test_another_type_within_a_tag_is_a_tag_of_its_own(operations, layer):
    operations.tag(Span(0, 12), PATIENT)
    operations.tag(Span(4, 12), DOCTOR)
    assert [each.span for each in layer.tags] == [Span(0, 12), Span(4, 12)]


def test_a_tag_that_grows_takes_in_those_of_its_type(operations, layer):
    (first,) = operations.tag(Span(0, 3), PATIENT).added
    operations.tag(Span(4, 12), PATIENT)
    operations.resize(first, Span(0, 12))
    assert [(each.span, each.tag_id) for each in layer.tags] == [(Span(0, 12), "P0")]
    layer.undo()
    assert [each.span for each in layer.tags] == [Span(0, 3), Span(4, 12)]


def test_no_suggestion_or_ticked_place_makes_a_twin_within_a_tag(operations, layer):
    operations.tag(Span(0, 12), PATIENT)
    with pytest.raises(RequestError, match="already"):
        operations.accept([Suggested(Span(4, 12), PATIENT, 0.9)])
    with pytest.raises(RequestError, match="already"):
        operations.tag_all([Span(4, 12)], PATIENT)
    assert [each.span for each in layer.tags] == [Span(0, 12)]
