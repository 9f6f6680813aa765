"""Where the variants of a text stand."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shared.language.date_mentions import day_order, find_dates, read_date, same_day
from shared.language.languages import Language, default_language
from shared.language.name_parts import KnownNames, NamePartRole, parse_name_parts
from shared.language.number_keys import key_pattern, number_keys, number_span
from shared.language.occurrences import Occurrence, occurrences, repeats
from shared.language.variant_rules import Rule, Variant
from shared.model import Matching, PhiTraits, Span
from shared.model.phi_traits import INSTITUTIONS
from shared.text.flat_text import FlatText, flattened, spelling
from shared.text.overlaps import resolve_overlaps
from shared.text.scripts import is_han
from shared.text.spelling import in_plain_forms, lowered_in_place

_ORDER = list(Rule)
_NAME_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_GIVEN = (NamePartRole.GIVEN, NamePartRole.INITIAL)
_LEAST_LETTERS = 3
_HAN_NAME, _HAN_GIVEN = (3, 4), 2
"""So many characters have a name with a given name of two, and that."""
_LEAST_LOGIN = 5
_TWO = 2


@dataclass(frozen=True, slots=True)
class FoundVariant:
    """A place in one of the texts, by its number, where a variant stands, and its rule."""

    text_number: int
    span: Span
    rule: Rule

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def end(self) -> int:
        return self.span.end


def variants(text: str, traits: PhiTraits, spoken: Language | None = None) -> tuple[Variant, ...]:
    """Return the other ways of writing a name or the name of a place, the surest first.

    None of them is the text itself, in whatever case; none is there twice. Dates and numbers have
    too many forms to list: `find_variants` looks for what they mean.
    """
    spoken = spoken or default_language()
    if traits.matching is Matching.NAME_WORDS:
        made = _name_variants(text, spoken)
    elif traits.kind in INSTITUTIONS:
        made = _acronyms(text, spoken)
    else:
        return ()
    seen = {lowered_in_place(text)}
    kept: list[Variant] = []
    for each in made:
        if (flat := lowered_in_place(each.text)) not in seen:
            seen.add(flat)
            kept.append(each)
    return tuple(kept)


def find_variants(
    text: str, traits: PhiTraits, texts: Iterable[str], spoken: Language | None = None
) -> tuple[FoundVariant, ...]:
    """Return where `text` is written otherwise in `texts`, in order; the same text is left out.

    Of places that overlap, the longest is returned, of equally long ones that of the surer rule.
    Initials and log-in names must match in case, everything else in any.
    """
    texts = tuple(texts)
    found: list[FoundVariant] = []
    for number, one in enumerate(texts):
        places = _places(text, traits, one, texts, spoken or default_language())
        found += resolve_overlaps((FoundVariant(number, *place) for place in places), _rank)
    return tuple(each for each in found if each.rule is not Rule.SAME)


def repeats_of(
    text: str, flat: FlatText, *, small: bool = False
) -> Iterator[tuple[Occurrence, Rule]]:
    """Yield where the same text stands, over line ends and in other case too, and what differs.

    One word in small letters counts where the text is one, or with `small`.
    """
    spelt, plain = spelling(text), flattened(text)
    for found in repeats(text, flat, small=small):
        here = found.span.text_in(flat.original_text)
        yield found, _difference(spelling(here), spelt, is_plain=flattened(here) == plain)


def _difference(here: str, spelt: str, *, is_plain: bool) -> Rule:
    if here == spelt:
        return Rule.SAME if is_plain else Rule.HYPHEN
    return Rule.CASE if lowered_in_place(here) == lowered_in_place(spelt) else Rule.ACCENTS


def _rank(found: FoundVariant) -> tuple[int, int]:
    return -len(found.span), _ORDER.index(found.rule)


def _places(
    text: str, traits: PhiTraits, one: str, texts: tuple[str, ...], spoken: Language
) -> Iterator[tuple[Span, Rule]]:
    flat = FlatText(one)
    for found, rule in repeats_of(text, flat, small=True):
        yield found.span, rule
    for variant in variants(text, traits, spoken):
        exact = variant.rule in (Rule.GENITIVE, Rule.INITIALS, Rule.LOGIN, Rule.ACRONYM)
        places = (
            occurrences(variant.text, one) if exact else repeats(variant.text, flat, small=True)
        )
        for found in places:
            yield found.span, variant.rule
    if traits.matching is Matching.SAME_DAY:
        yield from _same_days(text, one, texts, spoken)
    plain = in_plain_forms(one)
    for key in number_keys(text, traits):
        for hit in key_pattern(key.text).finditer(plain):
            span = number_span(one, hit.start(), hit.end())
            if span and one[span[0] : span[1]] != text:
                yield Span(*span), key.rule


def _same_days(
    text: str, one: str, texts: tuple[str, ...], spoken: Language
) -> Iterator[tuple[Span, Rule]]:
    wanted = read_date(text, spoken)
    if wanted is None or not wanted.has_day:
        return
    order = day_order(each for some in (*texts, text) for each in find_dates(some, spoken))
    for each in find_dates(one, spoken):
        rule = same_day(wanted, each, order)
        if rule is not None and one[each.start : each.end] != text:
            yield Span(each.start, each.end), rule


def _acronyms(text: str, spoken: Language) -> Iterator[Variant]:
    """Yield `MAMH` for `Mount Auberon Memorial Hospital`; nothing for fewer than three words."""
    small = spoken.places.small_words
    letters = [word[0] for word in _NAME_WORD.findall(text) if word.lower() not in small]
    if len(letters) >= _LEAST_LETTERS:
        yield Variant("".join(letters).upper(), Rule.ACRONYM)


def _genitives(names: Iterable[str], spoken: Language) -> Iterator[Variant]:
    """Yield `Müllers` for `Müller` in a language that ends a name so, without an apostrophe."""
    for name in names:
        if name[-1:].islower() and not name.endswith(spoken.names.without_genitive):
            for ending in spoken.names.genitive_endings:
                yield Variant(name + ending, Rule.GENITIVE)


def _name_variants(text: str, spoken: Language) -> Iterator[Variant]:
    """Yield the other ways of writing a person's name, the surest first."""
    family, *given = _family_and_given(text, spoken)
    if not (family and given):
        yield from _genitives([text] if text.isalpha() else [], spoken)
        if len(text) in _HAN_NAME and is_han(text):
            yield Variant(text[-_HAN_GIVEN:], Rule.PART)
        return
    yield from _genitives((f"{given[0]} {family}", family, given[0]), spoken)
    yield from (Variant(each, Rule.ORDER) for each in _orders(family, *given))
    yield from (Variant(each, Rule.INITIAL) for each in _with_initial(family, given[0]))
    yield from _shorter(family, given, spoken)
    for part in dict.fromkeys((family, *given, *re.split(r"[ -]", family))):
        if len(part) >= _LEAST_LETTERS and part.lower() not in spoken.particles:
            yield Variant(part, Rule.PART)
    yield from _initials(family, given, spoken)
    login = "".join(filter(str.isalpha, given[0][0] + family)).lower()
    if len(login) >= _LEAST_LOGIN:
        yield Variant(login, Rule.LOGIN)


