"""The people, places and numbers around one patient; the same in all of the patient's records."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from shared.language.languages import FABRICATED_LANGUAGE, language
from shared.synthetic.pools import Pools

ROLES = {
    "pcp": ("M.D.", 1),
    "attending": ("M.D.", 2),
    "resident": ("M.D.", 2),
    "surgeon": ("M.D.", 1),
    "consultant": ("M.D.", 2),
    "radiologist": ("M.D.", 2),
    "pathologist": ("M.D.", 1),
    "nurse": ("RN", 2),
    "np": ("NP", 1),
    "therapist": ("PT", 1),
}
"""For each role on the medical staff, what stands after the name, and how many there are."""

_RELATIONS = {
    "wife": ("F", 0),
    "husband": ("M", 0),
    "daughter": ("F", -27),
    "son": ("M", -28),
    "sister": ("F", 2),
    "brother": ("M", -3),
    "niece": ("F", -30),
    "grandson": ("M", -55),
}
_MRN_PATTERNS = ("#######", "###-##-##-#", "########", "###-##-##", "##-##-##", "@######")


@dataclass(frozen=True, slots=True)
class CastMember:
    """Somebody with a name; `key` tells people of one patient apart."""

    key: str
    given: str
    middle: str
    family: str
    sex: str
    credentials: str = ""
    username: str = ""
    number: str = ""
    pager: str = ""

    @property
    def initials(self) -> str:
        return self.given[0] + self.middle[0] + self.family_initial

    @property
    def family_initial(self) -> str:
        return next(char for char in self.family if char.isalpha()).upper()


@dataclass(frozen=True, slots=True)
class Town:
    """A city with its state and a ZIP code of that state."""

    name: str
    state: str
    state_name: str
    zip_code: str


@dataclass(frozen=True, slots=True)
class Hospital:
    """A hospital and the record number that the patient has there."""

    key: str
    name: str
    abbreviation: str
    town: Town
    street: str
    record_number: str
    phone: str
    fax: str
    domain: str


@dataclass(frozen=True, slots=True)
class Relative:
    """One of the patient's family; `older` in years than the patient."""

    relation: str
    person: CastMember
    older: int
    phone: str


@dataclass(frozen=True, slots=True)
class Cast:
    """Everybody and everything that the notes about one patient name."""

    patient: CastMember
    doctors: Mapping[str, tuple[CastMember, ...]]
    relatives: tuple[Relative, ...]
    hospitals: tuple[Hospital, ...]
    facility: str
    towns: tuple[Town, ...]
    street: str
    country: tuple[str, str]
    profession: str
    employer: str
    numbers: Mapping[str, str]


def numbered(pattern: str, rng: Random) -> str:
    """Fill a pattern: `#` a digit, `%` a digit but 0, `@` a capital letter."""
    fill = {"#": "0123456789", "%": "123456789", "@": "ABCDEFGHJKLMNPRSTUVWXYZ"}
    return "".join(rng.choice(fill[char]) if char in fill else char for char in pattern)


def phone_number(rng: Random) -> str:
    """A number of an exchange that is given to nobody."""
    return (
        rng.choice(("(%#%) 555-####", "%#%-555-####", "%#%.555.####", "555-####"))
        .replace("%#%", numbered("%#%", rng))
        .replace("####", numbered("####", rng))
    )


