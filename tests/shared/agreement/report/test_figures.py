"""What a comparison adds to a report is what the measures say, whichever way it is counted."""

import random
from collections import Counter
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
from shared.agreement.report.figures import (
    AverageFigures,
    ChanceFigures,
    ComparisonCounts,
    Figures,
    counting,
)
from shared.agreement.study import AnnotatorPair
from shared.metrics.alignment import DifferenceKind, align_tags
from shared.metrics.counts import MatchCounts
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import document, marked_up
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


# ---------------------------------------------------------------- several annotators


def figures_of(*pairs: AnnotatorPair) -> list[Figures]:
    count = counting(is_hipaa)
    return [Figures.of(each, count, resamples=20, seed=1) for each in pairs]


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
    found = ChanceFigures(figures_of(*pairs), resamples=20, seed=1)
    # 0 untagged, 1 doctor, 2 patient, 3 date; tokens of both records in a row
    labels = [[0, 1, 0, 3, 1, 0, 3], [0, 2, 0, 0, 1, 0, 0], [0, 0, 0, 3, *[np.nan] * 3]]
    expected = krippendorff.alpha(np.array(labels), level_of_measurement="nominal")
    value, interval = found.typed(krippendorff_alpha)
    assert value == pytest.approx(expected)
    assert interval.low <= interval.high <= 1
    assert (found.tokens, found.annotators, found.has_all_pairs) == (7, list(names), True)
    assert not ChanceFigures(figures_of(*pairs[:2]), resamples=20, seed=1).has_all_pairs


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
    every = figures_of(ana, ben)
    average = AverageFigures(every, resamples=4000, seed=1)
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
        for figures in every:
            rows = dict(zip(figures.sides.patients, figures.tables[key], strict=True))
            met = [rows[each] for each in sample if each in rows]
            counted = MatchCounts(*(int(n) for n in np.sum(met, axis=0)))
            of_each.append((counted.f1, float(np.mean([MatchCounts(*r.tolist()).f1 for r in met]))))
        drawn.append(tuple(np.mean(of_each, axis=0)))
    expected = np.quantile(drawn, [0.025, 0.975], axis=0)
    macro = average.macro(key)[1]
    assert (micro.low, micro.high) == pytest.approx(tuple(expected[:, 0]), abs=0.02)
    assert (macro.low, macro.high) == pytest.approx(tuple(expected[:, 1]), abs=0.02)


def test_nobody_beside_the_gold_standard():
    assert AverageFigures([], resamples=20, seed=1).met(MeasureKey(STRICT)) == []
