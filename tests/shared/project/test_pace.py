"""Forecasts beside what came to be, by simulated annotators whose journals are replayed."""

from datetime import UTC, date, datetime, timedelta
from math import exp
from typing import Any

import numpy as np
import pytest

from shared.project.pace import FEWEST, Forecast, PatientWork, forecast, seconds_by_day

MONDAY = date(2026, 3, 2)
SEEDS = 20


def simulated(seed: int, patients: int = 100) -> list[tuple[int, list[dict[str, Any]]]]:
    """The size of each patient and the journal on it: who gets faster, and works 1 to 4 hours."""
    chance = np.random.default_rng(seed)
    speed, now = chance.uniform(3.0, 9.0), datetime(2026, 3, 2, 9, tzinfo=UTC)
    left_today = chance.uniform(1, 4) * 3600
    found: list[tuple[int, list[dict[str, Any]]]] = []
    for number in range(patients):
        characters = int(chance.lognormal(9.5, 0.6))
        slow = 1 + 0.5 * exp(-number / 8)
        needed = characters / speed * slow * chance.lognormal(0, 0.25)
        entries = [{"op": "active", "at": now.isoformat()}]
        while needed > 0:
            step = min(needed, left_today, 30.0)
            now += timedelta(seconds=step)
            needed, left_today = needed - step, left_today - step
            entries.append({"op": "active", "at": now.isoformat()})
            if left_today <= 0:
                now = now.replace(hour=9, minute=0, second=0) + timedelta(days=1)
                while now.weekday() > 4 or chance.random() < 0.1:
                    now += timedelta(days=1)
                left_today = chance.uniform(1, 4) * 3600
        found.append((characters, entries))
    return found


def works_of(journals: list[tuple[int, list[dict[str, Any]]]], done: int) -> list[PatientWork]:
    return [
        PatientWork(characters, seconds_by_day(entries) if at < done else {}, at < done)
        for at, (characters, entries) in enumerate(journals)
    ]


def at_half(seed: int) -> tuple[Forecast, float, date]:
    """The forecast when half the patients are done, the hours that were left, and the last day."""
    journals = simulated(seed)
    half = works_of(journals, len(journals) // 2)
    whole = works_of(journals, len(journals))
    today = max(each.last_day for each in half if each.is_done)
    found = forecast(half, today)
    assert found is not None
    left = sum(each.total for each in whole[len(whole) // 2 :]) / 3600
    return found, left, max(each.last_day for each in whole)


def test_at_half_time_the_hours_in_all_are_within_fifteen_per_cent_and_days_mostly():
    hours, days, covered = 0, 0, 0
    for seed in range(SEEDS):
        found, left, last = at_half(seed)
        spent = sum(each.total for each in works_of(simulated(seed), 50)) / 3600
        hours += abs(found.hours - left) <= 0.15 * (spent + left)
        assert found.day is not None
        assert found.day_low is not None
        assert found.day_high is not None
        days += abs((found.day - last).days) <= 0.15 * (last - MONDAY).days
        covered += found.hours_low <= left <= found.hours_high
        covered += found.day_low <= last <= found.day_high
    assert hours >= 0.95 * SEEDS
    assert days >= 0.75 * SEEDS
    assert covered >= 0.8 * 2 * SEEDS


def test_of_too_few_finished_patients_nothing_is_foretold():
    works = [PatientWork(1000, {MONDAY: 60.0}, is_done=at < FEWEST - 1) for at in range(20)]
    assert forecast(works, MONDAY) is None


def test_who_is_done_has_nothing_left():
    found = forecast([PatientWork(1000, {MONDAY: 60.0}, is_done=True)] * FEWEST, MONDAY)
    assert found == Forecast(0, 0, 0, MONDAY, MONDAY, MONDAY)


def test_who_stopped_working_has_no_last_day():
    done = [PatientWork(1000, {MONDAY: 60.0}, is_done=True)] * FEWEST
    found = forecast([*done, PatientWork(1000, {}, is_done=False)], MONDAY + timedelta(days=60))
    assert found is not None
    assert found.hours == pytest.approx(60 / 3600)
    assert (found.day, found.day_low, found.day_high) == (None, None, None)


def test_what_was_spent_on_a_patient_already_is_not_needed_again():
    done = [PatientWork(1000, {MONDAY: 60.0}, is_done=True)] * FEWEST
    found = forecast([*done, PatientWork(1000, {MONDAY: 45.0}, is_done=False)], MONDAY)
    assert found is not None
    assert found.hours == pytest.approx(15 / 3600)


@pytest.mark.parametrize(
    ("seconds", "active"),
    [([], 0), ([5], 0), ([0, 20, 50], 50), ([0, 20, 80, 90], 30), ([0, 59, 120], 59)],
)
def test_pauses_do_not_count(seconds: list[int], active: int):
    begin = datetime(2071, 3, 4, tzinfo=UTC)
    entries = [{"op": "active", "at": (begin + timedelta(seconds=s)).isoformat()} for s in seconds]
    assert sum(seconds_by_day(entries).values()) == active


def test_a_day_ends_at_midnight_and_a_time_without_zone_is_taken_as_the_others_are():
    at = datetime(2026, 3, 2, 23, 59, 40, tzinfo=UTC)
    times = [at, at + timedelta(seconds=30), (at + timedelta(minutes=10)).replace(tzinfo=None)]
    found = seconds_by_day([{"op": "seen", "at": each.isoformat()} for each in times])
    assert found == {MONDAY: 30.0, MONDAY + timedelta(days=1): 0.0}
