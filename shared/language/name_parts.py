"""A name as written (`HOLCOMB,DENNIS M.`), taken apart into words that know what they are."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from shared.language.languages import Language
from shared.text.spelling import match_key

_CUT = r"(?<!\w)[A-Z](?:\.?ª|\.a)(?!\w)"
_ABBREVIATED = re.compile(_CUT)
"""A name cut to its first and last letter: `M.ª` for María."""

_WORD = re.compile(rf"{_CUT}|[^\W\d_]+(?:['’`´][^\W\d_]+)*")
_POSSESSIVE = re.compile(r"['’`´][sS]$")


class NamePartRole(StrEnum):
    """What a word of a name is. SINGLE is a name alone, of which the others must tell."""

    GIVEN = "given"
    FAMILY = "family"
    INITIAL = "initial"
    PARTICLE = "particle"
    SINGLE = "single"
    KEPT = "kept"
    """Titles, degrees and the like, which stay as they are."""


_BEFORE_PARTICLE = frozenset({NamePartRole.GIVEN, NamePartRole.INITIAL})
"""What may begin a compound given name, beside a name cut short."""


@dataclass(frozen=True, slots=True)
class NameWord:
    """A word of a name, or a compound such as `María del Carmen`, with its place in the text.

    `unit` counts words joined by hyphens as one.
    """

    text: str
    start: int
    end: int
    role: NamePartRole = NamePartRole.SINGLE
    unit: int = 0

    @property
    def last(self) -> str:
        """The word by which a compound is known: `Carmen`."""
        return self.text.split()[-1]

    @property
    def key(self) -> str:
        return match_key(self.last)


@dataclass(frozen=True, slots=True)
class NameText:
    """The words of a name in order."""

    text: str
    words: tuple[NameWord, ...]

    def of(self, *roles: NamePartRole) -> tuple[NameWord, ...]:
        return tuple(each for each in self.words if each.role in roles)

    @property
    def names(self) -> tuple[NameWord, ...]:
        """The given and family names."""
        return self.of(NamePartRole.GIVEN, NamePartRole.FAMILY)


@dataclass(frozen=True, slots=True)
class KnownNames:
    """Which words are given and family names, for the order in which a name is written."""

    given: frozenset[str]
    family: frozenset[str]
    language: Language

    def only_given(self, word: str) -> bool:
        return word in self.given and word not in self.family

    def only_family(self, word: str) -> bool:
        return word in self.family and word not in self.given


def parse_name_parts(text: str, known: KnownNames, *, compounds: bool = True) -> NameText:
    """Take a name apart. With a comma the family name is first; without, the given name.

    `María del Carmen` is one word of it where there may be `compounds`.
    """
    words = list(_words(text))
    roles = _outer_roles(text, words, known.language)
    core = [each for each in words if each.start not in roles]
    roles |= zip((each.start for each in core), _core_roles(text, core, known), strict=True)
    told = tuple(replace(each, role=roles[each.start]) for each in words)
    return NameText(text, _compounds(told, text, known.language) if compounds else told)


def _compounds(words: Iterable[NameWord], text: str, language: Language) -> tuple[NameWord, ...]:
    """Join given names that have particles between them, the first of which may be cut short."""
    found: list[NameWord] = []
    for each in words:
        found.append(each)
        at = len(found) - 2
        while at > 0 and found[at].role is NamePartRole.PARTICLE:
            at -= 1
        if each.role is not NamePartRole.GIVEN or not 0 <= at < len(found) - 2:
            continue
        first, particle = found[at : at + 2]
        is_given = first.role in _BEFORE_PARTICLE or _ABBREVIATED.fullmatch(first.text)
        whole = text[first.start : each.end]
        if is_given and particle.text not in language.names.joiners and "," not in whole:
            found[at:] = [replace(each, text=whole, start=first.start)]
    return tuple(found)


def _words(text: str) -> Iterator[NameWord]:
    unit, end = -1, -2
    for found in _WORD.finditer(text):
        word = _POSSESSIVE.sub("", found[0])
        start = found.start()
        if not (end == start - 1 and text[end] in "-‐‑–"):
            unit += 1
        end = start + len(word)
        yield NameWord(word, start, end, unit=unit)


def _outer_roles(text: str, words: list[NameWord], language: Language) -> dict[int, NamePartRole]:
    """Titles, degrees and particles by where they start; a word that stands alone is none."""
    cut = (*_dotted_degrees(language).finditer(text), *_ABBREVIATED.finditer(text))
    roles: dict[int, NamePartRole] = {}
    in_titles = True
    for number, each in enumerate(words):
        turned = each.text.islower() and 0 <= text.find(",") < words[number - 1].start
        last = number == len(words) - 1 and not turned  # `Heide, Anna von der` goes on in front
        if any(found.start() <= each.start < found.end() for found in cut):
            roles[each.start] = NamePartRole.KEPT
        elif len(words) > 1:
            in_titles = in_titles and _is_title(each, number, language) and not last
            if in_titles or _is_suffix(each, number, text, language):
                roles[each.start] = NamePartRole.KEPT
            elif _is_particle(each, number, language) and not last:
                roles[each.start] = NamePartRole.PARTICLE
    return roles


def _is_title(word: NameWord, number: int, language: Language) -> bool:
    """True for `Dr.`, for `med` in `Dr. med.`, and for what stands before `Ana` in `madre Ana`."""
    if word.text.lower() in language.titles:
        return True
    is_degree = number > 0 and word.text in language.names.degrees
    is_kin = word.text in language.kinship or word.text in language.names.relative_qualities
    return word.text.islower() and (is_degree or is_kin)


def _is_particle(word: NameWord, number: int, language: Language) -> bool:
    key = word.text.lower()
    if key in language.names.joiners:
        return number > 0 and word.text.islower()
    return key in language.particles and len(key) > 1


def _is_suffix(word: NameWord, number: int, text: str, language: Language) -> bool:
    """True for `MD`, `PhD`, `Jr` behind a name, not for `Ann Do`."""
    every = (*language.names.degrees, *language.names.suffixes)
    key = word.text.lower()
    if number == 0 or key not in every:
        return False
    has_capital = any(char.isupper() for char in word.text[1:])
    behind = text[word.end :].strip(" .,")
    is_junior = key in language.names.suffixes and not word.text.islower()
    written_so = word.text.isupper() or has_capital or is_junior
    return written_so and all(part.lower() in every for part in _WORD.findall(behind))


@cache
def _dotted_degrees(language: Language) -> re.Pattern[str]:
    """Degrees that are written with full stops: `M.D.`, `Ph. D`."""
    dotted = (each for each in language.names.degrees if "." in each)
    forms = "|".join(each.rstrip(".").replace(".", r"\.\s?") for each in dotted)
    return re.compile(rf"(?i)(?<=[\s,])(?:{forms or '(?!)'})\.?(?:-C)?(?!\w)")


def _core_roles(text: str, core: list[NameWord], known: KnownNames) -> list[NamePartRole]:
    """What the words of the name itself are, in order."""
    comma = text.find(",", core[0].start, core[-1].start) if core else -1
    units = {each.unit: each.key for each in reversed(core)}
    heads = [units[unit] for unit in sorted(units)]
    if comma >= 0:
        is_family = [each is core[0] or each.start < comma for each in core]
        roles = [NamePartRole.FAMILY if each else NamePartRole.GIVEN for each in is_family]
    elif len(heads) > 1:
        by_unit = dict(zip(sorted(units), _unit_roles(heads, known), strict=True))
        roles = [by_unit[each.unit] for each in core]
    elif any(len(each.text) > 1 for each in core):
        return [NamePartRole.SINGLE] * len(core)
    else:
        roles = [NamePartRole.INITIAL] * len(core)
    initial = NamePartRole.INITIAL
    return [
        initial if len(each.text) == 1 else role for each, role in zip(core, roles, strict=True)
    ]


def _unit_roles(heads: list[str], known: KnownNames) -> list[NamePartRole]:
    """The part of each unit, by its first word: given names first, the rest family.

    The lists say how many of each.
    """
    count = len(heads)
    if known.language.names.two_family_names:
        given = _given_before_two_surnames(heads, known)
        return [NamePartRole.GIVEN] * given + [NamePartRole.FAMILY] * (count - given)
    if count == 2 and known.only_family(heads[0]) and known.only_given(heads[1]):
        return [NamePartRole.FAMILY, NamePartRole.GIVEN]
    if len(heads[-1]) == 1:  # `Dennis H.`
        return [NamePartRole.GIVEN] * count
    return [NamePartRole.GIVEN] * (count - 1) + [NamePartRole.FAMILY]


def _given_before_two_surnames(heads: list[str], known: KnownNames) -> int:
    count = len(heads)
    if count == 2 and known.only_family(heads[0]) and heads[1] in known.family:
        return 0
    if count <= 2:
        return 2 if count == 2 and known.only_given(heads[1]) else 1
    middle = 1
    while middle < count - 1 and (len(heads[middle]) == 1 or known.only_given(heads[middle])):
        middle += 1
    if middle == 1 and count > 3:
        return count - 2
    return 0 if known.only_family(heads[0]) and count <= 3 and middle == 1 else middle
