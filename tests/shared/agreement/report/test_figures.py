"""What a comparison adds to a report is what the measures say, whichever way it is counted."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

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
from shared.agreement.report.figures import ComparisonCounts
from shared.metrics.alignment import DifferenceKind, align_tags
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import document
from tests.strategies import tags

TEXT = "Seen by John Smith, MD, on 6/03/04 again"
is_hipaa = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa).__contains__

some = st.lists(tags(len(TEXT)), max_size=8)
comparisons = st.builds(
    lambda ours, theirs, both: Comparison(document(TEXT), (*both, *ours), (*theirs, *both)),
    some,
    some,
    some,
)


@given(comparisons)
def test_the_counts_are_those_of_the_measures(comparison: Comparison):
    found = ComparisonCounts.of(comparison, is_hipaa).matches
    for key in measure_keys():
        kept = comparison.only(is_hipaa) if key.hipaa_only else comparison
        assert found[key] == total(count(kept, key.measure, key.granularity))
    for granularity in (Granularity.CATEGORY, Granularity.TYPE):
        for label, counts in count(comparison, STRICT, granularity).items():
            assert found[MeasureKey(STRICT, granularity, label=label_name(label))] == counts
    types = {tag.phi_type for tag in (*comparison.candidate, *comparison.reference)}
    assert len(found) == len(measure_keys()) + len(types) + len({kind.category for kind in types})


@given(comparisons)
def test_the_details_are_those_of_all_tags(comparison: Comparison):
    found = ComparisonCounts.of(comparison, is_hipaa)
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
