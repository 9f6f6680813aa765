"""Work that was handed out is handed in from the annotation window, and collected."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLineEdit

from annotator.ui.hand_in_dialog import HandInDialog
from shared.project.assignments import State
from shared.project.collecting import collect
from shared.project.handed_work import hand_out, open_handed_out
from tests.annotator.page import press, put_caret, tags

PASSPHRASE = "correct horse battery"  # noqa: S105  of tests


@pytest.fixture
def away(project, tmp_path):
    """The project that ana works in, made of what was handed out."""
    content = hand_out(project, "ana", (), PASSPHRASE)
    return open_handed_out(content, tmp_path / "for-ana", PASSPHRASE, tmp_path / "away")


@pytest.fixture
def window(open_window, away):
    return open_window(away, "ana", "1")


@pytest.fixture
def asked(window):
    """The dialog, opened by the menu's action."""
    window.actions_table.action("hand_in").trigger()
    dialog = window.findChild(HandInDialog, "handIn")
    yield dialog
    window.close()


def tag_name(window):
    put_caret(window, "Kai")
    press(window, Qt.Key.Key_T)


def ok(dialog):
    return dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)


def type_twice(dialog, first=PASSPHRASE, again=PASSPHRASE):
    for name, typed in (("Passphrase", first), ("Passphrase again", again)):
        lines = dialog.findChildren(QLineEdit)
        (line,) = (each for each in lines if each.accessibleName() == name)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, typed)


def test_what_was_just_tagged_goes_in_and_one_works_on(window, project, tmp_path):
    tag_name(window)
    tagged = tags(window)
    window.actions_table.action("hand_in").trigger()
    dialog = window.findChild(HandInDialog, "handIn")
    type_twice(dialog)
    QTest.mouseClick(ok(dialog), Qt.MouseButton.LeftButton)
    path = tmp_path / "away-handed-in"
    assert f"0 of 2 patients done, encrypted in {path}" in window._parts.banner.text
    assert path.stat().st_mode & 0o777 == 0o600
    assert tags(window) == tagged  # the patient is open again
    collect(project, path.read_bytes(), path, PASSPHRASE)
    assert b'text="Kai"' in project.layer_path("ana", "1-01").read_bytes()


class TestChinese:
    """Records without blanks, of which one patient is finished before the work goes in."""

    @pytest.fixture
    def texts(self):
        return {"1-01": "患者王建国入院。", "2-01": "王建国复诊。"}

    def test_what_is_done_by_now_is_counted_and_comes_whole(self, window, project, tmp_path):
        put_caret(window, "王建国")
        for _ in "王建国":
            press(window, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        press(window, Qt.Key.Key_T)
        for _ in range(2):  # what is unread is said once
            if window.session.patient_id == "1":
                window.actions_table.action("patient_done").trigger()
        window.actions_table.action("hand_in").trigger()
        dialog = window.findChild(HandInDialog, "handIn")
        type_twice(dialog)
        QTest.mouseClick(ok(dialog), Qt.MouseButton.LeftButton)
        assert "1 of 2 patients done" in window._parts.banner.text
        path = tmp_path / "away-handed-in"
        collect(project, path.read_bytes(), path, PASSPHRASE)
        assert 'text="王建国"' in project.layer_path("ana", "1-01").read_text("utf-8")
        states = {each.patient_id: each.state for each in project.assignments()
                  if each.annotator == "ana"}  # fmt: skip
        assert states["1"] is State.DONE
        assert states["2"] is not State.DONE


def test_two_passphrases_that_differ_write_nothing(asked, window):
    type_twice(asked, again=PASSPHRASE[:-1])
    assert not ok(asked).isEnabled()
    QTest.keyClick(asked, Qt.Key.Key_Return)
    assert asked.isVisible()
    assert window.session is not None


def test_a_file_that_is_there_stays(asked, tmp_path):
    (tmp_path / "letter").write_text("Dear ana")
    asked.file.set_path(tmp_path / "letter")
    type_twice(asked)
    QTest.mouseClick(ok(asked), Qt.MouseButton.LeftButton)
    assert "already exists; give a new file" in asked._banner.text
    assert (tmp_path / "letter").read_text() == "Dear ana"


def test_a_short_passphrase_is_said_and_the_work_opens_again(asked, window, tmp_path):
    type_twice(asked, "short", "short")
    QTest.mouseClick(ok(asked), Qt.MouseButton.LeftButton)
    assert "characters or more" in asked._banner.text
    asked.reject()
    assert window.session is not None
    assert not (tmp_path / "away-handed-in").exists()
    assert "Handed in" not in window._parts.banner.text


def test_where_nothing_can_be_written_nothing_is_said_to_be(asked, window, tmp_path):
    asked.file.set_path(tmp_path / "letter" / "work")
    (tmp_path / "letter").write_text("Dear ana")
    type_twice(asked)
    QTest.mouseClick(ok(asked), Qt.MouseButton.LeftButton)
    assert asked._banner.text
    asked.reject()
    assert "Handed in" not in window._parts.banner.text
    assert window.session is not None


def test_work_that_cannot_be_saved_is_not_handed_in(asked, window, tmp_path, monkeypatch):
    monkeypatch.setattr(asked, "_leave", lambda: False)
    type_twice(asked)
    QTest.mouseClick(ok(asked), Qt.MouseButton.LeftButton)
    assert not (tmp_path / "away-handed-in").exists()
    assert "Handed in" not in window._parts.banner.text


def test_a_file_is_chosen_without_blocking(asked, tmp_path):
    (choose,) = (
        each for each in asked.file.children() if getattr(each, "text", str)() == "Choose…"
    )
    QTest.mouseClick(choose, Qt.MouseButton.LeftButton)  # comes back
    dialog = asked.findChild(QFileDialog)
    dialog.selectFile(str(tmp_path / "elsewhere"))
    dialog.accept()
    assert asked.file.path == tmp_path / "elsewhere"


def test_a_project_that_was_not_handed_out_offers_none(open_window, project):
    window = open_window(project, "ana", "1")
    assert not window.actions_table.action("hand_in").isEnabled()
