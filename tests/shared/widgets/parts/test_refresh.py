"""What follows a change is taken in steps, and a key need not wait for all of them."""

from time import sleep

from shared.widgets.parts.refresh import RefreshQueue


def counted(taken, name, steps):
    left = list(range(steps))

    def step():
        taken.append((name, left.pop(0)))
        return bool(left)

    return step


def test_all_steps_are_taken_one_kind_after_the_other(qapp, qtbot):
    taken, queue = [], RefreshQueue()
    queue.begin(counted(taken, "a", 3))
    queue.begin(counted(taken, "b", 2))
    assert not taken
    qtbot.waitUntil(lambda: len(taken) == 5)
    assert taken == [("a", 0), ("a", 1), ("a", 2), ("b", 0), ("b", 1)]


def test_no_turn_takes_all_of_what_is_slow(qapp, qtbot):
    taken, queue = [], RefreshQueue()

    def step():
        sleep(0.004)
        taken.append(1)
        return len(taken) < 3

    queue.begin(step)
    queue._take_turn()
    assert len(taken) == 1
    qtbot.waitUntil(lambda: len(taken) == 3)


def test_what_is_ended_is_taken_no_more(qapp, qtbot):
    taken, queue = [], RefreshQueue()
    first, second = counted(taken, "a", 3), counted(taken, "b", 1)
    queue.begin(first)
    queue.begin(second)
    queue.end(first)
    queue.end(first)
    qtbot.waitUntil(lambda: taken == [("b", 0)])


def test_what_begins_twice_is_taken_once(qapp, qtbot):
    taken, queue = [], RefreshQueue()
    step = counted(taken, "a", 2)
    queue.begin(step)
    queue.begin(step)
    qtbot.waitUntil(lambda: len(taken) == 2)
    qtbot.wait(5)
    assert len(taken) == 2
