"""Working on the tags of a patient: the editor, and all that follows the tags it changes."""

import gc
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from shared.model import PhiType, Schema, Span
from shared.project.edits import Edit, PlacedTag
from shared.project.patient_session import PatientSession
from shared.text.blocks import counted
from shared.widgets.document.jump_labels import JumpLabels
from shared.widgets.document.marks import Mark
from shared.widgets.parts.plain_tip import plain_tip
from shared.widgets.tags.annotate_all import AnnotateAll
from shared.widgets.tags.guideline_notes import GuidelineNotes
from shared.widgets.tags.place_at_hand import PlaceWalk
from shared.widgets.tags.selected_tags import SelectedTags
from shared.widgets.tags.tag_editor import TagEditor
from shared.widgets.tags.tag_table import TagRow
from shared.widgets.tags.untagged_marks import UntaggedMarks
from shared.widgets.window.window_parts import WindowParts


class TagController(QObject):
    """Keeps view, tag table, untagged marks, notes and figures in step with a session's tags.

    Signals: `edited` (Edit) after every change is shown; `counted` (dict) how
    many there are now of each PhiType of which that has changed; `said` (str) for the status line;
    `failed` (Exception) where a change could not be made; `left_list` when a list that lay over
    the text is gone.
    """

    edited = Signal(object)
    counted = Signal(object)
    said = Signal(str)
    failed = Signal(object)
    left_list = Signal()

    def __init__(self, parts: WindowParts, schema: Schema, window: QWidget) -> None:
        super().__init__(window)
        self._parts = parts
        self._view = parts.view
        self._schema = schema
        self._session: PatientSession | None = None
        self._counts: Counter[PhiType] = Counter()
        self.editor = TagEditor(self._view, schema, self)
        self.walk = PlaceWalk(self._view)
        self.untagged = UntaggedMarks(self.editor, self._view, parts.refresh, self.walk)
        self._notes = GuidelineNotes(self._view, self.editor, parts.refresh, self)
        self._selected = SelectedTags(parts.tags, self.editor, schema, self)
        self._annotate_all = AnnotateAll(self.editor, self.untagged.dismissal, window)
        self._finder = parts.find_bar
        self._hints = JumpLabels(self._view)
        self._connect()
        parts.tag_count.installEventFilter(self)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on tags, by their names."""
        return {
            **self.editor.handlers(),
            **self._selected.handlers(),
            "annotate_all": self._annotate_all.start,
            "repeat": self._repeat,
            "mend": self._fix,
            "next_note": self._next_note,
            "next_untagged": self.untagged.go_next,
            "previous_untagged": self.untagged.go_previous,
            "find": self._finder.open,
            "hints": self._hints.start,
            "exact": self._turn_exact,
        }

    def open(self, session: PatientSession) -> None:
        """Show the tags of a session whose view the document view has open."""
        self._session = session
        self.editor.open(session)
        QTimer.singleShot(0, self, partial(self._fill_table, session))
        self.untagged.open(session)
        self._notes.open(session)
        self._finder.document_changed()

    def close(self) -> None:
        self._session = None
        self.untagged.close()
        self._notes.close()
        self.editor.close()
        gc.unfreeze()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say in the tooltip of the number of tags how many there are of each type."""
        if event.type() == QEvent.Type.ToolTip:
            types = (each.phi_type for each in self._schema.types())
            counts = (
                f"{each.name}: {self._counts[each]:,}" for each in types if self._counts[each]
            )
            self._parts.tag_count.setToolTip(plain_tip("\n".join(counts)))
        return super().eventFilter(watched, event)

    def changed(self, edit: Edit) -> None:
        """Let everything follow a change of the tags that the view shows already."""
        for view in (self._parts.tags, self.untagged, self._notes):
            view.apply_edit(edit)
        self._counts.subtract(each.phi_type for each in edit.removed)
        self._counts.update(each.phi_type for each in edit.added)
        self._tell_counts({each.phi_type for each in (*edit.removed, *edit.added)})
        self.edited.emit(edit)

    def click(self, mark: Mark) -> None:
        """A mark was clicked: point at it in the table too."""
        if mark.key is not None:
            self._view.set_current_mark(mark)
            self._parts.tags.select_key(mark.key)

    def _connect(self) -> None:
        editor, parts = self.editor, self._parts
        editor.edited.connect(self.changed)
        editor.said.connect(self.said)
        editor.failed.connect(self.failed)
        parts.tags.row_activated.connect(self._show_tag)
        parts.tags.comment_edited.connect(editor.comment)
        self._view.caret_moved.connect(self._tell_note)
        parts.tags.place_activated.connect(self._show_place)
        self._selected.said.connect(self.said)
        self._hints.said.connect(self.said)
        self.untagged.changed.connect(parts.tags.change_untagged)
        self.untagged.looking.connect(partial(parts.tasks.watch, what="Looking for untagged text"))
        self.untagged.counted.connect(self._count_untagged)
        self.untagged.opened.connect(gc.freeze)  # or each collection would go through it
        self.untagged.said.connect(self.said)
        self.untagged.failed.connect(self.failed)
        self._annotate_all.said.connect(self.said)
        self._annotate_all.ended.connect(self.left_list)

    def _fill_table(self, session: PatientSession) -> None:
        if session is self._session:
            self._parts.tags.open(session.view, session.tags, self._row)
            self._counts = Counter(each.phi_type for each in session.tags)
            self._tell_counts(each.phi_type for each in self._schema.types())
            gc.freeze()

    def _row(self, placed: PlacedTag) -> TagRow:
        return TagRow(
            placed.record_id,
            self._view.merged_view.text[placed.start : placed.end],
            placed.phi_type.name,
            placed.tag.comment,
            placed.start,
            placed.end,
            placed.key,
            self._schema.colour(placed.phi_type),
        )

    def _repeat(self) -> None:
        """Tag the selection as the last one was; without a selection the next search hit."""
        if self.editor.last_type is None:
            self.said.emit("Tag something first; then this repeats it.")
        elif self._view.selected_span() is None and not self._finder.go_next():
            self.said.emit("Select text, or find some, to repeat the last tag there.")
        else:
            self.editor.repeat()

    def _turn_exact(self) -> None:
        """Select characters instead of words, or words again."""
        self._view.exact_characters = not self._view.exact_characters
        self._parts.exact.setText("Exact characters" if self._view.exact_characters else "")

    def _fix(self) -> None:
        """Do what the guideline note on the current tag proposes."""
        current = self.editor.current()
        self._notes.catch_up()
        marks = self._notes.fix(current) if current else None
        if current is None or marks is None:
            self.said.emit("There is nothing here that Tandem could fix.")
        else:
            self.editor.replace(current, marks)

    def _next_note(self) -> None:
        self._notes.catch_up()
        found = self._notes.next_after(self._view.caret())
        if found is None:
            self.said.emit("There is no guideline note on the tags of this patient.")
        else:
            self.editor.show(found)
            self._tell_note()

    def _tell_note(self) -> None:
        current = self.editor.current()
        note = self._notes.note(current) if current else None
        if current is not None and note is not None:
            fix = " F2 fixes it." if self._notes.fix(current) is not None else ""
            self.said.emit(f"{note.why[:1].upper()}{note.why[1:]}.{fix}")

    def _show_tag(self, key: tuple[str, str]) -> None:
        placed = self._session.find(*key) if self._session else None
        if placed is not None:
            self.editor.show(placed)

    def _show_place(self, span: Span) -> None:
        """Go to text that is not tagged; Enter tags it there."""
        self._view.select(span)
        self._view.reveal(span)
        self._view.setFocus()

    def _tell_counts(self, types: Iterable[PhiType]) -> None:
        count = self._counts.total()
        self._parts.tag_count.setText(counted(count, "tag"))
        self.counted.emit({each: self._counts[each] for each in types})

    def _count_untagged(self, likely: int, doubtful: int) -> None:
        count, what = (likely, "untagged") if likely else (doubtful, "doubtful")
        occurrences = "occurrence" if count == 1 else "occurrences"
        self._parts.untagged_count.setText(f"{count:,} {what} {occurrences}" if count else "")
