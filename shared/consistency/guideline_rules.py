"""The rules of the annotation guidelines that a program can check, one tag at a time.

Pure functions, quick enough for every edit: each looks at one tag, the text around it, and how
often the same text is tagged as what in the patient. A note says what is wrong in a sentence
without any text of the record, and where possible which tags would set it right.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from shared.consistency.edge_rules import broken_word, cut_word, date_part, edge
from shared.consistency.findings import TagMark, times_in_words
from shared.consistency.rule_notes import GuidelineNote, GuidelineRule, TagInText
from shared.language.ambiguity import ambiguity_reason, is_generic_department
from shared.language.chunks import without_possessive
from shared.language.languages import Language, alternatives, default_language
from shared.model import EntityKind, PersonRole, PhiType, Schema, Span, Tag
from shared.model.phi_traits import NUMBERS

_Types = Mapping[PhiType, int]


_TITLE = r"(?i)(?:{language.long_titles}\b\.?,?\s*)+"
_DEGREE = r"(?:,\s*|\s+){degree_ends}(?![\w-])\.?$"
_BEFORE_TIME = r"\s+(?:{time_before}|,)$"
"""What the rules look for, with words of a language in braces."""


@cache
def _staff_number(language: Language) -> re.Pattern[str]:
    staff = "|".join(("(?!)", *map(_with_stops, language.numbers.staff_labels)))
    return language.expression(rf"(?i)\b(?:{staff})['’s]{{0,2}}\s?(?:#|{{number_words}})\W{{0,3}}$")


def _with_stops(word: str) -> str:
    """An expression for a word; a short one may be written with full stops."""
    return "".join(rf"{re.escape(letter)}\.?" for letter in word) if len(word) < 3 else word


@cache
def _address_pattern(language: Language) -> re.Pattern[str]:
    cue, places, regions = language.cue, language.places, language.regions.values()
    codes = (each.code for each in regions if each.code.isalpha())
    states = alternatives((*(each.name for each in regions), *codes))
    units = alternatives((*places.unit_words, *places.floor_words))
    return re.compile(
        rf"(?P<street>\d[^,\n]*(?:,\s*(?:{units}\b|\#)[^,\n]*)?)?"
        rf"(?P<gap>[,\s]*)(?P<city>[^\W\d_][^,\d\n]*?)?,?\s*"
        rf"(?P<state>(?<![\w])(?:{states}|{cue('other_states')})(?![\w]))?\.?,?\s*"
        rf"(?P<postal_code>{places.postal_code or '(?!)'})?,?\s*"
        rf"(?P<country>{cue('home_country')})?",
        re.IGNORECASE,
    )


_Check = Callable[[TagInText], GuidelineNote | None]

_PARTS = tuple(EntityKind(name) for name in ("street", "city", "state", "postal_code", "country"))
_TELLING = frozenset({EntityKind.STREET, EntityKind.STATE, EntityKind.POSTAL_CODE})
"""Parts that stand in an address only."""
_WHOLE = frozenset({*_PARTS, EntityKind.PLACE, EntityKind.ORGANIZATION})
_TIME = re.compile(
    r"(?<!\d)(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d)?(?:\s?[ap]\.?\s?m\.?(?![^\W_]))?|"
    r"(?<![\w/.-])(?:1[0-2]|0?[1-9])\s?[ap]\.?m\.?(?![^\W_])",
    re.IGNORECASE,
)
_SEXES = ("sex", "life_stage")
"""Classes of words that tell somebody's sex."""
_STEM = 4
_LETTERS = re.compile(r"[^\W\d_]+")
_USERNAME = re.compile(r"[^\W\d_]{1,4}\d{1,5}")


def check_tag(
    text: str,
    tag: Tag,
    schema: Schema,
    types: _Types | None = None,
    language: Language | None = None,
) -> tuple[GuidelineNote, ...]:
    """Return what the guidelines say against a tag of the document with this text.

    `types` says how often the text of the tag is tagged as what in the patient, this tag included;
    without it the rule on two types is not looked at.
    """
    notes = list(_notes(text, tag, schema, language))
    twice = two_types(text, tag, schema, types, language) if types else None
    return tuple(notes if twice is None else [*notes, twice])


def first_of_its_own(
    text: str, tag: Tag, schema: Schema, language: Language | None = None
) -> GuidelineNote | None:
    """Return the first note on a tag for which it does not matter what else is tagged."""
    return next(_notes(text, tag, schema, language), None)


