"""What stands in the slots of a letter.

{patient FORM}         the patient; FORM as in `LetterPerson.written`
{doctor KEY FORM}      one of the staff, the same person for a key; m:KEY is a man, f:KEY a woman
{kin KEY FORM}         one of the family; a key that begins with m or f tells the sex, with o that
it is not the patient's
{other KEY FORM}       another patient, or somebody who is neither family nor staff, likewise
{sex X/Y}              X for a man, Y for a woman; {sex doctor.KEY X/Y}, {sex kin.KEY X/Y}, ...
{day KEY FORM}         a day: birth, admitted, today or one of `_DAYS`, or `today-21` days from it;
d dd m mm yy yyyy month mon weekday, with _ for a blank: `d._month_yyyy`
{age}, {age kin.KEY}   in years
{years KEY FORM OTHER} the age of somebody born on the day KEY on the day OTHER or today; FORM is
one of `_AGES`
{city KEY}, {KIND KEY} a rule of the phrase book, drawn once for a patient and a key; KIND is
one of `_TYPES`, its PHI type; of what begins with ! it is no PHI;
`name` is one of the patient's or of the family
{as KIND RULE KEY}     likewise, of another rule than that of its kind, which may be `date` or `age`
{word RULE KEY}        likewise, as no PHI
{number LOW-HIGH}      as no PHI, as {digits PATTERN}; {nl} is a line end
{a}                    "a" or "an", by what comes next
"""

import re
from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from shared.errors import ModelError
from shared.model import PhiType, Span
from shared.synthetic.builder import RecordBuilder
from shared.synthetic.cast import numbered
from shared.synthetic.letters.people import LetterPatient, LetterPerson, draw_person
from shared.synthetic.letters.sources import LetterBook
from shared.synthetic.template import Slot
from shared.synthetic.template_writer import TemplateWriter

PATIENT, DOCTOR = PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")
_AGE, _DATE = PhiType("AGE", "AGE"), PhiType("DATE", "DATE")
_TYPES = {
    "name": PATIENT,
    "doctor": DOCTOR,
    "date": _DATE,
    "age": _AGE,
    "profession": PhiType("PROFESSION", "PROFESSION"),
    "hospital": PhiType("LOCATION", "HOSPITAL"),
    "department": PhiType("LOCATION", "DEPARTMENT"),
    "room": PhiType("LOCATION", "ROOM"),
    "organization": PhiType("LOCATION", "ORGANIZATION"),
    "street": PhiType("LOCATION", "STREET"),
    "city": PhiType("LOCATION", "CITY"),
    "zip": PhiType("LOCATION", "ZIP"),
    "state": PhiType("LOCATION", "STATE"),
    "country": PhiType("LOCATION", "COUNTRY"),
    "place": PhiType("LOCATION", "LOCATION-OTHER"),
    "phone": PhiType("CONTACT", "PHONE"),
    "fax": PhiType("CONTACT", "FAX"),
    "email": PhiType("CONTACT", "EMAIL"),
    "url": PhiType("CONTACT", "URL"),
    "record": PhiType("ID", "MEDICALRECORD"),
    "plan": PhiType("ID", "HEALTHPLAN"),
    "idnum": PhiType("ID", "IDNUM"),
    "license": PhiType("ID", "LICENSE"),
    "ssn": PhiType("ID", "SSN"),
    "account": PhiType("ID", "ACCOUNT"),
    "vehicle": PhiType("ID", "VEHICLE"),
    "device": PhiType("ID", "DEVICE"),
    "username": PhiType("NAME", "USERNAME"),
}
_NO_PHI = "!"
_FIELD = re.compile(r"(?<![a-z])(?:yyyy|yy|ddmmyy|month|mon|mm|m|weekday|dd|d)(?![a-z])")
_DAYS = {
    "before": (1, 300),
    "ahead": (3, 200),
    "week": (1, 7),
    "stay": (6, 17),
    "baby": (3, 60),
    "toddler": (700, 1500),
    "child": (1200, 5500),
    "pupil": (2700, 3900),
    "grown": (2500, 13_000),
    "adult": (11_500, 22_000),
    "elder": (19_500, 32_500),
    "aged": (24_500, 33_500),
    "year": (300, 6500),
}
"""How many days before today, or ahead of it; another key is one of years ago."""
_NINETIES = date(1991, 1, 7), 3200
_FROM = re.compile(r"(.+?)([+-]\d+)")
_AGES: dict[str, Callable[[int], str]] = {
    "years": lambda months: str(months // 12),
    "twelfths": lambda months: f"{months // 12} {months % 12}/12",
    "decade": lambda months: str(months // 120 + 1),
    "months": str,
}


_ASCII = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}
)


