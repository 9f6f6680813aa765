"""How the surrogates of a project are made: the rules, and what people wrote themselves."""

from dataclasses import dataclass

from shared.model import Span
from shared.surrogates.kinds import KindMap


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person wrote for a tag of the gold standard, or for all of the patient alike.

    One that is `approved` was drawn, not written: it says that the surrogate was looked at and is
    good, and holds for as long as the same surrogate is drawn. `draft` names the draft that it was
    made for: in the next one other dates and names stand around it, so it is to be looked at.
    """

    record_id: str
    span: Span
    surrogate: str
    alike: bool = False
    approved: bool = False
    draft: str = ""


@dataclass(frozen=True, slots=True)
class SurrogateSettings:
    """How surrogates are made; `language` is "en" or "es"."""

    kinds: KindMap
    language: str = "en"
    keep_weekdays: bool = False
    choices: tuple[Choice, ...] = ()
    draft: str = ""
