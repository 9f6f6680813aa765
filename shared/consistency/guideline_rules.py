"""The rules of the annotation guidelines that a program can check, one tag at a time.

Pure functions, quick enough for every edit: each looks at one tag, the text around it, and how
often the same text is tagged as what in the patient. A note says what is wrong in a sentence
without any text of the record, and where possible which tags would set it right.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from shared.consistency.findings import TagMark, times_in_words
from shared.consistency.phrases import is_whole_token
from shared.language.ambiguity import ambiguity_reason, is_common_word, is_generic_department
from shared.model import PhiType, Span, Tag
from shared.text.occurrences import edge_kind
from shared.text.words import snapped, without_possessive

STREET, CITY, STATE, ZIP, COUNTRY = (
    PhiType("LOCATION", name) for name in ("STREET", "CITY", "STATE", "ZIP", "COUNTRY")
)

_STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|"
    "Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|"
    "Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|"
    "New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|"
    "Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|"
    "West Virginia|Wisconsin|Wyoming|A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|"
    "N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
)
_COUNTRY = r"U\.?S\.?A?\.?|United States(?: of America)?"
_ADDRESS = re.compile(
    rf"(?P<STREET>\d[^,\n]*(?:,\s*(?:apt|apartment|suite|ste|unit|floor|fl|\#)\b[^,\n]*)?)?"
    rf"(?P<gap>[,\s]*)(?P<CITY>[^\W\d_][^,\d\n]*?)?,?\s*"
    rf"(?P<STATE>(?<![\w])(?:{_STATES})(?![\w]))?\.?,?\s*(?P<ZIP>\d{{5}}(?:-\d{{4}})?)?,?\s*"
    rf"(?P<COUNTRY>{_COUNTRY})?",
    re.IGNORECASE,
)
_TYPES = {"STREET": STREET, "CITY": CITY, "STATE": STATE, "ZIP": ZIP, "COUNTRY": COUNTRY}
_WHOLE = frozenset({"STREET", "CITY", "STATE", "ZIP", "LOCATION-OTHER", "ORGANIZATION", "COUNTRY"})


def address_parts(text: str, tag: Tag) -> tuple[TagMark, ...]:
    """Return the parts of an address that one tag covers; none where it covers but one.

    A street with a city needs a comma or a line end between them, for streets are of many words, or
    break themselves; a part may be missing.
    """
    if tag.phi_type.name not in _WHOLE:
        return ()
    found = _ADDRESS.fullmatch(text, tag.start, tag.end)
    if found is None:
        return ()
    parts = [name for name in _TYPES if found[name] and found[name].strip()]
    enough = len(parts) > 1 and ({"STATE", "ZIP"} & set(parts) or "STREET" in parts)
    if not enough or parts == ["STATE", "COUNTRY"] or _unsure(found, parts):
        return ()
    return tuple((_trimmed(text, found, name), _TYPES[name]) for name in parts)


def _unsure(found: re.Match[str], parts: list[str]) -> bool:
    """True where nothing but a blank parts a street from a city, or a city from a state's name."""
    if "STREET" in parts and "CITY" in parts:
        line_end = "\n" in found["gap"] and len(parts) > 2
        return "," not in found["gap"] and not line_end
    if "STATE" in parts and "CITY" in parts and "ZIP" not in parts:
        between = found.string[found.end("CITY") : found.start("STATE")]
        return "," not in between and not (len(found["STATE"]) == 2 and found["STATE"].isupper())
    return False


def _trimmed(text: str, found: re.Match[str], name: str) -> Span:
    start, end = found.span(name)
    inside = text[start:end]
    return Span(
        start + len(inside) - len(inside.lstrip(" ,\n")),
        end - len(inside) + len(inside.rstrip(" ,\n")),
    )


class GuidelineRule(StrEnum):
    """The rules, in the order in which their notes are given."""

    EDGE = "edge"
    CUT_WORD = "cut-word"
    TITLE = "title"
    DEGREE = "degree"
    POSSESSIVE = "possessive"
    TIME_OF_DAY = "time-of-day"
    ADDRESS = "address"
    GENERIC_DEPARTMENT = "generic-department"
    USERNAME = "username"
    DOCTOR_ID = "doctor-id"
    TWO_TYPES = "two-types"


@dataclass(frozen=True, slots=True)
class GuidelineNote:
    """What a guideline says against a tag.

    `mend` are the tags to have in place of it: one with other edges or another type, several where
    it is split, none where it should go. It is None where only a person can tell.
    """

    rule: GuidelineRule
    why: str
    mend: tuple[TagMark, ...] | None
    certainty: float = 0.9


_Types = Mapping[PhiType, int]
_Check = Callable[[str, Tag, _Types], GuidelineNote | None]

