"""How a patient is opened, and what speaks against it."""

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from adjudicator.decisions import SIDES
from adjudicator.worklist import unfinished
from shared.errors import RequestError
from shared.project.project import Project


@dataclass(frozen=True, slots=True)
class Options:
    """How to open a patient.

    `force` opens one whose annotators have not all finished, `review_agreements` asks about what
    they agree on too, `blind` hides who said what and puts them in random order.
    """

    force: bool = False
    review_agreements: bool = False
    blind: bool = False


def refuse_unfinished(project: Project, patient_id: str) -> None:
    waiting = unfinished(project, patient_id)
    if waiting:
        have = "has" if len(waiting) == 1 else "have"
        raise RequestError(
            f"patient {patient_id}: {' and '.join(waiting)} {have} not finished; "
            "wait for that, or open the patient by force"
        )


def order_of(project: Project, patient_id: str, number: int, *, blind: bool) -> tuple[int, ...]:
    """Return the order of the annotators: their own, or one drawn for this patient for good."""
    if not 2 <= number <= len(SIDES):
        raise RequestError(
            f"patient {patient_id} has {number} annotators; adjudication is for 2 to {len(SIDES)}"
        )
    order = list(range(number))
    if blind:
        Random(f"{project.title} {patient_id}").shuffle(order)
    return tuple(order)


def was_done(lines: Iterable[dict[str, Any]]) -> bool:
    marks = [line["op"] for line in lines if line["op"] in ("done", "begun")]
    return marks[-1:] == ["done"]
