"""What adjudication came to: whose tags were taken, how it was decided, and how long it took."""

from collections import Counter
from collections.abc import Iterator, Sequence

from shared.agreement.report.table import ReportTable, counts, ratios, text
from shared.agreement.study import AdjudicationOutcome, Study

_CHOICES = ("both", "neither", "edited")
_HOUR = 3600


def adjudication_tables(study: Study) -> Iterator[ReportTable]:
    """Yield outcomes by kind and type, the ways of deciding, and the time; no row without any."""
    outcomes = study.outcomes
    yield _outcomes(outcomes)
    yield _ways(outcomes)
    yield _time(study)


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
