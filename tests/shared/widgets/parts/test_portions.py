"""Work beside the window: in turns, one kind after the other."""

import gc
import time

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from shared.widgets.parts import portions as module
from shared.widgets.parts.garbage import spare_nothing
from shared.widgets.parts.portions import Portions


@pytest.fixture
def portions(qapp):
    return Portions()


def counting(times, done):
    """A step that is to be taken so many times."""

    def step():
        done.append(step)
        return done.count(step) < times

    return step


def test_steps_are_taken_until_none_waits(portions, qtbot):
    done = []
    one, other = counting(3, done), counting(2, done)
    portions.begin(one)
    portions.begin(other)
    assert not done
    qtbot.waitUntil(lambda: len(done) == 5)
    assert done == [one] * 3 + [other] * 2
    qtbot.wait(5)
    assert len(done) == 5


def test_what_cannot_wait_comes_first(portions, qtbot):
    done = []
    one, other = counting(2, done), counting(2, done)
    portions.begin(one)
    portions.begin(other, first=True)
    qtbot.waitUntil(lambda: len(done) == 4)
    assert done == [other] * 2 + [one] * 2


def test_a_long_step_has_a_turn_for_itself(portions, qtbot):
    done, turns = [], []
    one, long, other = counting(1, done), counting(2, done), counting(1, done)
    take = portions._take_turn
    portions._turn.timeout.disconnect()
    portions._turn.timeout.connect(lambda: (take(), turns.append(len(done))))
    portions.begin(one)
    portions.begin(long, alone=True)
    portions.begin(other)
    qtbot.waitUntil(lambda: len(done) == 4)
    assert done == [one, long, long, other]
    assert turns == [1, 2, 3, 4]


def test_what_was_ended_is_not_taken(portions, qtbot):
    done = []
    unwanted, wanted = counting(1, done), counting(1, done)
    portions.begin(unwanted)
    portions.begin(wanted)
    portions.end(unwanted)
    portions.end(unwanted)
    qtbot.waitUntil(lambda: bool(done))
    assert done == [wanted]


def test_a_turn_ends_when_its_time_is_over(portions, qtbot, monkeypatch):
    monkeypatch.setattr(module, "_TURN", 0.001)
    turns, done = [], []

    def step():
        time.sleep(0.002)
        done.append(len(turns))
        return len(done) < 4

    take = portions._take_turn
    portions._turn.timeout.disconnect()
    portions._turn.timeout.connect(lambda: (turns.append(1), take()))
    portions.begin(step)
    qtbot.waitUntil(lambda: len(done) == 4)
    assert done == [1, 2, 3, 4]


def test_a_turn_and_painting_what_it_changed_are_not_one_wait(portions, qtbot, monkeypatch):
    monkeypatch.setattr(module, "_TURN", 0.0001)
    painted, stepped, waits = [], [], []

    class Painted(QWidget):
        def paintEvent(self, _):
            painted.append(1)

    widget = Painted()
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(lambda: bool(painted))
    painted.clear()

    def step():
        widget.update()
        stepped.append(1)
        time.sleep(0.001)
        return len(stepped) < 5

    portions.begin(step)
    until = time.monotonic() + 2
    while (len(stepped) < 5 or len(painted) < 5) and time.monotonic() < until:
        before = len(stepped) + len(painted)
        QApplication.processEvents()
        waits.append(len(stepped) + len(painted) - before)
    assert (len(stepped), len(painted), max(waits)) == (5, 5, 1)


def test_a_step_may_begin_another(portions, qtbot):
    done = []
    later = counting(1, done)
    portions.begin(lambda: portions.begin(later) or False)
    qtbot.waitUntil(lambda: done == [later])


class Made:
    """Something that a step makes, and that stays."""


@pytest.mark.parametrize(("turns", "spared"), [(3, False), (20, True)])
def test_the_collector_leaves_out_what_long_work_has_made(portions, qtbot, turns, spared):
    made = []

    def step():
        assert not gc.isenabled()
        made.append(Made())
        return len(made) < turns

    portions.begin(step, alone=True)
    qtbot.waitUntil(lambda: len(made) == turns and gc.isenabled())
    assert all(each is not made[0] for each in gc.get_objects()) == spared
    spare_nothing()
