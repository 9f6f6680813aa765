"""What happens to one fabricated patient: when, where, with which illnesses, written by whom."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from random import Random

from shared.synthetic.cast import Cast, CastBuilder, CastMember, Hospital
from shared.synthetic.phrases import PhraseBook
from shared.synthetic.template import Template

WIDTHS = (68, 70, 72, 75, 78, 80)
LONG_STAYS = frozenset({"discharge", "progress", "transfer"})


@dataclass(frozen=True, slots=True)
class Visit:
    """What one record is about."""

    record_id: str
    kind: str
    today: date
    admitted: date
    procedure: date
    last: date
    condition: str
    hospital: Hospital
    staff: Mapping[str, CastMember]
    date_form: str
    width: int | None
    sentence_gap: str


@dataclass(slots=True)
class Story:
    """One patient's life as far as the notes tell it.

    `days`, `words` and `medicines` hold what notes have said once and must say again (the year of
    an operation, the side of a fracture), so that records agree with each other.
    """

    patient_id: str
    cast: Cast
    born: date
    conditions: tuple[str, ...]
    visits: tuple[Visit, ...]
    days: dict[str, date] = field(default_factory=dict[str, date])
    words: dict[str, str] = field(default_factory=dict[str, str])
    medicines: list[Template] = field(default_factory=list[Template])

    @property
    def first_day(self) -> date:
        return self.visits[0].admitted


def tell_story(
    patient_id: str, records: int, phrases: PhraseBook, builder: CastBuilder, rng: Random
) -> Story:
    """Draw the story of one patient with this many records."""
    cast = builder.build()
    days = _record_days(records, rng)
    age = _first_age(rng)
    born = days[0] - timedelta(days=round(age * 365.25) + rng.randint(0, 364))
    conditions = _conditions(phrases, cast.patient.sex, age, rng)
    kinds = _kinds(records, phrases, rng)
    visits = [
        _visit(f"{patient_id}-{number:02}", kind, day, conditions, cast, rng)
        for number, (kind, day) in enumerate(zip(kinds, days, strict=True), start=1)
    ]
    return Story(patient_id, cast, born, conditions, tuple(_with_last(visits, rng)))


def _record_days(records: int, rng: Random) -> list[date]:
    """Days of the records: of our time, or as shifted into a far future as released records are."""
    year = rng.randint(2060, 2130) if rng.random() < 0.3 else rng.randint(1994, 2014)
    day = date(year, 1, 1) + timedelta(days=rng.randint(0, 364))
    days: list[date] = []
    for _ in range(records):
        days.append(day)
        day += timedelta(days=rng.choice((9, 40, 120, 300, 420, 900)) + rng.randint(0, 60))
    return days


def _first_age(rng: Random) -> int:
    return rng.randint(86, 93) if rng.random() < 0.05 else round(rng.triangular(24, 88, 67))


def _conditions(phrases: PhraseBook, sex: str, age: int, rng: Random) -> tuple[str, ...]:
    fitting = [
        name
        for name in phrases.conditions
        if phrases.word(f"{name}.sex") in {"", sex} and int(phrases.word(f"{name}.age") or 0) <= age
    ]
    return tuple(rng.sample(fitting, min(len(fitting), rng.randint(3, 6))))


def _kinds(records: int, phrases: PhraseBook, rng: Random) -> list[str]:
    """Kinds of the notes, no kind twice in a row."""
    kinds: list[str] = []
    for _ in range(records):
        names, weights = zip(
            *[(n, w) for n, w in phrases.kinds.items() if not kinds or n != kinds[-1]], strict=True
        )
        kinds += rng.choices(names, weights)
    return kinds


def _visit(
    record_id: str, kind: str, today: date, conditions: Sequence[str], cast: Cast, rng: Random
) -> Visit:
    stay = rng.choice((1, 2, 3, 4, 5, 7, 11) if kind in LONG_STAYS else (0, 0, 1, 2))
    admitted = today - timedelta(days=stay)
    return Visit(
        record_id=record_id,
        kind=kind,
        today=today,
        admitted=admitted,
        procedure=admitted + timedelta(days=min(stay, rng.randint(0, 2))),
        last=admitted,
        condition=rng.choices(conditions, [3, 2, *[1] * (len(conditions) - 2)])[0],
        hospital=rng.choices(cast.hospitals[:2], (8, 2))[0],
        staff={role: rng.choice(people) for role, people in cast.doctors.items()},
        date_form=rng.choices(("us", "us4", "iso", "dash"), (10, 6, 3, 2))[0],
        width=rng.choice(WIDTHS) if rng.random() < 0.65 else None,
        sentence_gap=rng.choice((" ", " ", "  ")),
    )


def _with_last(visits: Sequence[Visit], rng: Random) -> list[Visit]:
    """Let every visit know the day of the one before."""
    before = visits[0].admitted - timedelta(days=rng.randint(60, 400))
    found: list[Visit] = []
    for visit in visits:
        found.append(replace(visit, last=before))
        before = visit.today
    return found
