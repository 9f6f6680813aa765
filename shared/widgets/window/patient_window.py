"""What both windows are: panes, actions and keys, and a patient to open, edit, save, close."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from shared.errors import TandemError
from shared.garbage import collection_paused
from shared.model import PhiType, Schema
from shared.project.edits import Edit
from shared.project.notes import NoteBook
from shared.project.patient_session import PatientSession
from shared.project.project import Project
from shared.widgets.actions.actions import ActionSpec, ActionTable
from shared.widgets.actions.command_list import CommandList
from shared.widgets.actions.common_actions import VIEW
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark
from shared.widgets.document.text_menu import add_text_menu
from shared.widgets.look.theme import Theme
from shared.widgets.parts.manual_opener import open_manual
from shared.widgets.parts.messages import Tone, sentence
from shared.widgets.records.record_controller import RecordController, unread_sentence
from shared.widgets.records.record_printer import RecordPrinter
from shared.widgets.tags.dismissal_store import DismissalStore
from shared.widgets.tags.selected_tags import SELECTED_ACTIONS
from shared.widgets.tags.tag_editor import TagEditor
from shared.widgets.window.application import dress
from shared.widgets.window.note_controller import NoteController
from shared.widgets.window.patient_finisher import LeftToLookAt, PatientFinisher
from shared.widgets.window.place_controller import PlaceController
from shared.widgets.window.rescue_prompt import recovered_words
from shared.widgets.window.save_status import SaveStatus
from shared.widgets.window.tag_controller import TagController
from shared.widgets.window.window_parts import WindowParts
from shared.widgets.window.window_preferences import WindowPreferences
from shared.widgets.window.window_state_keeper import WindowStateKeeper
from shared.widgets.window.worklist_pane import WorkRow

Session = TypeVar("Session", bound=PatientSession)
Parts = TypeVar("Parts", bound=WindowParts)


class PatientWindow(QMainWindow, Generic[Session, Parts]):
    """A window with a worklist, of whose patients at most one is open.

    It is as its user prefers it and where they left it: `kind` is that of the window, for its keys
    and arrangement; `who` works in it on `layer`, an annotator on their own. What differs is said
    by the methods without a body, and by `_shown`, `_changed` and `_left`, which a window may
    extend. Every edit is in the journal before the window shows it.

    Signals: `closed` when it is, with its patient; what works beside it ends then.
    """

    closed = Signal()

    def __init__(self, project: Project, kind: str, layer: str, who: str = "") -> None:
        super().__init__()
        self._project = project
        self._session: Session | None = None
        self._leave_anyway = False
        self._parts = self._make_parts(project.schema)
        self._work = TagController(self._parts, project.schema, self)
        self._records = RecordController(self.view, self._parts.records, self)
        self._notes = NoteController(self._parts, self.editor, NoteBook(project, layer), self)
        self._printer = RecordPrinter(self.view, self._records.current, self)
        self._places = PlaceController(self._parts, self._work.walk, self._work.untagged, self)
        self._dismissals = DismissalStore(project.root, layer, who or layer, self)
        self._work.untagged.dismiss_in(self._dismissals, self._parts.place_line)
        self._keeping = SaveStatus(self._parts.banner, self._parts.saved, self)
        self._finishing = PatientFinisher(
            self._parts.banner,
            self._keeping,
            self._left_to_look_at,
            self._lead_to,
            self._finish,
        )
        self._commands = CommandList(self.view)
        self._preferences = WindowPreferences(self, self.view, kind)
        self._memory = WindowStateKeeper(self, self.view, kind, project.root, layer)
        self._make_helpers()
        specs = (*self._action_specs(project.schema), *SELECTED_ACTIONS)
        self.actions_table = ActionTable(self, specs, self._handlers(), self.view)
        self._parts.list_panes(self.actions_table.menu(VIEW))
        add_text_menu(self.view, self.actions_table, self._text_menu())
        self._connect()
        self._preferences.follow(self.actions_table)
        self._parts.guidelines.open_project(project.root, project.schema, who)
        self._show_none()

    @property
    def view(self) -> DocumentView:
        return self._parts.view

    @property
    def editor(self) -> TagEditor:
        """What edits the tags of the patient that is open."""
        return self._work.editor

    @property
    def session(self) -> Session | None:
        """What is open, None while nothing is."""
        return self._session

    def open_patient(self, patient_id: str | None) -> None:
        """Open a patient; trouble is said in the banner.

        Without an id it is the one that was open last, where that is not done, or the next to do.
        """
        if not self._read_worklist():
            return
        last = self._memory.places.last(self._parts.worklist.undone_ids)
        wanted = patient_id or last or self._next_open(None)
        if wanted is None:
            self._parts.banner.show_message(self._nothing_to_do())
        elif self._session is None or self._session.patient_id != wanted:
            if self.close_patient():
                self._open(wanted)
            shown = self._session.patient_id if self._session else wanted
            self._parts.worklist.set_current(shown)

    def save_now(self) -> None:
        """Let the files have what was done last, for whoever reads them next."""
        self._keeping.save_now()

    def apply_theme(self, theme: Theme) -> None:
        """Show the window in these colours."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            dress(application, theme)
        self._parts.apply_theme(theme)
        self.actions_table.action("dark").setChecked(theme.dark)

    def setVisible(self, visible: bool) -> None:
        if visible:  # Qt may polish a window before it is made
            self._memory.arrange()
        super().setVisible(visible)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self._preferences.store.refresh()
        return super().event(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._memory.keep_arrangement()
        self._preferences.store.flush()
        if self.close_patient(closing=True) or self._leave_anyway:
            self._printer.close()
            self.closed.emit()
        else:
            self._leave_anyway = True
            event.ignore()

    @abstractmethod
    def _make_parts(self, schema: Schema) -> Parts: ...

    @abstractmethod
    def _make_helpers(self) -> None:
        """Make what the window's own handlers need."""

    @abstractmethod
    def _action_specs(self, schema: Schema) -> Sequence[ActionSpec]: ...

    def _text_menu(self) -> Sequence[str]:
        """What the menu on the text offers, as `add_text_menu` takes it."""
        return ()

    @abstractmethod
    def _start_session(self, patient_id: str) -> Session | None:
        """Open a patient; None where it could not be, which is said."""

    @abstractmethod
    def _work_rows(self) -> Sequence[WorkRow]:
        """The worklist as it is now. Raises FileError."""

    @abstractmethod
    def _next_open(self, after: str | None) -> str | None:
        """The next patient to do, from the one after `after` and around."""

    @abstractmethod
    def _nothing_to_do(self) -> str: ...

    @abstractmethod
    def _needs_patient(self) -> Sequence[str]:
        """The actions that are grey while nothing is open."""

    def _shown(self, session: Session) -> None:
        """A patient has been opened and is shown."""

    def _changed(self, edit: Edit) -> None:
        """Tags have changed, and are shown."""

    def _left(self) -> None:
        """The patient is no more shown; nothing of it is saved yet to close."""

    def _handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **self._preferences.handlers(),
            **self._work.handlers(),
            **self._records.handlers(),
            **self._notes.handlers(),
            **self._printer.handlers(),
            **self._keeping.handlers(),
            "patient_done": self._finish,
            "next_patient": lambda: self._step(1),
            "previous_patient": lambda: self._step(-1),
            "guidelines": self._show_guidelines,
            "manual": lambda: self._say(open_manual() or "The manual opens in the browser."),
            "commands": lambda: self._commands.open(self.actions_table),
            "shortcuts": lambda: self.actions_table.show_shortcuts(),  # noqa: PLW0108 - made later
            "focus_text": self._focus_text,
            "quit": self.close,
        }

    def _connect(self) -> None:
        self._preferences.themed.connect(self.apply_theme)
        self._preferences.failed.connect(self._tell_of_preferences)
        parts, work = self._parts, self._work
        work.edited.connect(self._note_edited)
        work.failed.connect(parts.banner.show_error)
        work.left_list.connect(self._focus_text)
        self._printer.failed.connect(parts.banner.show_error)
        self._records.left.connect(self._focus_text)
        self._notes.left.connect(self._focus_text)
        self._notes.counted.connect(self._read_worklist)
        self._notes.patient_wanted.connect(self._choose_patient)
        parts.notes.offer(map(self.actions_table.action, self._notes.row_menu))
        parts.place_line.left.connect(self._focus_text)
        parts.worklist.patient_chosen.connect(self._choose_patient)
        parts.view.mark_activated.connect(self._mark_clicked)
        parts.guidelines.appeared.connect(self._fit_guidelines)
        parts.tags.offer(*map(self.actions_table.action, ("retype_selected", "remove_selected")))
        self._keeping.saved.connect(self._memory.keep)
        self._keeping.rescue.taken_up.connect(self._show_taken_up)
        speakers = self._preferences, work, self._records, self._notes, self._printer, self._places
        for each in (*speakers, self._keeping, self._finishing):
            each.said.connect(self._say)

    def _open(self, patient_id: str) -> None:
        with collection_paused():
            session = self._start_session(patient_id)
            if session is not None:
                self._show(session)

    def _show(self, session: Session) -> None:
        parts = self._parts
        self._session = session
        self._leave_anyway = False
        self._finishing.begin_anew()
        parts.banner.clear()
        if session.notices:
            parts.banner.show_message("\n".join(session.notices), Tone.WARNING)
        self.view.open(session.view, session.read_language)
        self._work.open(session)
        self._keeping.open(session)
        self.actions_table.enable(self._needs_patient(), enabled=True)
        self._memory.resume(session.patient_id)
        self._records.open(session)
        self._notes.open(session)
        self._shown(session)
        self._fit_guidelines()
        self._read_worklist()
        self.view.setFocus()

    def close_patient(self, *, closing: bool = False) -> bool:
        """Save and close what is open; False where it could not be saved and stays open."""
        session = self._session
        if session is None:
            return True
        self._keeping.wait()
        try:
            session.save()
        except TandemError as error:
            if not self._leave_anyway:
                self._keeping.say_unsaved(error, closing=closing)
                return False
        self._memory.leave()
        self._records.close()
        self._notes.close()
        self._left()
        self._keeping.close()
        self._work.close()
        self._session = None
        self._show_none()
        try:
            session.close()
        except TandemError as error:
            self._parts.banner.show_error(error)
        return True

    def _show_none(self) -> None:
        self._parts.clear()
        self.actions_table.enable(self._needs_patient(), enabled=False)

    def _read_worklist(self) -> bool:
        """Show the worklist as it is now; False where it cannot be read, which is said."""
        try:
            self._parts.worklist.set_rows(self._work_rows())
        except TandemError as error:
            self._parts.banner.show_error(error)
            return False
        return True

    def _choose_patient(self, patient_id: str) -> None:
        self.open_patient(patient_id)
        self.view.setFocus()

    def _step(self, by: int) -> None:
        ids, shown = self._parts.worklist.patient_ids, self._patient_shown()
        if ids:
            here = ids.index(shown) if shown in ids else -by
            self.open_patient(ids[(here + by) % len(ids)])

    def _patient_shown(self) -> str | None:
        return self._session.patient_id if self._session else None

    def _left_to_look_at(self) -> list[LeftToLookAt]:
        """What is left before the patient is done."""
        left: list[LeftToLookAt] = []
        if unread := self._records.unread_records():
            said = unread_sentence(unread)
            left.append(LeftToLookAt(said, "Continue reading", "read_on", unread))
        if said := self._notes.left_sentence():
            left.append(LeftToLookAt(said, "Next open note", "next_open_note", [said]))
        return left

    def _finish(self) -> None:
        if self._session is not None and self._finishing.finish(self._session):
            self._go_on_from(self._session)

    def _lead_to(self, name: str) -> None:
        self._focus_text()
        self.actions_table.action(name).trigger()

    def _go_on_from(self, session: Session) -> None:
        if not self._read_worklist():
            return
        following = self._next_open(session.patient_id)
        if following is None:
            self._parts.banner.show_message(
                f"Patient {session.patient_id} is done. {self._nothing_to_do()}"
            )
        else:
            self.open_patient(following)
            self._say(f"Patient {session.patient_id} is done; this is {following}.")

    def _note_edited(self, edit: Edit) -> None:
        self._keeping.edited()
        self._records.apply_edit(edit)
        self._changed(edit)

    def _mark_clicked(self, mark: Mark) -> None:
        self._work.click(mark)

    def _type_looked_at(self) -> PhiType | None:
        """The type of the tag at the caret, or of what stands there instead."""
        current = self.editor.current()
        return current.phi_type if current else None

    def _show_guidelines(self) -> None:
        wanted = self._type_looked_at()
        if not self._parts.show_guidelines(wanted) and wanted is not None:
            self._say(f"The guidelines have no section on {wanted.name}.")

    def _fit_guidelines(self) -> None:
        """Let the guidelines know the language of the records once somebody reads them."""
        if self._session is not None and self._parts.guidelines.isVisible():
            self._parts.guidelines.fit(self._session.language)

    def _show_taken_up(self, count: int) -> None:
        if self._session is not None:
            self._show(self._session)
            self._keeping.save_soon()
            self._say(recovered_words(count))

    def _focus_text(self) -> None:
        self.activateWindow()
        self.view.setFocus()

    def _tell_of_preferences(self, error: Exception) -> None:
        """Say what is wrong with the preferences, but not over what is said of the work."""
        if self._parts.banner.text:
            self._say(sentence(error))
        else:
            self._parts.banner.show_error(error)

    def _say(self, text: str) -> None:
        self.statusBar().showMessage(text, 8000)
