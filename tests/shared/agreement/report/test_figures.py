"""What a comparison adds to a report is what the measures say, whichever way it is counted."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.agreement_summary import AgreementSummary
from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import confusion, error_classes, nearest_tags
from shared.agreement.measures import (
    STRICT,
    Granularity,
    MeasureKey,
    count,
    label_name,
    measure_keys,
    total,
)
from shared.agreement.report.figures import ComparisonCounts, CountCache, PartCountCache
from shared.metrics.alignment import DifferenceKind, align_tags
from shared.model import Origin, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.text.tokens import token_starts
from tests.builders import document, marked_up, phi
from tests.strategies import tags

TEXT = "Seen by John Smith, MD, on 6/03/04 again"
is_hipaa = I2B2_2014.is_hipaa


def compare(candidate: str, reference: str) -> Comparison:
    return Comparison(document(reference), marked_up(candidate)[1], marked_up(reference)[1])


def condensed(comparison: Comparison) -> AgreementSummary:
    return AgreementSummary.of(comparison, token_starts(comparison.document.text))


some = st.lists(tags(len(TEXT)), max_size=8)
comparisons = st.builds(
    lambda ours, theirs, both: Comparison(document(TEXT), (*both, *ours), (*theirs, *both)),
    some,
    some,
    some,
)


def test_what_both_have_and_nothing_else_touches_is_settled():
    found = condensed(
        compare(
            "By [Lee|DOCTOR] and [Kern|DOCTOR] on [3/4|DATE] at [Mercy|HOSPITAL]",
            "By [Lee|DOCTOR] and [Kern|PATIENT] on [3/4|DATE] at [Mercy|HOSPITAL]",
        )
    )
    assert {kind.name: number for kind, number in found.numbers.items()} == {
        "DOCTOR": 1,
        "DATE": 1,
        "HOSPITAL": 1,
    }
    assert [tag.phi_type.name for tag in found.rest.candidate] == ["DOCTOR"]
    assert [tag.phi_type.name for tag in found.rest.reference] == ["PATIENT"]


def test_what_another_tag_touches_is_not_settled():
    both = compare("[John Smith|DOCTOR]", "[John Smith|DOCTOR]")
    inside = compare("[John|PATIENT] Smith", "John Smith").candidate
    found = condensed(Comparison(both.document, both.candidate + inside, both.reference))
    assert not found.settled
    assert len(found.rest.candidate) == 2


@given(comparisons)
def test_the_counts_are_those_of_the_measures(comparison: Comparison):
    found = ComparisonCounts.of(condensed(comparison), is_hipaa).matches
    for key in measure_keys():
        kept = comparison.only(is_hipaa) if key.hipaa_only else comparison
        assert found[key] == total(count(kept, key.measure, key.granularity))
    for granularity in (Granularity.CATEGORY, Granularity.TYPE):
        for label, counts in count(comparison, STRICT, granularity).items():
            assert found[MeasureKey(STRICT, granularity, label=label_name(label))] == counts
    assert len(found) == len(measure_keys()) + len(condensed(comparison).types) + len(
        {kind.category for kind in condensed(comparison).types}
    )


@given(comparisons)
def test_the_details_are_those_of_all_tags(comparison: Comparison):
    found = ComparisonCounts.of(condensed(comparison), is_hipaa)
    nearest = list(nearest_tags([comparison]))
    clusters = align_tags([comparison.candidate, comparison.reference])
    differing = [each for each in clusters if each.kind is not DifferenceKind.AGREEMENT]
    marks = {tag.mark for tag in comparison.reference}
    assert found.errors == error_classes(nearest)
    assert found.confusion == confusion(nearest)
    assert Counter(found.disagreements) == Counter(differing)
    assert [each.span for each in found.disagreements] == sorted(each.span for each in differing)
    assert found.origins == Counter(
        (str(tag.origin), tag.mark in marks) for tag in comparison.candidate
    )


@given(comparisons, st.sets(st.sampled_from([each.phi_type for each in I2B2_2014.types()])))
def test_a_part_counts_as_if_nothing_else_were_there(comparison: Comparison, kinds: set[PhiType]):
    parts = PartCountCache(is_hipaa, CountCache(is_hipaa))
    left = parts.only(comparison, kinds.__contains__)
    found, alone = parts(left), CountCache(is_hipaa)(left)
    assert left == comparison.only(kinds.__contains__)
    assert found.matches == alone.matches
    assert found.errors == alone.errors
    assert found.confusion == alone.confusion
    assert found.tokens == alone.tokens
    assert found.origins == alone.origins
    assert found.disagreements == alone.disagreements


def test_settled_tags_are_told_by_the_origin_of_the_candidate():
    comparison = compare("[Lee|DOCTOR]", "[Lee|DOCTOR]")
    assert condensed(comparison).settled == {(phi("DOCTOR"), Origin.HAND): 1}
