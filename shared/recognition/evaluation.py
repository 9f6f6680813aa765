"""How good suggestions are: strict scores, calibration, and what they leave uncovered."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from shared.metrics.counts import MatchCounts
from shared.model import Tag
from shared.recognition.crf.forward_backward import Floats
from shared.recognition.crf.marginals import LabelledSpan
from shared.recognition.labels import type_name
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.tokens import tokenized

BINS = 10
LEAST_SURE = 0.05
ALL = "all"


@dataclass(frozen=True, slots=True)
class Calibration:
    """Whether confidence means what it says.

    `error` is the expected calibration error over ten bins of equal width; `error_by_chance` what
    it would be on average were every confidence the probability that the suggestion is right, for
    it is never 0 on a sample (Roelofs et al. 2022); `wrong_among_least_sure` the share of all wrong
    suggestions that the 5 % least sure hold; `rows` are, per bin, how many, how sure on average,
    and which share is right.
    """

    error: float
    error_by_chance: float
    wrong_among_least_sure: float
    rows: tuple[tuple[int, float, float], ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What suggestions of any type cover, in records whose every tag is to be masked.

    `uncovered` is the share of gold tags with a character (blanks aside) that no suggestion
    covers; `token_precision` and `token_recall` count tokens that are PHI of whatever type.
    """

    uncovered: float
    token_precision: float
    token_recall: float


def strict_scores(
    examples: Sequence[Example], suggested: Sequence[Sequence[Suggestion]]
) -> dict[str, MatchCounts]:
    """Return strict counts per type, and of `ALL` together."""
    return strict_counts(
        (labelled_spans(found), labelled_spans(example.tags))
        for example, found in zip(examples, suggested, strict=True)
    )


def labelled_spans(marked: Iterable[Tag | Suggestion]) -> set[LabelledSpan]:
    """Return tags or suggestions as the CRFs have them."""
    return {LabelledSpan(each.start, each.end, type_name(each.phi_type)) for each in marked}


def strict_counts(
    pairs: Iterable[tuple[set[LabelledSpan], set[LabelledSpan]]],
) -> dict[str, MatchCounts]:
    """Count suggested against gold places, record by record: `ALL` together, then by type."""
    counts: dict[str, MatchCounts] = {ALL: MatchCounts()}
    for suggested, gold in pairs:
        for one, places in (
            (MatchCounts(tp=1), suggested & gold),
            (MatchCounts(fp=1), suggested - gold),
            (MatchCounts(fn=1), gold - suggested),
        ):
            for name in (name for place in places for name in (ALL, place.phi_type)):
                counts[name] = counts.get(name, MatchCounts()) + one
    return {name: counts[name] for name in sorted(counts, key=lambda name: (name != ALL, name))}


def counts_row(counts: MatchCounts) -> dict[str, float]:
    """Return precision, recall and F1 to four decimals, and how many gold tags there are."""
    return {
        "precision": round(counts.precision, 4),
        "recall": round(counts.recall, 4),
        "f1": round(counts.f1, 4),
        "count": counts.references,
    }


def calibration(
    examples: Sequence[Example], suggested: Sequence[Sequence[Suggestion]]
) -> Calibration:
    """Compare confidences with how often they are right, strictly."""
    outcomes = [
        (each.confidence, (each.span, each.phi_type) in gold)
        for example, found in zip(examples, suggested, strict=True)
        for gold in ({(tag.span, tag.phi_type) for tag in example.tags},)
        for each in found
    ]
    if not outcomes:
        return Calibration(0.0, 0.0, 0.0, ())
    sure = np.array([confidence for confidence, _ in outcomes])
    right = np.array([is_right for _, is_right in outcomes], float)
    rows = tuple(_bins(sure, right))
    error = sum(count * abs(mean - share) for count, mean, share in rows) / len(outcomes)
    least = np.argsort(sure, kind="stable")[: round(LEAST_SURE * len(outcomes))]
    wrong = float((1 - right).sum())
    among_least = float((1 - right[least]).sum()) / wrong if wrong else 0.0
    return Calibration(error, _error_by_chance(sure), among_least, rows)


def coverage(examples: Sequence[Example], suggested: Sequence[Sequence[Suggestion]]) -> Coverage:
    """Count what is left uncovered, and the tokens that are covered rightly and wrongly."""
    tags = uncovered = 0
    tokens = MatchCounts()
    for example, found in zip(examples, suggested, strict=True):
        text = example.document.text
        covered = _mask(len(text), ((each.start, each.end) for each in found))
        gold = _mask(len(text), ((tag.start, tag.end) for tag in example.tags))
        blank = np.array([char.isspace() for char in text], bool)
        bare = ~covered & ~blank
        tags += len(example.tags)
        uncovered += sum(bool(bare[tag.start : tag.end].any()) for tag in example.tags)
        starts = tokenized(text).starts
        masks = (covered & gold, covered & ~gold, ~covered & gold)
        tokens += MatchCounts(*(int(mask[starts].sum()) for mask in masks))
    return Coverage(uncovered / tags if tags else 0.0, tokens.precision, tokens.recall)


def above(
    suggested: Iterable[Sequence[Suggestion]], threshold: float
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of at least that confidence, document by document."""
    return [tuple(each for each in found if each.confidence >= threshold) for found in suggested]


def _bins(sure: Floats, right: Floats) -> Iterator[tuple[int, float, float]]:
    bins = _bin_of(sure)
    for number in range(BINS):
        inside = bins == number
        if inside.any():
            yield int(inside.sum()), float(sure[inside].mean()), float(right[inside].mean())


def _error_by_chance(sure: Floats) -> float:
    """The mean distance of sums of right ones from what they are on average, as if normal."""
    variances = np.bincount(_bin_of(sure), sure * (1 - sure))
    return float(np.sqrt(2 / np.pi * variances).sum()) / len(sure)


def _bin_of(sure: Floats) -> np.ndarray[tuple[int], np.dtype[np.int_]]:
    return np.minimum((sure * BINS).astype(int), BINS - 1)


def _mask(
    length: int, spans: Iterable[tuple[int, int]]
) -> np.ndarray[tuple[int], np.dtype[np.bool]]:
    mask = np.zeros(length, bool)
    for start, end in spans:
        mask[start:end] = True
    return mask
