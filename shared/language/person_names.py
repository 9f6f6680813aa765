"""The other ways in which a name is written: parts, initials, order, log-in name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.language.languages import Language, default_language
from shared.language.variant_rules import Rule, Variant

_WORD = re.compile(r"[^\W\d_][^\s,.]*\.?")
_SPACED_DEGREE = re.compile(r",?\s*\b(?:M\.\s?D|R\.\s?N|Ph\.\s?D|D\.\s?O|N\.\s?P|P\.\s?A)\b\.?")
_SHORT = re.compile(r"[^\W\d_]\.?")
_LEAST_PART = 3
_LEAST_LOGIN = 5


@dataclass(frozen=True, slots=True)
class PersonName:
    """A name of at least two words, taken apart; `middle` are the initials between, if any."""

    given: str
    family: str
    middle: tuple[str, ...] = ()

    @property
    def initials(self) -> str:
        return (self.given[0] + "".join(each[0] for each in self.middle) + self.family[0]).upper()


def parse_name(text: str, spoken: Language | None = None) -> PersonName | None:
    """Take `First M. Last` or `LAST,FIRST M` apart; None for a single word or no name at all."""
    spoken = spoken or default_language()
    family, comma, rest = _SPACED_DEGREE.sub("", text).partition(",")
    if comma and (after := _words(rest, spoken)):
        given, *middle = after
        whole = " ".join(_words(family, spoken))
        return _person(given, middle, whole, spoken) if whole else None
    words = _words(family, spoken)
    if len(words) < 2:
        return None
    at = _family_start(words, spoken)
    return _person(words[0], words[1:at], " ".join(words[at:]), spoken)


def name_variants(text: str, spoken: Language | None = None) -> Iterator[Variant]:
    """Yield the other ways of writing a person's name, the surest first; none for one word."""
    spoken = spoken or default_language()
    name = parse_name(text, spoken)
    if name is None:
        return
    given, family = name.given, name.family
    orders = [f"{given} {family}", f"{family},{given}", f"{family}, {given}", f"{family} {given}"]
    for middle in name.middle:
        orders += [f"{given} {middle[0]}. {family}", f"{given} {middle[0]} {family}"]
        orders += [f"{given} {middle} {family}"] if len(middle) > 1 else []
        orders += [f"{family},{given} {middle[0]}", f"{family}, {given} {middle[0]}"]
    for each in orders:
        yield Variant(each, Rule.ORDER)
    if len(given) > 1:
        for each in (f"{given[0]}. {family}", f"{given[0]} {family}", f"{given[0]}.{family}"):
            yield Variant(each, Rule.INITIAL)
        for each in (f"{family}, {given[0]}", f"{family},{given[0]}", f"{given} {family[0]}."):
            yield Variant(each, Rule.INITIAL)
    yield from (Variant(each, Rule.PART) for each in _parts(name, spoken))
    yield from _initials(name)
    login = _plain(given[0] + family).lower()
    if len(login) >= _LEAST_LOGIN:
        yield Variant(login, Rule.LOGIN)


def _parts(name: PersonName, spoken: Language) -> Iterator[str]:
    words = [name.family, name.given, *name.middle]
    if " " in name.family or "-" in name.family:
        words += re.split(r"[ -]", name.family)
    for word in dict.fromkeys(words):
        if len(word) >= _LEAST_PART and word.lower() not in spoken.particles:
            yield word


def _initials(name: PersonName) -> Iterator[Variant]:
    if len(name.given) > 1:
        two, all_of_them = name.given[0] + name.family[0], name.initials
        for letters in dict.fromkeys((all_of_them, two.upper())):
            yield Variant(letters, Rule.INITIALS)
            yield Variant("".join(f"{each}." for each in letters), Rule.INITIALS)


def _words(text: str, spoken: Language) -> list[str]:
    found = (each.group().rstrip(".") for each in _WORD.finditer(text))
    return [word for word in found if not _is_no_name(word, spoken)]


def _is_no_name(word: str, spoken: Language) -> bool:
    """True for titles and degrees; `Ma` and `Do`, written like names, are names."""
    low = word.lower()
    if low in spoken.titles or low in spoken.names.suffixes:
        return True
    return low in spoken.names.degrees and not (len(word) == 2 and word.istitle())


def _person(given: str, middle: list[str], family: str, spoken: Language) -> PersonName | None:
    if _SHORT.fullmatch(family):
        return None
    kept = tuple(each for each in middle if each.lower() not in spoken.particles)
    return PersonName(given, family, kept)


def _family_start(words: list[str], spoken: Language) -> int:
    """Where the family name begins: its last word, with the particles before it."""
    at = len(words) - 1
    while at > 1 and words[at - 1].lower() in spoken.particles:
        at -= 1
    return at


def _plain(text: str) -> str:
    return "".join(char for char in text if char.isalpha())
