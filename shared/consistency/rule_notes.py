"""The rules of the guidelines by name, what they look at, and what they say against a tag."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from shared.consistency.findings import TagMark
from shared.language.languages import Language
from shared.model import EntityKind, Schema, Tag


class GuidelineRule(StrEnum):
    """The rules, in the order in which their notes are given."""

    EDGE = "edge"
    CUT_WORD = "cut-word"
    BROKEN_WORD = "broken-word"
    DATE_PART = "date-part"
    TITLE = "title"
    DEGREE = "degree"
    POSSESSIVE = "possessive"
    TIME_OF_DAY = "time-of-day"
    ADDRESS = "address"
    GENERIC_DEPARTMENT = "generic-department"
    USERNAME = "username"
    DOCTOR_ID = "doctor-id"
    KEPT_TEXT = "kept-text"
    TWO_TYPES = "two-types"


@dataclass(frozen=True, slots=True)
class GuidelineNote:
    """What a guideline says against a tag.

    `fix` are the tags to have in place of it: one with other edges or another type, several where
    it is split, none where it should go. It is None where only a person can tell.
    """

    rule: GuidelineRule
    why: str
    fix: tuple[TagMark, ...] | None
    certainty: float = 0.9


class TagInText(NamedTuple):
    """A tag in the text of its document, with what its type is and the language of the text."""

    text: str
    tag: Tag
    schema: Schema
    kind: EntityKind
    language: Language
