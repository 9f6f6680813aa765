"""Keeps the list of findings in step with the tags, and carries out what is done about them."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction

from shared.consistency.findings import Finding
from shared.errors import TandemError
from shared.model import PhiType, Span
from shared.project.tag_operations import TagChange, TagOperations
from shared.widgets.findings.finding_pane import FindingPane
from shared.widgets.findings.finding_process import FindingProcess, OtherPatientsSource
from shared.widgets.findings.finding_service import (
    FindingService,
    fix_of,
    fixes_of_choice,
    merged_span,
    similar,
)
from shared.widgets.findings.tie_popup import TiePopup
from shared.widgets.parts.background_task import CancelledError, ProgressTask
from shared.widgets.tags.tag_editor import TagEditor
from shared.widgets.window.window_parts import WindowParts

_KEYS = (
    ("next_finding", "next"),
    ("mend_finding", "applies the fix"),
    ("mend_findings", "to all similar"),
    ("dismiss_finding", "dismisses"),
)
_QUIET_MS = 400
"""So long after the last change the findings are looked for again."""
_RESTS = 2
"""So many times as long as the last look took, where that is longer: it takes a processor."""


class FindingController(QObject):
    """Looks beside the window, again after every change; the list is empty when nothing is left.

    Its pane lies in a dock of the window, whose title says how many there are.

    Signals: `edited` (Edit) after a fix; `found` (int) how many there are, after every look;
    `said` (str) for the status line; `failed` (Exception) where something could not be kept; `left`
    when the text should have the keys again.
    """

    edited = Signal(object)
    said = Signal(str)
    failed = Signal(object)
    found = Signal(int)
    left = Signal()

    def __init__(
        self, parts: WindowParts, pane: FindingPane, editor: TagEditor, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._parts = parts
        self._view = parts.view
        self._pane = pane
        self._editor = editor
        self._session: TagOperations | None = None
        self._desk: FindingService | None = None
        self._has_open_at: Callable[[Span], bool] | None = None
        self._process = FindingProcess(editor.schema)
        parent.destroyed.connect(self._process.close)
        self._task: ProgressTask | None = None
        self._asked = self._answers = False
        """Whether somebody waits for a look, and whether the look under way is for them."""
        self._soon = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._soon.timeout.connect(self.look)
        self._tie = TiePopup(parts.view, self)
        self._tie.picked.connect(self._choose)
        pane.chosen.connect(self._show)
        pane.fix_wanted.connect(self.fix)
        pane.all_wanted.connect(self.fix_all)
        pane.dismissal_wanted.connect(self.dismiss)
        pane.again_wanted.connect(self.look_again)
        pane.left.connect(self.left)

    @property
    def count(self) -> int:
        """How many findings the list has."""
        return len(self._pane.model.all_rows)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions about findings, by their names."""
        return {
            "next_finding": partial(self.step, 1),
            "previous_finding": partial(self.step, -1),
            "check_again": self.look_again,
            "mend_finding": self.fix,
            "mend_findings": self.fix_all,
            "dismiss_finding": self._ask_reason,
        }

    def open(
        self,
        session: TagOperations,
        desk: FindingService,
        has_open_at: Callable[[Span], bool] | None = None,
    ) -> None:
        """Look through a patient once its page is shown.

        What is found where something `has_open_at` is for another list, and only counted in this.
        """
        self.close()
        self._session = session
        self._desk = desk
        self._has_open_at = has_open_at
        self._soon.setInterval(_QUIET_MS)
        self.changed()

    def close(self) -> None:
        self._soon.stop()
        if self._task is not None:
            self._task.cancel()
        self._task = None
        self._session = None
        self._list(())

    def show_keys(self, action: Callable[[str], QAction]) -> None:
        """Have the pane offer actions and say their keys; `action` gives that of a name."""
        self._pane.show_keys([(action(name), what) for name, what in _KEYS])
        self._pane.offer(*(action(name) for name, _ in _KEYS[1:]))

    def watch_others(self, others: OtherPatientsSource | None) -> None:
        """Show what other patients say too, or not any more."""
        if self._desk is not None:
            self._desk.others = others
            self.look()

    def changed(self) -> None:
        """Take note that tags, or what waits for a decision, have changed."""
        if self._session is not None:
            self._soon.start()

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) finding, and have the list in sight."""
        self._parts.bring_forward(self._pane)
        self._pane.step(by)

    def look_again(self) -> None:
        """Look now, since somebody wants to know, and say what came of it."""
        self._asked = True
        self.look()

    def look(self) -> None:
        """Look for findings now; the list follows in a moment."""
        session, desk = self._session, self._desk
        if session is None or desk is None:
            return
        if self._task is not None:
            self._soon.start()
            return
        self._answers, self._asked = self._asked, False
        view, tags = session.view, list(session.tags)
        process = self._process
        self._task = ProgressTask(lambda step: (view, desk.look(process, view, tags, step)), self)
        self._task.succeeded.connect(self._found)
        self._task.failed.connect(self._not_found)
        self._task.finished.connect(self._looked)
        self._parts.tasks.watch(self._task, "Looking for findings")
        self._task.start()

    def fix(self) -> None:
        """Set the current finding right; ask for the type where the schema has none to propose."""
        current = self._pane.current
        if current is None:
            return
        if current.choices:
            self._ask_which(current)
        elif current.phi_type is None:
            self._show(current)
            self._editor.ask_type()
        else:
            self._fix([current])

    def fix_all(self) -> None:
        """Set all right that are like the current finding, in one step."""
        current = self._pane.current
        if current is not None and current.choices:
            self._ask_which(current, everywhere=True)
        elif current is not None:
            self._fix(similar(current, self._pane.model.all_rows))

    def dismiss(self, reason: str) -> None:
        """Keep the current finding away until the text around it changes."""
        session, desk, current = self._session, self._desk, self._pane.current
        if session is None or desk is None or current is None:
            return
        try:
            desk.dismiss(session.view, current, reason.strip())
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._take_away([current])
            self.said.emit("Dismissed; it comes back if the text around it changes.")

    def _fix(self, findings: list[Finding]) -> None:
        session = self._session
        if session is None:
            return
        fixes = [fix for each in findings if (fix := fix_of(session, each))]
        if not fixes:
            self.said.emit("Only you can tell what is right here: change the tag, or dismiss this.")
            return
        self._carry_out(session, fixes, findings)

    def _ask_which(self, finding: Finding, *, everywhere: bool = False) -> None:
        self._show(finding)
        self._tie.ask(finding, everywhere=everywhere)

    def _choose(self, finding: Finding, everywhere: bool, phi_type: PhiType) -> None:
        """Let the type that was chosen be the only one at the place of a finding, or everywhere."""
        session = self._session
        if session is None:
            return
        if fixes := fixes_of_choice(session, finding, phi_type, everywhere=everywhere):
            self._carry_out(session, fixes, [finding])
        else:
            self.said.emit(f"This is {phi_type.name} here already; look at the other places.")

    def _carry_out(
        self, session: TagOperations, fixes: list[TagChange], findings: list[Finding]
    ) -> None:
        try:
            edit = session.replace(fixes)
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._editor.follow(edit)
            self.edited.emit(edit)
            self._take_away(findings)
            times = f", {len(fixes)} times" if len(fixes) > 1 else ""
            self.said.emit(f"Fixed{times}; Ctrl+Z undoes it.")

    def _take_away(self, findings: list[Finding]) -> None:
        """Show the list without these at once; looking again says if more has changed."""
        gone = {id(each) for each in findings}
        left = [each for each in self._pane.model.all_rows if id(each) not in gone]
        self._list(left)
        if (current := self._pane.current) is not None:
            self._show(current)
        self.changed()

    def _found(self, result: tuple[object, tuple[Finding, ...]]) -> None:
        view, findings = result
        session = self._session
        if session is None or session.view is not view:
            return
        ready = list(findings)
        if has_open := self._has_open_at:
            ready = [each for each in ready if not has_open(merged_span(session.view, each))]
        self._list(ready, waiting=len(findings) - len(ready))
        self.found.emit(len(ready))
        if self._answers:
            self._answers = False
            self.said.emit(f"Checked again: {self._pane.summary}.")

    def _list(self, findings: Sequence[Finding], waiting: int = 0) -> None:
        self._pane.show_findings(findings, waiting)
        self._parts.retitle(self._pane, f"Findings {len(findings)}" if findings else "Findings")

    def _ask_reason(self) -> None:
        self._parts.bring_forward(self._pane)
        self._pane.ask_reason()

    def _not_found(self, error: Exception) -> None:
        if self.sender() is self._task and not isinstance(error, CancelledError):
            self.failed.emit(error)

    def _looked(self) -> None:
        if self.sender() is self._task:
            self._task = None
            took = round(self._process.seconds * 1000)
            self._soon.setInterval(max(_QUIET_MS, _RESTS * took))

    def _show(self, finding: Finding) -> None:
        if self._session is not None:
            span = merged_span(self._session.view, finding)
            self._view.select(span)
            self._view.reveal(span)
