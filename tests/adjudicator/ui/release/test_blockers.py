"""What stands in the way of a release, in its window."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget

from adjudicator.session import AdjudicationSession
from adjudicator.ui.release.blocker_pane import BlockerPane
from adjudicator.ui.release.window import ReleaseWindow
from adjudicator.worklist import OpenOptions
from shared.model import Span
from tests.adjudicator.clerk import LEAKY, SOURCES, Clerk
from tests.adjudicator.release.sessions import make
from tests.builders import phi


def test_a_leak_leads_to_its_place_and_may_be_no_phi(open_release, tmp_path, qtbot):
    clerk = open_release(make(tmp_path, LEAKY))
    clerk.review()
    count = clerk.blockers.model().rowCount()
    assert count >= 1
    with qtbot.waitSignal(clerk.window.place_chosen) as shown:
        QTest.keyClick(clerk.blockers, Qt.Key.Key_Return)
    assert shown.args[:2] == ["112", "112-01"]
    for _ in range(count):
        clerk.dismiss("nobody is meant")
    assert clerk.window.session.blockers == []
    assert "Nothing stands" in clerk.window.findChild(QLabel, "releaseObstacleCount").text()


def test_what_cannot_be_dismissed_says_what_to_do(clerk):
    clerk.dismiss("it is fine")
    assert "approved (Space) or edited (F2)" in clerk.said
    assert clerk.window.session.to_look_at() == 2


def test_a_dismissal_without_a_reason_dismisses_nothing(open_release, tmp_path):
    clerk = open_release(make(tmp_path, LEAKY))
    clerk.review()
    count = clerk.blockers.model().rowCount()
    clerk.dismiss("")
    assert "say why" in clerk.banner.lower()
    assert clerk.blockers.model().rowCount() == count


def test_a_surrogate_that_leaks_is_found_in_the_list(clerk):
    clerk.review()
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    clerk.write("Holcomb")
    clerk.filter("choir")
    QTest.keyClick(clerk.blockers, Qt.Key.Key_Return)
    assert clerk.tree.chosen[0].replacement.original == "Petty"


def test_a_release_that_is_blocked_says_so_and_writes_nothing(open_release, tmp_path):
    clerk = open_release(make(tmp_path, LEAKY))
    clerk.release(tmp_path / "out")
    assert "hold the release up" in clerk.banner
    assert not (tmp_path / "out").exists()


def test_a_patient_without_gold_stands_in_the_way(open_release, tmp_path):
    project = make(tmp_path, SOURCES)
    (project.root / "gold" / "111-01.xml").unlink()
    clerk = open_release(project)
    model = clerk.blockers.model()
    assert "111 has no gold standard" in model.index(0, 5).data()


def test_who_comes_back_from_the_gold_standard_sees_what_is_left(open_release, tmp_path, qtbot):
    project = make(tmp_path, LEAKY)
    clerk = open_release(project)
    before = clerk.blockers.model().rowCount()
    other = QWidget()
    qtbot.addWidget(other)
    with qtbot.waitActive(other):
        other.show()
        other.activateWindow()
    with AdjudicationSession(project, "112", "dora", OpenOptions(force=True)) as session:
        start = session.view.text.index("LEE.")
        session.tag(Span(start, start + 3), phi("PATIENT"))
        come_back(clerk, other, qtbot)
        assert "112 is not done, or was edited since" in clerk.blockers.model().index(0, 5).data()
        session.finish()
    come_back(clerk, other, qtbot)
    assert clerk.blockers.model().rowCount() < before
    assert not clerk.window.session.is_outdated()


def come_back(clerk, other, qtbot):
    """From another window; the list is read anew."""
    with qtbot.waitActive(other):
        other.activateWindow()
    last = clerk.window.session
    with qtbot.waitActive(clerk.window):
        clerk.window.activateWindow()
    qtbot.waitUntil(lambda: clerk.window.session is not last and not clerk.window.is_busy)


def test_what_stands_in_the_way_goes_by_the_ways_that_are_named(open_release, tmp_path):
    """In the list, in the gold standard once F5 has read it, and with a reason."""
    project = make(tmp_path, LEAKY)
    clerk = open_release(project)
    said = clerk.window.findChild(QLabel, "releaseObstacleCount").text()
    count = clerk.blockers.model().rowCount()
    assert said == (
        f"{count} things stand in the way of the release. Set each right in the gold standard (F5 "
        "reads it again) or in the list, or dismiss it or hold it back with a reason."
    )
    clerk.review()
    in_list = clerk.blockers.model().rowCount()
    assert in_list < count
    with AdjudicationSession(project, "112", "dora", OpenOptions(force=True)) as session:
        start = session.view.text.index("LEE.")
        session.tag(Span(start, start + 3), phi("PATIENT"))
        session.finish()
    clerk.look_again()
    clerk.review()
    assert clerk.blockers.model().rowCount() < in_list


def test_until_the_gold_standard_was_read_nothing_is_said_to_be_in_order(qtbot, tmp_path):
    project = make(tmp_path, SOURCES)
    path = project.root / "surrogates" / "choices.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("{")  # so that no list can be made
    window = ReleaseWindow(project)
    qtbot.addWidget(window)
    window.show()
    title = window.findChild(QLabel, "releaseObstacleCount")
    assert title.text() == ""
    window.begin()
    qtbot.waitUntil(lambda: not window.is_busy, timeout=20_000)
    assert Clerk(window, qtbot).banner
    assert title.text() == ""


def test_where_nothing_is_in_the_way_the_list_has_the_room(open_release, tmp_path, qtbot):
    clerk = open_release(make(tmp_path, LEAKY))
    pane = clerk.window.findChild(BlockerPane)
    qtbot.waitUntil(lambda: pane.height() > 100)  # the room is given once the window is laid out
    list_height = clerk.tree.height()
    clerk.review()
    while clerk.window.session.blockers:
        clerk.dismiss("seen")
    qtbot.waitUntil(lambda: pane.height() < 60)
    assert clerk.tree.height() > list_height + 100


def test_who_was_at_a_blocker_is_there_again_once_the_list_is_new(open_release, tmp_path):
    clerk = open_release(make(tmp_path, LEAKY))
    clerk.blockers.setFocus()
    clerk.look_again()
    assert clerk.window.focusWidget() is clerk.blockers
    clerk.tree.setFocus()
    clerk.look_again()
    assert clerk.window.focusWidget() is clerk.tree
