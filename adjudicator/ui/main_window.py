"""The adjudication window: the patients of a project, one of them open."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from time import monotonic

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QInputDialog

from adjudicator.disagreement_queue import Progress
from adjudicator.other_patients import OtherPatientFindings
from adjudicator.session import AdjudicationSession
from adjudicator.ui.actions import DECIDE, ROW_MENU, TEXT_MENU, action_table, needs_patient
from adjudicator.ui.companion_windows import AgreementOpener, AuditOpener, ReleaseOpener
from adjudicator.ui.decision_controller import DecisionController
from adjudicator.ui.disagreement_controller import DisagreementController
from adjudicator.ui.latest_task import PrecedentReader
from adjudicator.ui.panes import AdjudicatorPanes
from adjudicator.ui.work_rows import nothing_to_do, work_row
from adjudicator.worklist import (
    AdjudicationWorklist,
    AnnotatorNames,
    OpenOptions,
    Stage,
    WorklistReader,
    most_annotators,
)
from shared.errors import RequestError, TandemError
from shared.model import PhiType, Schema, Span
from shared.processes import preload
from shared.project.edits import Edit
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.widgets.actions.actions import ActionSpec
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.findings.finding_controller import FindingController
from shared.widgets.findings.finding_service import FindingService
from shared.widgets.parts.messages import Tone, sentence
from shared.widgets.parts.row_menu import add_row_menu
from shared.widgets.tags.place_at_hand import PlaceAction
from shared.widgets.tags.type_palette import TypePicker
from shared.widgets.window.patient_finisher import LeftToLookAt
from shared.widgets.window.patient_window import PatientWindow
from shared.widgets.window.worklist_pane import WorkRow

_LOOK_MS = 20_000
"""So often the list looks for what annotators changed."""
_RESTS = 100
"""So many times as long as a look took, where that is longer."""
_PLACE_ACTIONS = {
    PlaceAction.ACCEPT: "accept",
    PlaceAction.ACCEPT_EVERYWHERE: "review_precedents",
    PlaceAction.DISMISS: "reject",
    PlaceAction.DISMISS_EVERYWHERE: "reject_alike",
    PlaceAction.EDIT: "edit_decision",
}
"""The actions that act on the place at hand where that is no disagreement."""


class AdjudicationWindow(PatientWindow[AdjudicationSession, AdjudicatorPanes]):
    """The window of the adjudicator `who` on a project."""

    def __init__(self, project: Project, who: str, options: OpenOptions | None = None) -> None:
        preload("shared.widgets.findings.preloaded")
        self._who = who
        self._options = options or OpenOptions()
        self._forced = ""
        self._led_on = False
        self._worklist, self._reader = AdjudicationWorklist(()), WorklistReader(project)
        self._sides = most_annotators(project)
        self._next_look = QTimer(singleShot=True)
        super().__init__(project, "adjudication", GOLD, who)
        self._next_look.setParent(self)
        self._next_look.timeout.connect(self._look_again)
        self.closed.connect(self._next_look.stop)
        self.closed.connect(self._parts.status.stop)
        decisions = [spec.name for spec in self.actions_table.specs if spec.menu == DECIDE]
        self.actions_table.act_in(self._parts.disagreements.table, decisions)
        add_row_menu(self._parts.disagreements.table, map(self.actions_table.action, ROW_MENU))
        stages = (Stage.READY, Stage.BEGUN, Stage.DONE, Stage.SKIPPED, Stage.WAITING)
        self._parts.worklist.offer_states([each.value for each in stages])
        if project.shows_gold:
            self._parts.decision.say_who_reads()
        others = self.actions_table.action("other_patients")
        others.setChecked(True)
        self._parts.findings.show_action(others)
        if self._options.blind:
            self.actions_table.action("hide_names").setChecked(True)
            self.actions_table.action("hide_names").setEnabled(False)
            self._hide_names()
        self.setWindowTitle(f"{project.title} – adjudication")
        self.resize(1480, 900)

    def _make_parts(self, schema: Schema) -> AdjudicatorPanes:  # noqa: ARG002 - the project's
        return AdjudicatorPanes(self, self._project)

    def _action_specs(self, schema: Schema) -> Sequence[ActionSpec]:
        return action_table(schema, self._sides)

    def _make_helpers(self) -> None:
        parts, schema = self._parts, self._project.schema
        panes = parts.disagreements, parts.decision
        self.disagreements = DisagreementController(self.view, *panes, schema, parts.refresh)
        self.disagreements.watch(self._notes)
        self._names = AnnotatorNames(self._project, blind=self._options.blind)
        self._notes.show_names(self._names)
        self._decisions = DecisionController(
            self.disagreements, self.view, self.editor, parts.decision, self
        )
        self._precedents = PrecedentReader(self._project, self)
        self._findings = FindingController(parts, parts.findings, self.editor, self._places, self)
        self._work.untagged.note = self._note_decided
        self._places.yields = self._is_disagreement_at_hand
        self._others = OtherPatientFindings(self._project)
        self._picker = TypePicker(schema, self.view)
        self.agreement = AgreementOpener(self._project, self, self.disagreements)
        self.audit = AuditOpener(self._project, self)
        self.release = ReleaseOpener(self._project, self, self.audit)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **super()._handlers(),
            **self.disagreements.handlers(),
            **self._decisions.handlers(self._sides),
            **self._findings.handlers(),
            "agreement": self.agreement.open,
            "skip_patient": self._ask_to_skip,
            "reopen_patient": self._reopen,
            "release": self.release.open,
            "risk": self.audit.show_risk,
            "accept": self._accept,
            "reject": self._places.handler(PlaceAction.DISMISS),
            "reject_alike": self._places.handler(PlaceAction.DISMISS_EVERYWHERE),
            "edit_decision": self._edit,
            "review_precedents": self._accept_many,
            "undo": lambda: self._take_back(self.editor.undo),
            "redo": lambda: self._take_back(self.editor.redo),
            "tag_as": self._pick_type,
            "focus_table": self._parts.disagreements.table.setFocus,
            "hide_names": self._hide_names,
            "other_patients": lambda: self._findings.watch_others(self._other_patients()),
        }

    def _connect(self) -> None:
        super()._connect()
        self.editor.edited.connect(self.disagreements.refresh)
        self.disagreements.said.connect(self._say)
        self._decisions.edited.connect(self._work.changed)
        self._decisions.said.connect(self._say)
        self._decisions.failed.connect(self._parts.banner.show_error)
        self._decisions.left.connect(self._focus_text)
        self._picker.chosen.connect(self.editor.tag_as)
        self.view.mark_taken.connect(self._take_mark)
        self._findings.edited.connect(self._work.changed)
        self._findings.edited.connect(self.disagreements.refresh)
        self._findings.said.connect(self._say)
        self._findings.failed.connect(self._parts.banner.show_error)
        self._findings.found.connect(self._lead_on)
        self._findings.show_keys(self.actions_table.action)
        self._records.share_told.connect(self._parts.read.setText)
        action = self.actions_table.action
        self._places.show_keys([(verb, action(name)) for verb, name in _PLACE_ACTIONS.items()])
        self._precedents.read.connect(self.disagreements.tell)
        self._parts.decision.left.connect(self._focus_text)

    def _start_session(self, patient_id: str) -> AdjudicationSession | None:
        banner, options = self._parts.banner, self._options
        if patient_id == self._forced:
            options = replace(options, force=True)
        try:
            return AdjudicationSession(
                self._project, patient_id, self._who, options, self._precedents.book
            )
        except RequestError as error:
            anyway = {"Open anyway": partial(self._open_anyway, patient_id)}
            banner.show_message(sentence(error), Tone.WARNING, anyway)
        except TandemError as error:
            banner.show_error(error)
        return None

    def _open_anyway(self, patient_id: str) -> None:
        self._forced = patient_id
        self.open_patient(patient_id)
        self._forced = ""

    def _shown(self, session: AdjudicationSession) -> None:
        self._led_on = False
        self.disagreements.open(session)
        self._show_progress()
        self._precedents.refresh(session.patient_id)
        others, language = self._other_patients(), self._project.language
        service = FindingService(self._dismissals, others, language)
        self._findings.open(session, service, session.queue.has_open_at)

    def _changed(self, edit: Edit) -> None:
        self._finishing.begin_anew()
        self._findings.changed(edit)
        self._places.tell()
        self._show_worklist()

    def _left(self) -> None:
        self._findings.close()
        self.disagreements.close()
        self._parts.decision.show_progress(Progress(0, 0))
        self._parts.progress.clear()
        self._parts.read.clear()

    def _work_rows(self) -> Sequence[WorkRow]:
        session = self._session
        known = {session.patient_id: Stage(session.state.value)} if session else {}
        self._worklist = self._reader.read(known)
        return self._rows()

    def _rows(self) -> list[WorkRow]:
        """The worklist as it was read, with what has changed of the patient that is open."""
        waiting = self._notes.waiting
        return [work_row(each, self._session, waiting) for each in self._worklist.works]

    def _ask_to_skip(self) -> None:
        """Ask for a reason, which may be empty, and leave the patient out for now."""
        session = self._session
        if session is not None:
            dialog = QInputDialog(self)
            dialog.setObjectName("skipDialog")
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.setWindowTitle("Skip patient")
            dialog.setLabelText("Why is this patient skipped? (optional)")
            dialog.textValueSelected.connect(self._skip)
            dialog.open()

    def _skip(self, reason: str) -> None:
        session = self._session
        if session is None:
            return
        session.skip(reason)
        self._read_worklist()
        following = self._next_open(session.patient_id)
        if following is not None:
            self.open_patient(following)
        self._say(f"Patient {session.patient_id} is skipped; reopen it to take it up again.")

    def _reopen(self) -> None:
        session = self._session
        if session is None:
            return
        try:
            session.reopen()
        except RequestError as error:
            self._say(sentence(error))
        else:
            self._read_worklist()
            self._say(f"Patient {session.patient_id} is open again; the gold standard stays.")

    def _next_open(self, after: str | None) -> str | None:
        return self._worklist.next_open(after)

    def _nothing_to_do(self) -> str:
        return nothing_to_do(self._worklist, self._parts.worklist.done_words)

    def _text_menu(self) -> Sequence[str]:
        return TEXT_MENU

    def _needs_patient(self) -> Sequence[str]:
        return needs_patient(self.actions_table.specs)

    def _type_looked_at(self) -> PhiType | None:
        self.disagreements.follow_caret()
        current = self.disagreements.current
        return current.types[0] if current else super()._type_looked_at()

    def _mark_clicked(self, mark: Mark) -> None:
        if not self.disagreements.show_mark(mark) and mark.style is MarkStyle.TAG:
            super()._mark_clicked(mark)
            self.disagreements.follow_caret()

    def _show_worklist(self) -> None:
        self._parts.worklist.set_rows(self._rows())
        self._show_progress()

    def _read_worklist(self) -> bool:
        is_read = super()._read_worklist()
        self._show_progress()
        return is_read

    def _look_again(self) -> None:
        """Let the list have what annotators changed meanwhile; the next look is not too soon."""
        begun = monotonic()
        with suppress(TandemError):
            self._work_rows()
            self._show_worklist()
        took = round(1000 * (monotonic() - begun))
        self._next_look.start(max(_LOOK_MS, _RESTS * took))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.WindowActivate:
            self._look_again()
        return super().event(event)

    def _lead_on(self, left: int) -> None:
        """Once everything is decided, the findings come next."""
        progress = self._session.queue.progress if self._session else Progress(0, 0)
        if left and progress.decided == progress.total and not self._led_on:
            self._led_on = True
            self._parts.bring_forward(self._parts.findings)
            are = "finding is" if left == 1 else "findings are"
            self._say(f"Everything is decided, {left} {are} left; F3 goes through them.")

    def _other_patients(self) -> OtherPatientFindings | None:
        wanted = self.actions_table.action("other_patients").isChecked()
        return self._others if wanted else None

    def _is_place_at_hand(self) -> bool:
        """Whether a key is for a finding or untagged text rather than for the disagreement."""
        self._work.untagged.catch_up()
        return self._places.at_hand() is not None

    def _is_disagreement_at_hand(self) -> bool:
        self.disagreements.follow_caret()
        return self.disagreements.current is not None

    def _accept(self) -> None:
        if self._is_place_at_hand() or not self._decisions.take_precedent():
            self._places.carry_out(PlaceAction.ACCEPT)

    def _accept_many(self) -> None:
        if self._is_place_at_hand():
            self._places.carry_out(PlaceAction.ACCEPT_EVERYWHERE)
        else:
            self._decisions.review_precedents()

    def _edit(self) -> None:
        if self._is_place_at_hand():
            self._places.carry_out(PlaceAction.EDIT)
        else:
            self._decisions.edit()

    def _take_mark(self) -> None:
        self._places.carry_out(PlaceAction.ACCEPT)

    def _note_decided(self, span: Span) -> str:
        """What was decided where untagged text stands."""
        queue = self._session.queue if self._session else None
        return "You decided no tag here." if queue and queue.has_no_tag_at(span) else ""

    def _left_to_look_at(self) -> list[LeftToLookAt]:
        """What was not read, and what does not fit together, once everything is decided."""
        if self._session is None or self._session.queue.progress.left:
            return []
        left = super()._left_to_look_at()
        if said := self._findings.left_sentence():
            left.append(LeftToLookAt(said, "Next finding", "next_finding", [said]))
        return left

    def _show_progress(self) -> None:
        if self._session is not None:
            progress, done = self._session.queue.progress, self._parts.worklist.done_words
            self._parts.decision.show_progress(progress, is_done=self._session.is_done)
            self._parts.progress.setText(f"{progress} decided · {done} patients done")

    def _take_back(self, step: Callable[[], None]) -> None:
        step()
        self.disagreements.taken_back()

    def _pick_type(self) -> None:
        if self._session is None or self.editor.target() is None:
            self._say("Put the caret on a word, or select text, then choose its type.")
            return
        types = [each.phi_type for each in self._project.schema.types()]
        self._picker.open(types, self.editor.last_type, self.view.caret_rectangle())

    def _hide_names(self) -> None:
        self._names.hidden = self.actions_table.action("hide_names").isChecked()
        self.disagreements.hide_names(self._names.hidden)
        self._parts.status.hide_names(self._names.hidden)
        self._notes.show_names(self._names)
