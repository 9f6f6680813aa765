"""The release of a project in a window of its own: every replacement, what stands in the way."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from adjudicator.release.draft import ReleaseBlocker
from adjudicator.release.held_back import Held
from adjudicator.release.rows import ReleaseRow, narrowed
from adjudicator.release.session import ReleaseSession
from adjudicator.ui.latest_task import LatestTask
from adjudicator.ui.release.blocker_pane import BlockerPane
from adjudicator.ui.release.controllers import ReleaseController
from adjudicator.ui.release.held_back import HeldBackPane, HoldBackButton
from adjudicator.ui.release.list import ReleaseFilterRow, ReleaseList
from shared.project.project import Project
from shared.widgets.look.theme import theme_of
from shared.widgets.parts.background_task import CancelledError, ProgressTask, TaskLine
from shared.widgets.parts.focus import FocusBefore
from shared.widgets.parts.manual_opener import open_manual
from shared.widgets.parts.messages import StatusBanner

_MAKING = "Replacing all PHI"
_BLOCKERS_HEIGHT = 180


class ReleaseWindow(QMainWindow):
    """All replacements of a project, made off this thread; edited here, then released.

    Signals: `place_chosen` (patient id, record id, Span or None) when the user wants to see a place
    in its record; `about_to_read` before the gold standard is read; `risk_wanted` (Path) when the
    user wants to see what may be left in a release.
    """

    place_chosen = Signal(str, str, object)
    about_to_read = Signal()
    risk_wanted = Signal(object)

    def __init__(self, project: Project) -> None:
        super().__init__()
        self._project = project
        self._open_patient = ""
        self._is_making = False
        """Whether what runs is the list being made, for which another may be asked meanwhile."""
        self._was_at: FocusBefore | None = None
        """What had the focus when the list was begun."""
        self._work = LatestTask(self)
        self._banner = StatusBanner()
        self._controller = ReleaseController(project, self._work, self._banner, self)
        self._task = TaskLine()
        self._bar = ReleaseFilterRow()
        self._list = ReleaseList()
        self._blockers = BlockerPane()
        self._hold_back = HoldBackButton("&Hold back", self._list, self._chosen_records)
        self._held_back = HeldBackPane()
        self._across = QSplitter(Qt.Orientation.Vertical)
        self._count = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._buttons: dict[str, QPushButton] = {}
        self._arrange()
        self._connect()
        self.setWindowTitle(f"{project.title} – release")
        self.resize(1360, 860)
        self._enable()

    @property
    def session(self) -> ReleaseSession | None:
        return self._controller.session

    @property
    def is_busy(self) -> bool:
        return self._work.is_running

    def begin(self, patient_id: str = "") -> None:
        """Make the list as the gold standard is now; a patient may be open in the other window."""
        self._open_patient = patient_id
        self._look_again()

    def say(self, text: str) -> None:
        self.statusBar().showMessage(text, 10_000)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._banner.apply_theme(theme_of(self.palette()))
        elif event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self._look_again_if_outdated()
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._controller.close()
        event.accept()

    def _arrange(self) -> None:
        self._banner.apply_theme(theme_of(self.palette()))
        top = QHBoxLayout()
        top.addWidget(self._bar)
        top.addStretch(1)
        self._add(top, "again", "Re&load", "Read the gold standard again (F5)")
        self._add(top, "restore", "Restore…", "Write the records of a keyed release as they were")
        self._add(top, "release", "&Release…", "Write the release (Ctrl+Return)")
        self._add(top, "manual", "Help", "Read the manual (Shift+F1)")
        upper = QWidget()
        above = QVBoxLayout(upper)
        above.setContentsMargins(0, 0, 0, 0)
        above.addWidget(self._list, 1)
        above.addLayout(self._list_buttons())
        across = self._across
        across.addWidget(upper)
        across.addWidget(self._blockers)
        across.setStretchFactor(0, 1)
        across.setSizes([600, _BLOCKERS_HEIGHT])
        across.setChildrenCollapsible(False)
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(8, 8, 8, 4)
        layout.addLayout(top)
        layout.addWidget(self._banner)
        layout.addWidget(self._task)
        layout.addWidget(across, 1)
        layout.addWidget(self._held_back)
        self.setCentralWidget(middle)
        self._count.setObjectName("releaseCount")
        self.statusBar().addPermanentWidget(self._count)

    def _list_buttons(self) -> QHBoxLayout:
        line = QHBoxLayout()
        for name, text, tip in (
            ("edit", "&Edit all with this text", "Type another surrogate (F2 or a double click)"),
            ("edit_one", "Edit &only this", "This one and no other (Shift+F2)"),
            ("approve", "Looks r&ight", "Nothing to change here (Space)"),
            ("undo", "&Undo", "Undo the last change of the list (Ctrl+Z)"),
            ("show", "Show in re&cord", "Go to the place in the record (Enter)"),
        ):
            self._add(line, name, text, tip)
        self._hold_back.setObjectName("release.hold_back")
        line.addWidget(self._hold_back)
        line.addStretch(1)
        return line

    def _add(self, line: QHBoxLayout, name: str, text: str, tip: str) -> None:
        button = QPushButton(text)
        button.setObjectName(f"release.{name}")
        button.setToolTip(tip)
        line.addWidget(button)
        self._buttons[name] = button

    def _connect(self) -> None:
        rows, controller = self._list, self._controller
        self._work.begun.connect(self._task.watch)
        self._work.begun.connect(self._begin)
        self._work.ended.connect(self._enable)
        self._work.failed.connect(self._fail)
        self._bar.changed.connect(self._show_rows)
        self._bar.options_changed.connect(self._look_again)
        rows.written.connect(controller.write)
        rows.approved.connect(controller.approve)
        rows.place_wanted.connect(self._show_place)
        rows.editing.connect(controller.explain)
        controller.said.connect(self.say)
        controller.changed.connect(self._show_all)
        controller.risk_wanted.connect(self.risk_wanted)
        self._blockers.place_wanted.connect(self._show_blocker)
        self._blockers.dismissed.connect(controller.dismiss)
        self._blockers.said.connect(self.say)
        # Qt would go to the next button, and the next key let something in again
        self._blockers.emptied.connect(self._list.setFocus)
        for asking in (self._hold_back.wanted, self._blockers.hold_back_wanted):
            asking.connect(self._held_back.ask)
        self._held_back.held.connect(controller.hold_back)
        self._held_back.let_in.connect(controller.let_in)
        handlers: dict[str, Callable[[], object]] = {
            "again": self._look_again,
            "release": self._ask,
            "restore": controller.ask_to_restore,
            "edit": lambda: self._list.write_other(same_text=True),
            "edit_one": lambda: self._list.write_other(same_text=False),
            "approve": lambda: controller.approve(rows.chosen),
            "undo": controller.undo,
            "show": self._show_current,
            "manual": self._open_manual,
        }
        for name, handler in handlers.items():
            self._buttons[name].clicked.connect(handler)
        for keys, handler in (
            ("F5", self._look_again),
            ("Ctrl+Return", self._ask),
            ("Ctrl+Z", controller.undo),
            ("Ctrl+F", self._focus_filter),
            ("Ctrl+W", self.close),
            ("Shift+F1", self._open_manual),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(handler)

    def _open_manual(self) -> None:
        self.say(open_manual("release") or "The manual opens in the browser.")

    def _focus_filter(self) -> None:
        self._bar.words.setFocus()
        self._bar.words.selectAll()

    def _look_again(self) -> None:
        self.about_to_read.emit()
        self._banner.clear()
        self._was_at = FocusBefore(self)
        options = self._bar.surrogate_options

        def open_session(job: ProgressTask) -> ReleaseSession:
            return ReleaseSession(self._project, options, job.watch)

        self._work.start(open_session, self._take, _MAKING)

    def _look_again_if_outdated(self) -> None:
        """Who comes back from the gold standard sees the list as it is now."""
        session = self.session
        if session and not session.is_released and not self.is_busy and session.is_outdated():
            self._look_again()

    def _begin(self, _task: ProgressTask, what: str) -> None:
        self._is_making = what == _MAKING
        self._enable()

    def _take(self, session: ReleaseSession) -> None:
        is_first = self._controller.session is None
        self._controller.session = session
        self._bar.show_options(session.options)
        self._bar.offer(session.draft.patients, session.type_names, self._open_patient)
        self._show_all()
        was_at = self._was_at.widget if self._was_at else None
        where = was_at or self._list  # meanwhile what was disabled had no focus
        if is_first or not self._bar.isAncestorOf(where):
            in_blockers = self._blockers.isAncestorOf(where) and self._blockers.current
            (self._blockers.table if in_blockers and not is_first else self._list).setFocus()
        kinds = session.draft.source.settings.kinds
        if kinds.guessed:
            said = ", ".join(f"{each.name} as {kinds.kind(each)}" for each in kinds.guessed)
            self._banner.show_message(
                f"Kinds of surrogate guessed from the names of types: {said}."
            )

    def _fail(self, error: Exception) -> None:
        if self.session is not None:
            self._bar.show_options(self.session.options)  # nothing was made as it was chosen
        if isinstance(error, CancelledError):
            self.say("Cancelled; nothing was written.")
        else:
            self._banner.show_error(error)

    def _show_all(self) -> None:
        if self.session is not None:
            self._show_rows()
            nothing_out = not self.session.draft.surrogates
            self._blockers.set_blockers(self.session.blockers, nothing_out=nothing_out)
            self._share_room()
            self._held_back.set_held(self.session.held_back, self.session.records_held)
        self._enable()

    def _share_room(self) -> None:
        """Let what stands in the way have room while there is something, and the list all else."""
        above, below = self._across.sizes()
        line = self._blockers.height_without_rows
        if line is not None:
            self._across.setSizes([above + below - line, line])
        elif below < _BLOCKERS_HEIGHT:
            self._across.setSizes([above + below - _BLOCKERS_HEIGHT, _BLOCKERS_HEIGHT])

    def _show_rows(self) -> None:
        session, bar = self.session, self._bar
        if session is None:
            return
        rows = narrowed(session.rows(bar.patient_id), bar.words.text(), bar.type_name)
        self._list.set_rows(rows)
        self._count.setText(
            f"{len(rows):,} replacements shown · {session.to_look_at():,} to review in all"
        )

    def _enable(self) -> None:
        session, busy = self.session, self.is_busy
        can_edit = session is not None and not session.is_released and not busy
        self._list.setEnabled(session is not None and not busy)
        for part in (self._blockers, self._held_back, self._hold_back):
            part.setEnabled(can_edit)
        self._bar.setEnabled(not busy or self._is_making)
        for name in ("edit", "edit_one", "approve", "release"):
            self._buttons[name].setEnabled(can_edit)
        self._buttons["undo"].setEnabled(can_edit and bool(session and session.can_undo))
        self._buttons["show"].setEnabled(session is not None)
        for name in ("again", "restore"):
            self._buttons[name].setEnabled(not busy)

    def _chosen_records(self) -> list[Held]:
        return [(row.patient_id, row.replacement.record_id) for row in self._list.chosen]

    def _show_current(self) -> None:
        for row in self._list.chosen[:1]:
            self._show_place(row)

    def _show_place(self, row: ReleaseRow) -> None:
        self.place_chosen.emit(row.patient_id, row.replacement.record_id, row.replacement.tag.span)

    def _show_blocker(self, blocker: ReleaseBlocker) -> None:
        span = blocker.span
        if not blocker.in_surrogate or span is None:
            self.place_chosen.emit(blocker.patient_id, blocker.record_id, span)
            return
        self._bar.widen()
        self._show_rows()
        self._list.show_place((blocker.record_id, span.start, span.end), blocker.patient_id)
        self._list.setFocus()

    def _ask(self) -> None:
        if self._buttons["release"].isEnabled():
            self._controller.ask()
