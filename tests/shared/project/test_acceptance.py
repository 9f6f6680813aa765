"""How suggestions were accepted, beside simulated annotators who read and who do not."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from annotator.rejections import PlacedSuggestion
from annotator.session import AnnotationSession
from shared.formats.base import Record
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.acceptance import Acceptances, Look
from shared.project.journal import read_journal
from shared.project.project import Project
from tests.builders import phi

BEGIN = datetime(2026, 3, 2, 9, tzinfo=UTC)
SEEDS = 100
LETTERS = 2000
"""On a screen."""

Entry = dict[str, Any]
Habit = Callable[["Journal", list[int]], None]


class Journal:
    """What a simulated annotator leaves in the journal of a patient of `screens`."""

    def __init__(self, chance: np.random.Generator) -> None:
        self.chance = chance
        self.entries: list[Entry] = []
        self.now = BEGIN
        self.screen = 0
        self._tags = 0

    def wait(self, seconds: float) -> None:
        self.now += timedelta(seconds=float(seconds))

    def note(self, **entry: object) -> None:
        self.entries.append({"at": self.now.isoformat(timespec="milliseconds"), **entry})

    def show(self, screen: int) -> None:
        """Turn to a screen, which counts as seen after 0.7 s."""
        self.screen = screen
        self.wait(0.7)
        start = screen * LETTERS
        self.note(op="seen", record="1-01", start=start, end=start + LETTERS)

    def accept(self, places: list[int]) -> None:
        added = [self.tag(each) for each in places]
        what = "accept suggestion" if len(added) == 1 else f"accept {len(added)} suggestions"
        self.note(op="edit", what=what, removed=[], added=added)

    def tag(self, start: int) -> Entry:
        self._tags += 1
        tag = {"record": "1-01", "id": f"P{self._tags}", "start": start, "end": start + 5}
        return tag | {"category": "NAME", "type": "DOCTOR", "origin": "suggestion"}


def reads_then_accepts_the_screen(journal: Journal, places: list[int]) -> None:
    journal.wait(LETTERS / journal.chance.uniform(30, 80) + 0.3 * len(places))
    journal.accept(places)


def reads_then_accepts_one_by_one_at_once(journal: Journal, places: list[int]) -> None:
    journal.wait(LETTERS / journal.chance.uniform(30, 80))
    for each in places:
        journal.wait(journal.chance.uniform(0.12, 0.3))
        journal.accept([each])


def looks_at_suggestions_alone(journal: Journal, places: list[int]) -> None:
    """Quick and no reader of what stands between, but each suggestion has its look."""
    for each in places:
        journal.wait(journal.chance.lognormal(-0.5, 0.4))
        journal.accept([each])


def reads_quietly(journal: Journal, places: list[int]) -> None:
    """More than a minute without a hand on mouse or keys."""
    journal.wait(journal.chance.uniform(60, 90))
    journal.accept(places)


def accepts_what_comes(journal: Journal, places: list[int]) -> None:
    journal.wait(journal.chance.uniform(0.1, 1.0))
    journal.accept(places)


def lets_the_key_repeat(journal: Journal, places: list[int]) -> None:
    for each in places:
        journal.wait(journal.chance.uniform(0.03, 0.15))
        journal.accept([each])


def patients(habit: Habit, seed: int, number: int) -> Iterator[Acceptances]:
    chance = np.random.default_rng(seed)
    for _ in range(number):
        journal = Journal(chance)
        for screen in range(int(chance.integers(4, 20))):
            journal.show(screen)
            offsets = range(screen * LETTERS, (screen + 1) * LETTERS, 20)
            count = min(len(offsets), int(chance.poisson(chance.uniform(4, 16))))
            places = sorted(chance.choice(offsets, count, replace=False).tolist())
            if places:
                habit(journal, places)
        yield Acceptances.of(journal.entries)


@pytest.mark.parametrize(
    "careful",
    [
        reads_then_accepts_the_screen,
        reads_then_accepts_one_by_one_at_once,
        looks_at_suggestions_alone,
        reads_quietly,
    ],
)
def test_nobody_who_looks_is_flagged_after_any_of_ten_patients(careful: Habit):
    for seed in range(SEEDS):
        done: list[Acceptances] = []
        for each in patients(careful, seed, 10):
            done.append(each)
            assert not Acceptances.sum(done).is_flagged


@pytest.mark.parametrize("careless", [accepts_what_comes, lets_the_key_repeat])
def test_who_does_not_look_is_flagged_within_five_patients(careless: Habit):
    flagged = sum(
        Acceptances.sum([*patients(careless, seed, 5)]).is_flagged for seed in range(SEEDS)
    )
    assert flagged == SEEDS


def test_who_is_hasty_in_half_of_the_looks_is_not_flagged():
    looks = (Look(10, 1.0), Look(10, 9.0))
    assert not Acceptances(looks=looks * 5000).is_flagged
    assert Acceptances(looks=(*looks * 5000, *looks[:1] * 500)).is_flagged
    assert not Acceptances(looks=looks[:1] * 9).is_flagged
    assert Acceptances(looks=looks[:1] * 10).is_flagged
    assert not Acceptances(looks=(Look(3, 0.1),) * 100).is_flagged


def test_seconds_count_from_the_first_sight_and_a_pause_counts_as_a_minute():
    journal = Journal(np.random.default_rng(1))
    journal.note(op="active")
    journal.show(0)
    journal.wait(5)
    journal.accept([10, 40])
    journal.wait(3600)
    journal.accept([90])
    found = Acceptances.of(journal.entries)
    assert found.waits == pytest.approx((5.7, 5.7, 65.7))
    assert [each.accepted for each in found.looks] == [3]
    assert found.median_wait == pytest.approx(5.7)
    assert found.seconds_each == pytest.approx(21.9)


def test_a_list_of_what_was_never_on_the_screen_counts_from_the_edit_before():
    journal = Journal(np.random.default_rng(1))
    journal.show(0)
    journal.wait(20)
    journal.accept([10])
    journal.wait(2)
    journal.accept([LETTERS * 3 + each * 10 for each in range(9)])
    look = Acceptances.of(journal.entries).looks[1]
    assert (look.accepted, look.seconds) == (9, pytest.approx(2.0))


def test_what_is_no_acceptance_is_not_counted_and_nothing_has_no_seconds():
    journal = Journal(np.random.default_rng(1))
    journal.note(op="edit", what="tag as DOCTOR", removed=[], added=[journal.tag(5)])
    found = Acceptances.of(journal.entries)
    assert found == Acceptances()
    assert (found.median_wait, found.seconds_each, found.is_flagged) == (None, None, False)


def test_a_session_tells_what_was_accepted_and_what_was_changed_later(tmp_path: Path):
    text = "Dr. Lee saw Ana Gil and Bo Ek with Eve Ash."
    records = [Record(Document("1-01", "1", text))]
    project = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    with AnnotationSession(project, "ana", "1") as session:
        session.record_visible(Span(0, len(text)))
        places = [text.index(name) for name in ("Lee", "Ana", "Bo", "Eve")]
        for start in places:
            suggested = PlacedSuggestion(start, start + 3, "1-01", phi("DOCTOR"), 0.9, "rules")
            session.accept([suggested])
        session.undo()
        session.redo()  # as it was
        tags = list(session.tags)
        session.retype(tags[1:2], phi("PATIENT"))
        session.remove(tags[2:3])
        session.tag(Span(0, 3), phi("DOCTOR"))
    found = Acceptances.of(read_journal(project.journal_path("ana", "1")))
    assert len(found.waits) == 4
    assert found.changed == 2
    assert [each.accepted for each in found.looks] == [4]