class CastBuilder:
    """Draws a cast: one per patient, from the pools and one random generator."""

    def __init__(self, pools: Pools, rng: Random) -> None:
        self._pools = pools
        self._rng = rng
        self._taken: set[str] = set()

    def build(self) -> Cast:
        rng = self._rng
        patient = self._person("patient", rng.choice("MF"), eponyms=0.03)
        towns = tuple(self._town() for _ in range(4))
        words = self._pools.words
        return Cast(
            patient=patient,
            doctors=self._doctors(),
            relatives=tuple(self._relatives(patient)),
            hospitals=tuple(self._hospital(index, towns[index]) for index in range(3)),
            facility=f"{rng.choice(words['hospital stems'])} {rng.choice(words['facility kinds'])}",
            towns=towns,
            street=self._street(),
            country=self._country(),
            profession=rng.choice(words["professions"]),
            employer=self.organization(),
            numbers=self._numbers(),
        )

    def organization(self) -> str:
        text = self._pools.draw("organizations", self._rng)
        while "{family}" in text:
            text = text.replace("{family}", self._pools.family.draw(self._rng), 1)
        return text

    def _doctors(self) -> dict[str, tuple[CastMember, ...]]:
        return {
            role: tuple(
                self._staff(f"{role}-{number}", credentials) for number in range(1, count + 1)
            )
            for role, (credentials, count) in ROLES.items()
        }

    def _staff(self, key: str, credentials: str) -> CastMember:
        rng = self._rng
        person = self._person(key, rng.choice("MF"), eponyms=0.12)
        login = plain_letters(person.initials).lower()
        if rng.random() < 0.4:
            login = login[0] + login[-1]
        return CastMember(
            key,
            person.given,
            person.middle,
            person.family,
            person.sex,
            credentials,
            username=f"{login}{rng.randint(1, 999)}",
            number=numbered("%####", rng),
            pager=numbered("%####", rng),
        )

    def _person(self, key: str, sex: str, *, eponyms: float, family: str = "") -> CastMember:
        """Draw a name that nobody else of this cast has, and initials that nobody else has."""
        while True:
            given = self._given(sex)
            middle = self._pools.given[sex].draw(self._rng)
            person = CastMember(key, given, middle, family or self._family(eponyms), sex)
            own = {plain_letters(person.initials), given.lower()}
            own |= set() if family else {person.family.lower()}
            if not own & self._taken:
                self._taken |= own
                return person

    def _given(self, sex: str) -> str:
        if self._rng.random() < 0.06:
            return self._pools.draw(f"ambiguous given {sex}", self._rng)
        return self._pools.given[sex].draw(self._rng)

    def _family(self, eponyms: float) -> str:
        rng = self._rng
        draw = rng.random()
        plain = self._pools.family.draw(rng)
        if draw < eponyms:
            return self._pools.draw("eponyms", rng)
        if draw < eponyms + 0.05:
            return self._pools.draw("ambiguous family", rng)
        if draw < eponyms + 0.08 and "-" not in plain and " " not in plain:
            return f"{plain}-{self._pools.draw('ambiguous family', rng)}"
        if draw < eponyms + 0.1 and plain.isalpha():
            particle = self._pools.draw("particles", rng)
            return particle + ("" if particle in {"Mac", "Mc", "O'"} else " ") + plain
        return plain

    def _relatives(self, patient: CastMember) -> list[Relative]:
        spouse = "wife" if patient.sex == "M" else "husband"
        others = [each for each in _RELATIONS if each not in {"wife", "husband"}]
        found: list[Relative] = []
        for number, relation in enumerate([spouse, *self._rng.sample(others, 2)], start=1):
            sex, older = _RELATIONS[relation]
            family = patient.family if self._rng.random() < 0.7 else ""
            person = self._person(f"relative-{number}", sex, eponyms=0.02, family=family)
            years = older + self._rng.randint(-4, 4)
            found.append(Relative(relation, person, years, phone_number(self._rng)))
        return found

    def _town(self) -> Town:
        name, _, state = self._pools.draw("cities", self._rng).rpartition(", ")
        region = language(FABRICATED_LANGUAGE).regions[state]
        low, high = map(int, region.postal[0].split("-"))
        return Town(name, state, region.name, f"{self._rng.randint(low, high):05}")

    def _street(self) -> str:
        rng = self._rng
        words = self._pools.words
        street = f"{rng.choice(words['streets'])} {rng.choice(words['street kinds'])}"
        return f"{rng.randint(1, 990)} {street}"

    def _hospital(self, index: int, town: Town) -> Hospital:
        rng = self._rng
        stem = self._fresh_stem()
        kind = self._pools.draw("hospital kinds", rng)
        words = f"{stem} {kind}".replace(".", "").split()
        return Hospital(
            key=f"hospital-{index + 1}",
            name=f"{stem} {kind}",
            abbreviation="".join(word[0] for word in words if word != "of"),
            town=town,
            street=self._street(),
            record_number=numbered(rng.choice(_MRN_PATTERNS), rng).lstrip("0"),
            phone=phone_number(rng),
            fax=phone_number(rng),
            domain="".join(words).lower() + ".example",
        )

    def _fresh_stem(self) -> str:
        draw = self._rng.random()
        if draw < 0.2:
            return self._pools.family.draw(self._rng)
        free = [each for each in self._pools.words["hospital stems"] if each not in self._taken]
        stem = self._rng.choice(free)
        self._taken.add(stem)
        return stem

    def _country(self) -> tuple[str, str]:
        name, _, demonym = self._pools.draw("countries", self._rng).partition(", ")
        return name, demonym

    def _numbers(self) -> dict[str, str]:
        rng = self._rng
        patterns = {
            "ssn": "9##-##-####",
            "account": rng.choice(("%#########", "A%#######", "%###-####-##")),
            "healthplan": rng.choice(("@@@%########", "%##-##-####-A", "@%#######")),
            "license": rng.choice(("S########", "@@###-##-####")),
            "vehicle": rng.choice(("###-@@@", "%@@###", "1HGCM%####A######")),
            "device": rng.choice(("@@@######@", "SN#######", "@@%###-####")),
            "bioid": rng.choice(("FP-######", "RS####-##")),
        }
        drawn = {name: numbered(pattern, rng) for name, pattern in patterns.items()}
        return drawn | {"phone": phone_number(rng), "work": phone_number(rng)}


def plain_letters(text: str) -> str:
    """Return the text with letters without their accents, and nothing but ASCII letters."""
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(char for char in decomposed if char.isascii() and char.isalpha())