class AsciiBuilder(RecordBuilder):
    """Writes German as programs without umlauts do."""

    def append(self, text: str) -> Span | None:
        return super().append(text.translate(_ASCII))


class LetterWriter(TemplateWriter):
    """One letter under way, of a patient on a day."""

    def __init__(
        self,
        book: LetterBook,
        patient: LetterPatient,
        today: date,
        rng: Random,
        width: int | None = None,
    ) -> None:
        super().__init__(book.rules, rng, width)
        self._book = book
        self._patient = patient
        self._days = {"birth": patient.born, "today": today}
        stay = rng.choice((0, 1, 3, 5, 8, 13, 21))
        self._days["admitted"] = today - timedelta(days=stay)
        self._slots: dict[str, Callable[[tuple[str, ...]], None]] = {
            "patient": self._write_patient,
            "doctor": lambda said: self.phi(self._staff(said[0]).written(said[1]), DOCTOR),
            "kin": lambda said: self.phi(self._kin(said[0]).written(said[1]), PATIENT),
            "other": lambda said: self.phi(self._other(said[0]).written(said[1]), PATIENT),
            "sex": self._write_by_sex,
            "day": self._write_day,
            "age": self._write_age,
            "years": self._write_years,
            "city": lambda said: self.phi(self._city(said[0]), _TYPES["city"]),
            "as": lambda said: self._write_fact(said[1], "".join(said[2:]), said[0]),
            "word": lambda said: self.text(self._fact(said[0], "".join(said[1:]))),
            "plaincity": lambda said: self.text(self._city(said[0])),
            "plainname": lambda _: self.text(book.family.draw(rng)),
            "digits": lambda said: self.text(numbered(" ".join(said), rng)),
            "nl": lambda _: self.text("\n"),
            "a": lambda _: self.builder.article_next(),
            "number": lambda said: self.text(str(rng.randint(*_bounds(said[0])))),
        }

    def fill(self, slot: Slot) -> None:
        if slot.name in self._slots:
            self._slots[slot.name](slot.arguments)
        elif slot.name in _TYPES:
            self._write_fact(slot.name, "".join(slot.arguments))
        else:
            raise ModelError(f"template: nobody knows the slot {slot.name}")

    def _write_fact(self, rule: str, key: str, kind: str = "") -> None:
        said = self._fact(rule, key)
        if said.startswith(_NO_PHI):
            self.text(said.removeprefix(_NO_PHI))
        else:
            self.phi(said, _TYPES[kind or rule])

    def _staff(self, key: str) -> LetterPerson:
        return self._known(f"doctor.{key}", {"m:": "M", "f:": "F"}.get(key[:2], ""))

    def _kin(self, key: str) -> LetterPerson:
        other = "F" if self._patient.person.sex == "M" else "M"
        sex = {"m": "M", "f": "F", "o": other}.get(key[:1], "")
        return self._known(f"kin.{key}", sex, self._patient.person.family)

    def _other(self, key: str) -> LetterPerson:
        return self._known(f"other.{key}", {"m": "M", "f": "F"}.get(key[:1], ""))

    def _known(self, key: str, sex: str, family: str = "") -> LetterPerson:
        people = self._patient.people
        if key not in people:
            family = family if self.rng.random() < 0.6 else ""
            people[key] = draw_person(self._book, self.rng, sex, family)
        return people[key]

    def _write_patient(self, said: tuple[str, ...]) -> None:
        self.phi(self._patient.person.written("".join(said) or "last"), PATIENT)

    def _write_by_sex(self, words: tuple[str, ...]) -> None:
        person = self._patient.person
        if words[0].startswith("doctor."):
            person, words = self._staff(words[0].partition(".")[2]), words[1:]
        elif words[0].startswith("kin."):
            person, words = self._kin(words[0].partition(".")[2]), words[1:]
        elif words[0].startswith("other."):
            person, words = self._other(words[0].partition(".")[2]), words[1:]
        man, _, woman = " ".join(words).partition("/")
        self.text(man if person.sex == "M" else woman)

    def _write_day(self, said: tuple[str, ...]) -> None:
        key, form = said
        day = self._day(key)
        self.phi(written_day(day, form, self._book), _DATE)

    def _day(self, key: str) -> date:
        if found := _FROM.fullmatch(key):
            return self._day(found[1]) + timedelta(days=int(found[2]))
        if key not in self._days:
            kind = key.rstrip("0123456789")
            if kind == "nineties":
                first, days = _NINETIES
                self._days[key] = first + timedelta(days=self.rng.randrange(days))
                return self._days[key]
            low, high = _DAYS.get(kind, (300, 9000))
            shift = timedelta(days=self.rng.randint(low, high))
            today = self._days["today"]
            self._days[key] = today + shift if kind == "ahead" else today - shift
        return self._days[key]

    def _write_age(self, said: tuple[str, ...]) -> None:
        born, today = self._patient.born, self._days["today"]
        years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
        if said:
            years = int(self._once(f"age {said[0]}", lambda: str(self.rng.randint(9, 94))))
        self.phi(str(years), _AGE)

    def _write_years(self, said: tuple[str, ...]) -> None:
        key, form, *other = said
        born, day = self._day(key), self._day(other[0] if other else "today")
        months = (day.year - born.year) * 12 + day.month - born.month - (day.day < born.day)
        self.phi(_AGES[form](months), _AGE)

    def _city(self, key: str) -> str:
        return self._once(f"city {key}", lambda: self.rng.choice(self._book.cities))

    def _fact(self, rule: str, key: str) -> str:
        """What the patient's letters say under a rule and a key; a pair is by the patient's sex."""

        def draw() -> str:
            inner = LetterWriter(self._book, self._patient, self._days["today"], self.rng)
            inner.write(self.rng.choice(self.rules[rule]))
            return (
                numbered(inner.builder.text, self.rng) if rule in _NUMBERED else inner.builder.text
            )

        said = self._once(f"{rule} {key}", draw)
        if rule.startswith("profession") and " / " in said:
            sex = self._kin(key).sex if key else self._patient.person.sex
            return said.split(" / ")[sex == "F"]
        return said

    def _once(self, key: str, draw: Callable[[], str]) -> str:
        facts = self._patient.facts
        if key not in facts:
            facts[key] = draw()
        return facts[key]


_NUMBERED = (
    "phone",
    "fax",
    "record",
    "plan",
    "idnum",
    "license",
    "ssn",
    "account",
    "vehicle",
    "device",
    "zip",
    "room",
    "street",
)
"""Rules in which # is any digit, % one that is not 0 and @ a capital."""


def _bounds(span: str) -> tuple[int, int]:
    low, high = span.split("-")
    return int(low), int(high)


def written_day(day: date, form: str, book: LetterBook) -> str:
    """Write a day: `dd.mm.yyyy`, `d._month_yyyy`, with what else stands in the form."""
    dates = book.language.dates
    values = {
        "yyyy": f"{day:%Y}",
        "yy": f"{day:%y}",
        "month": dates.months[day.month - 1],
        "mon": dates.months_short[day.month - 1],
        "mm": f"{day:%m}",
        "m": str(day.month),
        "dd": f"{day:%d}",
        "d": str(day.day),
        "weekday": dates.weekdays[day.weekday()],
        "ddmmyy": f"{day:%d%m%y}",
    }
    return _FIELD.sub(lambda found: values[found[0]], form).replace("_", " ")
