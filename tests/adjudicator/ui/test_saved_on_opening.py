"""What opening a patient takes over is said to be where it is: in memory, journal or files."""

from shared.errors import StorageError
from shared.project.journal import Journal
from shared.widgets.window.save_status import KEPT
from tests.adjudicator.projects import make_project


def test_it_is_not_said_to_be_saved_before_it_is(hand, qtbot):
    said, path = hand.window._parts.saved, hand.window._project.layer_path("gold", "110-01")
    assert not path.exists()
    assert said.text() == KEPT
    qtbot.waitUntil(lambda: said.text().startswith("Saved "), timeout=20_000)
    assert path.exists()


def test_it_is_not_said_to_be_in_a_journal_that_took_nothing(open_window, tmp_path, monkeypatch):
    def full(journal, entry):
        raise StorageError("journal", "no space left on device; free some space, then try again")

    project = make_project(tmp_path)
    monkeypatch.setattr(Journal, "append", full)
    hand = open_window(project)
    said = hand.window._parts.saved
    assert said.text() == "1 in memory only"
    assert "no space left on device" in hand.banner
    monkeypatch.undo()
    hand.window._keeping.rescue._retry()
    assert said.text() == KEPT
