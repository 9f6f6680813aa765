"""From nothing to a project and who annotates it; every trouble is one sentence."""

from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QWizard,
)
from shiboken6 import isValid

from shared.errors import FileError
from shared.formats.base import Record
from shared.language.languages import languages_in
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.widgets.parts import manual_opener
from shared.widgets.settings.preferences import preference_store
from shared.widgets.start import records_page, start_window
from shared.widgets.start.start_window import StartWindow


def make_project(root, names=("ana", "ben")):
    records = [Record(Document(f"{n}-01", str(n), "Seen by Dr. Lee.")) for n in (1, 2)]
    return Project.create(root, "p", I2B2_2014, records, list(names), 1)


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path / "p")


def demo(folder: Path) -> Path:
    if folder.exists():
        raise FileError(folder, "already exists and is not an earlier demo; give another folder")
    return make_project(folder).root


@pytest.fixture
def start(qtbot):
    window = StartWindow(demo)
    qtbot.addWidget(window)
    window.show()
    return window


def banner(widget):
    found = [each for each in widget.findChildren(QLabel, "statusBannerText") if each.isVisible()]
    return found[0].text() if found else ""


def names(start, which):
    found = start.findChild(QListWidget, which)
    return [found.item(row).text() for row in range(found.count())]


def test_a_project_is_opened_and_asks_who_annotates(start, project, qtbot):
    project.set_state("1", "ana", State.DONE)
    start.open_project(project.root)
    assert names(start, "annotators") == [
        "ana   1 of 2 patients done",
        "ben   0 of 2 patients done",
        "Adjudicator   0 of 2 patients done, 0 ready",
    ]
    people = start.findChild(QListWidget, "annotators")
    QTest.keyClick(people, Qt.Key.Key_Down)
    with qtbot.waitSignal(start.chosen) as chosen:
        QTest.keyClick(people, Qt.Key.Key_Return)
    assert (chosen.args[0].root, chosen.args[1]) == (project.root, "ben")


