"""Of a patient that is closed nothing stays in memory, though the garbage collector rests."""

import weakref

import pytest

from adjudicator.session import AdjudicationSession
from tests.adjudicator.projects import make_project


@pytest.mark.usefixtures("no_collection")
def test_a_closed_session_is_gone(tmp_path):
    session = AdjudicationSession(make_project(tmp_path), "110", "carol")
    known = weakref.ref(session), weakref.ref(session.layer), weakref.ref(session.queue)
    session.close()
    del session
    assert [each() for each in known] == [None, None, None]


@pytest.mark.usefixtures("no_collection")
def test_the_window_keeps_nothing_of_the_patient_before(open_window, tmp_path, qtbot):
    hand = open_window(make_project(tmp_path, p120=(["[Kai|PATIENT]"], ["Kai"])))
    hand.press("1", "Ctrl+Z", "0")
    session = weakref.ref(hand.window.session)
    hand.window.open_patient("120")
    qtbot.waitUntil(lambda: session() is None)
