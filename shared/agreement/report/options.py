"""How a report is made."""

from dataclasses import dataclass
from datetime import date

RESAMPLES = 1000


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How a report is made; `change` is the day of a change of the guidelines.

    Without `with_official` it is not measured what the official evaluator would say.
    """

    version: str
    today: date
    resamples: int = RESAMPLES
    seed: int = 1
    with_text: bool = False
    change: date | None = None
    with_official: bool = True
