"""The window in which somebody reads the records that were drawn for an audit, one by one."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from PySide6.QtCore import QElapsedTimer, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)

from adjudicator.audit_book import HIDDEN, Audit, AuditDraw
from adjudicator.audit_session import AUDITOR, AuditSession, DrawnRecords
from adjudicator.audit_statements import bound_sentence
from adjudicator.ui.audit.actions import TEXT_MENU, action_table, needs_record
from shared.errors import TandemError
from shared.metrics.alignment import TagMark
from shared.model import Schema
from shared.project.edits import PlacedTag
from shared.widgets.actions.actions import ActionSpec
from shared.widgets.parts.messages import Tone
from shared.widgets.records.record_controller import unread_sentence
from shared.widgets.records.view_tracker import LOOK_MS
from shared.widgets.tags.place_at_hand import PlaceAction
from shared.widgets.tags.selected_tags import SELECTED_ACTIONS
from shared.widgets.window.patient_window import PatientWindow
from shared.widgets.window.window_parts import WindowParts
from shared.widgets.window.worklist_pane import WorkRow

_LEFT = Qt.DockWidgetArea.LeftDockWidgetArea
_RIGHT = Qt.DockWidgetArea.RightDockWidgetArea
_AROUND = 24


class AuditPanes(WindowParts):
    """The records drawn, what is marked in the one that is open, and the guidelines."""

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window, "annotation_guidelines")
        self.read = self.status_label("Read")
        self.dock("Records drawn", self.worklist, _LEFT)
        tags = self.dock("Marked", self.tags, _RIGHT)
        window.tabifyDockWidget(tags, self.dock("Guidelines", self.guidelines, _RIGHT))
        tags.raise_()


class FoundDialog(QDialog):
    """Lists what was marked and is not in the gold standard; ticked is what is PHI indeed."""

    def __init__(self, found: Sequence[PlacedTag], text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("auditFound")
        self.setWindowTitle("Not in the gold standard")
        self._found = found
        self._list = QListWidget()
        self._list.setObjectName("auditFoundList")
        for each in found:
            words = " ".join(text[each.start : each.end].split())
            before = " ".join(text[max(0, each.start - _AROUND) : each.start].split())
            after = " ".join(text[each.end : each.end + _AROUND].split())
            item = QListWidgetItem(
                f"{each.phi_type.name}: “{words}”   (… {before} [{words}] {after} …)", self._list
            )
            item.setFlags(Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemIsEnabled)
            item.setCheckState(Qt.CheckState.Checked)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        keep = buttons.addButton("&Keep", QDialogButtonBox.ButtonRole.AcceptRole)
        keep.setObjectName("auditKeep")
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(
            QLabel(
                "You have marked what the gold standard does not cover. What stays ticked counts "
                "as PHI that was left, and goes into the gold standard. Untick what is no PHI.",
                wordWrap=True,
            )
        )
        layout.addWidget(self._list, 1)
        layout.addWidget(buttons)
        keep.setDefault(True)
        keep.setFocus()
        self.resize(640, 320)

    @property
    def unticked(self) -> list[TagMark]:
        """What is no PHI after all."""
        return [
            each.tag.mark
            for number, each in enumerate(self._found)
            if self._list.item(number).checkState() is not Qt.CheckState.Checked
        ]


class AuditWindow(PatientWindow[AuditSession, AuditPanes]):
    """The window of `who`, who reads what was drawn.

    Signals: `gold_wanted` (patient id) before the gold standard of a patient is added to, which
    nobody may hold then, `gold_left` (patient id) after that.
    """

    gold_wanted = Signal(str)
    gold_left = Signal(str)

    def __init__(self, records: DrawnRecords, who: str) -> None:
        self._who = who
        self._drawn = records
        self._audit = Audit(records.draw, ())
        self._since_shown = QElapsedTimer()
        super().__init__(records, "audit", AUDITOR, who)
        self.actions_table.action("close_note").setVisible(False)
        self._parts.worklist.list_records()
        self.setWindowTitle(f"{records.title} – audit")
        self.resize(1200, 820)

    @property
    def draw(self) -> AuditDraw:
        """What is read here."""
        return self._drawn.draw

    def _make_parts(self, schema: Schema) -> AuditPanes:  # noqa: ARG002 - all is in the menus
        return AuditPanes(self)

    def _make_helpers(self) -> None:
        pass

    def _action_specs(self, schema: Schema) -> Sequence[ActionSpec]:
        return action_table(schema)

    def _handlers(self) -> dict[str, Callable[[], object]]:
        specs = (*action_table(self._project.schema), *SELECTED_ACTIONS)
        wanted = {spec.name for spec in specs}
        usual = super()._handlers()
        usual["accept"] = self._places.handler(PlaceAction.ACCEPT)
        return {name: each for name, each in usual.items() if name in wanted}

    def _connect(self) -> None:
        super()._connect()
        self._records.share_told.connect(self._parts.read.setText)
        self._places.show_keys([(PlaceAction.ACCEPT, self.actions_table.action("accept"))])

    def _start_session(self, patient_id: str) -> AuditSession | None:
        try:
            return AuditSession(self._drawn, patient_id, self._who)
        except TandemError as error:
            self._parts.banner.show_error(error)
            return None

    def _left(self) -> None:
        self._parts.read.clear()

    def _work_rows(self) -> Sequence[WorkRow]:
        audits = self._drawn.book.audits()
        own = self._drawn.draw.draw_id
        self._audit = next(each for each in audits if each.draw.draw_id == own)
        return [self._work_row(each) for each in self._drawn.patient_ids]

    def _work_row(self, record_id: str) -> WorkRow:
        if record_id not in self._audit.read:
            return WorkRow(record_id, "to read")
        state = "PHI was left" if record_id in self._audit.with_phi else "nothing found"
        return WorkRow(record_id, state, done=True)

    def _next_open(self, after: str | None) -> str | None:
        ids = list(self._drawn.patient_ids)
        start = ids.index(after) + 1 if after in ids else 0
        around = (*ids[start:], *ids[:start])
        return next((each for each in around if each not in self._audit.read), None)

    def _nothing_to_do(self) -> str:
        audit = self._audit
        if audit.unread:  # of records that are not in the project any more
            return bound_sentence(audit)
        return f"Every record that was drawn is read. {bound_sentence(audit)}"

    def _text_menu(self) -> Sequence[str]:
        return TEXT_MENU

    def _needs_patient(self) -> Sequence[str]:
        return needs_record(action_table(self._project.schema))

    def _shown(self, session: AuditSession) -> None:  # noqa: ARG002 - for every record the same
        self._since_shown.start()
        if self._drawn.draw.tags == HIDDEN:
            self._say("No tags are shown: mark all PHI; Ctrl+D once you have read to the end.")
        else:
            self._say("Tag what the gold standard lacks; Ctrl+D once you have read to the end.")

    def _finish(self) -> None:
        """Take the reader's word for a record that was on the screen to its end."""
        session = self._session
        if session is None:
            return
        if not self._since_shown.hasExpired(LOOK_MS):
            self._say("This record has only just come on the screen: read it first.")
            return
        if unread := self._records.unread_records():
            self._parts.banner.show_message(
                f"{unread_sentence(unread)} A record counts only when it was read to its end.",
                Tone.HINT,
                {"Continue reading": partial(self._lead_to, "read_on")},
            )
            return
        self._keeping.wait()
        self.gold_wanted.emit(session.gold_patient)
        try:
            found = session.uncovered()
        except TandemError as error:
            self._parts.banner.show_error(error)
            return
        finally:
            self.gold_left.emit(session.gold_patient)
        if found:
            self._ask_about(session, found)
        else:
            self._keep(session, ())

    def _ask_about(self, session: AuditSession, found: Sequence[PlacedTag]) -> None:
        dialog = FoundDialog(found, session.view.text, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._keep(session, dialog.unticked))
        dialog.open()

    def _keep(self, session: AuditSession, none: Collection[TagMark]) -> None:
        self._keeping.wait()
        self.gold_wanted.emit(session.gold_patient)
        try:
            session.finish(none)
        except TandemError as error:
            self._parts.banner.show_error(error)
        else:
            self._go_on_from(session)
        finally:
            self.gold_left.emit(session.gold_patient)

    def _go_on_from(self, session: AuditSession) -> None:
        if not self._read_worklist():
            return
        read, following = session.patient_id, self._next_open(session.patient_id)
        left = "PHI was left" if read in self._audit.with_phi else "nothing was found"
        if following is None:
            self._parts.banner.show_message(f"Record {read}: {left}. {self._nothing_to_do()}")
        else:
            self.open_patient(following)
            self._say(f"Record {read}: {left}; this is {following}.")
