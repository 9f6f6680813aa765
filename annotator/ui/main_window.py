"""The annotation window: its parts connected, and the patient that is open in it."""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from annotator.session import AnnotationSession
from annotator.ui.actions import action_table
from annotator.ui.panes import Panes
from annotator.worklist import Worklist
from shared.errors import TandemError
from shared.model import PhiType
from shared.project.assignments import State
from shared.project.edits import Edit, PlacedTag
from shared.project.project import Project
from shared.widgets.actions import ActionTable
from shared.widgets.annotate_all import AnnotateAll
from shared.widgets.application import dress
from shared.widgets.auto_saver import AutoSaver
from shared.widgets.document_view import DocumentView
from shared.widgets.finder import Finder
from shared.widgets.garbage import collection_paused, spare_nothing, spare_what_is_there
from shared.widgets.marks import Mark
from shared.widgets.messages import Tone, sentence
from shared.widgets.tag_editor import TagEditor
from shared.widgets.tag_table import TagRow
from shared.widgets.theme import Theme, theme_named
from shared.widgets.untagged_marks import UntaggedMarks
from shared.widgets.worklist_pane import WorkRow

_NEEDS_PATIENT = ("patient_done", "save", "undo", "redo", "annotate_all", "find", "comment")


class AnnotationWindow(QMainWindow):
    """One annotator's window on a project; it has at most one patient open."""

    def __init__(self, project: Project, annotator: str) -> None:
        super().__init__()
        self._project = project
        self._annotator = annotator
        self._session: AnnotationSession | None = None
        self._leave_anyway = False
        self.setWindowTitle(f"{project.title} – {annotator}")
        self.resize(1320, 860)
        self._panes = Panes(self, project.schema)
        view = self._panes.view
        self.editor = TagEditor(view, project.schema, self)
        self._untagged = UntaggedMarks(view, self)
        self._annotate_all = AnnotateAll(self.editor, self)
        self._finder = Finder(self._panes.find_bar, view, self)
        self._saver = AutoSaver(self)
        specs = action_table(project.schema)
        self.actions_table = ActionTable(self, specs, self._handlers(), view)
        self._connect()
        self.apply_theme(theme_named("system"))
        self._show_no_patient()

    @property
    def view(self) -> DocumentView:
        return self._panes.view

    @property
    def session(self) -> AnnotationSession | None:
        """What is open, None while nothing is."""
        return self._session

    def open_patient(self, patient_id: str | None) -> None:
        """Open a patient, without an id the next one to do; trouble is said in the banner."""
        worklist = self._show_worklist()
        first = worklist.works[0].patient_id if worklist.works else None
        wanted = patient_id or worklist.next_open() or first
        if wanted is None:
            self._panes.banner.show_message("No patient of this project is in your hands.")
        elif self._session is None or self._session.patient_id != wanted:
            if self._close_patient():
                self._open(wanted)
            self._panes.worklist.set_current(self._session.patient_id if self._session else wanted)

    def apply_theme(self, theme: Theme) -> None:
        """Show the window in these colours."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            dress(application, theme)
        self._panes.apply_theme(theme)
        self.actions_table.action("dark").setChecked(theme.dark)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._close_patient() or self._leave_anyway:
            event.accept()
        else:
            self._leave_anyway = True
            event.ignore()

    def _connect(self) -> None:
        panes, editor = self._panes, self.editor
        editor.edited.connect(self._edited)
        editor.said.connect(self._say)
        editor.failed.connect(panes.banner.show_error)
        editor.armed.connect(panes.palette.set_armed)
        panes.palette.type_clicked.connect(self._arm)
        panes.worklist.patient_chosen.connect(self._choose_patient)
        panes.tags.row_activated.connect(self._show_tag)
        panes.tags.comment_edited.connect(editor.comment)
        panes.view.mark_activated.connect(self._mark_clicked)
        panes.view.caret_moved.connect(self._caret_moved)
        self._untagged.counted.connect(self._count_untagged)
        self._untagged.said.connect(self._say)
        self._annotate_all.said.connect(self._say)
        self._annotate_all.ended.connect(self._focus_text)
        self._saver.saved.connect(self._saved)
        self._saver.failed.connect(self._save_failed)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        editor, view = self.editor, self.view
        return {
            "patient_done": self._finish,
            "next_patient": lambda: self._step(1),
            "previous_patient": lambda: self._step(-1),
            "save": self._saver.save,
            "quit": self.close,
            "annotate_all": self._annotate_all.start,
            "accept": self._tag_as_elsewhere,
            "comment": self._comment,
            "next_untagged": self._untagged.go_next,
            "previous_untagged": self._untagged.go_previous,
            "find": self._finder.open,
            "focus_text": self._focus_text,
            "larger": lambda: view.zoomIn(1),
            "smaller": lambda: view.zoomOut(1),
            "dark": self._toggle_dark,
            "guidelines": self._show_guidelines,
            "shortcuts": self._show_shortcuts,
            **editor.handlers(),
        }

    def _open(self, patient_id: str) -> None:
        with collection_paused():
            try:
                session = AnnotationSession(self._project, self._annotator, patient_id)
            except TandemError as error:
                self._panes.banner.show_error(error)
                return
            self._show(session)

    def _show(self, session: AnnotationSession) -> None:
        self._session = session
        self._leave_anyway = False
        self._panes.banner.clear()
        self.view.open(session.view)
        self.editor.open(session)
        QTimer.singleShot(0, self, partial(self._fill_tag_table, session))
        self._untagged.open(session.view, session.tags)
        self._saver.open(session)
        self._finder.document_changed()
        self.actions_table.enable(_NEEDS_PATIENT, enabled=True)
        self._count_tags()
        self._panes.saved.setText("All saved")
        self._show_worklist()
        self.view.setFocus()

    def _fill_tag_table(self, session: AnnotationSession) -> None:
        if session is self._session:
            self._panes.tags.set_rows(self._row(each) for each in session.tags)
            spare_what_is_there()

    def _close_patient(self) -> bool:
        """Save and close what is open; False where it could not be saved and stays open."""
        session = self._session
        if session is None:
            return True
        self._saver.close()
        try:
            session.save()
        except TandemError as error:
            if not self._leave_anyway:
                self._saver.open(session)
                self._say_unsaved(error)
                return False
        self._untagged.close()
        self.editor.close()
        self._session = None
        spare_nothing()
        self._show_no_patient()
        try:
            session.close()
        except TandemError as error:
            self._panes.banner.show_error(error)
        return True

    def _show_no_patient(self) -> None:
        self.view.clear_document()
        self._panes.tags.set_rows([])
        self._panes.untagged_count.clear()
        self._panes.tag_count.clear()
        self._panes.saved.clear()
        self.actions_table.enable(_NEEDS_PATIENT, enabled=False)

    def _show_worklist(self) -> Worklist:
        worklist = Worklist.of(self._project, self._annotator)
        self._panes.worklist.set_rows(
            [
                WorkRow(work.patient_id, work.state, work.state is State.DONE)
                for work in worklist.works
            ]
        )
        return worklist

    def _choose_patient(self, patient_id: str) -> None:
        self.open_patient(patient_id)
        self.view.setFocus()

    def _step(self, by: int) -> None:
        ids = [work.patient_id for work in Worklist.of(self._project, self._annotator).works]
        if ids:
            here = ids.index(self._session.patient_id) if self._session else -by
            self.open_patient(ids[(here + by) % len(ids)])

    def _finish(self) -> None:
        session = self._session
        if session is None:
            return
        self._saver.close()
        try:
            session.finish()
        except TandemError as error:
            self._saver.open(session)
            self._say_unsaved(error)
            return
        following = Worklist.of(self._project, self._annotator).next_open(session.patient_id)
        if following is None:
            self._saver.open(session)
            self._show_worklist()
            self._panes.banner.show_message("All your patients are done. Thank you.")
        else:
            self.open_patient(following)
            self._say(f"Patient {session.patient_id} is done; this is {following}.")

    def _edited(self, edit: Edit) -> None:
        self._panes.tags.change_rows(
            [each.key for each in edit.removed], [self._row(each) for each in edit.added]
        )
        self._untagged.edited(edit)
        self._saver.edited()
        self._count_tags()
        self._panes.saved.setText("Kept in the journal")

    def _row(self, placed: PlacedTag) -> TagRow:
        return TagRow(
            placed.record_id,
            placed.span.text_in(self.view.merged_view.text),
            placed.phi_type.name,
            placed.tag.comment,
            placed.start,
            placed.end,
            placed.key,
            self._project.schema.colour(placed.phi_type),
        )

    def _arm(self, phi_type: PhiType) -> None:
        self.editor.arm(phi_type)
        self.view.setFocus()

    def _tag_as_elsewhere(self) -> None:
        offered = self._untagged.offered()
        if offered is None:
            self._say("There is nothing to accept here.")
        else:
            self.editor.tag_span(*offered)

    def _comment(self) -> None:
        current = self.editor.current()
        if current is None:
            self._say("Put the caret on a tag to comment on it.")
        else:
            self._panes.show_tags()
            self._panes.tags.edit_comment(current.key)

    def _show_tag(self, key: tuple[str, str]) -> None:
        placed = self._session.find(*key) if self._session else None
        if placed is not None:
            self.editor.show(placed)

    def _mark_clicked(self, mark: Mark) -> None:
        if mark.key is not None:
            self.view.set_current_mark(mark)
            self._panes.tags.select_key(mark.key)

    def _caret_moved(self) -> None:
        current = self.editor.current()
        self.view.set_current_mark(self.editor.mark(current) if current else None)

    def _show_guidelines(self) -> None:
        current = self.editor.current()
        self._panes.show_guidelines(current.phi_type.name if current else "")

    def _focus_text(self) -> None:
        self.activateWindow()
        self.view.setFocus()

    def _show_shortcuts(self) -> None:
        self.actions_table.show_shortcuts()

    def _toggle_dark(self) -> None:
        self.apply_theme(theme_named("light" if self.view.theme.dark else "dark"))

    def _count_tags(self) -> None:
        count = len(self._session.tags) if self._session else 0
        self._panes.tag_count.setText(f"{count:,} {'tag' if count == 1 else 'tags'}")

    def _count_untagged(self, count: int) -> None:
        self._panes.untagged_count.setText(f"{count:,} untagged elsewhere" if count else "")

    def _saved(self) -> None:
        unsaved = self._session is not None and self._session.layer.unsaved
        if not unsaved:
            self._panes.saved.setText(f"Saved {datetime.now().astimezone():%H:%M:%S}")

    def _save_failed(self, error: Exception) -> None:
        self._say_unsaved(error)

    def _say_unsaved(self, error: Exception) -> None:
        self._panes.saved.setText("Kept in the journal, not yet in the files")
        self._panes.banner.show_message(
            f"{sentence(error)} Every edit is kept in the journal; the files are tried again. "
            "Closing the window once more leaves them as they are.",
            Tone.WARNING,
        )

    def _say(self, text: str) -> None:
        self.statusBar().showMessage(text, 8000)
