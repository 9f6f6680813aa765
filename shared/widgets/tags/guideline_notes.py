"""Guideline notes on tags: a dot at the label, the reason in the status line, one key to mend."""

from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer, Signal

from shared.consistency.guidelines import Note
from shared.consistency.live_notes import LiveNotes
from shared.model import MergedView, PhiType, Span
from shared.project.edits import Edit, PlacedTag
from shared.text.span_index import SpanIndex
from shared.widgets.document.document_view import DocumentView
from shared.widgets.tags.tag_editor import TagEditor

_PAINTED_MS = 30
_BATCH = 500


class GuidelineNotes(QObject):
    """Keeps the notes in step with the tags, after a change is painted.

    Signals: `counted` (int) whenever the number of tags with a note may have changed.
    """

    counted = Signal(int)

    def __init__(
        self, view: DocumentView, editor: TagEditor, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._editor = editor
        self._live: LiveNotes | None = None
        self._waiting: list[tuple[list[PlacedTag], list[PlacedTag]]] = []
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._next_batch)
        editor.note_of = self.text

    def open(self, view: MergedView, tags: SpanIndex[PlacedTag]) -> None:
        """Look through a patient's tags in small portions, once its page is shown."""
        self._live = LiveNotes(view)
        placed = list(tags)
        self._waiting = [
            ([], placed[start : start + _BATCH]) for start in range(0, len(placed), _BATCH)
        ]
        self._soon.start(_PAINTED_MS)

    def close(self) -> None:
        self._soon.stop()
        self._live = None
        self._waiting = []

    def edited(self, edit: Edit) -> None:
        if self._live is not None:
            self._waiting.append((list(edit.removed), list(edit.added)))
            self._soon.start(0)

    def note(self, placed: PlacedTag) -> Note | None:
        return self._live.note(placed.key) if self._live else None

    def text(self, placed: PlacedTag) -> str:
        note = self.note(placed)
        return note.why if note else ""

    def mend(self, placed: PlacedTag) -> list[tuple[Span, PhiType]] | None:
        """The tags to have in place of one, in the merged view; None where nothing is known."""
        note = self.note(placed)
        if note is None or note.mend is None:
            return None
        view = self._view.merged_view
        return [(view.merged_span(placed.record_id, span), kind) for span, kind in note.mend]

    def next_after(self, caret: int, tags: Iterable[PlacedTag]) -> PlacedTag | None:
        """The next tag with a note behind the caret, after the last the first again."""
        noted = [each for each in tags if self.note(each) is not None]
        return next((each for each in noted if each.start > caret), noted[0] if noted else None)

    def catch_up(self) -> None:
        """Look at everything that waits now."""
        while self._waiting:
            self._next_batch()

    def _next_batch(self) -> None:
        if self._live is None or not self._waiting:
            return
        removed, added = self._waiting.pop(0)
        changed = self._live.change(removed, added)
        self._editor.refresh(each for each in changed if isinstance(each, PlacedTag))
        self.counted.emit(len(self._live))
        if self._waiting:
            self._soon.start(0)
