"""A release made in its window: written, refused, cancelled."""

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QListWidget,
    QPushButton,
    QSpinBox,
    QTextBrowser,
    QToolButton,
)

from adjudicator.ui.release.window import ReleaseWindow
from shared.formats.corpus import read_corpus
from tests.adjudicator.clerk import SOURCES, Clerk, accept, line
from tests.adjudicator.release.sessions import make
from tests.disk import filling_disk


def test_a_release_is_written_and_its_card_shown(clerk, tmp_path):
    clerk.review()
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    types = dialog.findChild(QListWidget, "releaseUnmark")
    item = types.findItems("ROOM", Qt.MatchFlag.MatchExactly)[0]
    item.setCheckState(Qt.CheckState.Checked)
    dialog.findChild(QSpinBox, "releaseTest").setValue(40)
    accept(dialog)
    clerk.wait()
    assert "3 records of 2 patients were released" in clerk.banner
    assert (tmp_path / "out" / "train").is_dir()
    button = next(
        each for each in clerk.window.findChildren(QToolButton) if each.text() == "Data card"
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    page = clerk.window.findChild(QTextBrowser, "dataCardPage")
    assert "Surrogates stand for what was tagged as PHI" in page.toPlainText()
    assert "What nobody tagged as PHI is still there" in page.toPlainText()
    assert "ROOM" in page.toPlainText()


def test_after_a_release_the_list_is_closed_and_looking_again_begins_the_next(clerk, tmp_path):
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    clerk.write("Naylorby")
    before = clerk.surrogates("Dennis Holcomb")
    clerk.review()
    clerk.release(tmp_path / "out")
    assert not clerk.window.findChild(QPushButton, "release.edit").isEnabled()
    clerk.look_again()
    assert clerk.surrogates("Petty") == ["Naylorby"] * 3
    assert clerk.surrogates("Dennis Holcomb") != before
    assert clerk.window.findChild(QPushButton, "release.edit").isEnabled()


def test_an_earlier_release_is_replaced_only_where_it_is_said(clerk, tmp_path):
    clerk.review()
    clerk.release(tmp_path / "out")
    first = (tmp_path / "out" / "text" / "110-01.txt").read_text()
    clerk.look_again()
    clerk.review()
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    accept(dialog)
    problem = dialog.findChild(QLabel, "releaseProblem")
    assert "earlier release" in problem.text()
    assert problem.isVisible()
    QTest.mouseClick(
        dialog.findChild(QCheckBox, "releaseReplace"), Qt.MouseButton.LeftButton, pos=QPoint(8, 8)
    )
    accept(dialog)
    clerk.wait()
    assert "were released" in clerk.banner
    assert (tmp_path / "out" / "text" / "110-01.txt").read_text() != first
    assert len(read_corpus(tmp_path / "out" / "xml").records) == 3


def test_a_map_is_kept_only_under_a_passphrase_written_twice(clerk, tmp_path):
    clerk.review()
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    keep = dialog.findChild(QCheckBox, "releaseKeepMap")
    QTest.mouseClick(keep, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    problem = dialog.findChild(QLabel, "releaseProblem")
    QTest.keyClicks(line(dialog, "releasePassphrase"), "short")
    accept(dialog)
    assert "differ" in problem.text()
    QTest.keyClicks(line(dialog, "releasePassphraseAgain"), "short")
    accept(dialog)
    assert "12 characters" in problem.text()
    for name in ("releasePassphrase", "releasePassphraseAgain"):
        line(dialog, name).clear()
        QTest.keyClicks(line(dialog, name), "a long passphrase")
    accept(dialog)
    clerk.wait()
    kept = clerk.window.session.project.root / "surrogates" / "map.tandem"
    assert b"Holcomb" not in kept.read_bytes()


def test_a_full_disk_is_said_and_leaves_no_release(clerk, tmp_path):
    with filling_disk(writes=12):  # after what was reviewed is kept
        clerk.review()
        clerk.release(tmp_path / "out")
    assert "free some space" in clerk.banner
    assert not (tmp_path / "out").exists()
    assert clerk.window.findChild(QPushButton, "release.release").isEnabled()


def test_a_folder_that_the_system_refuses_is_said(clerk, tmp_path):
    (tmp_path / "file").write_text("no folder")
    clerk.review()
    clerk.release(tmp_path / "file" / "out")
    assert "file exists; give another name" in clerk.banner
    assert clerk.window.findChild(QPushButton, "release.release").isEnabled()


def test_a_folder_that_is_no_release_is_refused_before_anything_is_written(clerk, tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("mine")
    clerk.review()
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "letters"))
    accept(dialog)
    assert "is not a release" in dialog.findChild(QLabel, "releaseProblem").text()
    assert [each.name for each in (tmp_path / "letters").iterdir()] == ["a.txt"]
    dialog.reject()


def test_a_project_that_cannot_be_read_is_said(open_release, tmp_path, qtbot):
    project = make(tmp_path, SOURCES)
    (project.root / "surrogates").mkdir()
    (project.root / "surrogates" / "draft.key").write_text("no key")
    window = ReleaseWindow(project)
    window.show()
    window.begin()
    qtbot.waitUntil(lambda: not window.is_busy, timeout=20_000)
    assert "is not the key of a review" in Clerk(window, qtbot).banner
    window.close()
    window.deleteLater()


def test_a_release_is_cancelled_and_nothing_is_left(open_release, tmp_path, qtbot):
    clerk = open_release(make(tmp_path, SOURCES))
    clerk.review()
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    clerk.window._work.begun.connect(lambda task, _what: task.cancel())
    accept(dialog)
    clerk.wait()
    assert clerk.said == "Cancelled; nothing was written."
    assert not (tmp_path / "out").exists()
    assert clerk.window.findChild(QPushButton, "release.release").isEnabled()


def test_days_of_the_week_are_kept_on_wish(open_release, tmp_path):
    clerk = open_release(make(tmp_path, {"110-01": "[Wednesday|DATE], [2007-05-09|DATE]"}))
    box = clerk.window.findChild(QCheckBox, "releaseWeekdays")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    clerk.wait()
    assert clerk.surrogates("Wednesday") == ["Wednesday"]


def test_keyed_tags_are_not_released_without_a_map(clerk, tmp_path):
    clerk.choose("releaseMode", "Keyed tags")
    clerk.wait()
    dialog = clerk.dialog()
    box = dialog.findChild(QCheckBox, "releaseKeepMap")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    assert box.isChecked()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    accept(dialog)
    assert "passphrase" in dialog.findChild(QLabel, "releaseProblem").text()
    for name in ("releasePassphrase", "releasePassphraseAgain"):
        QTest.keyClicks(line(dialog, name), "a long passphrase")
    accept(dialog)
    clerk.wait()
    assert "were released" in clerk.banner
    assert (clerk.window.session.project.root / "surrogates" / "map.tandem").exists()
    assert "[PATIENT-" in (tmp_path / "out" / "text" / "110-01.txt").read_text()


def test_the_folder_that_is_offered_lies_beside_the_project_and_can_be_taken(
    open_release, tmp_path
):
    clerk = open_release(make(tmp_path / "project", SOURCES))
    clerk.review()
    dialog = clerk.dialog()
    offered = Path(line(dialog, "releaseFolder").text())
    assert not offered.is_relative_to(clerk.window.session.project.root)
    accept(dialog)
    clerk.wait()
    assert "were released" in clerk.banner
    assert len(read_corpus(offered / "xml").records) == 3