def _shorter(family: str, given: list[str], spoken: Language) -> Iterator[Variant]:
    """Yield what is left where the last names are left out."""
    for count in range(len(given), 1, -1):
        if all(len(each) > 1 for each in given[:count]):
            yield Variant(" ".join(given[:count]), Rule.PART)
    if first := _first_of_two(family, spoken):
        yield from (Variant(each, Rule.PART) for each in _orders(first, given[0]))
        yield from (Variant(each, Rule.INITIAL) for each in _with_initial(first, given[0]))


def _first_of_two(family: str, spoken: Language) -> str:
    """The family name by which people are called who have two, with its particles; else ""."""
    words = family.split()
    if not spoken.names.two_family_names or len(words) < _TWO:
        return ""
    names = [at for at, each in enumerate(words) if each.lower() not in spoken.particles]
    return " ".join(words[: names[0] + 1]) if len(names) == _TWO else ""


def _initials(family: str, given: list[str], spoken: Language) -> Iterator[Variant]:
    if len(given[0]) == 1:
        return
    first = "".join(each[0] for each in given).upper()
    last = family[0].upper()
    surnames = [each for each in family.split() if each.lower() not in spoken.particles]
    every = first + "".join(each[0] for each in surnames).upper()
    for letters in dict.fromkeys((first + last, first[0] + last, every)):
        yield Variant(letters, Rule.INITIALS)
        yield Variant("".join(f"{each}." for each in letters), Rule.INITIALS)


def _orders(family: str, given: str, *middle: str) -> Iterator[str]:
    yield from (f"{given} {family}", f"{family},{given}", f"{family}, {given}")
    yield f"{family} {given}"
    for each in middle:
        yield from (f"{given} {each[0]}. {family}", f"{given} {each[0]} {family}")
        if len(each) > 1:
            yield f"{given} {each} {family}"
        yield from (f"{family},{given} {each[0]}", f"{family}, {given} {each[0]}")


def _with_initial(family: str, given: str) -> tuple[str, ...]:
    if len(given) == 1:
        return ()
    first = given[0]
    return (
        *(f"{first}. {family}", f"{first} {family}", f"{first}.{family}"),
        *(f"{family}, {first}", f"{family},{first}", f"{given} {family[0]}."),
    )


def _family_and_given(text: str, spoken: Language) -> list[str]:
    """The family name with its particles, then given names and initials; empty for one word."""
    words = parse_name_parts(text, KnownNames(frozenset(), frozenset(), spoken)).words
    roles = [each.role for each in words]
    given: dict[tuple[int, int], list[str]] = {}
    for each in words:
        pieces = each.text.split() if each.role in _GIVEN else []
        for place, piece in enumerate(pieces):
            if not place or piece.lower() not in spoken.particles:
                given.setdefault((each.unit, place), []).append(piece)
    if NamePartRole.FAMILY not in roles:
        return [""]
    first = roles.index(NamePartRole.FAMILY)
    last = len(roles) - 1 - roles[::-1].index(NamePartRole.FAMILY)
    while first and roles[first - 1] is NamePartRole.PARTICLE:
        first -= 1
    family = text[words[first].start : words[last].end]
    return [" ".join(family.split()), *map("-".join, given.values())]
