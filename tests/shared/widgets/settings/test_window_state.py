"""Places come back; nothing on the disk names a project or a patient."""

from pathlib import Path

import pytest

from shared.widgets.settings import window_state
from shared.widgets.settings.user_folders import state_folder
from shared.widgets.settings.window_state import (
    ViewPosition,
    ViewPositions,
    read_table,
    write_table,
)


def files():
    return sorted((state_folder() / "places").glob("*"))


@pytest.fixture
def kept(qapp, tmp_path):
    made = ViewPositions(tmp_path / "Mercy", "ana")
    made.keep("Doe-1", ViewPosition(40, 12))
    made.keep("Doe-2", ViewPosition(5, 0))
    return ViewPositions(tmp_path / "Mercy", "ana")


def test_a_place_comes_back(kept):
    assert kept.find("Doe-1") == ViewPosition(40, 12)
    assert kept.find("Doe-3") is None


def test_the_last_patient_comes_back_while_it_is_there(kept):
    assert kept.last(["Doe-1", "Doe-2"]) == "Doe-2"
    assert kept.last(["Doe-1"]) is None


def test_people_and_projects_have_places_of_their_own(kept, tmp_path):
    assert ViewPositions(tmp_path / "Mercy", "ben").find("Doe-1") is None
    assert ViewPositions(tmp_path / "Saint", "ana").find("Doe-1") is None


def test_names_are_nowhere(kept):
    (path,) = files()
    said = path.name + path.read_text()
    assert not any(name in said for name in ("Doe", "Mercy", "ana"))


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '{"places": 3}', '{"places": {"a": [1]}, "last": 3}', '{"places": {"a": 1}}'],
)
def test_a_broken_file_counts_as_none(kept, tmp_path, text):
    (path,) = files()
    path.write_text(text)
    again = ViewPositions(tmp_path / "Mercy", "ana")
    assert again.find("Doe-1") is None
    again.keep("Doe-1", ViewPosition(1, 1))
    assert ViewPositions(tmp_path / "Mercy", "ana").find("Doe-1") == ViewPosition(1, 1)


def test_old_projects_are_forgotten(qapp, tmp_path, monkeypatch):
    monkeypatch.setattr(window_state, "MOST_PROJECTS", 3)
    for number in range(5):
        ViewPositions(tmp_path / str(number), "ana").keep("1", ViewPosition(number, 0))
    assert len(files()) == 3


def test_what_cannot_be_written_is_let_be(tmp_path):
    write_table(tmp_path, {})
    assert read_table(Path(tmp_path)) == {}
