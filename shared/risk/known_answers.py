"""Whether an annotator's known-answer patients speak against careful work.

Patients whose answers are known are mixed in among the others, as test questions are in
crowdsourcing (Le, Edmonds, Hester and Biewald: Ensuring quality in crowdsourced search relevance
evaluation, 2010). After each one the exact one-sided bound of Clopper and Pearson
(1934) is taken over all of them so far: the highest share of the PHI that the annotator may find as
a rule, if no more than this was found. Where even that is below what is asked for, they are
flagged; so with the share of their tags that are about PHI. Each look errs in one case of a
thousand at most for somebody who does just what is asked for, in fewer for anybody who does more.

That takes one miss as independent of the next, which within a patient it is not; how often careful
annotators are flagged all the same is measured by `tests/benchmarks/bench_known_answers.py`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.model import Layer
from shared.risk.bounds import is_bound_below, upper_bound
from shared.text.span_index import SpanIndex

LEAST_SHARE = 0.85
"""Of the PHI that a careful annotator finds, and of their tags that are about PHI."""
_CONFIDENCE = 0.999


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """An annotator's layers of a patient against the gold standard, in tags, whatever their types.

    `found` are tags of the gold standard that a tag of theirs overlaps, `about_phi` the reverse.
    """

    patient_id: str
    gold: int
    found: int
    own: int
    about_phi: int

    @classmethod
    def of(cls, patient_id: str, sides: Iterable[tuple[Layer, Layer]]) -> "KnownAnswer":
        """Compare the gold standard of each record with the annotator's layer."""
        counts = [(*_overlapping(gold, own), *_overlapping(own, gold)) for gold, own in sides]
        every, found, own, about_phi = map(sum, zip(*counts, strict=True)) if counts else (0,) * 4
        return cls(patient_id, every, found, own, about_phi)


@dataclass(frozen=True, slots=True)
class KnownAnswerCheck:
    """All of an annotator's known-answer patients together, in the order in which they were done.

    The shares are of what was found and of what is about PHI, None where there is nothing;
    the bounds are what they may be as a rule. `flagged_after` is how many patients it took.
    """

    answers: tuple[KnownAnswer, ...]
    recall: float | None
    recall_bound: float
    precision: float | None
    precision_bound: float
    flagged_after: int | None

    @classmethod
    def of(cls, answers: Sequence[KnownAnswer], least: float = LEAST_SHARE) -> "KnownAnswerCheck":
        """Hold them against the `least` share that is asked for, from 0 to 1, after each."""
        flagged = (
            at
            for at in range(1, len(answers) + 1)
            if any(is_bound_below(least, *each, _CONFIDENCE) for each in _totals(answers[:at]))
        )
        (found, gold), (about_phi, own) = _totals(answers)
        return cls(
            tuple(answers),
            found / gold if gold else None,
            upper_bound(found, gold, _CONFIDENCE),
            about_phi / own if own else None,
            upper_bound(about_phi, own, _CONFIDENCE),
            next(flagged, None),
        )


def _totals(answers: Sequence[KnownAnswer]) -> tuple[tuple[int, int], tuple[int, int]]:
    """What was found of all PHI, and what is about PHI of all tags."""
    return (
        (sum(each.found for each in answers), sum(each.gold for each in answers)),
        (sum(each.about_phi for each in answers), sum(each.own for each in answers)),
    )


def _overlapping(every: Layer, others: Layer) -> tuple[int, int]:
    """How many tags there are, and how many of them overlap one of the others."""
    there = SpanIndex(tag.span for tag in others.tags)
    return len(every.tags), sum(bool(there.query(tag.start, tag.end)) for tag in every.tags)
