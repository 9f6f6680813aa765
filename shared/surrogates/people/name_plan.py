"""Which word stands for which: drawn for all names of a patient at once."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from string import ascii_uppercase

from shared.language.name_lists import NameLists, NamePool
from shared.language.name_parts import NamePartRole
from shared.surrogates.drawing import RecordWords
from shared.surrogates.people.name_words import NamePart, PatientNames
from shared.text.spelling import (
    AlikeSpellings,
    apply_typo,
    base_letter,
    typo_between,
    without_accents,
)

_TRIES = 60


class Initials:
    """Which letter stands for which, as Stubbs and Uzuner (2015) draw it per patient."""

    def __init__(self, letters: Mapping[str, str]) -> None:
        self._letters = dict(letters)

    def letter(self, char: str) -> str:
        """The letter for a letter, in its case; any other character as it is."""
        new = self._letters.get(base_letter(char))
        if new is None:
            return char
        return new if char.isupper() else new.lower()

    def text(self, text: str) -> str:
        return "".join(self.letter(char) for char in text)


def draw_initials(
    wanted: Mapping[str, int],
    room: Callable[[str, str], bool],
    clashes: Callable[[Initials], int],
    randomness: Random,
) -> Initials:
    """Draw a permutation of A to Z that moves every letter.

    `wanted` counts by letter the names to be found, `room(letter, new)` says whether there are
    enough names with `new` for those with `letter`, `clashes` how many initials come out as
    something else that is in the records. The draw with the fewest of both is taken.
    """
    best: tuple[int, dict[str, str]] | None = None
    for _ in range(_TRIES):
        drawn = _draw(wanted, room, randomness)
        missing = sum(wanted[letter] for letter in wanted if not room(letter, drawn[letter]))
        missing += clashes(Initials(drawn))
        if best is None or missing < best[0]:
            best = missing, drawn
        if not missing:
            break
    return Initials(best[1] if best else {})


def _draw(
    wanted: Mapping[str, int], room: Callable[[str, str], bool], randomness: Random
) -> dict[str, str]:
    free = list(ascii_uppercase)
    randomness.shuffle(free)
    order = sorted(wanted, key=lambda letter: (-wanted[letter], randomness.random()))
    drawn: dict[str, str] = {}
    for letter in order:
        fitting = [new for new in free if new != letter and room(letter, new)]
        others = [new for new in free if new != letter]
        drawn[letter] = (fitting or others or free)[0]
        free.remove(drawn[letter])
    rest = [letter for letter in ascii_uppercase if letter not in drawn]
    return drawn | dict(zip(rest, _deranged(rest, free), strict=True))


def _deranged(letters: list[str], free: list[str]) -> list[str]:
    """Order `free` so that no letter meets itself, which turning it round comes to in the end."""
    for turn in range(len(free)):
        turned = free[turn:] + free[:turn]
        if all(one != other for one, other in zip(letters, turned, strict=True)):
            return turned
    return free


@cache
def nicknames_of(name: str) -> frozenset[str]:
    """The nicknames of a given name, all in small letters.

    Where two names are listed as nicknames of each other, as `Bill` and `William` are, that with
    more of them is the full one.
    """
    every = _listed(name)
    return frozenset(
        each for each in every if name not in _listed(each) or len(_listed(each)) < len(every)
    )


def find_nicknames(words: Mapping[str, NamePart], lists: NameLists) -> dict[str, str]:
    """Return the full name of every given name that is short for another of the same person.

    Both stand beside the same family name, or the nickname stands alone and is short for one name
    only. Two names of two sexes are two people's.
    """
    given = [
        each for each in words.values() if each.role is NamePartRole.GIVEN and not each.variant_of
    ]
    called: dict[str, list[NamePart]] = {}
    for each in given:
        for nickname in nicknames_of(each.key):
            called.setdefault(nickname, []).append(each)
    found: dict[str, str] = {}
    for short in given:
        full = [
            each
            for each in called.get(short.key, ())
            if each.key not in found
            and not _two_sexes(short, each, lists)
            and (not short.beside or short.beside & each.beside)
        ]
        if len(full) == 1:
            found[short.key] = full[0].key
    return found


def _two_sexes(one: NamePart, other: NamePart, lists: NameLists) -> bool:
    sexes = {lists.given_sexes.get(each.key, "") for each in (one, other)} - {""}
    return len(sexes) > 1


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(_namer().nicknames_of(name))


@cache
def _namer():  # noqa: ANN202 - loaded when a name is first looked up
    from nicknames import NickNamer

    return NickNamer()


_ROOM = 4
"""For every name to be found, so many must begin with the letter that it gets."""


@dataclass(frozen=True, slots=True)
class NamePlan:
    """The surrogate of every word by key, and of every initial."""

    words: Mapping[str, str]
    initials: Initials
    odd: frozenset[str]
    """Keys whose surrogate a person should look at: nothing fitted."""
    nicknames: Mapping[str, str]
    """The keys of full names by those of their nicknames."""


def plan_names(
    names: PatientNames, lists: NameLists, avoid: RecordWords, randomness: Random
) -> NamePlan:
    """Draw the surrogates of all words of a patient's names.

    None is in the records (`avoid`), none comes twice, and none is one typo from another, from an
    authentic name or from a word of the records. A misspelling gets the same typo.
    """
    bases = [each for each in names.words.values() if not each.variant_of]
    together = {
        "".join(word.text for word in each.name.words)
        for each in names.parsed
        if all(word.role is NamePartRole.INITIAL for word in each.name.words)
    }

    def clashes(initials: Initials) -> int:
        return sum(initials.text(letters).lower() in avoid.folded for letters in together)

    initials = _initials(bases, lists, clashes, randomness)
    drawing = _Drawing(lists, avoid, frozenset(names.words), initials, randomness)
    nicknames = find_nicknames(names.words, lists) if lists.language.names.nicknames else {}
    drawn: dict[str, str] = {}
    for each in sorted(bases, key=lambda word: word.key in nicknames):
        if each.key in nicknames:
            drawn[each.key] = drawing.draw_nickname(each, drawn[nicknames[each.key]])
        else:
            shorts = [short for short, full in nicknames.items() if full == each.key]
            drawn[each.key] = drawing.draw(each, shorts)
    for each in names.words.values():
        if each.typo is not None:
            drawn[each.key] = _misspelt(drawn[each.variant_of], each, drawn.values())
    return NamePlan(drawn, initials, frozenset(drawing.odd), nicknames)


def _misspelt(surrogate: str, word: NamePart, taken: Iterable[str]) -> str:
    assert word.typo is not None  # noqa: S101  the caller looked
    first = apply_typo(surrogate, word.typo)
    if first not in set(taken):
        return first
    return apply_typo(first, word.typo)


def _initials(
    bases: Iterable[NamePart],
    lists: NameLists,
    clashes: Callable[[Initials], int],
    randomness: Random,
) -> Initials:
    wanted: dict[str, Counter[NamePool]] = {}
    for each in bases:
        letter = _first_letter(each.key)
        if letter:
            wanted.setdefault(letter, Counter())[_pool(each, lists)] += 1

    def room(letter: str, new: str) -> bool:
        return all(
            len(pool.common.get(new, ())) >= _ROOM * count for pool, count in wanted[letter].items()
        )

    counts = {key: sum(each.values()) for key, each in wanted.items()}
    return draw_initials(counts, room, clashes, randomness)


def _first_letter(key: str) -> str:
    return base_letter(key[:1])


def _pool(word: NamePart, lists: NameLists) -> NamePool:
    if word.role is NamePartRole.FAMILY:
        return lists.family
    if word.sexes["F"] == word.sexes["M"]:
        return lists.women if word.key[-1:] in "aeiy" else lists.men
    return lists.women if word.sexes["F"] > word.sexes["M"] else lists.men


class _Drawing:
    """Draws names one after the other, so that none comes twice."""

    def __init__(
        self,
        lists: NameLists,
        avoid: RecordWords,
        authentic: frozenset[str],
        initials: Initials,
        randomness: Random,
    ) -> None:
        self.odd: set[str] = set()
        self._lists = lists
        self._avoid = avoid
        self._alike = AlikeSpellings()
        """Authentic names, and those that were drawn."""
        for name in authentic:
            self._alike.add(name)
        self._initials = initials
        self._randomness = randomness
        self._taken: set[str] = set()

    def draw(self, word: NamePart, shorts: Sequence[str] = ()) -> str:
        """Draw a name; where it has `shorts`, one that has nicknames too."""
        letter = self._letter(word)
        pool = _pool(word, self._lists)
        is_abroad = word.key in self._lists.abroad
        for names in (*([pool.abroad] if is_abroad else ()), pool.common, pool.rarer):
            own = names.get(letter, ())
            found = self._one_with_nicknames(own, shorts)
            if found:
                return found
            alike = [name for name in own if name.isascii() is not word.accented]
            found = self._one_of(alike) or self._one_of(own)
            if found:
                return found
        self.odd.add(word.key)
        return self._one_of(pool.every_common) or "Placeholder"

    def draw_nickname(self, word: NamePart, full: str) -> str:
        """Draw a nickname of a surrogate, with the initial it should have if there is one."""
        every = self._nicknames(full)
        own = [each for each in every if each[0] == self._letter(word)]
        return self._one_of(own) or self._one_of(every) or self.draw(word)

    def _one_with_nicknames(self, names: Iterable[str], shorts: Sequence[str]) -> str:
        """A name with nicknames that have the initials of `shorts`, else with any; "" for none."""
        if not shorts:
            return ""
        letters = {self._initials.letter(_first_letter(each)) for each in shorts}
        by_name = {name: {each[0] for each in self._nicknames(name)} for name in names}
        return self._one_of(
            name for name, initials in by_name.items() if letters <= initials
        ) or self._one_of(name for name, initials in by_name.items() if initials)

    def _nicknames(self, full: str) -> list[str]:
        """The nicknames of a name that are names by themselves, and no typos of it."""
        key = without_accents(full).lower()
        every = (each for each in sorted(nicknames_of(key)) if not typo_between(key, each))
        return [each.capitalize() for each in every if each in self._lists.given_sexes]

    def _letter(self, word: NamePart) -> str:
        return self._initials.letter(_first_letter(word.key))

    def _one_of(self, names: Iterable[str]) -> str:
        shuffled = list(names)
        self._randomness.shuffle(shuffled)
        for name in shuffled:
            key = without_accents(name).lower()
            if key in self._avoid.folded or key in self._taken or self._is_near(key):
                continue
            self._taken.add(key)
            self._alike.add(key)
            return name
        return ""

    def _is_near(self, key: str) -> bool:
        if self._avoid.near(key):
            return True
        return any(typo_between(key, other) is not None for other in self._alike.near(key))
