"""The annotation window: one annotator's patients, one of them open."""

from collections.abc import Callable, Sequence
from functools import cache, partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QMainWindow

from annotator.gold_comparison import GoldComparison, compare_with_gold
from annotator.pretraining import Pretraining, pretrained_folder
from annotator.recognizer_process import RecognizerProcess
from annotator.session import AnnotationSession
from annotator.training import PatientTrainer
from annotator.training_round import catch_up_results, training_feedback
from annotator.ui import actions
from annotator.ui.comparison_controller import ComparisonController
from annotator.ui.comparison_pane import ComparisonPane
from annotator.ui.hand_in_dialog import HandInDialog
from annotator.ui.informative_order import InformativeOrder
from annotator.ui.recognizer_choice import RecognizerChoice
from annotator.ui.suggestion_controller import SuggestionController
from annotator.ui.suggestion_pane import SuggestionPane
from annotator.ui.training_status import PatientTrainingStatus, PretrainingStatus
from annotator.worklist import AdjudicatedPatients, AnnotatorWorklist
from shared.errors import RequestError, TandemError
from shared.model import PhiType, Schema
from shared.processes import preload
from shared.project.assignments import Assignment, State
from shared.project.edits import Edit
from shared.project.handed_work import is_handed_out
from shared.project.project import Project
from shared.widgets.actions.actions import ActionSpec
from shared.widgets.actions.common_actions import EDIT, TAG
from shared.widgets.document.marks import Mark
from shared.widgets.findings.finding_controller import FindingController
from shared.widgets.findings.finding_pane import FindingPane
from shared.widgets.findings.finding_service import FindingService
from shared.widgets.parts.messages import Tone, sentence
from shared.widgets.parts.row_menu import add_row_menu
from shared.widgets.settings.user_folders import cache_folder
from shared.widgets.tags.place_at_hand import PlaceAction
from shared.widgets.tags.type_palette import TypePalette
from shared.widgets.window.patient_window import PatientWindow
from shared.widgets.window.window_parts import WindowParts
from shared.widgets.window.worklist_pane import WorkRow

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea


class AnnotatorPanes(WindowParts):
    """The parts of the annotation window, by name."""

    def __init__(self, window: QMainWindow, schema: Schema) -> None:
        super().__init__(window, "annotation_guidelines")
        self.palette = TypePalette(schema)
        self.suggestions = SuggestionPane(cache(schema.colour))
        self.findings = FindingPane()
        self.comparison = ComparisonPane()
        self.also_themed(self.palette, self.suggestions)
        patients = self.dock("Patients", self.worklist, _LEFT)
        self.dock("Records", self.records, _LEFT)
        types = self.dock("Types", self.palette, _RIGHT)
        tags = self.dock("Tags", self.tags, _RIGHT)
        window.tabifyDockWidget(tags, self.dock("Suggestions", self.suggestions, _RIGHT))
        window.tabifyDockWidget(tags, self.dock("Findings", self.findings, _RIGHT))
        window.tabifyDockWidget(tags, self.dock("Notes", self.notes, _RIGHT))
        window.tabifyDockWidget(tags, self.dock("Guidelines", self.guidelines, _RIGHT))
        window.tabifyDockWidget(tags, self.dock("Comparison", self.comparison, _RIGHT))
        self.offer(self.comparison, offered=False)
        tags.raise_()
        window.resizeDocks([patients, types], [300, 360], Qt.Orientation.Horizontal)
        window.resizeDocks([types, tags], [520, 280], Qt.Orientation.Vertical)


