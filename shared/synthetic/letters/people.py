"""Who letters are about and who writes them: drawn once for a patient, the same in all letters."""

import re
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from shared.synthetic.letters.sources import LetterBook

_DOUBLE, _SECOND, _PARTICLE, _COMPOUND, _WHOLE = 0.06, 0.08, 0.03, 0.2, 0.14
_FIRST_OF_TWO = re.compile(r"(?:[a-zà-ÿ]+ )*\S+")
"""The first of two family names, with the particles before it: `de la Fuente` of both."""

_MIDDLE = "ABCDEFGHJKLMNPRSTVW"
"""Of which a middle initial is one, always the same for a name."""


@dataclass(frozen=True, slots=True)
class LetterPerson:
    """Somebody with a name; `sex` is M or F, `family` one family name or two."""

    given: str
    family: str
    sex: str

    @property
    def _middle(self) -> str:
        return _MIDDLE[(len(self.given) * 7 + ord(self.family[-1])) % len(_MIDDLE)]

    def written(self, form: str) -> str:
        """Return the name in a form: of two letters, `it` is given name and `ni` family name."""
        first, family = self.given[0], self.family
        found = _FIRST_OF_TWO.match(family)
        one = found[0] if found else family
        return {
            "full": f"{self.given} {family}",
            "last": family,
            "first": self.given,
            "one": one,
            "short": f"{self.given} {one}",
            "initialone": f"{first}. {one}",
            "capscomma": f"{family}, {self.given}".upper(),
            "comma": f"{family}, {self.given}",
            "turned": f"{family} {self.given}",
            "caps": f"{family.upper()}, {self.given}",
            "upper": f"{self.given} {family}".upper(),
            "initial": f"{first}. {family}",
            "initials": f"{first}. {family[0]}.",
            "letters": f"{first}{family[0]}".lower(),
            "capsletters": f"{first}{family[0]}".upper(),
            "capslast": family.upper(),
            "capsturned": f"{family.upper()} {self.given}",
            "abbreviated": f"{family.split()[-1][:4]}.",
            "letter": family.split()[-1][0],
            "syllable": family.split()[-1][:2],
            "genitive": f"{family}'" if family[-1] in "sßxz" else f"{family}s",
            "middle": f"{self.given} {self._middle}. {family}",
            "commamiddle": f"{family}, {self.given} {self._middle}.",
            "capscommamiddle": f"{family}, {self.given} {self._middle}.".upper(),
            "threeletters": f"{first}{self._middle}{family[0]}".lower(),
            "capsthreeletters": f"{first}{self._middle}{family[0]}".upper(),
            "dot": "-".join(f"{part[0]}." for part in family.split("-")),
        }[form]


@dataclass(slots=True)
class LetterPatient:
    """A patient, with what letters have said once and must say again."""

    patient_id: str
    person: LetterPerson
    born: date
    people: dict[str, LetterPerson] = field(default_factory=dict[str, LetterPerson])
    facts: dict[str, str] = field(default_factory=dict[str, str])


def draw_person(book: LetterBook, rng: Random, sex: str = "", family: str = "") -> LetterPerson:
    """Draw somebody, of a sex and a family where they are given.

    A rule `whole M` or `whole F` has names of one origin, as `Thi Mai / Nguyen`.
    """
    sex = sex or rng.choice("MF")
    whole, compound = f"whole {sex}", f"compound {sex}"
    if whole in book.rules and rng.random() < _WHOLE:
        given, _, own_family = _plain(book, whole, rng).partition(" / ")
        return LetterPerson(given, family or own_family, sex)
    if compound in book.rules and rng.random() < _COMPOUND:
        return LetterPerson(_plain(book, compound, rng), family or _family(book, rng), sex)
    given = book.given[sex].draw(rng)
    if rng.random() < _SECOND:
        given += rng.choice("- ") + book.given[sex].draw(rng)
    return LetterPerson(given, family or _family(book, rng), sex)


def _family(book: LetterBook, rng: Random) -> str:
    """A family name; where people have two, both, and now and then one with a particle."""
    name = book.family.draw(rng)
    if "two family names" in book.rules:
        if "particle" in book.rules and rng.random() < _PARTICLE:
            name = f"{_plain(book, 'particle', rng)} {name}"
        return name if rng.random() < _SECOND else f"{name} {book.family.draw(rng)}"
    chance = rng.random()
    if chance < _DOUBLE:
        return f"{name}-{book.family.draw(rng)}"
    if chance < _DOUBLE + _PARTICLE and "particle" in book.rules:
        return f"{_plain(book, 'particle', rng)} {name}"
    return name


def _plain(book: LetterBook, rule: str, rng: Random) -> str:
    """One of a rule's alternatives that hold nothing but text."""
    return rng.choice([str(each[0]) for each in book.rules[rule]])


def draw_patient(book: LetterBook, patient_id: str, rng: Random) -> LetterPatient:
    """Draw a patient of eighteen to ninety-six in 2012."""
    born = date(1916, 1, 1) + timedelta(days=rng.randrange(28_000))
    return LetterPatient(patient_id, draw_person(book, rng), born)
