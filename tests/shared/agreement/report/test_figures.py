"""What a comparison adds to a report is what the measures say, whichever way it is counted."""

import random
from collections import Counter
from datetime import date
from itertools import combinations

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.chance import krippendorff_alpha
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
from shared.agreement.report.comparison_counts import ComparisonCounts, counting
from shared.agreement.report.figures import AverageFigures
from shared.agreement.report.options import ReportOptions
from shared.agreement.report.study_counts import StudyCounts
from shared.agreement.study import AnnotatorPair, Study
from shared.metrics.alignment import DifferenceKind, align_tags
from shared.metrics.counts import added
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import document, marked_up
from tests.strategies import tags

TEXT = "Seen by John Smith, MD, on 6/03/04 again"
HIPAA = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa)
is_hipaa = HIPAA.__contains__

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


# ---------------------------------------------------------------- several annotators


def counts_of(*pairs: AnnotatorPair, resamples: int = 20) -> StudyCounts:
    counts = StudyCounts(ReportOptions("1", date(2026, 3, 4), resamples), HIPAA)
    counts.add_study(Study("S", pairs, HIPAA), counting(is_hipaa))
    return counts


def compared(record: str, ours: str, theirs: str) -> Comparison:
    return Comparison(document(theirs, record), marked_up(ours)[1], marked_up(theirs)[1])


def test_alpha_of_three_annotators_is_that_of_the_library():
    """The third has read only one of the two records."""
    versions = {
        "110-01": [
            "Dr. [Lee|DOCTOR] on [3/4|DATE]",
            "Dr. [Lee|PATIENT] on 3/4",
            "Dr. Lee on [3/4|DATE]",
        ],
        "111-01": ["[Kai|DOCTOR] came [Monday|DATE]", "[Kai|DOCTOR] came Monday"],
    }
    names = ("ana", "ben", "cleo")
    pairs = [
        AnnotatorPair(
            names[first],
            names[second],
            tuple(
                compared(record, texts[first], texts[second])
                for record, texts in versions.items()
                if second < len(texts)
            ),
        )
        for first, second in combinations(range(3), 2)
    ]
    joint = counts_of(*pairs).joint
    found = joint.figures()
    # 0 untagged, 1 doctor, 2 patient, 3 date; tokens of both records in a row
    labels = [[0, 1, 0, 3, 1, 0, 3], [0, 2, 0, 0, 1, 0, 0], [0, 0, 0, 3, *[np.nan] * 3]]
    expected = krippendorff.alpha(np.array(labels), level_of_measurement="nominal")
    value, interval = found.typed(krippendorff_alpha)
    assert value == pytest.approx(expected)
    assert interval.low <= interval.high <= 1
    assert (joint.tokens, joint.annotators, joint.has_all_pairs) == (7, list(names), True)
    assert not counts_of(*pairs[:2]).joint.has_all_pairs


def test_means_over_annotators_and_their_intervals_are_those_of_drawing_one_by_one():
    kept = "[Lee|DOCTOR] and [Kai|DOCTOR] on [3/4|DATE]"
    missed = [
        "Lee and [Kai|DOCTOR] on [3/4|DATE]",
        "Lee and Kai on 3/4",
        kept,
        "Lee and Kai on [3/4|DATE]",
    ]
    ana = AnnotatorPair(
        "ana", "gold", tuple(compared(f"{at}-01", missed[at % 4], kept) for at in range(9))
    )
    ben = AnnotatorPair(
        "ben", "gold", tuple(compared(f"{at}-01", missed[at % 3], kept) for at in range(4, 13))
    )
    key = MeasureKey(STRICT)
    every = counts_of(ana, ben, resamples=4000).figures
    average = AverageFigures(every)
    assert average.met(key) == every
    assert average.met(MeasureKey(STRICT, hipaa_only=True)) == every
    ratios, micro = average.micro(key)
    assert ratios.f1 == pytest.approx(np.mean([each.counts(key).f1 for each in every]))
    assert average.counts(key) == every[0].counts(key) + every[1].counts(key)
    chance = random.Random(2)
    everyone = [str(at) for at in range(13)]
    drawn: list[tuple[float, float]] = []
    for _ in range(4000):
        sample = chance.choices(everyone, k=13)
        of_each = []
        for sides in (ana, ben):
            rows = {each.record_id[:-3]: total(count(each, STRICT)) for each in sides.comparisons}
            met = [rows[each] for each in sample if each in rows]
            of_each.append((added(met).f1, float(np.mean([each.f1 for each in met]))))
        drawn.append(tuple(np.mean(of_each, axis=0)))
    expected = np.quantile(drawn, [0.025, 0.975], axis=0)
    macro = average.macro(key)[1]
    assert (micro.low, micro.high) == pytest.approx(tuple(expected[:, 0]), abs=0.02)
    assert (macro.low, macro.high) == pytest.approx(tuple(expected[:, 1]), abs=0.02)


def test_nobody_beside_the_gold_standard():
    assert AverageFigures([]).met(MeasureKey(STRICT)) == []
