"""The adjudication window: its parts connected, and the patient that is open in it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from adjudicator.adjudication import Progress
from adjudicator.session import AdjudicationSession, Options
from adjudicator.ui.actions import DECISIONS, NEEDS_PATIENT, action_table
from adjudicator.ui.decider import Decider
from adjudicator.ui.panes import Panes
from adjudicator.worklist import Stage, Work, Worklist
from shared.errors import RequestError, TandemError
from shared.project.edits import Edit, PlacedTag
from shared.project.project import Project
from shared.widgets.actions import ActionTable
from shared.widgets.annotate_all import AnnotateAll
from shared.widgets.application import dress
from shared.widgets.auto_saver import AutoSaver
from shared.widgets.document_view import DocumentView
from shared.widgets.finder import Finder
from shared.widgets.marks import Mark, MarkStyle
from shared.widgets.messages import Tone, sentence
from shared.widgets.tag_editor import TagEditor
from shared.widgets.tag_table import TagRow
from shared.widgets.theme import Theme, theme_named
from shared.widgets.type_picker import TypePicker
from shared.widgets.untagged_marks import UntaggedMarks
from shared.widgets.worklist_pane import WorkRow


class AdjudicationWindow(QMainWindow):
    """The adjudicator's window on a project; it has at most one patient open."""

    def __init__(self, project: Project, who: str, options: Options | None = None) -> None:
        super().__init__()
        self._project = project
        self._who = who
        self._options = options or Options()
        self._session: AdjudicationSession | None = None
        self._worklist = Worklist(())
        self._leave_anyway = False
        self.setWindowTitle(f"{project.title} – adjudication")
        self.resize(1480, 900)
        self._panes = panes = Panes(self, project.schema)
        view = panes.view
        self.editor = TagEditor(view, project.schema, self)
        self.decider = Decider(
            self.editor, view, panes.disagreements, panes.decision, project.schema
        )
        self._untagged = UntaggedMarks(view, self)
        self._annotate_all = AnnotateAll(self.editor, self)
        self._finder = Finder(panes.find_bar, view, self)
        self._picker = TypePicker(project.schema, view)
        self._saver = AutoSaver(self)
        specs = action_table(project.schema)
        self.actions_table = ActionTable(self, specs, self._handlers(), view)
        for name in DECISIONS:
            panes.disagreements.table.addAction(self.actions_table.action(name))
        self._connect()
        self.apply_theme(theme_named("system"))
        self._show_no_patient()

    @property
    def view(self) -> DocumentView:
        return self._panes.view

    @property
    def session(self) -> AdjudicationSession | None:
        """What is open, None while nothing is."""
        return self._session

    def open_patient(self, patient_id: str | None) -> None:
        """Open a patient, without an id the next one to do; trouble is said in the banner."""
        self._read_worklist()
        wanted = patient_id or self._worklist.next_open()
        if wanted is None:
            self._panes.banner.show_message(
                "No patient is ready to be adjudicated: pick one from the list to see why."
            )
        elif self._session is None or self._session.patient_id != wanted:
            if self._close_patient():
                self._open(wanted, self._options)
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
        panes = self._panes
        for part in (self.editor, self.decider):
            part.edited.connect(self._edited)
            part.said.connect(self._say)
            part.failed.connect(panes.banner.show_error)
        panes.worklist.patient_chosen.connect(self._choose_patient)
        panes.tags.row_activated.connect(self._show_tag)
        panes.tags.comment_edited.connect(self.editor.comment)
        panes.view.mark_activated.connect(self._mark_clicked)
        self._picker.chosen.connect(self.editor.tag_as)
        self._untagged.counted.connect(self._count_untagged)
        self._untagged.said.connect(self._say)
        self._annotate_all.said.connect(self._say)
        self._saver.saved.connect(self._saved)
        self._saver.failed.connect(self._say_unsaved)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        view, panes = self.view, self._panes
        return {
            **self.editor.handlers(),
            **self.decider.handlers(),
            "undo": lambda: self._take_back(self.editor.undo),
            "redo": lambda: self._take_back(self.editor.redo),
            "patient_done": self._finish,
            "next_patient": lambda: self._step(1),
            "previous_patient": lambda: self._step(-1),
            "save": self._saver.save,
            "quit": self.close,
            "annotate_all": self._annotate_all.start,
            "accept": self._tag_as_elsewhere,
            "tag_as": self._pick_type,
            "next_untagged": self._untagged.go_next,
            "previous_untagged": self._untagged.go_previous,
            "find": self._finder.open,
            "focus_text": view.setFocus,
            "focus_table": panes.disagreements.table.setFocus,
            "hide_names": self._hide_names,
            "larger": lambda: view.zoomIn(1),
            "smaller": lambda: view.zoomOut(1),
            "dark": self._toggle_dark,
            "guidelines": panes.show_guidelines,
            "shortcuts": self._show_shortcuts,
        }

    def _open(self, patient_id: str, options: Options) -> None:
        banner = self._panes.banner
        try:
            session = AdjudicationSession(self._project, patient_id, self._who, options)
        except RequestError as error:
            anyway = {"Open anyway": lambda: self._open(patient_id, replace(options, force=True))}
            banner.show_message(sentence(error), Tone.WARNING, anyway)
            return
        except TandemError as error:
            banner.show_error(error)
            return
        self._session = session
        self._leave_anyway = False
        banner.clear()
        if session.notices:
            banner.show_message(" ".join(session.notices), Tone.WARNING)
        self.view.open(session.view)
        self.editor.open(session)
        self._panes.tags.set_rows(self._row(each) for each in session.tags)
        self._untagged.open(session.view, session.tags)
        self._saver.open(session)
        self._finder.document_changed()
        self.actions_table.enable(NEEDS_PATIENT, enabled=True)
        self.decider.open(session)
        self._count()
        self._panes.saved.setText("All saved")
        self._saver.edited()
        self.view.setFocus()

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
        self.decider.close()
        self._session = None
        self._show_no_patient()
        try:
            session.close()
        except TandemError as error:
            self._panes.banner.show_error(error)
        return True

    def _show_no_patient(self) -> None:
        panes = self._panes
        self.view.clear_document()
        panes.tags.set_rows([])
        panes.decision.show_progress(Progress(0, 0))
        for label in (panes.progress, panes.untagged_count, panes.tag_count, panes.saved):
            label.clear()
        self.actions_table.enable(NEEDS_PATIENT, enabled=False)

    def _read_worklist(self) -> None:
        try:
            self._worklist = Worklist.of(self._project)
        except TandemError as error:
            self._panes.banner.show_error(error)
        self._show_worklist()

    def _show_worklist(self) -> None:
        self._panes.worklist.set_rows([self._work_row(work) for work in self._worklist.works])

    def _work_row(self, work: Work) -> WorkRow:
        session = self._session
        if session is not None and work.patient_id == session.patient_id:
            state = Stage.DONE.value if session.is_done else str(session.progress)
            return WorkRow(work.patient_id, state, session.is_done)
        waits = f"Not finished: {', '.join(work.waits_for)}" if work.waits_for else ""
        return WorkRow(work.patient_id, work.stage.value, work.stage is Stage.DONE, waits)

    def _choose_patient(self, patient_id: str) -> None:
        self.open_patient(patient_id)
        self.view.setFocus()

    def _step(self, by: int) -> None:
        ids = self._project.patient_ids
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
        except RequestError as error:
            self._saver.open(session)
            self._say(sentence(error))
            return
        except TandemError as error:
            self._saver.open(session)
            self._say_unsaved(error)
            return
        self._saver.open(session)
        self._read_worklist()
        following = self._worklist.next_open(session.patient_id)
        if following is None:
            self._panes.banner.show_message(
                f"Patient {session.patient_id} is done, and no other patient is ready."
            )
        else:
            self.open_patient(following)
            self._say(f"Patient {session.patient_id} is done; this is {following}.")

    def _edited(self, edit: Edit) -> None:
        self._panes.tags.change_rows(
            [each.key for each in edit.removed], [self._row(each) for each in edit.added]
        )
        self._untagged.edited(edit)
        self._saver.edited()
        self.decider.refresh()
        self._count()
        self._panes.saved.setText("Kept in the journal")

    def _take_back(self, step: Callable[[], None]) -> None:
        step()
        self.decider.taken_back()

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

    def _tag_as_elsewhere(self) -> None:
        offered = self._untagged.offered()
        if offered is None:
            self._say("There is nothing to accept here.")
        else:
            self.editor.tag_span(*offered)

    def _pick_type(self) -> None:
        if self._session is None or self.editor.target() is None:
            self._say("Put the caret on a word, or select text, then choose its type.")
            return
        types = [each.phi_type for each in self._project.schema.types()]
        self._picker.open(types, self.editor.last_type, self.view.caret_rectangle())

    def _show_tag(self, key: tuple[str, str]) -> None:
        placed = self._session.find(*key) if self._session else None
        if placed is not None:
            self.editor.show(placed)

    def _mark_clicked(self, mark: Mark) -> None:
        if not self.decider.show_mark(mark) and mark.style is MarkStyle.TAG:
            self.view.set_current_mark(mark)
            self._panes.tags.select_key(mark.key)

    def _hide_names(self) -> None:
        self.decider.hide_names(self.actions_table.action("hide_names").isChecked())

    def _show_shortcuts(self) -> None:
        self.actions_table.show_shortcuts()

    def _toggle_dark(self) -> None:
        self.apply_theme(theme_named("light" if self.view.theme.dark else "dark"))

    def _count(self) -> None:
        if self._session is None:
            return
        count = len(self._session.tags)
        self._panes.tag_count.setText(f"{count:,} {'tag' if count == 1 else 'tags'}")
        self._panes.progress.setText(f"{self._session.progress} decided")
        self._show_worklist()

    def _count_untagged(self, count: int) -> None:
        self._panes.untagged_count.setText(f"{count:,} untagged elsewhere" if count else "")

    def _saved(self) -> None:
        if self._session is not None and self._session.unsaved:
            return
        self._panes.saved.setText(f"Saved {datetime.now().astimezone():%H:%M:%S}")

    def _say_unsaved(self, error: Exception) -> None:
        self._panes.saved.setText("Kept in the journal, not yet in the files")
        self._panes.banner.show_message(
            f"{sentence(error)} Every decision is kept in the journal; the files are tried again. "
            "Closing the window once more leaves them as they are.",
            Tone.WARNING,
        )

    def _say(self, text: str) -> None:
        self.statusBar().showMessage(text, 8000)
