from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import ModelError
from shared.metrics.alignment import DifferenceKind, align_layers, align_tags, kind_of
from shared.model import Layer, Span, Tag
from tests.builders import layer, phi
from tests.strategies import tags


def groups(*sources: str) -> list[tuple[str, list[int]]]:
    """DifferenceKind and number of tags of each side, in the order of the text."""
    found = align_layers([layer(each) for each in sources])
    by_place = sorted(found, key=lambda each: min(t.start for side in each.sides for t in side))
    return [(each.kind.value, [len(side) for side in each.sides]) for each in by_place]


def tag(start: int, end: int, name: str = "PATIENT") -> Tag:
    return Tag(Span(start, end), phi(name))


@pytest.mark.parametrize(
    ("sources", "wanted"),
    [
        (["[Lee|DOCTOR]"] * 3, ("agreement", [1, 1, 1])),
        (["[Lee|DOCTOR]", "[Lee|DOCTOR]", "Lee"], ("one-sided", [1, 1, 0])),
        (["Lee", "[Lee|DOCTOR]", "Lee"], ("one-sided", [0, 1, 0])),
        (["[Lee|DOCTOR]", "[Lee|PATIENT]", "Lee"], ("type", [1, 1, 0])),
        (["[Lee|DOCTOR]", "[Lee|PATIENT]", "[Lee|DOCTOR]"], ("type", [1, 1, 1])),
        (["Dr [Lee|DOCTOR]", "[Dr Lee|DOCTOR]", "Dr [Lee|DOCTOR]"], ("extent", [1, 1, 1])),
        (["Dr [Lee|DOCTOR]", "[Dr Lee|PATIENT]", "Dr Lee"], ("type and extent", [1, 1, 0])),
        (
            ["[Kai Lee|PATIENT]", "[Kai|PATIENT] Lee", "Kai [Lee|PATIENT]"],
            ("extent", [1, 1, 1]),
        ),
        (
            ["[Kai Lee|PATIENT]", "[Kai|PATIENT] [Lee|PATIENT]", "Kai Lee"],
            ("split or merge", [1, 2, 0]),
        ),
    ],
)
def test_kinds_of_three_layers(sources, wanted):
    assert groups(*sources) == [wanted]


def test_tags_of_one_layer_that_overlap_nobody_elses_stay_apart():
    assert groups("[Kai|PATIENT] [Lee|DOCTOR]", "Kai Lee", "Kai Lee") == [
        ("one-sided", [1, 0, 0]),
        ("one-sided", [1, 0, 0]),
    ]


def test_tags_that_only_touch_are_not_about_one_thing():
    assert groups("[Kai |PATIENT]Lee", "Kai [Lee|PATIENT]") == [
        ("one-sided", [1, 0]),
        ("one-sided", [0, 1]),
    ]


def test_a_tag_that_only_touches_one_of_a_cluster_stays_out_of_it():
    alone, whole, part = tag(0, 4), tag(2, 8), tag(4, 6)
    found = [each.sides for each in align_tags([[alone, whole], [part]])]
    assert len(found) == 2
    assert ((alone,), ()) in found
    assert ((whole,), (part,)) in found


def test_what_agrees_is_taken_out_before_overlaps_are_looked_for():
    found = align_tags([[tag(0, 10), tag(0, 4, "DOCTOR")], [tag(0, 10)]])
    assert {(each.kind.value, each.span) for each in found} == {
        ("agreement", Span(0, 10)),
        ("one-sided", Span(0, 4)),
    }


def test_a_chain_of_overlaps_is_one_cluster():
    (found,) = align_tags([[tag(0, 4), tag(6, 12)], [tag(3, 7), tag(11, 15)]])
    assert (found.kind.value, found.span) == ("split or merge", Span(0, 15))


def test_the_same_tag_twice_is_one_thing_said_twice():
    (found,) = align_tags([[tag(0, 4), tag(0, 4)], [tag(0, 4)]])
    assert (found.kind.value, len(found.sides[0]), len(found.marks[0])) == ("agreement", 2, 1)


def test_layers_of_two_records_are_refused():
    with pytest.raises(ModelError, match="two records"):
        list(align_layers([layer("Kai"), Layer.of("110-02", "ben", [])]))


@given(st.lists(st.lists(tags(12), max_size=4), min_size=2, max_size=4))
def test_what_overlaps_across_sides_is_together_unless_all_say_it_and_nothing_else(sides):
    layers = [Layer.of("110-01", str(n), each) for n, each in enumerate(sides)]
    found = [{id(tag) for side in each.sides for tag in side} for each in align_layers(layers)]
    assert sorted(map(sorted, found)) == sorted(map(sorted, _joined_one_by_one(layers)))


@given(st.lists(st.lists(tags(12), max_size=4), min_size=2, max_size=4))
def test_every_tag_is_in_one_group(sides):
    layers = [Layer.of("110-01", str(n), each) for n, each in enumerate(sides)]
    found = list(align_layers(layers))
    for number, each in enumerate(layers):
        grouped = [tag for group in found for tag in group.sides[number]]
        assert sorted(map(id, grouped)) == sorted(map(id, each.tags))


@given(st.lists(tags(12), max_size=5))
def test_what_all_say_is_agreed(side):
    layers = [Layer.of("110-01", str(n), side) for n in range(3)]
    assert {each.kind for each in align_layers(layers)} <= {DifferenceKind.AGREEMENT}


def _joined_one_by_one(layers) -> list[set[int]]:
    """The tags that belong together, by looking at every pair."""
    agreed = set.intersection(*({tag.mark for tag in each.tags} for each in layers))
    tags = [(number, tag) for number, each in enumerate(layers) for tag in each.tags]
    groups = [{id(tag)} for _, tag in tags]
    for (one, first), (other, second) in combinations(tags, 2):
        contested = not {first.mark, second.mark} & agreed
        across = one != other and first.span.overlaps(second.span) and contested
        if across or first.mark == second.mark:
            joined = [each for each in groups if each & {id(first), id(second)}]
            groups = [each for each in groups if each not in joined] + [set.union(*joined)]
    return groups


def test_sides_that_all_say_the_same_agree():
    mark = (Span(0, 3), phi("DOCTOR"))
    assert kind_of([(mark,), (mark,)]) is DifferenceKind.AGREEMENT
    assert kind_of([(mark,), ()]) is DifferenceKind.ONE_SIDED


def test_a_cluster_says_what_each_side_says_once():
    (cluster,) = align_layers(
        [layer("[Kai Lee|PATIENT]"), layer("[Kai|PATIENT] [Lee|PATIENT]"), layer("Kai Lee")]
    )
    patient = phi("PATIENT")
    assert cluster.marks == (
        ((Span(0, 7), patient),),
        ((Span(0, 3), patient), (Span(4, 7), patient)),
        (),
    )


def test_an_agreement_says_the_same_of_every_side():
    (cluster,) = align_layers([layer("[Kai|PATIENT]")] * 3)
    assert cluster.marks == (((Span(0, 3), phi("PATIENT")),),) * 3


def test_layers_of_two_records_are_named():
    layers = [Layer(record, ()) for record in ("110-01", "110-02", "110-03")]
    with pytest.raises(ModelError, match="layers of two records: 110-01 and 110-03"):
        align_layers(layers)
