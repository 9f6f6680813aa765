"""What the status of a project says of how annotators work: training, known answers, acceptance."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from adjudicator.known_answer_results import (
    check_as_json,
    known_answer_checks,
    training_as_json,
    training_progress,
)
from shared.agreement.comparison import Comparison
from shared.agreement.drift import over_time
from shared.agreement.measures import STRICT, count, total
from shared.agreement.study import Study
from shared.errors import FileError
from shared.metrics.counts import MatchCounts
from shared.project.acceptance import Acceptances
from shared.project.project import Project
from shared.text.blocks import Block, Table


def checks_as_json(
    project: Project, problems: list[FileError], *, known_answers: bool
) -> dict[str, Any]:
    """The rounds of each annotator, and where asked for what came of known-answer patients.

    What cannot be read is told in `problems`.
    """
    found: dict[str, Any] = {"training": []}
    try:
        found["training"] = [
            {"annotator": name, **training_as_json(each)}
            for name, rounds in training_progress(project).items()
            for each in rounds
        ]
    except FileError as problem:
        problems.append(problem)
    if known_answers:
        checks = known_answer_checks(project, problems)
        found["known_answers"] = [check_as_json(*each) for each in checks.items()]
    return found


def check_blocks(found: dict[str, Any]) -> Iterator[Block]:
    """Yield what `checks_as_json` returned to people, nothing where there is nothing."""
    if found["training"]:
        yield Table(
            ("training of", "patients", "F1", "pass mark", "is"),
            [
                (
                    each["annotator"],
                    f"{each['done']} of {each['patients']}",
                    _share(each["f1"]),
                    f"{each['pass_mark']:.2f}",
                    each["state"],
                )
                for each in found["training"]
            ],
        )
    if "known_answers" in found:
        yield _known_answers(found["known_answers"])


def acceptance_as_json(parts: Sequence[Acceptances]) -> dict[str, Any]:
    """How one annotator accepted suggestions, by what their journals tell."""
    found = Acceptances.sum(parts)
    return {
        "accepted": len(found.waits),
        "median_seconds": found.median_wait,
        "seconds_each": found.seconds_each,
        "changed_later": found.changed,
        "looks": found.judged,
        "hasty": found.hasty,
        "flagged": found.is_flagged,
    }


def acceptance_blocks(people: Iterable[dict[str, Any]]) -> Iterator[Block]:
    """Yield how annotators accepted suggestions, nothing where nobody did."""
    rows = [(each["annotator"], each["acceptance"]) for each in people]
    if any(found["accepted"] for _, found in rows):
        yield Table(
            (
                "suggestions",
                "accepted",
                "after s",
                "s each",
                "changed",
                "looks",
                "hasty",
                "flagged",
            ),
            [
                (
                    name,
                    found["accepted"],
                    *map(_seconds, (found["median_seconds"], found["seconds_each"])),
                    _percent(found["changed_later"], found["accepted"]),
                    *(found["looks"], found["hasty"], "hasty" if found["flagged"] else ""),
                )
                for name, found in rows
            ],
        )


def drift_as_json(study: Study) -> list[dict[str, Any]]:
    """How the strict F1 of each two sides went on, window after window of patients."""
    return [
        {
            "first": sides.first,
            "second": sides.second,
            "from_day": each.first_day.isoformat(),
            "to_day": each.last_day.isoformat(),
            "patients": each.patients,
            "f1": each.window.f1,
            "p": each.window.p,
            "beside_first": each.judged,
        }
        for sides in study.sides
        for each in over_time(sides, map(_strict, sides.comparisons))
    ]


def _strict(comparison: Comparison) -> MatchCounts:
    return total(count(comparison, STRICT))


def drift_block(found: list[dict[str, Any]]) -> Block:
    """What `drift_as_json` returned, to people."""
    if not found:
        return ("too few patients are finished to tell whether agreement falls",)
    return Table(
        ("agreement of", "patients", "finished from", "to", "strict F1", "beside the first"),
        [
            (
                f"{each['first']} and {each['second']}",
                *(each[key] for key in ("patients", "from_day", "to_day")),
                f"{each['f1']:.3f}",
                each["beside_first"],
            )
            for each in found
        ],
    )


def _percent(some: int, every: int) -> str:
    return f"{some / every:.0%}" if every else ""


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.1f}"


def _known_answers(checks: list[dict[str, Any]]) -> Block:
    if not checks:
        return ("nobody has known-answer patients",)
    return Table(
        ("known answers", "done", "recall", "at most", "precision", "at most", "flagged"),
        [
            (
                each["annotator"],
                each["done"],
                *(
                    _share(each[key]) if each["done"] else ""  # of nothing it is 1 at most
                    for key in ("recall", "recall_bound", "precision", "precision_bound")
                ),
                f"after {each['flagged_after']}" if each["flagged_after"] else "",
            )
            for each in checks
        ],
    )


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.2f}"