_PEOPLE = frozenset({"PATIENT", "DOCTOR"})
_TITLE = re.compile(
    r"(?:(?:dr|drs|mr|mrs|ms|miss|mister|prof|professor|doctor|dra|sr|sra|srta|rev|nurse)"
    r"\b\.?,?\s*)+",
    re.IGNORECASE,
)
_DEGREE = re.compile(
    r"(?:,\s*|\s+)(?:M\.?\s?D\.?|R\.\s?N\.?|RN|Ph\.?\s?D\.?|M\.?P\.?H\.?|D\.O\.?|,\s*DO|P\.A\.?|"
    r"PA-?C|N\.P\.?|NP|CNP|CRNP|ANP|LPN|LICSW|MSW|PharmD|Pharm\.\s?D\.?|R\.?Ph\.?|D\.?D\.?S\.?|"
    r"M\.?S\.?N\.?|FACC|FACS|FACP|PGY-?\d|MD PhD)(?![\w-])\.?$"
)
_TIME = re.compile(
    r"(?<!\d)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?\s?m\.?(?![^\W_]))?|"
    r"(?<![\w/.-])(?:1[0-2]|0?[1-9])\s?[ap]\.?m\.?(?![^\W_])",
    re.IGNORECASE,
)
_USERNAME = re.compile(r"[^\W\d_]{1,4}\d{1,5}")
_DOCTOR_LABEL = re.compile(
    r"\b(?:m\.?d\.?|physician|doctor|dr\.?|provider|npi|r\.?n\.?|nurse|attending|surgeon)['’s]{0,2}"
    r"\s?(?:number|no\.?|num\.?|#|id|code)\W{0,3}$",
    re.IGNORECASE,
)
_LEADING = " \t\n\r\f\v\xa0.,;:!?)]}>*#/\\|-–—=+"
_TRAILING = " \t\n\r\f\v\xa0,;:!?([{<*#/\\|-–—=+'\"“”‘’."
_QUOTES = "\"'”’"
_ABBREVIATED = re.compile(
    r"(?:^|[^\w])(?:[^\W\d_]|[^\W\d_]{1,2}\.\s?[^\W\d_]{1,2}|jr|sr|st|ste|inc|ltd|co|corp|bros|ave|blvd|rd|ln|ct|"
    r"pl|hwy|pkwy|apt|no|mt|ft|hosp|ctr|univ|dept|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|"
    r"mon|tues?|wed|thurs?|fri|sat|sun|izq|der|dcha|avda|mass|conn|calif|penn|minn|wash|tex|fla|ill|ind|mich|c/|av)"
    r"\.$",
    re.IGNORECASE,
)


def check_tag(text: str, tag: Tag, types: _Types | None = None) -> tuple[GuidelineNote, ...]:
    """Return what the guidelines say against a tag of the document with this text.

    `types` says how often the text of the tag is tagged as what in the patient, this tag included;
    without it the rule on two types is not looked at.
    """
    return tuple(note for check in _CHECKS if (note := check(text, tag, types or {})) is not None)


def first_of_its_own(text: str, tag: Tag) -> GuidelineNote | None:
    """Return the first note on a tag for which it does not matter what else is tagged."""
    return next((note for check in _OWN_CHECKS if (note := check(text, tag, {})) is not None), None)


