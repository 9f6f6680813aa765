"""Dates: the record's own, those of the story, and others at a distance."""

import re
from datetime import date, timedelta
from functools import cache

from shared.model import PhiType
from shared.synthetic.dates import write_date
from shared.synthetic.scene import Scene, SlotWriter

DATE = PhiType("DATE", "DATE")
_FAR = re.compile(
    r"(?:(?P<name>[\w.]+)@)?(?P<sign>[+-]?)(?P<low>\d+)-(?P<high>\d+)(?P<unit>[dwmy])"
)
_UNIT_DAYS = {"d": 1.0, "w": 7.0, "m": 30.44, "y": 365.25}
_NEAR = "style style style style style md md md month-ordinal month-day mmm-dd short long".split()
_MIDDLE = "style style style month-year month-year my my season long short".split()
_IN_MIDDLE = "month-year month-year my season".split()
_IN_REMOTE = "year year year year yy month-year my season".split()
_ON = "style style style md md month-ordinal month-day mmm-dd short long".split()
_VAGUE_RATE = 0.6
_COUNTS = "no one two three four five six seven eight nine ten eleven twelve".split()
_REMOTE = "year year year year yy yy month-year my style season decade dmy ordinal".split()


def _date(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{date WHEN FORM}`.

    WHEN is a day of the record (today, admitted, procedure, last, born) or a distance from today
    (`3-10d` before, `+2-8w` after), which a name before it makes a fact of the story, counted from
    its first record (`.onset@2-12y`). FORM is one of the forms of dates, `style` for the record's
    own full form, or left out: then one that suits the distance.
    """
    when, *rest = arguments
    day = _day(scene, when)
    _write(scene, day, rest[0] if rest else _suitable(scene, day))


def _on(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{on WHEN FORM}`: "on" and the day, or without a form now and then "three days ago"."""
    when, *rest = arguments
    day = _day(scene, when)
    if _is_vague(scene, arguments):
        scene.text(_ago(scene, day))
        return
    away = abs((scene.visit.today - day).days)
    form = rest[0] if rest else scene.rng.choice(_ON)
    if not rest and away <= 5 and scene.rng.random() < 0.3:
        form = "weekday"
    scene.text("on")
    _gap(scene, ())
    _write(scene, day, "style" if away > 330 and not rest else form)


def _in(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{in WHEN FORM}`: "in" and the month or year, or now and then "some months ago"."""
    when, *rest = arguments
    day = _day(scene, when)
    if _is_vague(scene, arguments):
        scene.text(_ago(scene, day))
        return
    away = abs((scene.visit.today - day).days)
    forms = ["month"] if away < 300 else _IN_MIDDLE if away < 800 else _IN_REMOTE
    form = rest[0] if rest else scene.rng.choice(forms)
    scene.text("in ")
    _write(scene, day, form)


def _since(scene: Scene, arguments: tuple[str, ...]) -> None:
    """`{since WHEN FORM}`: "since" and the date, or now and then "for the past three days"."""
    when, *rest = arguments
    day = _day(scene, when)
    if _is_vague(scene, arguments):
        span = _counted((scene.visit.today - day).days)
        scene.text(f"for the past {span.removeprefix('one ')}")
        return
    scene.text("since")
    _gap(scene, ())
    _write(scene, day, rest[0] if rest else _suitable(scene, day))


def _is_vague(scene: Scene, arguments: tuple[str, ...]) -> bool:
    """Only distances from today without a form may be put into words."""
    plain = len(arguments) == 1 and arguments[0][0] in "+0123456789"
    return plain and scene.rng.random() < _VAGUE_RATE


def _counted(days: int) -> str:
    """A count of at most twelve in words, with its unit: `three weeks`."""
    sizes = ((365, "year"), (31, "month"), (7, "week"), (1, "day"))
    size, unit = next(each for each in sizes if days >= each[0] * 1.6 or each[0] == 1)
    count = max(1, min(12, round(days / size)))
    return f"{_COUNTS[count]} {unit}{'s' if count > 1 else ''}"


def _ago(scene: Scene, day: date) -> str:
    days = (scene.visit.today - day).days
    if days in {0, 1, -1}:
        return {0: "today", 1: "yesterday", -1: "tomorrow"}[days]
    span = _counted(abs(days))
    if days < 0:
        return f"in {span}"
    return scene.rng.choice((f"{span} ago", f"about {span} ago"))


def _write(scene: Scene, day: date, form: str) -> None:
    form = scene.visit.date_form if form == "style" else form
    written = write_date(day, form, scene.rng)
    scene.phi(written.text, DATE, days=written.days)


def _day(scene: Scene, when: str) -> date:
    visit = scene.visit
    known = {
        "today": visit.today,
        "admitted": visit.admitted,
        "procedure": visit.procedure,
        "last": visit.last,
        "born": scene.story.born,
    }
    if when in known:
        return known[when]
    name, sign, low, high, unit = _parsed(when)
    if name:
        return scene.day(name, lambda: scene.story.first_day - _distance(scene, low, high, unit))
    distance = _distance(scene, low, high, unit)
    return visit.today + distance if sign == "+" else visit.today - distance


@cache
def _parsed(when: str) -> tuple[str, str, int, int, str]:
    found = _FAR.fullmatch(when)
    if found is None:
        raise ValueError(f"template: {when} is no day")
    return found["name"] or "", found["sign"], int(found["low"]), int(found["high"]), found["unit"]


def _distance(scene: Scene, low: int, high: int, unit: str) -> timedelta:
    days = scene.rng.uniform(low, high + 0.99) * _UNIT_DAYS[unit]
    born = (scene.story.first_day - scene.story.born).days
    return timedelta(days=min(int(days), max(1, born - 6000)) if days > 400 else int(days))


def _suitable(scene: Scene, day: date) -> str:
    away = abs((scene.visit.today - day).days)
    rng = scene.rng
    if away <= 6 and rng.random() < 0.3:
        return rng.choice(("weekday", "weekday", "wd"))
    if away <= 75:
        return "holiday" if rng.random() < 0.02 else rng.choice(_NEAR)
    if away <= 800:
        return "month" if away < 300 and rng.random() < 0.2 else rng.choice(_MIDDLE)
    return rng.choice(_REMOTE)


def _gap(scene: Scene, _: tuple[str, ...]) -> None:
    """A blank that a typist now and then leaves out (`Since6/03/04`)."""
    if scene.rng.random() > 0.06:
        scene.text(" ")


def _weekdays(scene: Scene, _: tuple[str, ...]) -> None:
    """Three days of every week, as a patient on dialysis has them."""
    days = scene.fact("weekdays", lambda: scene.rng.choice(("Mon Wed Fri", "Tues Thurs Sat")))
    short = {"Mon Wed Fri": "MWF", "Tues Thurs Sat": "TTS"}[days]
    if scene.rng.random() < 0.5:
        scene.phi(short, DATE)
        return
    for position, day in enumerate(days.split()):
        scene.text(("", ", ", " and ")[position])
        scene.phi(day, DATE)


TIME_SLOTS: dict[str, SlotWriter] = {
    "date": _date,
    "on": _on,
    "in": _in,
    "since": _since,
    "gap": _gap,
    "weekdays": _weekdays,
}
