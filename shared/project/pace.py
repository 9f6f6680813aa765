"""How fast somebody works, and when they will be done: a forecast from what they have finished.

Hours are foretold patient by patient: for each that is left, the hours per character of a finished
one are drawn, larger ones more often, of the latest third of those finished, since people get
faster. Days are drawn likewise from the last four weeks, working days and weekends apart, days
without work too. The interval is the middle 95 % of what came out.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from shared.project.reading_progress import PAUSE

FEWEST = 5
"""Finished patients without which nothing is foretold."""
_DRAWS = 1000
_DAYS_BACK = 28
_MOST_DAYS = 3 * 365
_FRIDAY = 4

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PatientWork:
    """The work on one patient of `characters`: its seconds by day, and whether it is done."""

    characters: int
    seconds: Mapping[date, float]
    is_done: bool

    @property
    def total(self) -> float:
        return sum(self.seconds.values())

    @property
    def last_day(self) -> date:
        """The last day with work; needs that there is one."""
        return max(self.seconds)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is left to somebody: hours of work and the last day, each with an interval of 95 %.

    A day is None where it is more than three years away, or nobody worked in the last four weeks.
    """

    hours: float
    hours_low: float
    hours_high: float
    day: date | None
    day_low: date | None
    day_high: date | None


def seconds_by_day(entries: Iterable[Mapping[str, Any]]) -> dict[date, float]:
    """Return the time between signs of work in a journal by day, pauses left out.

    Raises ValueError where a time cannot be read.
    """
    times = sorted(time_of(str(entry["at"])) for entry in entries if "at" in entry)
    found: dict[date, float] = {each.date(): 0.0 for each in times}
    for earlier, later in pairwise(times):
        if later - earlier < PAUSE:
            found[earlier.date()] += (later - earlier).total_seconds()
    return found


def time_of(words: str) -> datetime:
    """Return the time that an entry of a journal names, with its zone. Raises ValueError."""
    found = datetime.fromisoformat(words)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def forecast(works: Sequence[PatientWork], today: date, *, seed: int = 1) -> Forecast | None:
    """Foretell when somebody is done with all of `works`; None where too few are finished."""
    finished = [each for each in works if each.is_done and each.total > 0]
    if len(finished) < FEWEST:
        return None
    finished.sort(key=lambda each: each.last_day)
    recent = finished[-max(FEWEST, math.ceil(len(finished) / 3)) :]
    chance = np.random.default_rng(seed)
    seconds = _seconds_left(recent, [each for each in works if not each.is_done], chance)
    days = _days_needed(works, seconds, today, chance)
    hours = np.quantile(seconds / 3600, [0.025, 0.975])
    named = [_day(today, each) for each in np.quantile(days, [0.5, 0.025, 0.975], method="higher")]
    return Forecast(float(seconds.mean() / 3600), float(hours[0]), float(hours[1]), *named)


def _seconds_left(
    recent: Sequence[PatientWork], left: Sequence[PatientWork], chance: np.random.Generator
) -> Floats:
    """Draw the seconds that are left, each draw from a resample of what was finished."""
    characters = np.array([max(1, each.characters) for each in recent], np.float64)
    rates = np.array([each.total for each in recent]) / characters
    sizes = np.array([each.characters for each in left])
    spent = np.array([each.total for each in left])
    drawn = np.zeros(_DRAWS)
    for at in range(_DRAWS):
        sample = chance.integers(0, len(recent), len(recent))
        weights = characters[sample] / characters[sample].sum()
        for_each = rates[sample][chance.choice(len(recent), len(left), p=weights)]
        drawn[at] = np.maximum(for_each * sizes - spent, 0.0).sum()
    return drawn


def _days_needed(
    works: Sequence[PatientWork], seconds: Floats, today: date, chance: np.random.Generator
) -> Floats:
    """Draw how many days from today each draw of seconds takes; inf where they do not suffice."""
    by_day: dict[date, float] = {}
    for work in works:
        for day, spent in work.seconds.items():
            by_day[day] = by_day.get(day, 0.0) + spent
    since = max(min(by_day), today - timedelta(days=_DAYS_BACK))
    # today is not over, so it does not tell what a day brings, unless it is the first
    past = [since + timedelta(days=at) for at in range(max(1, (today - since).days))]
    ahead = [today + timedelta(days=at) for at in range(1, _MOST_DAYS + 1)]
    gained = np.zeros((len(seconds), len(ahead)))
    for is_weekend in (False, True):
        known = [by_day.get(day, 0.0) for day in past if (day.weekday() > _FRIDAY) is is_weekend]
        places = [at for at, day in enumerate(ahead) if (day.weekday() > _FRIDAY) is is_weekend]
        if known:
            pool = chance.choice(known, (len(seconds), len(known)))  # each draw has seen others
            drawn = chance.integers(0, len(known), (len(seconds), len(places)))
            gained[:, places] = np.take_along_axis(pool, drawn, axis=1)
    done = np.cumsum(gained, axis=1) >= seconds[:, None]
    days = np.where(done.any(axis=1), done.argmax(axis=1) + 1.0, np.inf)
    return np.where(seconds <= 0, 0.0, days)


def _day(today: date, days: float) -> date | None:
    return today + timedelta(days=math.ceil(days)) if math.isfinite(days) else None
