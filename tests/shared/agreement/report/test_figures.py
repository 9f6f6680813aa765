"""What a comparison adds to a report is what the measures say, whichever way it is counted."""

import pickle
import random
from collections import Counter
from dataclasses import replace
from datetime import date
from itertools import combinations, pairwise

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
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
from shared.agreement.report.export import to_json
from shared.agreement.report.figures import AverageFigures
from shared.agreement.report.options import ReportOptions
from shared.agreement.report.report import make_report, report_of
from shared.agreement.report.study_counts import StudyCounts
from shared.agreement.study import AnnotatorPair, PatientPair, Study, pairs_of_patients
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


# ---------------------------------------------------------------- parts

KINDS = ("[Lee|DOCTOR]", "[Lee|PATIENT]", "Lee")


@st.composite
def studied(draw: st.DrawFn) -> Study:
    """A study of some patients, of whom each was finished by two, three or none of three."""
    found: dict[tuple[str, str], list[Comparison]] = {}
    days: dict[tuple[str, str], dict[str, date]] = {}
    for patient in range(draw(st.integers(1, 9))):
        names = draw(st.lists(st.sampled_from(["ana", "ben", "cleo", "gold"]), unique=True))
        day = draw(st.sampled_from([None, date(2026, 3, 1), date(2026, 3, 2)]))
        for record in range(draw(st.integers(1, 3))):
            said = {each: draw(st.sampled_from(KINDS)) + " and [3/4|DATE]" for each in names}
            for one, other in combinations(sorted(names), 2):
                pair = compared(f"{patient}-{record}", said[one], said[other])
                found.setdefault((one, other), []).append(pair)
                if day:
                    days.setdefault((one, other), {})[str(patient)] = day
    sides = [
        AnnotatorPair(*pair, tuple(each), days.get(pair, {}), {}) for pair, each in found.items()
    ]
    ordered = sorted(sides, key=lambda each: (each.has_gold, each.first, each.second))
    return Study("S", tuple(ordered), HIPAA)


OPTIONS = ReportOptions("1", date(2026, 3, 4), resamples=12, with_text=True)


@settings(max_examples=40)
@given(studied(), st.data())
def test_any_parts_of_the_patients_add_up_to_the_same_report(
    study: Study, data: st.DataObject
) -> None:
    pairs: dict[str, list[PatientPair]] = {}
    for sides in study.sides:
        for pair in pairs_of_patients(sides):
            pairs.setdefault(pair.patient_id, []).append(pair)
    patients = [pairs[each] for each in sorted(pairs)]
    whole = to_json(make_report(study, OPTIONS))
    cuts = data.draw(st.lists(st.integers(0, len(patients)), max_size=4).map(sorted))
    added_up = StudyCounts(OPTIONS, HIPAA)
    for begin, end in pairwise([0, *cuts, len(patients)]):
        part = StudyCounts(OPTIONS, HIPAA)
        for each in patients[begin:end]:
            part.add(each)
        added_up.add_up(pickle.loads(pickle.dumps(part)))  # noqa: S301  our own
    alone = replace(study, sides=())
    assert to_json(report_of(alone, added_up, OPTIONS)) == whole


@settings(max_examples=40)
@given(studied(), st.randoms())
def test_whoever_is_in_which_part_the_figures_are_the_same(
    study: Study, chance: random.Random
) -> None:
    """Lists follow the patients; figures do not."""
    pairs: dict[str, list[PatientPair]] = {}
    for sides in study.sides:
        for pair in pairs_of_patients(sides):
            pairs.setdefault(pair.patient_id, []).append(pair)
    patients = list(pairs.values())
    chance.shuffle(patients)
    parts = [StudyCounts(OPTIONS, HIPAA) for _ in range(3)]
    for each in patients:
        chance.choice(parts).add(each)
    added_up = StudyCounts(OPTIONS, HIPAA)
    for part in parts:
        added_up.add_up(part)
    whole = make_report(study, OPTIONS)
    found = report_of(replace(study, sides=()), added_up, OPTIONS)
    lists = ("documents", "disagreements", "error_classes")
    for one, other in zip(found.tables, whole.tables, strict=True):
        assert one.name in lists or one.records() == other.records()
    assert (found.about, found.summary) == (whole.about, whole.summary)
