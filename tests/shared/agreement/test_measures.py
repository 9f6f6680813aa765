"""What counts as the same thing: known values by hand, and invariants of every measure."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.comparison import Comparison
from shared.agreement.measures import (
    MEASURES,
    OVERLAP,
    RELAXED,
    STRICT,
    TOKEN,
    Granularity,
    Matcher,
    Measure,
    MeasureKey,
    count,
    count_matches,
    score,
    total,
)
from shared.metrics.counts import MatchCounts
from shared.model import Document, PhiType, Span, Tag

PATIENT = PhiType("NAME", "PATIENT")
DOCTOR = PhiType("NAME", "DOCTOR")
DATE = PhiType("DATE", "DATE")
TEXT = "Seen by John Smith, MD.  Since6/03/04 at\tMercy  "

every_measure = pytest.mark.parametrize("measure", MEASURES)
every_grain = pytest.mark.parametrize("granularity", list(Granularity))
tags = st.lists(
    st.builds(
        lambda start, length, kind: Tag(Span(start, min(start + length, len(TEXT))), kind),
        st.integers(0, len(TEXT) - 1),
        st.integers(1, 9),
        st.sampled_from([PATIENT, DOCTOR, DATE]),
    ),
    max_size=10,
)


def compare(candidate: list[Tag], reference: list[Tag]) -> Comparison:
    return Comparison(Document("110-01", "110", TEXT), tuple(candidate), tuple(reference))


def tag(text: str, kind: PhiType = DOCTOR) -> Tag:
    return Tag(Span(TEXT.index(text), TEXT.index(text) + len(text)), kind)


def counted(measure: Measure, candidate: list[Tag], reference: list[Tag]) -> MatchCounts:
    return total(count(compare(candidate, reference), measure))


@pytest.mark.parametrize(
    ("measure", "candidate", "reference", "expected"),
    [
        (STRICT, [tag("John Smith")], [tag("John Smith")], MatchCounts(1, 0, 0)),
        (STRICT, [tag("John Smith,")], [tag("John Smith")], MatchCounts(0, 1, 1)),
        (STRICT, [tag("John", PATIENT)], [tag("John")], MatchCounts(0, 1, 1)),
        (RELAXED, [tag("John Smith,")], [tag("John Smith")], MatchCounts(1, 0, 0)),
        (RELAXED, [tag("John Smi")], [tag("John Smith")], MatchCounts(1, 0, 0)),
        (RELAXED, [tag("John Sm")], [tag("John Smith")], MatchCounts(0, 1, 1)),
        (RELAXED, [tag("ohn Smith")], [tag("John Smith")], MatchCounts(0, 1, 1)),
        (OVERLAP, [tag("ohn")], [tag("John Smith")], MatchCounts(1, 0, 0)),
        (OVERLAP, [tag("John"), tag("Smith")], [tag("John Smith")], MatchCounts(1, 1, 0)),
        (TOKEN, [tag("John"), tag("Smith")], [tag("John Smith")], MatchCounts(2, 0, 0)),
        (TOKEN, [tag("Smith,")], [tag("John Smith")], MatchCounts(1, 0, 1)),
        (TOKEN, [tag("Since", DATE)], [tag("6/03/04", DATE)], MatchCounts(1, 0, 0)),
        (TOKEN, [tag("  Since", DATE)], [tag("\tMercy  ", DATE)], MatchCounts(0, 1, 1)),
        (TOKEN, [], [tag("  ")], MatchCounts(0, 0, 0)),
    ],
)
def test_known_counts(
    measure: Measure, candidate: list[Tag], reference: list[Tag], expected: MatchCounts
) -> None:
    assert counted(measure, candidate, reference) == expected


def test_relaxed_lets_no_tag_match_two_others() -> None:
    near = [tag("John Smit"), tag("John Smith,")]
    assert counted(RELAXED, near, [tag("John Smith")]) == MatchCounts(1, 1, 0)


def test_overlap_finds_the_most_pairs() -> None:
    candidate = [tag("by John"), tag("John Smith")]
    reference = [tag("by John Smith"), tag("by")]
    assert counted(OVERLAP, candidate, reference) == MatchCounts(2, 0, 0)


def test_binary_does_not_look_at_the_type() -> None:
    comparison = compare([tag("John", PATIENT)], [tag("John", DATE)])
    assert total(count(comparison, STRICT, Granularity.BINARY)) == MatchCounts(1, 0, 0)


def test_category_does_not_look_at_the_type_within_it() -> None:
    comparison = compare([tag("John", PATIENT), tag("MD", DATE)], [tag("John"), tag("MD")])
    assert count(comparison, STRICT, Granularity.CATEGORY) == {
        "NAME": MatchCounts(1, 0, 1),
        "DATE": MatchCounts(0, 1, 0),
    }


def test_counts_by_type() -> None:
    comparison = compare([tag("John", PATIENT)], [tag("John"), tag("6/03/04", DATE)])
    assert count(comparison, STRICT) == {
        PATIENT: MatchCounts(0, 1, 0),
        DOCTOR: MatchCounts(0, 0, 1),
        DATE: MatchCounts(0, 0, 1),
    }


def test_only_some_types() -> None:
    comparison = compare([tag("John", PATIENT)], [tag("John"), tag("6/03/04", DATE)])
    kept = comparison.only(lambda kind: kind.category == "NAME")
    assert total(count(kept, STRICT)) == MatchCounts(0, 1, 1)


@every_measure
@every_grain
@given(some=tags)
def test_a_layer_against_itself_is_one(
    measure: Measure, granularity: Granularity, some: list[Tag]
) -> None:
    scores = score([compare(some, some)], measure, granularity)
    assert (scores.micro.f1, scores.macro.f1) == (1.0, 1.0)


@every_measure
@every_grain
@given(one=tags, other=tags)
def test_swapping_the_sides_swaps_the_counts(
    measure: Measure, granularity: Granularity, one: list[Tag], other: list[Tag]
) -> None:
    there = total(count(compare(one, other), measure, granularity))
    assert total(count(compare(other, one), measure, granularity)) == there.swapped()


@every_measure
@given(one=tags, other=tags)
def test_the_order_of_tags_does_not_matter(
    measure: Measure, one: list[Tag], other: list[Tag]
) -> None:
    there = count(compare(one, other), measure)
    assert count(compare(one[::-1], other[::-1]), measure) == there


@every_measure
@given(one=tags, other=tags)
def test_saying_a_thing_twice_changes_nothing(
    measure: Measure, one: list[Tag], other: list[Tag]
) -> None:
    assert counted(measure, one + one, other) == counted(measure, one, other)


@every_grain
@given(one=tags, other=tags)
def test_each_measure_is_at_most_as_strict_as_the_one_before(
    granularity: Granularity, one: list[Tag], other: list[Tag]
) -> None:
    found = [
        total(count(compare(one, other), each, granularity)).tp
        for each in (STRICT, RELAXED, OVERLAP)
    ]
    assert found == sorted(found)


@given(one=tags, other=tags)
def test_each_grain_is_at_most_as_strict_as_the_one_before(
    one: list[Tag], other: list[Tag]
) -> None:
    binary = total(count(compare(one, other), STRICT, Granularity.BINARY))
    typed = total(count(compare(one, other), STRICT, Granularity.TYPE))
    assert binary.fp <= typed.fp
    assert binary.fn <= typed.fn


def most_pairs(ours: list[Span], theirs: list[Span]) -> int:
    """The slow and obvious way: try every partner for the first, then go on with the rest."""
    if not ours:
        return 0
    without = most_pairs(ours[1:], theirs)
    return max(
        [without]
        + [
            1 + most_pairs(ours[1:], theirs[:at] + theirs[at + 1 :])
            for at, each in enumerate(theirs)
            if ours[0].overlaps(each)
        ]
    )


few_tags = tags.map(lambda found: [Tag(each.span, DATE) for each in found[:5]])


@given(one=few_tags, other=few_tags)
def test_overlap_equals_trying_every_pairing(one: list[Tag], other: list[Tag]) -> None:
    sides = [list(dict.fromkeys(each.span for each in side)) for side in (one, other)]
    assert counted(OVERLAP, one, other).tp == most_pairs(*sides)


@given(one=tags, other=tags)
def test_tokens_equal_looking_at_every_token(one: list[Tag], other: list[Tag]) -> None:
    def labelled(side: list[Tag]) -> set[tuple[int, PhiType]]:
        found: set[tuple[int, PhiType]] = set()
        at = 0
        for token in TEXT.split():
            at = TEXT.index(token, at)
            span = Span(at, at + len(token))
            found |= {(at, each.phi_type) for each in side if each.span.overlaps(span)}
            at = span.end
        return found

    ours, theirs = labelled(one), labelled(other)
    expected = MatchCounts(len(ours & theirs), len(ours - theirs), len(theirs - ours))
    assert counted(TOKEN, one, other) == expected
    reported = count_matches(compare(one, other), lambda _: True)
    assert reported[MeasureKey(TOKEN)] == expected
    first, second = ({at for at, _ in side} for side in (ours, theirs))
    assert reported[MeasureKey(TOKEN, Granularity.BINARY)] == MatchCounts(
        len(first & second), len(first - second), len(second - first)
    )


@every_measure
@every_grain
@given(tags, tags)
def test_what_matches_is_as_much_as_is_counted(
    measure: Measure, granularity: Granularity, one: list[Tag], other: list[Tag]
) -> None:
    matcher = Matcher(compare(one, other))
    found = {
        label: MatchCounts(len(each.pairs), len(each.candidates), len(each.references))
        for label, each in matcher.match(measure, granularity).items()
    }
    assert found == matcher.count(measure, granularity)


@pytest.mark.parametrize("turned", [False, True])
def test_overlap_says_which_tag_matches_which(turned: bool) -> None:
    sides = [tag("John"), tag("Smith")], [tag("hn Smi"), tag("Mercy")]
    ours, theirs = sides[::-1] if turned else sides
    (found,) = Matcher(compare(ours, theirs)).match(OVERLAP).values()
    (pair,) = found.pairs
    assert pair[turned][0] == TEXT.index("John")
    assert pair[not turned][0] == TEXT.index("hn Smi")
    alone = [found.candidates, found.references]
    assert [start for start, _ in alone[turned]] == [TEXT.index("Smith")]
    assert [start for start, _ in alone[not turned]] == [TEXT.index("Mercy")]


def test_a_corpus_is_scored_by_the_granularity_that_is_asked_for():
    corpus = [compare([tag("John Smith", PATIENT)], [tag("John Smith")])] * 2
    assert score(corpus, STRICT).micro.tp == 0
    assert score(corpus, STRICT, Granularity.CATEGORY).micro.tp == 2


def test_what_matches_is_told_of_the_types_to_keep_only():
    matcher = Matcher(compare([tag("6/03/04", DATE), tag("John")], [tag("6/03/04", DATE)]))
    assert set(matcher.match(STRICT, keep=lambda phi_type: phi_type == DATE)) == {DATE}
