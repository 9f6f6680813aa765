"""What adjudication came to, how long it took, and what annotators may have left all the same."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isinf

from shared.agreement.report.table import ReportTable, counts, ratios, text
from shared.agreement.study import AdjudicationOutcome, MissedEstimate, Study

_CHOICES = ("both", "neither", "edited")
_HOUR = 3600


def adjudication_tables(study: Study) -> Iterator[ReportTable]:
    """Yield outcomes, ways of deciding, time, and residual risk; no row where there is nothing."""
    outcomes = study.outcomes
    yield _outcomes(outcomes)
    yield _ways(outcomes)
    yield _time(study)
    yield _missed(study)
    yield _whole(study)


def _outcomes(outcomes: Sequence[AdjudicationOutcome]) -> ReportTable:
    names = sorted({each.annotator for each in outcomes if each.annotator})
    found = Counter((each.kind, each.types, each.annotator or each.choice) for each in outcomes)
    rows = [
        (kind, types, *(found[kind, types, choice] for choice in (*names, *_CHOICES)))
        for kind, types in sorted({(kind, types) for kind, types, _ in found})
    ]
    return ReportTable.of(
        "adjudication",
        "What the adjudicator decided",
        (
            *(text("kind", "kind"), text("types", "types")),
            *counts(*((f"annotator_{at}", name) for at, name in enumerate(names, start=1))),
            *counts(*((choice, choice) for choice in _CHOICES)),
        ),
        rows,
        note="Disagreements by kind and by all types that somebody gave, and whose tags were "
        "taken; both: what both sides say together. What all annotators agree on is among them "
        "only where the adjudicator changed it.",
    )


def _ways(outcomes: Sequence[AdjudicationOutcome]) -> ReportTable:
    found = Counter(each.way for each in outcomes)
    return ReportTable.of(
        "adjudication_ways",
        "How it was decided",
        (text("way", "way"), *counts(("decisions", "decisions")), *ratios(("share", "share"))),
        [(way, number, number / found.total()) for way, number in sorted(found.items())],
        note="Looked at: on show by itself; alike: with others that say the same of the same "
        "words; as before, reviewed: by a precedent.",
    )


def _time(study: Study) -> ReportTable:
    found = study.adjudication_seconds
    decided = Counter(each.patient_id for each in study.outcomes)
    decisions = sum(decided[patient] for patient in found)
    row = (
        *(len(found), decisions, sum(found.values()) / _HOUR),
        *(sum(found.values()) / number if number else None for number in (len(found), decisions)),
    )
    return ReportTable.of(
        "adjudication_time",
        "How long adjudication took",
        (
            *counts(("patients", "patients"), ("decisions", "decisions")),
            *ratios(
                ("hours", "hours"),
                ("seconds_per_patient", "seconds per patient"),
                ("seconds_per_decision", "seconds per decision"),
            ),
        ),
        [row] if found else [],
        note="From step to step in the journal; pauses of a minute or more do not count.",
    )


def _missed(study: Study) -> ReportTable:
    return ReportTable.of(
        "missed",
        "PHI that both annotators may have missed",
        (
            *(text("type", "type"), *counts(("found", "found"))),
            *ratios(("missed", "missed"), ("missed_low", "from"), ("missed_high", "to")),
        ),
        [(each.phi_type, each.found, *_bounded(each)) for each in study.missed],
        note="Estimated by capture-recapture (Chapman) from what each of two annotators found "
        "alone, with 95 % intervals, less what the adjudicator added, all less all of that; types "
        "with few tags together. Where both overlook the same things more is left than this says: "
        "two readers cannot tell. Without a number: so few were found that there is no bound, or "
        "the adjudicator added more than the estimate allows for, which was wrong then, of all "
        "where it was so of a type with many tags. `tandem risk` "
        "says more.",
    )


def _bounded(each: MissedEstimate) -> Sequence[float | None]:
    """The estimate with its interval; nothing where it has no upper end, as 0 would vouch."""
    ends = (each.missed, each.low, each.high)
    return [None] * len(ends) if isinf(each.high) else ends


def _whole(study: Study) -> ReportTable:
    return ReportTable.of(
        "all_or_nothing",
        "Patients of whom one annotator found everything",
        (
            *(text("annotator", "annotator"), text("identifiers", "identifiers")),
            *counts(("whole", "patients found whole"), ("patients", "patients")),
            *ratios(("share", "share"), ("share_low", "from"), ("share_high", "to")),
        ),
        [
            (
                *(each.annotator, each.identifiers, each.whole, each.patients),
                *(each.whole / each.patients if each.patients else None, each.low, each.high),
            )
            for each in study.whole
        ],
        note="All-or-nothing recall (Scaiano and others, 2016) against the gold standard, exact "
        "95 % intervals (Clopper and Pearson).",
    )