def _notes(
    text: str, tag: Tag, schema: Schema, language: Language | None
) -> Iterator[GuidelineNote]:
    kind = schema.traits_of(tag.phi_type).kind
    here = TagInText(text, tag, schema, kind, language or default_language())
    for check in _CHECKS[kind]:
        if (note := check(here)) is not None:
            yield note


def _title(here: TagInText) -> GuidelineNote | None:
    text, tag = here.text, here.tag
    found = here.language.expression(_TITLE).match(text, tag.start, tag.end)
    if found is None or found.end() == tag.end:
        return None
    return _shorter(
        GuidelineRule.TITLE, "a title is not part of the name", found.end(), tag.end, tag
    )


def _degree(here: TagInText) -> GuidelineNote | None:
    text, tag = here.text, here.tag
    inside = text[tag.start : tag.end]
    kept = inside
    while (shorter := here.language.expression(_DEGREE).sub("", kept)) != kept:
        kept = shorter
    if kept == inside or not kept.strip():
        return None
    end = tag.start + len(kept.rstrip(" ,\n"))
    return _shorter(GuidelineRule.DEGREE, "a degree is not part of the name", tag.start, end, tag)


def _possessive(here: TagInText) -> GuidelineNote | None:
    text, tag = here.text, here.tag
    span = without_possessive(text, tag.start, tag.end, here.language)
    if span is None or span.end == tag.end or text[tag.end - 1] not in "sS":
        return None
    why = "the possessive ending is not part of the name"
    return _shorter(GuidelineRule.POSSESSIVE, why, tag.start, span.end, tag)


def _time_of_day(here: TagInText) -> GuidelineNote | None:
    text, tag = here.text, here.tag
    found = _TIME.search(text, tag.start, tag.end)
    if found is None:
        return None
    marks = " \t\n,;:@-–T"
    before = text[tag.start : found.start()].rstrip(marks)
    before = here.language.expression(_BEFORE_TIME).sub("", before)
    after = text[found.end() : tag.end].strip(marks)
    if before:
        start, end = tag.start, tag.start + len(before)
    elif after:
        start = text.index(after, found.end())
        end = start + len(after)
    else:
        return GuidelineNote(GuidelineRule.TIME_OF_DAY, "the time of day is not PHI", ())
    return _shorter(GuidelineRule.TIME_OF_DAY, "the time of day is not PHI", start, end, tag)


def _address(here: TagInText) -> GuidelineNote | None:
    why = "each part of an address is a tag of its own"
    parts = _address_parts(here)
    return GuidelineNote(GuidelineRule.ADDRESS, why, parts, 0.8) if parts else None


def _address_parts(here: TagInText) -> tuple[TagMark, ...]:
    """Return the parts of an address that one tag covers; none where it covers but one.

    A street with a city needs a comma or a line end between them, for streets are of many words, or
    break themselves; a part may be missing. None where the schema has not a type for each part, and
    none in what is tagged as a street and reads as none: `Döhngasse 9640` is no city with its code.
    """
    text, tag = here.text, here.tag
    found = _address_pattern(here.language).fullmatch(text, tag.start, tag.end)
    if found is None:
        return ()
    parts = [kind for kind in _PARTS if found[kind] and found[kind].strip()]
    if (
        len(parts) < 2
        or not _TELLING & set(parts)
        or parts == [EntityKind.STATE, EntityKind.COUNTRY]
        or (here.kind is EntityKind.STREET and here.kind not in parts)
        or _unsure(found, parts)
    ):
        return ()
    marks = [(_trimmed(text, found, kind), here.schema.type_for(kind)) for kind in parts]
    types = [phi_type for _, phi_type in marks]
    if len(set(types)) < len(types):  # a schema that has but one type for them wants one tag
        return ()
    return tuple((span, phi_type) for span, phi_type in marks if phi_type is not None)


def _unsure(found: re.Match[str], parts: list[EntityKind]) -> bool:
    """True where nothing but a blank parts a street from a city, or a city from a state's name."""
    if EntityKind.STREET in parts and EntityKind.CITY in parts:
        line_end = "\n" in found["gap"] and len(parts) > 2
        return "," not in found["gap"] and not line_end
    if parts[:2] == [EntityKind.CITY, EntityKind.STATE] and EntityKind.POSTAL_CODE not in parts:
        between = found.string[found.end("city") : found.start("state")]
        return "," not in between and not (len(found["state"]) == 2 and found["state"].isupper())
    return False


