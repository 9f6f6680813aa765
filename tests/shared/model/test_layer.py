from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import ModelError
from shared.model import Layer, Span, Tag
from tests.builders import phi
from tests.strategies import documents_with_layers, tags


def tag(start: int, tag_id: str = "") -> Tag:
    return Tag(Span(start, start + 4), phi("DATE"), id=tag_id)


def ids(layer: Layer) -> list[str]:
    return [each.id for each in layer.tags]


def test_tags_stand_in_order_of_offset():
    assert [each.start for each in Layer.of("110-01", "ana", [tag(9), tag(0), tag(5)]).tags] == [
        0,
        5,
        9,
    ]


def test_tags_without_an_id_are_numbered_after_those_that_have_one():
    layer = Layer.of("110-01", "ana", [tag(0), tag(5, "P7"), tag(9), tag(12, "odd")])
    assert ids(layer) == ["P8", "P7", "P9", "odd"]


def test_an_id_twice_is_refused_and_named():
    with pytest.raises(ModelError, match="record 110-01: two tags with the id P1"):
        Layer.of("110-01", "ana", [tag(0, "P0"), tag(5, "P1"), tag(9, "P1")])


def test_change_takes_out_by_id_and_keeps_the_other_ids():
    layer = Layer.of("110-01", "ana", [tag(0), tag(5), tag(9)], unknown=["<SECTION/>"])
    changed = layer.changed(removed=["P0", "P2"], added=[tag(20)])
    assert ids(changed) == ["P1", "P2"]
    assert changed.unknown == ("<SECTION/>",)
    assert layer.next_number() == 3


def test_an_empty_layer_starts_to_number_at_zero():
    assert Layer("110-01", "ana").next_number() == 0


@given(documents_with_layers())
def test_every_tag_has_an_id_of_its_own(drawn):
    _, layer = drawn
    assert len(set(ids(layer))) == len(layer.tags)
    assert all(ids(layer))


@given(st.lists(tags(40), max_size=6), st.randoms(use_true_random=False))
def test_a_layer_does_not_depend_on_the_order_in_which_its_tags_come(drawn, random):
    numbered = [replace(each, id=f"P{n}") for n, each in enumerate(drawn)]
    mixed = random.sample(numbered, len(numbered))
    one, other = Layer.of("110-01", "ana", numbered), Layer.of("110-01", "ana", mixed)
    assert one == other
    assert ids(one) == ids(other)


@given(documents_with_layers(), st.data())
def test_removing_what_was_added_gives_the_layer_back(drawn, data):
    document, layer = drawn
    added = replace(data.draw(tags(len(document.text))), id="new")
    assert layer.changed(added=[added]).changed(removed=["new"]) == layer


@pytest.mark.parametrize("strange", ["P²", "P" + "9" * 5000, "P", "P-1", "Q7"])
def test_an_id_of_another_form_takes_no_part_in_numbering(strange):
    layer = Layer.of("1-01", "ana", [tag(0, strange), tag(5)])
    assert ids(layer) == [strange, "P0"]
    assert layer.next_number() == 1


def test_a_layer_keeps_whose_and_of_what_it_is_through_every_change():
    layer = Layer.of("110-01", "ana", [tag(0)], ["<SECTION/>"])
    for each in (layer, layer.changed(removed=["P0"])):
        assert (each.record_id, each.annotator, each.unknown) == ("110-01", "ana", ("<SECTION/>",))


def test_numbers_of_many_digits_count_up_to_what_tandem_will_ever_give():
    longest, longer = "P" + "9" * 17 + "8", "P1" + "0" * 18
    assert Layer.of("1-01", "ana", [tag(0, longest)]).next_number() == 10**18 - 1
    assert Layer.of("1-01", "ana", [tag(0, longer)]).next_number() == 0
