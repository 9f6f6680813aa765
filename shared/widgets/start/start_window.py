"""Where one begins without a project: open one, make one, try the demo, say who one is in it."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from shared.errors import FileError, TandemError
from shared.project.assignments import State
from shared.project.current_user import current_user
from shared.project.gold_state import GoldState
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.widgets.look.theme import Theme, theme_named
from shared.widgets.parts.background_task import BackgroundTask, TaskLine
from shared.widgets.parts.manual_opener import open_manual
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.parts.path_line import choose_folder
from shared.widgets.settings.preferences import Preferences, preference_store
from shared.widgets.start.handed_out_dialog import HandedOutDialog
from shared.widgets.start.new_project import NewProjectWizard

_DEMO = "tandem-demo"
_TITLE_SIZE = 1.8


class StartWindow(QWidget):
    """Leads to a project and to who one is in it: `chosen` (Project, str).

    That is the name of an annotator, or "gold" for the adjudicator.

    `make_demo` makes a demo in a folder and returns the project in it; it runs on another thread.
    """

    chosen = Signal(object, str)

    def __init__(self, make_demo: Callable[[Path], Path]) -> None:
        super().__init__()
        self.setObjectName("startWindow")
        self.setWindowTitle("Tandem")
        self._make_demo = make_demo
        self._store = preference_store()
        self._theme: Theme = theme_named(self._store.values.theme)
        self._project: Project | None = None
        self._banner = StatusBanner()
        self._banner.apply_theme(self._theme)
        self._line = TaskLine()
        self._recent = QListWidget()
        self._people = QListWidget()
        self._people.setSpacing(3)
        self._asked = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._pages = QStackedWidget()
        self._buttons: list[QPushButton] = []
        self._lay_out()
        self._show_recent(self._store.values)
        self._store.changed.connect(self._show_recent)
        QShortcut("F1", self, self._read_manual)
        self.resize(760, 440)

    def open_project(self, folder: Path) -> None:
        """Ask who one is in a project; what is wrong with it is said."""
        try:
            project = Project.open(folder)
            done = _done_by(project)
            if len(done) > 1:  # else it was handed out, and is adjudicated where it came from
                done[GOLD] = _adjudicated(project)
        except TandemError as error:
            self._banner.show_error(error)
            return
        self._banner.clear()
        self._project = project
        self._asked.setText(f"&Who are you in {project.title.replace('&', '&&')}?")
        self._store.put(self._store.values.with_recent(project.root))
        self._people.clear()
        for name, words in done.items():
            shown = "Adjudicator" if name == GOLD else name
            item = QListWidgetItem(f"{shown}   {words}", self._people)
            item.setData(Qt.ItemDataRole.UserRole, name)
        self._people.setCurrentRow(self._likely([*done]))
        self._pages.setCurrentIndex(1)
        self._people.setFocus()

    def new_project(self) -> NewProjectWizard:
        """Begin to make a project; it is opened when it is there."""
        wizard = NewProjectWizard(self._theme, self)
        wizard.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        wizard.made.connect(self.open_project)
        wizard.open()
        return wizard

    def try_demo(self, folder: Path) -> None:
        """Make a demo in a folder, and open its project when it is there."""
        task = BackgroundTask(lambda: self._make_demo(folder), self)
        task.succeeded.connect(self.open_project)
        task.failed.connect(self._banner.show_error)
        task.finished.connect(lambda: self._allow(choosing=True))
        self._line.watch(task, "Fabricating patients, annotating and adjudicating them")
        self._allow(choosing=False)
        task.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and watched is self._recent
            and event.type() == QEvent.Type.KeyPress
            and event.key() == Qt.Key.Key_Delete
        ):
            self._forget()
            return True
        return super().eventFilter(watched, event)

    def _lay_out(self) -> None:
        title = QLabel("Tandem")
        font = QFont(title.font())
        font.setPointSizeF(font.pointSizeF() * _TITLE_SIZE)
        font.setBold(True)
        title.setFont(font)
        said = QLabel("Two people mark what could identify a patient, a third decides.")
        self._pages.addWidget(self._first_page())
        self._pages.addWidget(self._people_page())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 22, 28, 18)
        layout.setSpacing(10)
        for each in (title, said, self._banner):
            layout.addWidget(each)
        layout.addWidget(self._pages, 1)
        layout.addWidget(self._line)

    def _first_page(self) -> QWidget:
        page = QWidget()
        choices = QVBoxLayout()
        choices.setSpacing(10)
        for name, text, action in (
            ("openProject", "&Open a project…", self._choose_project),
            ("makeProject", "&Create a project from records…", self.new_project),
            ("openHandedOut", "Open &handed-out work…", self._open_handed_out),
            ("tryDemo", "&Try the demo…", self._choose_demo),
            ("readManual", "Read the &manual", self._read_manual),
        ):
            button = QPushButton(text)
            button.setObjectName(name)
            button.setMinimumHeight(44)
            button.clicked.connect(action)
            self._buttons.append(button)
            choices.addWidget(button)
        choices.addStretch()
        title = QLabel("&Recent projects")
        title.setBuddy(self._recent)
        self._recent.setObjectName("recentProjects")
        self._recent.setAccessibleName("Recent projects")
        self._recent.setToolTip("Enter opens a project, Delete removes it from the list")
        self._recent.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._recent.installEventFilter(self)
        self._recent.itemActivated.connect(self._open_recent)
        self._recent.itemClicked.connect(self._open_recent)
        recent = QVBoxLayout()
        recent.setSpacing(4)
        recent.addWidget(title)
        recent.addWidget(self._recent)
        layout = QHBoxLayout(page)
        layout.setContentsMargins(0, 10, 0, 0)
        layout.setSpacing(24)
        layout.addLayout(choices, 2)
        layout.addLayout(recent, 3)
        return page

    def _people_page(self) -> QWidget:
        page = QWidget()
        self._asked.setBuddy(self._people)
        self._people.setObjectName("annotators")
        self._people.setAccessibleName("Who are you?")
        self._people.itemActivated.connect(self._take_person)
        self._people.itemClicked.connect(self._take_person)
        back = QPushButton("&Back")
        back.setObjectName("back")
        back.clicked.connect(lambda: self._pages.setCurrentIndex(0))
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 10, 0, 0)
        layout.addWidget(self._asked)
        layout.addWidget(self._people)
        layout.addWidget(back, 0, Qt.AlignmentFlag.AlignLeft)
        return page

    def _show_recent(self, values: Preferences) -> None:
        self._recent.clear()
        for path in values.recent:
            item = QListWidgetItem(f"{Path(path).name}\n{path}", self._recent)
            item.setData(Qt.ItemDataRole.UserRole, path)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, path)
        self._recent.setCurrentRow(0)

    def _open_recent(self, item: QListWidgetItem) -> None:
        self.open_project(Path(str(item.data(Qt.ItemDataRole.UserRole))))

    def _forget(self) -> None:
        if self._recent.currentRow() >= 0:
            path = str(self._recent.currentItem().data(Qt.ItemDataRole.UserRole))
            self._store.put(self._store.values.without_recent(path))

    def _likely(self, names: list[str]) -> int:
        """The row of who one was last, else of one's name on this computer, else the first."""
        last = self._store.values.role(self._project.root) if self._project else ""
        known = (each for each in (last, current_user()) if each in names)
        return names.index(next(known, names[0]))

    def _take_person(self, item: QListWidgetItem) -> None:
        project, self._project = self._project, None  # where a click also activates, once is enough
        if project is not None:
            who = str(item.data(Qt.ItemDataRole.UserRole))
            self._store.put(self._store.values.with_role(project.root, who))
            self._store.flush()
            self.chosen.emit(project, who)

    def _choose_project(self) -> None:
        choose_folder(self, "Open a project", self.open_project)

    def _open_handed_out(self) -> None:
        dialog = HandedOutDialog(self._theme, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.made.connect(self.open_project)
        dialog.open()

    def _choose_demo(self) -> None:
        title = f"Where to create the folder {_DEMO}"
        choose_folder(self, title, lambda above: self.try_demo(above / _DEMO))

    def _read_manual(self) -> None:
        if trouble := open_manual():
            self._banner.show_message(trouble)

    def _allow(self, *, choosing: bool) -> None:
        for button in self._buttons:
            button.setEnabled(choosing)
        self._recent.setEnabled(choosing)


def _done_by(project: Project) -> dict[str, str]:
    """How much each annotator has done, in words."""
    assignments = project.all_assignments()
    words: dict[str, str] = {}
    for name in project.annotators:
        theirs = [each for each in assignments if each.annotator == name]
        done = sum(each.state is State.DONE for each in theirs)
        words[name] = f"{done} of {len(theirs)} patients done"
    return words


def _adjudicated(project: Project) -> str:
    """How much is adjudicated, and how much can be, in words."""
    waiting = {each.patient_id for each in project.assignments() if each.state is not State.DONE}
    done, ready = 0, 0
    for patient_id in project.patient_ids:
        try:
            state = project.gold_status(patient_id).state
        except FileError:  # which opening the patient says
            continue
        done += state is GoldState.DONE
        ready += state in (GoldState.TO_DO, GoldState.BEGUN) and patient_id not in waiting
    return f"{done} of {len(project.patient_ids)} patients done, {ready} ready"
