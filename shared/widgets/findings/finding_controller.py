"""Shows what is found in the tags, and carries out what is done about it."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication

from shared.consistency.findings import TAG_KINDS, Finding
from shared.errors import RequestError, TandemError
from shared.model import PhiType, Span
from shared.project.edits import Edit
from shared.project.tag_operations import TagChange, TagOperations
from shared.widgets.findings.finding_pane import FindingPane, why_of
from shared.widgets.findings.finding_process import OtherPatientsSource
from shared.widgets.findings.finding_search import FindingSearch
from shared.widgets.findings.finding_service import (
    FindingsByPlace,
    FindingService,
    fix_of,
    fixes_of_choice,
    merged_span,
    similar,
    tag_of,
)
from shared.widgets.findings.fix_list import review_changes, review_findings
from shared.widgets.findings.tie_popup import TiePopup
from shared.widgets.parts.background_task import CancelledError
from shared.widgets.tags.place_at_hand import PlaceAction, PlaceAtHand, PlaceVerb
from shared.widgets.tags.tag_editor import TagEditor
from shared.widgets.window.patient_window import PatientWindow
from shared.widgets.window.place_controller import PlaceController
from shared.widgets.window.window_parts import WindowParts

_KEYS = (
    ("next_finding", "next"),
    ("mend_finding", "applies the fix"),
    ("mend_findings", "to all similar"),
    ("dismiss_finding", "dismisses"),
)
_LOOKING = "Looking for findings…"
_UNKNOWN = "Findings are not known; F5 looks again."
_STILL_LOOKING = "Findings are still being looked for."
_CUT_SHORT = "Other patients were not checked to the end; F5 looks again."


class FindingController(QObject):
    """Looks beside the window, again after every change; the list is empty when nothing is left.

    Its pane lies in a dock of the window, whose title says how many there are. The finding that the
    caret shows is at hand, and current in the pane.

    Signals: `edited` (Edit) after a fix; `found` (int) how many there are, once all was looked at;
    `said` (str) for the status line; `failed` (Exception) where something could not be kept.
    """

    edited = Signal(object)
    said = Signal(str)
    failed = Signal(object)
    found = Signal(int)

    def __init__(
        self,
        parts: WindowParts,
        pane: FindingPane,
        editor: TagEditor,
        places: PlaceController,
        window: PatientWindow[Any, Any],
    ) -> None:
        super().__init__(window)
        self._places = places
        self._parts = parts
        self._view = parts.view
        self._pane = pane
        self._editor = editor
        self._session: TagOperations | None = None
        self._service: FindingService | None = None
        self._has_open_at: Callable[[Span], bool] | None = None
        self._waiting = 0
        self._is_unknown = False
        self._by_place: FindingsByPlace | None = None
        self._search = FindingSearch(editor.schema, parts.tasks, window)
        self._search.found.connect(self._found)
        self._search.failed.connect(self._not_found)
        self._tie = TiePopup(parts.view, self)
        self._tie.picked.connect(self._choose)
        pane.chosen.connect(self._show)
        pane.verb_wanted.connect(self._act_in_pane)
        pane.again_wanted.connect(self._search.look_again)
        pane.model.modelReset.connect(self._forget_places)
        parts.view.caret_moved.connect(self._point)
        places.add(self)

    def left_sentence(self) -> str:
        """What is to be said of the list before the patient is done; empty where it is."""
        if self._is_unknown:
            return _UNKNOWN
        if count := len(self._pane.model.all_rows):
            return f"{count} {'finding is' if count == 1 else 'findings are'} left."
        if self._search.is_looking:
            return _STILL_LOOKING
        return _CUT_SHORT if self._service and self._service.is_cut_short else ""

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions about findings, by their names."""
        return {
            "next_finding": partial(self.step, 1),
            "previous_finding": partial(self.step, -1),
            "check_again": self._search.look_again,
            "mend_finding": partial(self._act, PlaceAction.ACCEPT),
            "mend_findings": partial(self._act, PlaceAction.ACCEPT_EVERYWHERE),
            "dismiss_finding": partial(self._act, PlaceAction.DISMISS),
        }

    def open(
        self,
        session: TagOperations,
        service: FindingService,
        has_open_at: Callable[[Span], bool] | None = None,
    ) -> None:
        """Look through a patient once its page is shown.

        What is found where something `has_open_at` is for another list, and only counted in this.
        """
        self.close()
        self._session = session
        self._service = service
        self._has_open_at = has_open_at
        self._is_unknown = False
        service.store.changed.connect(self._leave_dismissed)
        self._pane.say(_LOOKING)
        self._search.open(session, service)

    def close(self) -> None:
        self._search.close()
        if self._service is not None:
            self._service.store.changed.disconnect(self._leave_dismissed)
        self._session = self._service = None
        self._list(())
        self._pane.say("")

    def show_keys(self, action: Callable[[str], QAction]) -> None:
        """Have the pane offer actions and say their keys; `action` gives that of a name."""
        self._pane.show_keys([(action(name), what) for name, what in _KEYS])
        self._pane.offer(*(action(name) for name, _ in _KEYS[1:]))

    def watch_others(self, others: OtherPatientsSource | None) -> None:
        """Show what other patients say too, or not any more."""
        if self._service is not None:
            self._service.others = others
            self._search.look()

    def changed(self, edit: Edit | None = None) -> None:
        """Take note of a change; what an edit has settled goes, before a key acts on it again."""
        session, places = self._session, self._placed()
        if session and edit and places and (settled := places.settled_by(edit, session)):
            self._take_away(settled, go_on=False)
        elif session:
            self._search.look_soon()
            self._tell_looking()

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) finding, and have the list in sight."""
        self._parts.bring_forward(self._pane)
        if not self._pane.isAncestorOf(QApplication.focusWidget() or self._view):
            self._view.setFocus()
        self._pane.step(by)
        if self._pane.current is None:
            self.said.emit(f"{self._pane.summary}.")

    def place_at_hand(self) -> PlaceAtHand | None:
        """The finding that the caret shows; one about a tag only where it is selected."""
        finding = self._at_caret()
        return finding and PlaceAtHand(why_of(finding), self._verbs(finding))

    def _verbs(self, finding: Finding, *, go_on: bool = False) -> dict[PlaceAction, PlaceVerb]:
        """What can be done about a finding; afterwards go on to the next, on a walk in any case."""
        go_on = go_on or self._places.walk.is_led_by(self)
        alike = similar(finding, self._pane.model.all_rows)
        everywhere = f"all {len(alike)}…" if len(alike) > 1 else ""
        sure, asked = finding.fix is not None, finding.choices or finding.phi_type is None
        fixes = "asks for the type" if asked else "applies the fix" if sure else ""
        fixes_all = "asks for all places" if finding.choices else everywhere if sure else ""
        action, fix_alike = PlaceAction, partial(self._fix_alike, alike, go_on)
        return {
            action.ACCEPT: PlaceVerb(fixes, partial(self._fix_or_ask, finding, go_on)),
            action.ACCEPT_EVERYWHERE: PlaceVerb(fixes_all, fix_alike),
            action.DISMISS: PlaceVerb("dismisses", partial(self._ask, [finding], go_on)),
            action.DISMISS_EVERYWHERE: PlaceVerb(everywhere, partial(self._ask, alike, go_on)),
            action.EDIT: PlaceVerb("edits", partial(self._edit, finding)),
        }

    def _act(self, verb: PlaceAction) -> None:
        """Act on the finding or untagged text at the caret; without one, go to a finding."""
        self._places.untagged.catch_up()
        place = self._places.at_hand(self, self._places.untagged)
        current = self._pane.current
        if place is not None:
            place.verbs[verb].carry_out()
        elif current is not None:
            self._show(current)
            self.said.emit(f"{why_of(current)} The same key again acts on it.")

    def _act_in_pane(self, verb: PlaceAction) -> None:
        if (current := self._pane.current) is not None:
            self._show(current)
            self._verbs(current, go_on=True)[verb].carry_out()

    def _fix_or_ask(self, finding: Finding, go_on: bool) -> None:
        if finding.choices:
            self._ask_which(finding)
        elif finding.fix is None and finding.phi_type is None:
            self._show(finding)
            self._editor.ask_type()
        else:
            self._fix([finding], go_on)

    def _fix_alike(self, findings: Sequence[Finding], go_on: bool) -> None:
        """Set all right that are like a finding, in one step, after a look at each."""
        if findings[0].choices:
            return self._ask_which(findings[0], everywhere=True)
        if self._session is None or len(findings) == 1 or findings[0].fix is None:
            return self._fix(findings, go_on)
        return review_findings(self._view, findings, lambda some: self._fix(some, go_on))

    def _edit(self, finding: Finding) -> None:
        """Have a tag at the place, and stay there."""
        if finding.fix is None and finding.kind not in TAG_KINDS:
            self._show(finding)
            self._editor.ask_type()
            return
        if finding.kind in TAG_KINDS and self._session is not None:
            if placed := tag_of(self._session, finding):
                self._editor.show(placed)
        else:
            self._fix([finding], go_on=False)
        self.said.emit("Alt and arrows move the edges, a type's key retypes it.")

    def _ask(self, findings: Sequence[Finding], go_on: bool) -> None:
        """Ask why findings are none."""
        several = f"are these {len(findings)} no findings"
        is_none = several if len(findings) > 1 else "is this no finding"
        self._parts.place_line.ask_reason(is_none, partial(self._dismiss, findings, go_on))

    def _dismiss(self, findings: Sequence[Finding], go_on: bool, reason: str) -> None:
        """Keep findings away until the text around them changes."""
        session, service = self._session, self._service
        if session is None or service is None:
            return
        try:
            service.dismiss(session.view, findings, reason)
        except TandemError as error:
            self.failed.emit(error)
            return
        if go_on and (current := self._pane.current) is not None:
            self._show(current)
        times = f", {len(findings)} times" if len(findings) > 1 else ""
        self.said.emit(f"Dismissed{times}; it comes back if the text around it changes.")

    def _leave_dismissed(self) -> None:
        """Show no more what was dismissed, here or among untagged text."""
        if self._session is not None:
            self._list(self._left(self._pane.model.all_rows), self._waiting)
            self.changed()

    def _left(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Those that are not settled or dismissed by now."""
        if self._session is not None and self._service is not None:
            try:
                return self._service.left(self._session, findings)
            except TandemError as error:
                self.failed.emit(error)
        return tuple(findings)

    def _fix(self, findings: Sequence[Finding], go_on: bool) -> None:
        session = self._session
        if session is None:
            return
        fixes = [fix for each in findings if (fix := fix_of(session, each))]
        if not fixes:
            self.said.emit("Only you can tell what is right here: change the tag, or dismiss this.")
            return
        self._carry_out(session, fixes, findings, go_on)

    def _ask_which(self, finding: Finding, *, everywhere: bool = False) -> None:
        self._show(finding)
        self._tie.ask(finding, everywhere=everywhere)

    def _choose(self, finding: Finding, everywhere: bool, phi_type: PhiType) -> None:
        """Let the type that was chosen be the only one at the place of a finding, or everywhere."""
        session = self._session
        if session is None:
            return
        fixes = fixes_of_choice(session, finding, phi_type, everywhere=everywhere)
        carry_out = partial(self._carry_out, session, findings=[finding], go_on=True)
        if everywhere and len(fixes) > 1:
            review_changes(self._view, fixes, phi_type, carry_out)
        elif fixes:
            carry_out(fixes)
        else:
            self.said.emit(f"This is {phi_type.name} here already; look at the other places.")

    def _carry_out(
        self,
        session: TagOperations,
        fixes: Sequence[TagChange],
        findings: Sequence[Finding],
        go_on: bool,
    ) -> None:
        try:
            edit = session.replace(fixes)
        except RequestError:  # the list is behind the tags
            self._take_away(findings, go_on)
            self.said.emit("This was set right already.")
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._editor.follow(edit)
            self.edited.emit(edit)
            self._take_away(findings, go_on)
            times = f", {len(fixes)} times" if len(fixes) > 1 else ""
            self.said.emit(f"Fixed{times}; Ctrl+Z undoes it.")

    def _take_away(self, findings: Sequence[Finding], go_on: bool) -> None:
        """Show the list without these at once; looking again says if more has changed."""
        gone = {id(each) for each in findings}
        left = [each for each in self._pane.model.all_rows if id(each) not in gone]
        self._list(left, self._waiting)
        if go_on and (current := self._pane.current) is not None:
            self._show(current)
        self.changed()

    def _found(self, findings: tuple[Finding, ...], answers: bool) -> None:
        session = self._session
        if session is None:
            return
        self._is_unknown = False
        if self._search.is_behind:  # no key acts on what was settled or dismissed meanwhile
            findings = self._left(findings)
        ready = list(findings)
        if has_open := self._has_open_at:
            ready = [each for each in ready if not has_open(merged_span(session.view, each))]
        self._list(ready, waiting=len(findings) - len(ready))
        if self._search.is_behind:
            self._tell_looking()
        else:
            self.found.emit(len(ready))
        if answers:
            self.said.emit(f"Checked again: {self._pane.summary}.")

    def _list(self, findings: Sequence[Finding], waiting: int = 0) -> None:
        self._waiting = waiting
        service = self._service
        dismissed = service.dismissed if service else 0
        is_cut_short = service is not None and service.is_cut_short
        self._pane.show_findings(findings, waiting, dismissed, is_cut_short=is_cut_short)
        self._parts.retitle(self._pane, f"Findings {len(findings)}" if findings else "Findings")
        self._places.tell()

    def _tell_looking(self) -> None:
        """Say that nothing is found, and how many wait, only once all was looked at."""
        if findings := self._pane.model.all_rows:
            if self._waiting:
                self._list([*findings])
        else:
            self._waiting = 0
            self._pane.say(_LOOKING)

    def _not_found(self, error: Exception) -> None:
        self._is_unknown = True
        self._pane.say(_UNKNOWN)
        if not isinstance(error, CancelledError):
            self.failed.emit(error)

    def _show(self, finding: Finding) -> None:
        if self._session is not None:
            self._places.walk.show(self, merged_span(self._session.view, finding))

    def _point(self) -> None:
        """Let the pane show the finding that the caret shows."""
        if (finding := self._at_caret()) is not None:
            self._pane.point_at(finding)

    def _at_caret(self) -> Finding | None:
        places = self._placed()
        selected, caret = self._view.selected_span(), self._view.caret()
        return places.at(selected, caret, self._pane.current) if places else None

    def _placed(self) -> FindingsByPlace | None:
        """What is listed by place; None where nothing is."""
        if self._session is None or not self._pane.model.rows:
            return None
        if self._by_place is None:
            self._by_place = FindingsByPlace(self._session.view, self._pane.model.rows)
        return self._by_place

    def _forget_places(self) -> None:
        self._by_place = None
