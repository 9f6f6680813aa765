"""The annotation window keeps what was done: saving, and what goes wrong with files."""

from PySide6.QtCore import Qt

from annotator.session import AnnotationSession
from annotator.ui.main_window import AnnotationWindow
from shared.errors import StorageError
from shared.model import PhiType, Span
from shared.project.assignments import State
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.window.save_status import KEPT
from tests.annotator.page import press, put_caret, tags

CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


def test_done_saves_and_goes_on(window, project):
    put_caret(window, "Lee", 2)
    press(window, Qt.Key.Key_O)
    press(window, Qt.Key.Key_D, CONTROL)
    assert window.session.patient_id == "2"
    assert project.assignments()[0].state is State.DONE
    document = project.patient("1").document("1-02")
    (tag,) = project.read_layer("ana", document).layer.tags
    assert tag.span.text_in(document.text) == "Lee"


def test_closing_saves(window, project):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    assert window.close()
    assert project.layer_path("ana", "1-01").exists()


def test_saving_that_fails_is_said_and_nothing_is_lost(window, project, monkeypatch):
    def refuse(*_):
        raise StorageError("layers", "no space left on device; free some space, then try again")

    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    monkeypatch.setattr(project, "write_layer", refuse)
    assert not window.close()
    assert "no space" in window.findChild(StatusBanner).text
    monkeypatch.undo()
    assert window.close()
    assert project.layer_path("ana", "1-01").exists()


def test_a_save_by_itself_that_fails_says_nothing_of_closing(window, project, monkeypatch, qtbot):
    def refuse(*_):
        raise StorageError("layers", "no space left on device; free some space, then try again")

    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    monkeypatch.setattr(project, "write_layer", refuse)
    press(window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    banner = window.findChild(StatusBanner)
    qtbot.waitUntil(lambda: "keeps trying to write the files" in banner.text)
    assert "Closing" not in banner.text
    assert not window.close()
    assert "Closing the window again leaves" in banner.text
    monkeypatch.undo()


def test_a_broken_layer_is_said_and_the_other_patient_opens(window, project):
    window.open_patient("2")
    path = project.layer_path("ana", "1-01")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("<deIdi2b2>")
    window.open_patient("1")
    assert str(path) in window.findChild(StatusBanner).text
    assert window.session is None
    window.open_patient("2")
    assert window.session.patient_id == "2"


def test_a_patient_open_elsewhere_is_said(window, project, qtbot):
    other = AnnotationWindow(project, "ana")
    qtbot.addWidget(other)
    other.open_patient("1")
    assert "ana" in other.findChild(StatusBanner).text
    assert other.session is None


def test_assignments_that_cannot_be_read_are_said(window, project):
    (project.root / "assignments.csv").write_text("nonsense")
    window.open_patient("2")
    assert "assignments.csv" in window.findChild(StatusBanner).text
    press(window, Qt.Key.Key_PageDown, CONTROL)
    assert window.session.patient_id == "1"


def test_work_goes_on_while_the_project_folder_is_away(window, project, tmp_path, qtbot):
    away = project.root.with_name("away")
    project.root.rename(away)
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    assert tags(window) == [("Lee", "DOCTOR")]
    assert "in memory only" in window.findChild(StatusBanner).text
    assert not window.close()
    away.rename(project.root)
    assert window.close()
    document = project.patient("1").document("1-01")
    assert len(project.read_layer("ana", document).layer.tags) == 1


def test_a_rescue_file_brings_the_work_into_another_window(window, project, tmp_path, qtbot):
    project.root.rename(project.root.with_name("away"))
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    window._keeping.rescue.write_rescue_file(str(tmp_path / "rescue.jsonl"))
    assert "rescue file" in window.findChild(StatusBanner).text
    window.close()
    window.close()
    project.root.with_name("away").rename(project.root)
    for lock in project.root.glob("journal/**/*.lock"):
        lock.unlink()  # as after the death of the program on another computer
    again = AnnotationWindow(project, "ana")
    qtbot.addWidget(again)
    again.open_patient("1")
    assert tags(again) == []
    again._keeping.rescue.replay_rescue_file(str(tmp_path / "rescue.jsonl"))
    assert tags(again) == [("Lee", "DOCTOR")]


def test_what_only_the_journal_has_is_not_said_to_be_saved_and_soon_is(project, qtbot):
    """As after a kill: the journal has an edit that no file has."""
    killed = AnnotationSession(project, "ana", "1")
    killed.tag(Span(0, 3), PhiType("NAME", "PATIENT"))
    killed._held.close()
    path = project.layer_path("ana", "1-01")
    made = AnnotationWindow(project, "ana")
    qtbot.addWidget(made)
    made.show()
    made.open_patient("1")
    said = made._parts.saved
    assert not path.exists()
    assert said.text() == KEPT
    qtbot.waitUntil(lambda: said.text().startswith("Saved "), timeout=20_000)
    assert path.exists()