class AnnotationWindow(PatientWindow[AnnotationSession, AnnotatorPanes]):
    """One annotator's window on a project.

    It learns from finished patients by itself unless `learns` is False. With `pretrains` it learns
    from fabricated ones until there are any.
    """

    def __init__(
        self, project: Project, annotator: str, *, learns: bool = True, pretrains: bool = False
    ) -> None:
        preload("annotator.ui.preloaded")
        self._annotator = annotator
        self._learns = learns
        self._pretrains = pretrains
        self._listed_state: State | None = None
        """How far the list says that the open patient is."""
        self._mark_is_clicked = False
        """Whether a click on a mark was the last that moved the caret."""
        catch_up_results(project, annotator)
        super().__init__(project, "annotation", annotator)
        self.setWindowTitle(f"{project.title} – {annotator}")
        self.resize(1420, 860)
        self.actions_table.enable(("compare_gold",), enabled=False)
        self.actions_table.enable(("hand_in",), enabled=is_handed_out(project))

    def _make_parts(self, schema: Schema) -> AnnotatorPanes:
        return AnnotatorPanes(self, schema)

    def _action_specs(self, schema: Schema) -> Sequence[ActionSpec]:
        return actions.action_table(schema)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        own = {"comment": self._comment, "learn": self._learn, "hand_in": self._hand_in}
        own |= {"instructive_first": self._order.turn, "compare_gold": self._compare}
        own |= {
            "next_suggestion": partial(self._go_on, 1),
            "previous_suggestion": partial(self._go_on, -1),
        }
        own |= {name: self._places.handler(verb) for name, verb in actions.PLACE_ACTIONS.items()}
        return super()._handlers() | self._guide.handlers() | self._findings.handlers() | own

    def _connect(self) -> None:
        super()._connect()
        self.editor.armed.changed.connect(self._parts.palette.set_armed)
        self._parts.palette.type_clicked.connect(self._arm)
        self._work.counted.connect(self._parts.palette.show_counts)
        self.view.caret_moved.connect(self._caret_moved)
        self.view.mark_taken.connect(lambda: self._places.carry_out(PlaceAction.ACCEPT))
        self._guide.said.connect(self._say)
        self._guide.failed.connect(self._parts.banner.show_error)
        self._findings.edited.connect(self._work.changed)
        self._findings.said.connect(self._say)
        self._findings.failed.connect(self._parts.banner.show_error)
        self._findings.show_keys(self.actions_table.action)
        action = self.actions_table.action
        verbs = actions.PLACE_ACTIONS.items()
        self._places.show_keys([(verb, action(name)) for name, verb in verbs])
        self._comparison.said.connect(self._say)
        self._comparison.outdated.connect(self._leave_comparison)
        self._keeping.saved.connect(self._list_state)
        for each in (self._learning, self._pretraining, self._order):
            each.said.connect(self._say)
        self._pretraining.learnt.connect(self._suggest_anew)
        self._order.changed.connect(self._read_worklist)
        self._parts.suggestions.show_actions(*map(action, ("accept_screen", "accept_sure")))
        add_row_menu(self._parts.suggestions.tree, map(self.actions_table.action, actions.ROW_MENU))

    def _make_helpers(self) -> None:
        project, pane = self._project, self._parts.suggestions
        pretrained = pretrained_folder(cache_folder())
        self._recognizers = RecognizerProcess(project.root, self._annotator, pretrained)
        self._guide = SuggestionController(
            self.view, pane, self.editor, self._recognizers, self._work.walk, self._dismissals
        )
        self._places.add(self._guide, first=True)
        self._findings = FindingController(
            self._parts, self._parts.findings, self.editor, self._places, self
        )
        self._comparison = ComparisonController(
            project, self._annotator, self.view, self._parts.comparison
        )
        self._adjudicated = AdjudicatedPatients(project, self._annotator)
        self._order = InformativeOrder(project, self._annotator, pretrained, self)
        trainer = PatientTrainer(project, self._annotator, pretrained)
        self._learning = PatientTrainingStatus(trainer, self)
        pretraining = Pretraining(project, self._annotator, pretrained)
        self._pretraining = PretrainingStatus(pretraining, self)
        choice = RecognizerChoice(self._preferences, (self._recognizers, trainer, pretraining))
        choice.changed.connect(self._suggest_anew)
        for each in (self._learning, self._pretraining, self._order, self._recognizers):
            self.closed.connect(each.close)
        if self._learns:
            self._learning.catch_up_soon()
        if self._pretrains:
            self._pretraining.begin_soon()
            choice.changed.connect(self._pretraining.adapt)

    def _shown(self, session: AnnotationSession) -> None:
        self._guide.open(session)
        service = FindingService(self._dismissals, language=self._project.language)
        self._findings.open(session, service)

    def _changed(self, edit: Edit) -> None:
        super()._changed(edit)
        self._guide.edited()
        self._places.tell()
        self._findings.changed(edit)
        self._list_state()

    def _left(self) -> None:
        self._parts.palette.clear_counts()
        self._guide.close()
        self._findings.close()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self._comparison.check()
        return super().event(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._end_comparison()
        super().closeEvent(event)

    def _go_on_from(self, session: AnnotationSession) -> None:
        if not self._shows_feedback(session):
            super()._go_on_from(session)
        if self._learns:
            self._learning.start()

    def _shows_feedback(self, session: AnnotationSession) -> bool:
        """Show a patient of a training round beside the gold standard; False where it is none."""
        try:
            feedback = training_feedback(session)
        except TandemError as error:
            self._parts.banner.show_error(error)
            return True
        if feedback is None:
            return False
        if self._read_worklist() and self.close_patient():
            self._show_comparison(feedback.comparison, session)
            go_on = partial(super()._go_on_from, session)
            self._parts.banner.show_message(feedback.sentence, buttons={"Go on": go_on})
        return True

    def _learn(self) -> None:
        if self._learning.start():
            return
        if self._pretraining.start():
            self._say("There is nothing to train on yet but fabricated patients.")
        else:
            self._say("There is nothing to train on yet; finish a patient first.")

    def _suggest_anew(self) -> None:
        self._guide.feed.search_again()
        if self._learns:
            self._learning.catch_up_soon()  # finished patients train it, or say what it is worth

    def _start_session(self, patient_id: str) -> AnnotationSession | None:
        try:
            return AnnotationSession(self._project, self._annotator, patient_id)
        except TandemError as error:
            self._parts.banner.show_error(error)
            return None

    def _list_state(self) -> None:
        """Have the list say how far the open patient is, where it says otherwise."""
        if self._session is not None and self._session.state is not self._listed_state:
            self._read_worklist()

    def _work_rows(self) -> Sequence[WorkRow]:
        self._listed_state = self._session.state if self._session else None
        return [self._work_row(each) for each in self._worklist().works]

    def _work_row(self, work: Assignment) -> WorkRow:
        patient_id, is_done = work.patient_id, work.state is State.DONE
        notes = self._notes.waiting(patient_id)
        if is_done and patient_id in self._adjudicated:
            hint = "Adjudicated: your tags can be compared with the gold standard"
            return WorkRow(patient_id, "adjudicated", is_done, hint, notes=notes)
        return WorkRow(patient_id, work.state, is_done, self._order.hint(patient_id), notes=notes)

    def _next_open(self, after: str | None) -> str | None:
        worklist = self._worklist()
        first = worklist.works[0].patient_id if worklist.works and after is None else None
        return worklist.next_open(after) or first

    def _nothing_to_do(self) -> str:
        if self._worklist().works:
            return "All your patients are done."
        return "No patient is assigned to you."

    def _text_menu(self) -> Sequence[str]:
        return actions.TEXT_MENU

    def _needs_patient(self) -> Sequence[str]:
        return (*(("compare_gold",) if self._project.shows_gold else ()), *actions.NEED_PATIENT)

    def _worklist(self) -> AnnotatorWorklist:
        return self._order.ordered(AnnotatorWorklist.of(self._project, self._annotator))

    def _arm(self, phi_type: PhiType) -> None:
        """A type was clicked: for what is selected, the mark clicked before, or clicks to come."""
        is_meant = self.view.selected_span() is not None or self._mark_is_clicked
        if self._session is not None and is_meant and not self.view.armed:
            self.editor.tag_as(phi_type)
        else:
            self.editor.armed.arm(phi_type)
        self.view.setFocus()

    def _comment(self) -> None:
        current = self.editor.current()
        if current is None:
            self._say("Put the caret on a tag to comment on it.")
        else:
            self._parts.bring_forward(self._parts.tags)
            self._parts.tags.edit_comment(current.key)

    def _hand_in(self) -> None:
        """Have the work written with nothing open; what was open is opened again."""
        was_open = self._session.patient_id if self._session else None
        come_back = partial(self._handed_in, was_open)
        dialog = HandInDialog(self._project, self.close_patient, come_back, self)
        self.closed.connect(dialog.leave_with_window)
        dialog.open()

    def _handed_in(self, was_open: str | None, said: str) -> None:
        if self._session is None and was_open:
            self.open_patient(was_open)
        if said:
            self._parts.banner.show_message(said)

    def _type_looked_at(self) -> PhiType | None:
        if self._comparison.patient_id is not None:
            return self._comparison.type_at_caret()
        at_caret = self._guide.at_caret()
        return super()._type_looked_at() or (at_caret.phi_type if at_caret else None)

    def _open(self, patient_id: str) -> None:
        self._end_comparison()
        super()._open(patient_id)

    def _patient_shown(self) -> str | None:
        return self._comparison.patient_id or super()._patient_shown()

    def _mark_clicked(self, mark: Mark) -> None:
        if self._comparison.patient_id is None:
            super()._mark_clicked(mark)
            self._mark_is_clicked = True
        else:
            self._comparison.show_mark(mark)

    def _go_on(self, by: int) -> None:
        """Go to the next suggestion, or difference while a patient is compared."""
        if self._comparison.patient_id is not None:
            self._comparison.step(by)
        else:
            (self._guide.go_next if by > 0 else self._guide.go_previous)()

    def _compare(self) -> None:
        """Compare the patient that is open with the gold standard, or go back to tagging it."""
        compared, session = self._comparison.patient_id, self._session
        if compared is not None:
            self.open_patient(compared)
        elif session is not None:
            self._compare_own(session)
        compare = self.actions_table.action("compare_gold")
        compare.setChecked(self._comparison.patient_id is not None)

    def _compare_own(self, session: AnnotationSession) -> None:
        own = self._annotator, session.patient_id, session.tags
        try:
            comparison = compare_with_gold(self._project, *own)
        except RequestError as error:
            self._say(sentence(error))
        except TandemError as error:
            self._parts.banner.show_error(error)
        else:
            if self.close_patient():
                self._show_comparison(comparison, session)

    def _show_comparison(self, comparison: GoldComparison, own: AnnotationSession) -> None:
        self._allow_edits(allowed=False)
        self.actions_table.enable((*actions.COMPARED, "compare_gold"), enabled=True)
        self.actions_table.action("compare_gold").setChecked(True)
        self._parts.offer(self._parts.comparison, offered=True)
        self._parts.banner.show_message(
            f"Patient {comparison.patient_id} beside the gold standard, to read only: your tag is "
            "above the text where it differs, the gold standard’s below.",
            buttons={"Back to your tags": self._compare},
        )
        self._comparison.open(comparison)
        self._records.open(own, tracked=False)
        self._focus_text()

    def _end_comparison(self) -> None:
        if self._comparison.patient_id is not None:
            self._comparison.close()
            self._records.close()
            self._parts.offer(self._parts.comparison, offered=False)
            self._parts.banner.clear()
            self._allow_edits(allowed=True)
            self._show_none()
            self.actions_table.action("compare_gold").setChecked(False)

    def _leave_comparison(self, error: TandemError) -> None:
        """What was compared may be shown no more, or is no more so."""
        compared = self._comparison.patient_id
        self._end_comparison()
        self.open_patient(compared)
        self._parts.banner.show_message(sentence(error), Tone.WARNING)

    def _allow_edits(self, *, allowed: bool) -> None:
        edits = (each.name for each in self.actions_table.specs if each.menu in (EDIT, TAG))
        self.actions_table.enable(edits, enabled=allowed)
        self._parts.palette.setEnabled(allowed)

    def _caret_moved(self) -> None:
        if self._comparison.patient_id is not None:
            self.view.set_current_mark(self._comparison.mark_at_caret())
            return
        self._mark_is_clicked = False
        current = self.editor.current()
        mark = self.editor.mark(current) if current else self._guide.mark_at_caret()
        self.view.set_current_mark(mark)
