"""Which tags of two layers are about the same thing."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.grouping import group_layers
from shared.agreement.pairing import Pairing, PairingKind, pair_tags
from shared.errors import ModelError
from shared.model import Layer, PhiType, Span, Tag

PATIENT = PhiType("NAME", "PATIENT")
DOCTOR = PhiType("NAME", "DOCTOR")

marks = st.builds(
    lambda start, length, kind: Tag(Span(start, start + length), kind),
    st.integers(0, 40),
    st.integers(1, 8),
    st.sampled_from([PATIENT, DOCTOR]),
)
layers = st.lists(marks, max_size=12).map(lambda tags: Layer.of("110-01", "ana", tags))


def layer(*places: tuple[int, int, PhiType]) -> Layer:
    return Layer.of("110-01", "ana", [Tag(Span(s, e), kind) for s, e, kind in places])


def pair_layers(first: Layer, second: Layer) -> tuple[Pairing, ...]:
    return pair_tags(first.tags, second.tags)


@pytest.mark.parametrize(
    ("first", "second", "kinds"),
    [
        (layer((0, 4, PATIENT)), layer((0, 4, PATIENT)), ["agreement"]),
        (layer((0, 4, PATIENT)), layer((0, 4, DOCTOR)), ["type"]),
        (layer((0, 4, PATIENT)), layer((0, 9, PATIENT)), ["extent"]),
        (layer((0, 4, PATIENT)), layer((2, 9, DOCTOR)), ["type and extent"]),
        (layer((0, 4, PATIENT)), layer(), ["only first"]),
        (layer(), layer((0, 4, PATIENT)), ["only second"]),
        (layer((0, 4, PATIENT)), layer((4, 9, PATIENT)), ["only first", "only second"]),
        (
            layer((0, 10, PATIENT)),
            layer((0, 4, PATIENT), (5, 10, PATIENT)),
            ["split or merge"],
        ),
        (layer(), layer(), []),
    ],
)
def test_the_kinds(first: Layer, second: Layer, kinds: list[str]) -> None:
    assert [str(each.kind) for each in pair_layers(first, second)] == kinds


def test_exact_matches_are_taken_out_before_overlaps_are_looked_for() -> None:
    first = layer((0, 10, PATIENT), (0, 4, DOCTOR))
    kinds = [each.kind for each in pair_layers(first, layer((0, 10, PATIENT)))]
    assert kinds == [PairingKind.ONLY_FIRST, PairingKind.AGREEMENT]


def test_a_chain_of_overlaps_is_one_pairing() -> None:
    first = layer((0, 4, PATIENT), (6, 12, PATIENT))
    second = layer((3, 7, PATIENT), (11, 15, PATIENT))
    (pairing,) = pair_layers(first, second)
    assert (pairing.kind, pairing.span) == (PairingKind.SPLIT_OR_MERGE, Span(0, 15))


def test_overlap_within_one_layer_alone_joins_nothing() -> None:
    kinds = [each.kind for each in pair_layers(layer((0, 9, PATIENT), (2, 4, DOCTOR)), layer())]
    assert kinds == [PairingKind.ONLY_FIRST, PairingKind.ONLY_FIRST]


def test_the_same_tag_twice_is_one_thing_said_twice() -> None:
    (pairing,) = pair_layers(layer((0, 4, PATIENT), (0, 4, PATIENT)), layer((0, 4, PATIENT)))
    assert (pairing.kind, len(pairing.first)) == (PairingKind.AGREEMENT, 2)


def test_layers_of_two_records_are_refused() -> None:
    with pytest.raises(ModelError, match="110-02"):
        group_layers([layer(), Layer.of("110-02", "ben", [])])


@given(layers, layers)
def test_every_tag_is_in_exactly_one_pairing(first: Layer, second: Layer) -> None:
    pairings = pair_layers(first, second)
    assert Counter(tag.id for each in pairings for tag in each.first) == Counter(
        tag.id for tag in first.tags
    )
    assert Counter(tag.id for each in pairings for tag in each.second) == Counter(
        tag.id for tag in second.tags
    )


@given(layers, layers)
def test_tags_that_overlap_across_layers_and_match_nothing_are_together(
    first: Layer, second: Layer
) -> None:
    shared = {tag.mark for tag in first.tags} & {tag.mark for tag in second.tags}
    home = {id(tag): n for n, each in enumerate(pair_layers(first, second)) for tag in each.tags}
    for one in first.tags:
        for other in second.tags:
            if one.span.overlaps(other.span) and not {one.mark, other.mark} & shared:
                assert home[id(one)] == home[id(other)]


MIRRORED = {
    PairingKind.ONLY_FIRST: "only second",
    PairingKind.ONLY_SECOND: "only first",
}


@given(layers, layers)
def test_swapping_the_layers_swaps_the_sides(first: Layer, second: Layer) -> None:
    def shape(a: Layer, b: Layer) -> Counter[tuple[object, ...]]:
        return Counter((each.first, each.second, each.kind) for each in pair_layers(a, b))

    mirrored = Counter(
        (each.second, each.first, MIRRORED.get(each.kind, each.kind))
        for each in pair_layers(second, first)
    )
    assert shape(first, second) == mirrored


@given(layers)
def test_a_layer_agrees_with_itself(layer: Layer) -> None:
    assert not any(each.is_disagreement for each in pair_layers(layer, layer))