def test_a_click_takes_a_person_too_and_once(start, project, qtbot):
    start.open_project(project.root)
    people = start.findChild(QListWidget, "annotators")
    point = people.visualItemRect(people.item(0)).center()
    taken = []
    start.chosen.connect(lambda *each: taken.append(each))
    for _ in range(2):
        QTest.mouseClick(people.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert [name for _, name in taken] == ["ana"]


def test_one_can_go_back(start, project):
    start.open_project(project.root)
    QTest.keyClick(start.findChild(QPushButton, "back"), Qt.Key.Key_Space)
    assert start.findChild(QPushButton, "openProject").isVisible()


@pytest.mark.parametrize("kind", ["empty", "missing", "broken"])
def test_what_is_no_project_is_said_in_one_sentence(start, tmp_path, kind):
    folder = tmp_path / "x"
    if kind != "missing":
        folder.mkdir()
    if kind == "broken":
        (folder / "tandem.toml").write_text("title =")
    start.open_project(folder)
    assert str(folder) in banner(start)
    assert banner(start).count("\n") == 0
    assert start.findChild(QPushButton, "openProject").isVisible()


def test_recent_projects_are_listed_by_path_and_open(start, project):
    store = preference_store()
    store.change(recent=(str(project.root), "/gone/away"))
    assert names(start, "recentProjects") == [f"p\n{project.root}", "away\n/gone/away"]
    QTest.keyClick(start.findChild(QListWidget, "recentProjects"), Qt.Key.Key_Return)
    assert start.findChild(QListWidget, "annotators").isVisible()


def test_a_recent_project_that_is_gone_is_said_and_can_be_taken_off(start):
    store = preference_store()
    store.change(recent=("/gone/away",))
    recent = start.findChild(QListWidget, "recentProjects")
    QTest.keyClick(recent, Qt.Key.Key_Return)
    assert "/gone/away" in banner(start)
    QTest.keyClick(recent, Qt.Key.Key_Delete)
    assert store.values.recent == ()


def test_what_was_opened_is_recent(start, project):
    start.open_project(project.root)
    assert preference_store().values.recent == (str(project.root),)


def test_the_demo_is_made_and_opened(start, tmp_path, qtbot):
    start.findChild(QPushButton, "tryDemo").click()  # comes back
    dialog = start.findChild(QFileDialog)
    dialog.selectFile(str(tmp_path))
    dialog.accept()
    assert not start.findChild(QPushButton, "openProject").isEnabled()
    qtbot.waitUntil(start.findChild(QListWidget, "annotators").isVisible)
    assert preference_store().values.recent == (str(tmp_path / "tandem-demo"),)
    assert start.findChild(QPushButton, "openProject").isEnabled()


def test_a_demo_that_cannot_be_made_is_said(start, tmp_path, qtbot):
    start.try_demo(tmp_path)
    qtbot.waitUntil(lambda: "not an earlier demo" in banner(start))
    assert start.findChild(QPushButton, "openProject").isEnabled()


def test_the_manual_is_opened_and_what_hinders_it_is_said(start, monkeypatch, tmp_path):
    page, opened = tmp_path / "index.html", []
    for built, there in ((page, True), (page, False), (None, True)):
        monkeypatch.setattr(manual_opener, "manual_page", lambda _, built=built: built)
        monkeypatch.setattr(
            manual_opener.QDesktopServices,
            "openUrl",
            lambda url, there=there: opened.append(url.toLocalFile()) or there,
        )
        QTest.mouseClick(start.findChild(QPushButton, "readManual"), Qt.MouseButton.LeftButton)
        assert opened == [str(page)] * min(len(opened), 2)
        assert (banner(start) == "") == (built is not None and there)
    assert "make manual" in banner(start)


def test_f1_opens_the_manual_before_there_is_a_project(start, monkeypatch):
    asked = []
    monkeypatch.setattr(start_window, "open_manual", lambda: asked.append(1) or "")
    QTest.keyClick(start, Qt.Key.Key_F1)
    assert asked == [1]


@pytest.fixture
def records(tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    for name in ("1-01", "1-02", "2-01"):
        (folder / f"{name}.txt").write_text("Seen by Dr. Lee.")
    return folder


@pytest.fixture
def wizard(start):
    wizard = start.new_project()
    yield wizard
    if isValid(wizard):  # it is deleted when it is closed
        wizard.close()


def enter(wizard, name, text):
    line = next(each for each in wizard.findChildren(QLineEdit) if each.accessibleName() == name)
    line.clear()
    QTest.keyClicks(line, str(text))


def press(wizard, which):
    button = wizard.button(getattr(QWizard.WizardButton, f"{which}Button"))
    assert button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def to_people(wizard, records, qtbot):
    enter(wizard, "Folder of records", records)
    next_button = wizard.button(QWizard.WizardButton.NextButton)
    qtbot.waitUntil(next_button.isEnabled)
    press(wizard, "Next")
    qtbot.waitUntil(next_button.isEnabled)
    press(wizard, "Next")


def test_a_project_is_made_in_four_steps_and_opened(start, wizard, records, tmp_path, qtbot):
    to_people(wizard, records, qtbot)
    enter(wizard, "Annotators", "ana, ben, cem")
    press(wizard, "Next")
    enter(wizard, "Folder of the project", tmp_path / "made")
    press(wizard, "Finish")
    qtbot.waitUntil(start.findChild(QListWidget, "annotators").isVisible)
    project = Project.open(tmp_path / "made")
    assert (project.title, project.annotators) == ("made", ("ana", "ben", "cem"))
    assert project.language == "auto"
    assert len(names(start, "annotators")) == 4


def language_choices(wizard):
    choice = wizard.findChild(QComboBox, "languageChoice")
    return choice, [choice.itemText(at) for at in range(choice.count())]


def test_the_records_tell_their_language_or_one_of_those_known_is_chosen(wizard):
    choice, offered = language_choices(wizard)
    assert choice.currentText() == "As the records tell"
    assert {"German", "English", "Spanish"} < set(offered)


def test_the_project_keeps_the_language_that_was_chosen(start, wizard, records, tmp_path, qtbot):
    choice, _ = language_choices(wizard)
    choice.setCurrentText("German")
    to_people(wizard, records, qtbot)
    enter(wizard, "Annotators", "ana, ben")
    press(wizard, "Next")
    enter(wizard, "Folder of the project", tmp_path / "made")
    press(wizard, "Finish")
    qtbot.waitUntil(start.findChild(QListWidget, "annotators").isVisible)
    assert Project.open(tmp_path / "made").language == "de"


def test_a_language_is_offered_as_soon_as_it_has_a_folder(start, tmp_path):
    folder = tmp_path / "languages" / "nb"
    folder.mkdir(parents=True)
    (folder / "language.toml").write_text('name = "Norwegian"\n', "utf-8")
    with languages_in(tmp_path / "languages"):
        wizard = start.new_project()
    assert "Norwegian" in language_choices(wizard)[1]
    wizard.close()


def test_what_is_in_the_folder_is_told(wizard, records, qtbot):
    enter(wizard, "Folder of records", records)
    found = wizard.findChild(QLabel, "recordsFound")
    qtbot.waitUntil(lambda: found.text() == "3 records found.")


def test_without_records_there_is_no_next_step(wizard, tmp_path, qtbot):
    (tmp_path / "empty").mkdir()
    enter(wizard, "Folder of records", tmp_path / "empty")
    qtbot.waitUntil(lambda: "holds no records" in banner(wizard))
    assert not wizard.button(QWizard.WizardButton.NextButton).isEnabled()


def test_broken_records_are_told_and_may_be_left_out(wizard, records, qtbot):
    (records / "3-01.xml").write_text("<broken")
    enter(wizard, "Folder of records", records)
    told = wizard.findChild(QLabel, "recordsFound")
    qtbot.waitUntil(lambda: "1 file could not be read" in told.text())
    assert "3-01.xml" in told.text()
    assert not wizard.button(QWizard.WizardButton.NextButton).isEnabled()
    wizard.findChild(QCheckBox, "skipBroken").click()
    assert wizard.button(QWizard.WizardButton.NextButton).isEnabled()


@pytest.mark.parametrize(
    ("typed", "why"), [("ana", "two annotators"), ("ana, Ana", "one name"), ("a na, b", "letters")]
)
def test_annotators_that_cannot_be_are_said(wizard, records, qtbot, typed, why):
    to_people(wizard, records, qtbot)
    enter(wizard, "Annotators", typed)
    press(wizard, "Next")
    assert why in banner(wizard)


@pytest.mark.parametrize(
    ("choice", "file", "why"),
    [(1, "", "no tags"), (2, "", "name the file"), (2, "/no/file.toml", "/no/file.toml")],
)
def test_types_that_cannot_be_are_said(wizard, records, qtbot, choice, file, why):
    to_people(wizard, records, qtbot)
    enter(wizard, "Annotators", "ana, ben")
    wizard.findChild(QComboBox, "schemaChoice").setCurrentIndex(choice)
    if file:
        enter(wizard, "File of types", file)
    press(wizard, "Next")
    assert why in banner(wizard).lower()


def test_what_types_were_taken_for_is_said_before_the_project_is_made(
    wizard, records, qtbot, tmp_path
):
    schema = tmp_path / "own.toml"
    schema.write_text(
        'name = "own"\n[[categories]]\nname = "NAME"\ntypes = [{ name = "COUSIN" }]\n', "utf-8"
    )
    to_people(wizard, records, qtbot)
    enter(wizard, "Annotators", "ana, ben")
    wizard.findChild(QComboBox, "schemaChoice").setCurrentIndex(2)
    enter(wizard, "File of types", str(schema))
    press(wizard, "Next")
    assert "NAME:COUSIN as person" in wizard.findChild(QLabel, "schemaGuesses").text()


def test_a_folder_that_is_taken_is_said_and_nothing_is_made(wizard, records, qtbot):
    to_people(wizard, records, qtbot)
    enter(wizard, "Annotators", "ana, ben")
    press(wizard, "Next")
    enter(wizard, "Folder of the project", records)
    press(wizard, "Finish")
    assert "not empty" in banner(wizard)
    assert sorted(each.name for each in records.iterdir()) == ["1-01.txt", "1-02.txt", "2-01.txt"]


def test_what_the_system_refuses_is_said(wizard, records, qtbot, monkeypatch):
    def refuse(*_, **__):
        raise FileError("/full", "no space left on device; free some space, then try again")

    monkeypatch.setattr(Project, "create", refuse)
    to_people(wizard, records, qtbot)
    enter(wizard, "Annotators", "ana, ben")
    press(wizard, "Next")
    enter(wizard, "Folder of the project", "/full")
    press(wizard, "Finish")
    qtbot.waitUntil(lambda: "no space left" in banner(wizard))
    assert wizard.button(QWizard.WizardButton.BackButton).isEnabled()


def test_it_can_be_left_while_records_are_read(wizard, records, qtbot, monkeypatch):
    begun = Event()

    def never_done(folder, step):
        while True:
            begun.set()
            step(0, 0)

    monkeypatch.setattr(records_page, "read_ungrouped", never_done)
    enter(wizard, "Folder of records", records)
    qtbot.waitUntil(begun.is_set)
    press(wizard, "Cancel")
    assert not wizard.isVisible()


def test_folders_above_the_one_that_is_typed_are_not_read(wizard, records, qtbot, monkeypatch):
    seen = []
    monkeypatch.setattr(records_page, "read_ungrouped", lambda folder, step: seen.append(folder))
    enter(wizard, "Folder of records", records)
    qtbot.waitUntil(lambda: seen == [records])
