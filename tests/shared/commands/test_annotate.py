"""Without a project one is asked which, where there is a screen to ask on."""

import pytest

from annotator import app
from shared.commands import demo_pipeline, display
from shared.commands.demo_folder import make_demo
from shared.commands.main import main
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project


@pytest.fixture
def started(monkeypatch, tmp_path):
    """What was started, in a folder without a project and with a screen."""
    seen = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(display, "has_display", lambda: True)
    monkeypatch.setattr(app, "start", lambda _, *asked, **__: seen.append(("start", *asked)) or 0)
    monkeypatch.setattr(app, "run", lambda project, *_: seen.append(project.root) or 0)
    return seen


def make_project(root):
    records = [Record(Document("1-01", "1", "Seen by Dr. Lee."))]
    return Project.create(root, "p", I2B2_2014, records, ["ana", "ben"], 1)


def test_without_a_project_one_may_choose(started):
    assert main(["annotate"]) == 0
    assert started == [("start",)]


def test_the_command_alone_opens_the_start_window(started):
    assert main([]) == 0
    assert started == [("start",)]


def test_the_command_alone_in_a_project_asks_who_annotates_it(started, tmp_path, monkeypatch):
    monkeypatch.chdir(make_project(tmp_path / "p").root)
    assert main([]) == 0
    ((_, project, patient),) = started
    assert (project.root.resolve(), patient) == (tmp_path / "p", None)


def test_where_several_annotate_the_window_asks_who(started, tmp_path):
    root = make_project(tmp_path / "p").root
    assert main(["annotate", str(root), "--patient", "1"]) == 0
    ((_, project, patient),) = started
    assert (project.root, patient) == (root, "1")


def test_without_a_screen_it_is_asked_on_the_command_line(started, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(display, "has_display", lambda: False)
    root = make_project(tmp_path / "p").root
    assert main(["annotate", str(root)]) == 2
    said = "tandem: choose the annotator with --annotator; there are ana, ben\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("name", ["zoe", "gold"])
def test_a_stranger_gets_no_window(started, tmp_path, capsys, name):
    root = make_project(tmp_path / "p").root
    assert main(["annotate", str(root), "--annotator", name]) == 2
    said = f"tandem: {name} is not an annotator of this project; its annotators are ana, ben\n"
    assert (capsys.readouterr().err, started) == (said, [])


@pytest.mark.parametrize("command", ["annotate", "adjudicate"])
def test_a_patient_that_is_not_there_gets_no_window(started, tmp_path, capsys, command):
    root = make_project(tmp_path / "p").root
    assert main([command, str(root), "--patient", "7"]) == 2
    assert "has no patient 7; tandem status --patients lists all" in capsys.readouterr().err
    assert started == []


def test_the_project_of_this_folder_is_opened(started, tmp_path, monkeypatch):
    monkeypatch.chdir(make_project(tmp_path / "p").root)
    assert main(["annotate", "--annotator", "ana"]) == 0
    assert started[0].resolve() == tmp_path / "p"


@pytest.mark.parametrize("words", [["--annotator", "ana"], ["--patient", "1"], ["elsewhere"]])
def test_whoever_says_more_means_a_project(started, capsys, words):
    assert main(["annotate", *words]) == 2
    assert "create one with tandem new" in capsys.readouterr().err or words == ["elsewhere"]
    assert started == []


def test_without_a_screen_it_is_said(started, monkeypatch, capsys):
    monkeypatch.setattr(display, "has_display", lambda: False)
    assert main(["annotate"]) == 2
    assert "not a Tandem project" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["annotate", "--annotator", "ana"], ["adjudicate"]])
def test_without_a_screen_no_window_is_tried(started, monkeypatch, capsys, tmp_path, words):
    """Qt would end the program with a page of its own."""
    monkeypatch.setattr(display, "has_display", lambda: False)
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.chdir(make_project(tmp_path / "p").root)
    assert main(words) == 2
    assert capsys.readouterr().err == (
        "tandem: there is no display to open a window on; run this on a desktop, or set DISPLAY\n"
    )


def test_the_demo_is_made_without_a_word(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(demo_pipeline, "adjudicate_all", lambda *_: None)
    root = make_demo(tmp_path / "d")
    assert len(Project.open(root).patient_ids) == 5
    assert capsys.readouterr().out == ""
