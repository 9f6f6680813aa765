"""Patient done is asked a second time, unless only what was said before is left."""

import pytest

from shared.widgets.parts.messages import StatusBanner
from shared.widgets.window.patient_finisher import LeftToLookAt, PatientFinisher
from shared.widgets.window.save_status import SaveStatus


class FinishedSession:
    def finish(self):
        pass


@pytest.fixture
def finish(qtbot, monkeypatch):
    """A call that tries to finish a patient with these records unread; whether it was done."""
    banner = StatusBanner()
    qtbot.addWidget(banner)
    monkeypatch.setattr(SaveStatus, "wait", lambda _: None)
    left = []
    finisher = PatientFinisher(
        banner, SaveStatus.__new__(SaveStatus), lambda: left, lambda _: None, lambda: None
    )

    def try_with(*unread):
        said = f"{len(unread)} are unread."
        left[:] = [LeftToLookAt(said, "Read", "read_on", unread)] if unread else []
        return finisher.finish(FinishedSession())

    return try_with


def test_nothing_is_left(finish):
    assert finish()


def test_the_same_is_left(finish):
    assert [finish("1-01", "1-02"), finish("1-01", "1-02")] == [False, True]


def test_less_is_left_as_text_came_on_the_screen_between(finish):
    assert [finish("1-01", "1-02"), finish("1-01")] == [False, True]


def test_something_else_is_left(finish):
    assert [finish("1-01", "1-02"), finish("1-03"), finish("1-03")] == [False, False, True]


def test_something_more_is_left(finish):
    assert [finish("1-01"), finish("1-01", "1-02")] == [False, False]
