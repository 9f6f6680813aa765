"""Who letters are about and who writes them: drawn once for a patient, the same in all letters."""

from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from shared.synthetic.letters.sources import LetterBook

_DOUBLE, _SECOND, _PARTICLE = 0.06, 0.08, 0.03


@dataclass(frozen=True, slots=True)
class LetterPerson:
    """Somebody with a name; `sex` is M or F."""

    given: str
    family: str
    sex: str

    def written(self, form: str) -> str:
        """Return the name in a form: of two letters, `it` is given name and `ni` family name."""
        first, family = self.given[0], self.family
        return {
            "full": f"{self.given} {family}",
            "last": family,
            "first": self.given,
            "comma": f"{family}, {self.given}",
            "turned": f"{family} {self.given}",
            "caps": f"{family.upper()}, {self.given}",
            "upper": f"{self.given} {family}".upper(),
            "initial": f"{first}. {family}",
            "initials": f"{first}. {family[0]}.",
            "letters": f"{first}{family[0]}".lower(),
            "capsletters": f"{first}{family[0]}".upper(),
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
    """Draw somebody, of a sex and a family where they are given."""
    sex = sex or rng.choice("MF")
    given = book.given[sex].draw(rng)
    if rng.random() < _SECOND:
        given += rng.choice("- ") + book.given[sex].draw(rng)
    return LetterPerson(given, family or _family(book, rng), sex)


def _family(book: LetterBook, rng: Random) -> str:
    """A family name; where people have two, both, and now and then one with a particle."""
    name = book.family.draw(rng)
    if "two family names" in book.rules:
        return name if rng.random() < _SECOND else f"{name} {book.family.draw(rng)}"
    chance = rng.random()
    if chance < _DOUBLE:
        return f"{name}-{book.family.draw(rng)}"
    if chance < _DOUBLE + _PARTICLE and "particle" in book.rules:
        particles = [str(each[0]) for each in book.rules["particle"]]
        return f"{rng.choice(particles)} {name}"
    return name


def draw_patient(book: LetterBook, patient_id: str, rng: Random) -> LetterPatient:
    """Draw a patient of eighteen to ninety-six in 2012."""
    born = date(1916, 1, 1) + timedelta(days=rng.randrange(28_000))
    return LetterPatient(patient_id, draw_person(book, rng), born)
