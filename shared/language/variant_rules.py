"""What a variant is, and by which rule it was made."""

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """How a text written elsewhere differs from the tagged one; the value is shown to people."""

    SAME = "the same text"
    CASE = "other case"
    ACCENTS = "other accents"
    HYPHEN = "with or without a hyphen"
    GENITIVE = "with a genitive ending"
    ORDER = "names in another order"
    INITIAL = "initial with a name"
    PART = "part of the name"
    INITIALS = "initials"
    LOGIN = "log-in name"
    ACRONYM = "first letters of the words"
    DATE = "same day in another format"
    OPEN_DATE = "perhaps the same day"
    NUMBER = "other punctuation"
    SHORT_NUMBER = "without the area code"


@dataclass(frozen=True, slots=True)
class Variant:
    """Another way of writing a text."""

    text: str
    rule: Rule
