"""The templates and lists of words that letters are made of, and the names that go with them.

A language has a folder here with one for each set: `letters.txt` holds whole letters, parted by a
line of equal signs, `phrases.txt` the rules that they name. Sets have no sentence, no list and no
name in common, so that what was learnt of one can be tried on another. Names are drawn from those
that are known in the language, a share for each set, or from `names.txt` of a set.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from random import Random
from typing import Literal, get_args

from shared.language.languages import Language, language
from shared.language.name_lists import faker_list
from shared.synthetic.invented_names import blended_names
from shared.synthetic.template import Template, parse_book, parse_template, read_lists

LetterSet = Literal[
    "first",
    "second",
    "held-out",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
]
"""Sets by different templates; those from the fourth on have names of their own."""

_SHARES: Sequence[LetterSet] = ("first", "second", "held-out")
_SETS: Sequence[LetterSet] = get_args(LetterSet)
SETS_TO_MEASURE: Sequence[LetterSet] = ("held-out", "eighth", "tenth")
"""What nothing is learnt of, to measure with what is learnt of the others."""
_HERE = files("shared.synthetic.letters")
_BLENDED, _FOREIGN = 0.35, 0.12
"""How often somebody has a name that is in no list, or one of another language."""


@dataclass(frozen=True, slots=True)
class LetterBook:
    """What the letters of one set are made of; `given` is by sex, M or F."""

    language: Language
    letters: tuple[Template, ...]
    rules: Mapping[str, tuple[Template, ...]]
    given: Mapping[str, "NameChoice"]
    family: "NameChoice"
    cities: tuple[str, ...]
    own_names: bool


@dataclass(frozen=True, slots=True)
class NameChoice:
    """Names of a language, names made of the halves of two of them, and names of elsewhere."""

    known: tuple[str, ...]
    blended: tuple[str, ...]
    foreign: tuple[str, ...]

    def draw(self, rng: Random) -> str:
        chance = rng.random()
        if chance < _FOREIGN:
            return rng.choice(self.foreign)
        if chance < _FOREIGN + _BLENDED and self.blended:
            return rng.choice(self.blended)
        return rng.choice(self.known)


def letter_languages() -> tuple[str, ...]:
    """The codes of the languages that letters can be fabricated in."""
    return tuple(sorted(each.name for each in _HERE.iterdir() if (each / "first").is_dir()))


def letter_sets(code: str) -> tuple[LetterSet, ...]:
    """The sets of templates that a language has."""
    return tuple(each for each in _SETS if (_HERE / code / each).is_dir())


def sets_to_learn(code: str) -> tuple[LetterSet, ...]:
    """The sets of templates that a language has to learn from."""
    return tuple(each for each in letter_sets(code) if each not in SETS_TO_MEASURE)


@cache
def letter_book(code: str, letters: LetterSet) -> LetterBook:
    """Return the templates of a set. Raises ModelError where one is malformed."""
    folder = _HERE / code / letters
    spoken = language(code)
    own = _own_names(folder)
    whole = (folder / "letters.txt").read_text("utf-8").replace("\\\n", "")
    return LetterBook(
        language=spoken,
        letters=tuple(parse_template(each.strip("\n") + "\n") for each in whole.split("\n=====\n")),
        rules=parse_book((folder / "phrases.txt").read_text("utf-8")),
        given={
            sex: _own_choice(own, f"given {sex}", f"foreign {sex}")
            if own
            else _names(spoken, f"first_names_{word}", letters)
            for sex, word in (("M", "male"), ("F", "female"))
        },
        family=_own_choice(own, "family", "foreign family")
        if own
        else _names(spoken, "last_names", letters),
        cities=tuple(own["city"] if own else _share(_cities(spoken), letters)),
        own_names=bool(own),
    )


def _own_names(folder: Traversable) -> dict[str, list[str]]:
    names = folder / "names.txt"
    return read_lists(names.read_text("utf-8")) if names.is_file() else {}


def _own_choice(own: Mapping[str, Sequence[str]], known: str, foreign: str) -> "NameChoice":
    return NameChoice(tuple(own[known]), (), tuple(own[foreign]))


def _names(spoken: Language, attribute: str, letters: LetterSet) -> NameChoice:
    known = _listed((*spoken.faker, *spoken.faker_more), attribute)
    elsewhere = sorted(set(_listed(language("und").faker, attribute)) - set(known))
    own = _share(known, letters)
    blended = [
        name
        for name, _ in blended_names([(name, 1.0) for name in own], frozenset(known))
        if letters != "held-out"
    ]
    return NameChoice(tuple(own), tuple(blended), tuple(_share(elsewhere, letters)))


def _listed(locales: Sequence[str], attribute: str) -> list[str]:
    names = set(faker_list("person", locales, attribute))
    return sorted(each for each in names if each.replace("-", "").isalpha() and len(each) > 2)


def _cities(spoken: Language) -> list[str]:
    listed = set(faker_list("address", spoken.faker, "cities"))
    return sorted(listed | {city for region in spoken.regions.values() for city in region.cities})


def _share(entries: Sequence[str], letters: LetterSet) -> list[str]:
    """The third of a sorted list that belongs to a set."""
    return list(entries[_SHARES.index(letters) :: len(_SHARES)])