def _edge(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    start, end = _without_marks(text, tag)
    if (start, end) == (tag.start, tag.end):
        return None
    mend = ((Span(start, end), tag.phi_type),) if start < end else ()
    return GuidelineNote(GuidelineRule.EDGE, "punctuation or white space stands at an edge", mend)


def _without_marks(text: str, tag: Tag) -> tuple[int, int]:
    start, end = tag.start, tag.end
    while start < end and text[start] in _LEADING and not _is_minus(text, start):
        start += 1
    while end > start and text[end - 1] in _TRAILING and not _belongs(text, start, end, tag):
        end -= 1
    if start < end and text[start] == "(" and ")" not in text[start:end]:
        start += 1
    if end > start and text[end - 1] in ")]" and not set("([") & set(text[start:end]):
        end -= 1
    return start, end


def _is_minus(text: str, at: int) -> bool:
    """True for the dash before the rest of a number: 22-76 of a longer one."""
    return text[at] == "-" and text[at + 1 : at + 2].isdigit()


def _belongs(text: str, start: int, end: int, tag: Tag) -> bool:
    """True for the full stop of an abbreviation, and for what ends a web address."""
    if text[end - 1] == ".":
        return _ABBREVIATED.search(text[start:end]) is not None
    if text[end - 1] in _QUOTES:
        return text[end - 1] in text[start : end - 1] or "“" in text[start:end]
    if text[end - 1] == "-":  # a name that a line end cuts in two
        return text[end : end + 1] == "\n" and tag.phi_type.category == "NAME"
    return text[end - 1] in "/=#" and tag.phi_type.name == "URL"


def _cut_word(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    if is_whole_token(text, tag.start, tag.end):
        return None
    blanks = text[tag.start].isspace() or text[tag.end - 1].isspace()
    if blanks or "inside" not in (edge_kind(text, tag.start), edge_kind(text, tag.end)):
        return None
    span = snapped(text, tag.start, tag.end)
    if span is None or _is_typing_error(text, tag, span):
        return None
    mend = ((span, tag.phi_type),)
    return GuidelineNote(GuidelineRule.CUT_WORD, "the tag begins or ends inside a word", mend, 0.7)


def _is_typing_error(text: str, tag: Tag, whole: Span) -> bool:
    """True where a word of its own is glued to the tag, as in `sinceMay`."""
    outside = text[whole.start : tag.start], text[tag.end : whole.end]
    return all(is_common_word(word) for word in outside if word)


def _title(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    found = _TITLE.match(text, tag.start, tag.end) if tag.phi_type.name in _PEOPLE else None
    if found is None or found.end() == tag.end:
        return None
    return _shorter(
        GuidelineRule.TITLE, "a title is no part of the name", found.end(), tag.end, tag
    )


def _degree(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    if tag.phi_type.name not in _PEOPLE:
        return None
    inside = text[tag.start : tag.end]
    kept = inside
    while (shorter := _DEGREE.sub("", kept)) != kept:
        kept = shorter
    if kept == inside or not kept.strip():
        return None
    end = tag.start + len(kept.rstrip(" ,\n"))
    return _shorter(GuidelineRule.DEGREE, "a degree is no part of the name", tag.start, end, tag)


def _possessive(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    if tag.phi_type.name not in _PEOPLE:
        return None
    span = without_possessive(text, tag.start, tag.end)
    if span is None or span.end == tag.end or text[tag.end - 1] not in "sS":
        return None
    why = "the possessive ending is no part of the name"
    return _shorter(GuidelineRule.POSSESSIVE, why, tag.start, span.end, tag)


def _time_of_day(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    found = _TIME.search(text, tag.start, tag.end) if tag.phi_type.category == "DATE" else None
    if found is None:
        return None
    marks = " \t\n,;:@-–T"
    before = text[tag.start : found.start()].rstrip(marks)
    before = re.sub(r"\s+(?:at|a las|on|,)$", "", before)
    after = text[found.end() : tag.end].strip(marks)
    if before:
        start, end = tag.start, tag.start + len(before)
    elif after:
        start = text.index(after, found.end())
        end = start + len(after)
    else:
        return GuidelineNote(GuidelineRule.TIME_OF_DAY, "the time of day is not PHI", ())
    return _shorter(GuidelineRule.TIME_OF_DAY, "the time of day is not PHI", start, end, tag)


def _address(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    if tag.phi_type.category != "LOCATION":
        return None
    parts = address_parts(text, tag)
    if not parts:
        return None
    return GuidelineNote(
        GuidelineRule.ADDRESS, "each part of an address is a tag of its own", parts, 0.8
    )


def _generic_department(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    if tag.phi_type.name != "DEPARTMENT" or not is_generic_department(text[tag.start : tag.end]):
        return None
    why = "a department that every hospital has is not PHI"
    return GuidelineNote(GuidelineRule.GENERIC_DEPARTMENT, why, ())


def _username(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    inside = text[tag.start : tag.end].strip()
    if tag.phi_type.name != "USERNAME" or _USERNAME.fullmatch(inside):
        return None
    why = "a USERNAME is initials and digits; a log-in name of letters alone is a DOCTOR"
    letters = inside.isalpha()
    mend = ((tag.span, PhiType("NAME", "DOCTOR")),) if letters else None
    return GuidelineNote(GuidelineRule.USERNAME, why, mend)


def _doctor_id(text: str, tag: Tag, _: _Types) -> GuidelineNote | None:
    if tag.phi_type.category != "ID" or tag.phi_type.name in {"IDNUM", "LICENSE"}:
        return None
    if not _DOCTOR_LABEL.search(text, max(0, tag.start - 30), tag.start):
        return None
    why = "the number of a doctor or a nurse is an IDNUM"
    return GuidelineNote(GuidelineRule.DOCTOR_ID, why, ((tag.span, PhiType("ID", "IDNUM")),))


def two_types(text: str, tag: Tag, types: _Types) -> GuidelineNote | None:
    """Return what there is against a tag whose text is tagged as these types, so often each."""
    most = max(types, key=lambda each: types[each], default=tag.phi_type)
    mine = types.get(tag.phi_type, 0)
    if len(types) < 2 or ambiguity_reason(text[tag.start : tag.end], tag.phi_type):
        return None
    others = sum(types.values()) - mine
    here, otherwise = times_in_words(mine), times_in_words(others)
    why = f"the same text is tagged {here} as {tag.phi_type.name}, {otherwise} otherwise"
    mend = ((tag.span, most),) if types[most] > mine else None
    return GuidelineNote(GuidelineRule.TWO_TYPES, why, mend, 0.7)


def _shorter(rule: GuidelineRule, why: str, start: int, end: int, tag: Tag) -> GuidelineNote:
    return GuidelineNote(rule, why, ((Span(start, end), tag.phi_type),))


_OWN_CHECKS: tuple[_Check, ...] = (
    _edge,
    _cut_word,
    _title,
    _degree,
    _possessive,
    _time_of_day,
    _address,
    _generic_department,
    _username,
    _doctor_id,
)
_CHECKS: tuple[_Check, ...] = (*_OWN_CHECKS, two_types)
