"""Who one is in a project: asked once it is open, and known the next time."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListWidget

from annotator import app
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.widgets.settings.preferences import preference_store
from shared.widgets.start.start_window import StartWindow


def make_project(root):
    records = [Record(Document(f"{n}-01", str(n), "Seen by Dr. Lee.")) for n in (1, 2)]
    return Project.create(root, "p", I2B2_2014, records, ["ana", "ben"], 1)


def demo(folder):
    return make_project(folder).root


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path / "p")


@pytest.fixture
def start(qtbot):
    window = StartWindow(demo)
    qtbot.addWidget(window)
    window.show()
    return window


def names(start, which):
    found = start.findChild(QListWidget, which)
    return [found.item(row).text() for row in range(found.count())]


def ready(project):
    for name in ("ana", "ben"):
        project.set_state("1", name, State.DONE)


def marked_row(start):
    return start.findChild(QListWidget, "annotators").currentItem().text().split()[0]


def test_who_adjudicates_is_offered_too_with_what_is_ready(start, project, qtbot):
    ready(project)
    start.open_project(project.root)
    people = start.findChild(QListWidget, "annotators")
    assert names(start, "annotators")[-1] == "Adjudicator   0 of 2 patients done, 1 ready"
    QTest.keyClick(people, Qt.Key.Key_End)
    with qtbot.waitSignal(start.chosen) as chosen:
        QTest.keyClick(people, Qt.Key.Key_Return)
    assert (chosen.args[0].root, chosen.args[1]) == (project.root, "gold")


def test_who_one_was_last_is_marked_the_next_time_in_this_project_alone(qtbot, project, tmp_path):
    for key, who in ((Qt.Key.Key_End, "Adjudicator"), (Qt.Key.Key_Up, "ben")):
        start = StartWindow(demo)
        qtbot.addWidget(start)
        start.show()
        start.open_project(project.root)
        people = start.findChild(QListWidget, "annotators")
        QTest.keyClick(people, key)
        QTest.keyClick(people, Qt.Key.Key_Return)
        again = StartWindow(demo)
        qtbot.addWidget(again)
        again.open_project(project.root)
        assert marked_row(again) == who
    again.open_project(make_project(tmp_path / "other").root)
    assert marked_row(again) == "ana"


def test_at_first_ones_name_on_this_computer_is_marked(start, project, monkeypatch):
    monkeypatch.setenv("LOGNAME", "ben")
    start.open_project(project.root)
    assert marked_row(start) == "ben"


def test_a_role_that_is_gone_marks_nobody_wrongly(start, project):
    store = preference_store()
    store.put(store.values.with_role(project.root, "zoe"))
    start.open_project(project.root)
    assert marked_row(start) == "ana"


def test_gold_that_cannot_be_read_keeps_nobody_from_the_project(start, project):
    path = project.journal_path("gold", "1")
    path.parent.mkdir(parents=True)
    path.write_text("nonsense\n")
    start.open_project(project.root)
    assert names(start, "annotators")[-1] == "Adjudicator   0 of 2 patients done, 0 ready"


def test_who_takes_the_adjudicator_gets_the_adjudicators_window(qtbot, project, monkeypatch):
    opened, keys = [], [Qt.Key.Key_End, Qt.Key.Key_Return]

    def choose(*_):
        shown = (each for each in QApplication.topLevelWidgets() if each.isVisible())
        people = next(each for each in shown if isinstance(each, StartWindow)).findChild(
            QListWidget, "annotators"
        )
        for key in keys:
            QTest.keyClick(people, key)
        return 0

    monkeypatch.setattr(QApplication, "exec", choose)
    assert app.start(demo, project, "2", adjudicate=lambda *asked: opened.append(asked)) == 0
    ((chosen, patient),) = opened
    assert (chosen.root, patient) == (project.root, "2")
