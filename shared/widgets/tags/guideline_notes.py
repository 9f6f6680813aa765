"""Guideline notes on tags: a dot at the label, the reason in the status line, one key to fix."""

from collections import deque
from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, QTimer

from shared.consistency.guideline_index import GuidelineIndex
from shared.consistency.rule_notes import GuidelineNote
from shared.model import PhiType, Span
from shared.project.edits import Edit, PlacedTag
from shared.project.patient_session import PatientSession
from shared.widgets.document.document_view import DocumentView
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.parts.refresh import RefreshQueue
from shared.widgets.tags.tag_editor import TagEditor

_PAINTED_MS = 30
"""By then an opened patient is on the screen."""
_BATCH = 200
"""So many tags are taken note of at a time, where all come or all go."""
_LOOKS = 40
"""So many tags at a time are looked at."""


class GuidelineNotes(QObject):
    """Keeps the notes in step with the tags, a portion at a time after a change is painted."""

    def __init__(
        self, view: DocumentView, editor: TagEditor, queue: RefreshQueue, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._marks = editor.marks
        self._schema = editor.schema
        self._queue = queue
        self._session: PatientSession | None = None
        self._task: BackgroundTask | None = None
        self._live: GuidelineIndex[PlacedTag] | None = None
        self._waiting: deque[tuple[Sequence[PlacedTag], Sequence[PlacedTag]]] = deque()
        """Tags that went and tags that came, of which no note was taken yet."""
        editor.marks.note_of = self.text

    def open(self, session: PatientSession) -> None:
        """Look through a patient's tags once its page is shown, and their language is read."""
        self.close()
        self._session = session
        self._waiting.extend(_batches(Edit("", added=tuple(session.tags))))
        self._task = BackgroundTask(lambda: session.language, self)
        self._task.succeeded.connect(self._begin)
        QTimer.singleShot(_PAINTED_MS, self._task, self._task.start)

    def close(self) -> None:
        if self._task is not None:
            self._task.wait()
        self._queue.end(self._step)
        self._session = self._task = self._live = None
        self._waiting.clear()

    def apply_edit(self, edit: Edit) -> None:
        if self._session is not None:
            self._waiting.extend(_batches(edit))
            self._begin()

    def note(self, placed: PlacedTag) -> GuidelineNote | None:
        return self._live.note(placed.key) if self._live else None

    def text(self, placed: PlacedTag) -> str:
        note = self.note(placed)
        return note.why if note else ""

    def fix(self, placed: PlacedTag) -> list[tuple[Span, PhiType]] | None:
        """The tags to have in place of one, in the merged view; None where nothing is known."""
        note = self.note(placed)
        if note is None or note.fix is None:
            return None
        view = self._view.merged_view
        return [(view.merged_span(placed.record_id, span), kind) for span, kind in note.fix]

    def next_after(self, caret: int) -> PlacedTag | None:
        """The next tag with a note behind the caret, after the last the first again."""
        noted = self._live.noted() if self._live else []
        noted.sort(key=lambda each: (each.start, each.end))
        return next((each for each in noted if each.start > caret), noted[0] if noted else None)

    def catch_up(self) -> None:
        """Look at everything that waits now."""
        while self._step():
            pass

    def _begin(self) -> None:
        self._queue.begin(self._step)

    def _step(self) -> bool:
        """Look into a portion of what waits; True while more does."""
        session = self._session
        if session is None:
            return False
        if self._live is None:
            self._live = GuidelineIndex(session.view, self._schema, language=session.language)
        live = self._live
        if live.waiting:
            self._marks.refresh(live.look(_LOOKS))
        elif self._waiting:
            live.change(*self._waiting.popleft())
        return bool(live.waiting or self._waiting)


def _batches(edit: Edit) -> Iterator[tuple[Sequence[PlacedTag], Sequence[PlacedTag]]]:
    """Yield the tags that went and that came, so many at a time where none is parted from itself.

    A tag that changed goes and comes; elsewhere all do either.
    """
    removed, added = edit.removed, edit.added
    if removed and added and [each.key for each in removed] != [each.key for each in added]:
        yield removed, added
        return
    for start in range(0, max(len(removed), len(added)), _BATCH):
        yield removed[start : start + _BATCH], added[start : start + _BATCH]