def _trimmed(text: str, found: re.Match[str], name: str) -> Span:
    start, end = found.span(name)
    inside = text[start:end]
    return Span(
        start + len(inside) - len(inside.lstrip(" ,\n")),
        end - len(inside) + len(inside.rstrip(" ,\n")),
    )


def _generic_department(here: TagInText) -> GuidelineNote | None:
    inside = here.tag.span.text_in(here.text)
    if not is_generic_department(inside, here.language):
        return None
    why = "a department that every hospital has is not PHI"
    return GuidelineNote(GuidelineRule.GENERIC_DEPARTMENT, why, ())


def _username(here: TagInText) -> GuidelineNote | None:
    inside = here.tag.span.text_in(here.text).strip()
    if _USERNAME.fullmatch(inside):
        return None
    why = f"a {here.tag.phi_type.name} is initials and digits"
    staff = here.schema.type_for(EntityKind.PERSON, PersonRole.STAFF)
    if staff is None or not inside.isalpha():
        return GuidelineNote(GuidelineRule.USERNAME, why, None)
    why = f"{why}; a log-in name of letters alone is a {staff.name}"
    return GuidelineNote(GuidelineRule.USERNAME, why, ((here.tag.span, staff),))


def _doctor_id(here: TagInText) -> GuidelineNote | None:
    tag = here.tag
    if not _staff_number(here.language).search(here.text, max(0, tag.start - 30), tag.start):
        return None
    number = here.schema.type_for(EntityKind.NUMBER, PersonRole.STAFF)
    if number is None:
        return None
    article = "an" if number.name[0] in "AEIOU" else "a"
    why = f"the number of a doctor or a nurse is {article} {number.name}"
    return GuidelineNote(GuidelineRule.DOCTOR_ID, why, ((tag.span, number),))


def _kept_text(here: TagInText) -> GuidelineNote | None:
    """A tag of a type whose text a release keeps, on what is no usual text of that type."""
    if not here.schema.traits_of(here.tag.phi_type).may_stay:
        return None
    classes = here.language.classes
    usual = {word[:_STEM] for name in _SEXES for word in classes.get(name, ())}
    words = _LETTERS.findall(here.tag.span.text_in(here.text).lower())
    stems = {word[:_STEM] for word in (*words, "".join(words))}
    if not usual or stems & usual or list(map(len, words)) == [1]:
        return None
    why = f"a release keeps the text of a {here.tag.phi_type.name}, and this is no usual one"
    return GuidelineNote(GuidelineRule.KEPT_TEXT, why, None, 0.6)


def two_types(
    text: str, tag: Tag, schema: Schema, types: _Types, language: Language | None = None
) -> GuidelineNote | None:
    """Return what there is against a tag whose text is tagged as these types, so often each.

    Where two of the others are as often, nobody knows which it should be.
    """
    most = [each for each, count in types.items() if count == max(types.values())]
    mine = types.get(tag.phi_type, 0)
    traits = schema.traits_of(tag.phi_type)
    if len(types) < 2 or ambiguity_reason(tag.span.text_in(text), traits, language):
        return None
    others = sum(types.values()) - mine
    here, otherwise = times_in_words(mine), times_in_words(others)
    why = f"the same text is tagged {here} as {tag.phi_type.name}, {otherwise} otherwise"
    fix = ((tag.span, most[0]),) if len(most) == 1 and most[0] != tag.phi_type else None
    return GuidelineNote(GuidelineRule.TWO_TYPES, why, fix, 0.7)


def _shorter(rule: GuidelineRule, why: str, start: int, end: int, tag: Tag) -> GuidelineNote:
    return GuidelineNote(rule, why, ((Span(start, end), tag.phi_type),))


_OF_KIND: dict[EntityKind, tuple[_Check, ...]] = {
    EntityKind.PERSON: (_title, _degree, _possessive),
    EntityKind.DATE: (date_part, _time_of_day),
    **dict.fromkeys(_WHOLE, (_address,)),
    EntityKind.DEPARTMENT: (_generic_department,),
    EntityKind.USERNAME: (_username,),
    EntityKind.SEX: (_kept_text,),
    **dict.fromkeys(NUMBERS - {EntityKind.NUMBER, EntityKind.LICENSE}, (_doctor_id,)),
}
_CHECKS: dict[EntityKind, tuple[_Check, ...]] = {
    kind: (edge, cut_word, broken_word, *_OF_KIND.get(kind, ())) for kind in EntityKind
}
"""The rules that hold for a kind, in the order in which their notes are given."""
