"""What `tandem status` says of training rounds and known-answer patients."""

from collections.abc import Iterator
from typing import Any

from adjudicator.known_answer_results import (
    check_as_json,
    known_answer_checks,
    training_as_json,
    training_progress,
)
from shared.commands.blocks import Block, Table
from shared.errors import FileError
from shared.project.project import Project


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


def _known_answers(checks: list[dict[str, Any]]) -> Block:
    if not checks:
        return ("nobody has known-answer patients",)
    return Table(
        ("known answers", "done", "recall", "at most", "precision", "at most", "flagged"),
        [
            (
                each["annotator"],
                each["done"],
                *(_share(each[key]) for key in ("recall", "recall_bound", "precision")),
                _share(each["precision_bound"]),
                f"after {each['flagged_after']}" if each["flagged_after"] else "",
            )
            for each in checks
        ],
    )


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.2f}"
