"""Of a patient that is closed nothing stays in memory, though the garbage collector rests."""

import weakref

import pytest

from annotator.session import AnnotationSession
from shared.model import PhiType, Span


@pytest.mark.usefixtures("no_collection")
def test_a_closed_session_is_gone(project):
    session = AnnotationSession(project, "ana", "1")
    session.tag(Span(0, 3), PhiType("NAME", "PATIENT"))
    session.undo()
    known = weakref.ref(session), weakref.ref(session.layer), weakref.ref(session.review)
    session.close()
    del session
    assert [each() for each in known] == [None, None, None]


@pytest.mark.usefixtures("no_collection")
def test_the_window_keeps_nothing_of_the_patient_before(window, qtbot):
    session = weakref.ref(window.session)
    window.open_patient("2")
    qtbot.waitUntil(lambda: session() is None)
