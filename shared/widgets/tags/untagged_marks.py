"""Faint marks on text that is tagged elsewhere in the patient, and the walk over them."""

from collections import deque
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer, Signal

from shared.consistency.untagged_index import Untagged, UntaggedChange, UntaggedIndex
from shared.model import MergedView, PhiType, Span
from shared.project.edits import Edit, PlacedTag
from shared.text.span_index import SpanIndex
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.parts.refresh import RefreshQueue

_COLOUR = "#7F7F7F"
_PAINTED_MS = 30
"""By then an opened patient is on the screen."""


class UntaggedMarks(QObject):
    """Keeps the marks in step with the tags, a portion at a time after a change is painted.

    The first look at a patient happens off the thread.

    Signals: `changed` (list of Untagged that are no more, list of new ones), then `counted` (int)
    whenever the untagged places may have changed; `looking` (BackgroundTask) when a patient is
    looked through, `opened` when it was; `said` (str).
    """

    opened = Signal()
    changed = Signal(object, object)
    counted = Signal(int)
    looking = Signal(object)
    said = Signal(str)

    def __init__(self, view: DocumentView, queue: RefreshQueue, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._queue = queue
        self._live: UntaggedIndex | None = None
        self._task: BackgroundTask | None = None
        self._waiting: deque[Edit] = deque()
        self._changing: Iterator[UntaggedChange] = iter(())
        """What is left of the change that is looked into."""
        self._reached: Span | None = None
        """Where a walk stands."""

    def open(self, view: MergedView, tags: SpanIndex[PlacedTag]) -> None:
        """Look through a patient once its page is shown; edits that come meanwhile wait."""
        self.close()
        placed = list(tags)
        self._task = BackgroundTask(lambda: (view, UntaggedIndex(view, placed)), self)
        self._task.succeeded.connect(self._opened)
        self.looking.emit(self._task)
        QTimer.singleShot(_PAINTED_MS, self._task, self._task.start)

    def close(self) -> None:
        if self._task is not None:
            self._task.wait()
        self._task = None
        self._live = None
        self._reached = None
        self._waiting.clear()
        self._changing = iter(())
        self._queue.end(self._step)

    def apply_edit(self, edit: Edit) -> None:
        """Take note of a change of the tags, to be looked into when the change is painted."""
        if self._live is not None or self._task is not None:
            self._waiting.append(edit)
            if self._live is not None:
                self._queue.begin(self._step)

    def go_next(self) -> None:
        self._catch_up()
        if self._live is not None:
            place = self._live.places.next_after(self._view.caret())
            self._go(place or self._live.places.next_after(-1))

    def go_previous(self) -> None:
        self._catch_up()
        if self._live is not None:
            start = self._at_caret.start if self._at_caret else self._view.caret()
            place = self._live.places.last_before(start)
            self._go(place or self._live.places.last_before(len(self._view.merged_view.text) + 1))

    @property
    def walking(self) -> bool:
        """Whether what is selected was walked to."""
        return self._reached is not None and self._reached == self._view.selected_span()

    def go_on(self) -> None:
        """Go to the next place if the one that was walked to is tagged now."""
        self._catch_up()
        place = self._reached
        if place and self._live and not self._live.places.query(place.start, place.end):
            self.go_next()

    def offered(self) -> tuple[Span, PhiType] | None:
        """The untagged place at the caret, and the type that its text has elsewhere."""
        self._catch_up()
        place = self._at_caret
        phi_type = self._live.phi_type(place) if self._live and place else None
        return (Span(place.start, place.end), phi_type) if place and phi_type else None

    def tied(self) -> tuple[Span, list[PhiType]] | None:
        """The untagged place at the caret, where its text has several types equally often."""
        self._catch_up()
        place = self._at_caret
        types = self._live.tied_types(place) if self._live and place else []
        return (Span(place.start, place.end), types) if place and types else None

    @property
    def _at_caret(self) -> Untagged | None:
        if self._live is None:
            return None
        caret = self._view.caret()
        return next(iter(self._live.places.query(max(0, caret - 1), caret + 1)), None)

    def _go(self, place: Untagged | None) -> None:
        if place is None or self._live is None:
            self._reached = None
            self.said.emit("All text that is tagged somewhere is tagged everywhere.")
            return
        self._reached = span = Span(place.start, place.end)
        self._view.select(span)
        self._view.reveal(span)
        self._view.setFocus()  # wherever the walk was begun, Enter is a key in the text
        phi_type = self._live.phi_type(place)
        name, does = phi_type.name if phi_type else "PHI", "tags it here too"
        if tied := self._live.tied_types(place):
            name, does = " and ".join(each.name for each in tied), "asks which it is here"
        number = len(self._live.places)
        self.said.emit(f"Tagged elsewhere as {name}; Enter {does}. {number} to look at.")

    def _opened(self, found: tuple[MergedView, UntaggedIndex]) -> None:
        view, live = found
        if self._task is None or view is not self._view.merged_view:
            return  # closed meanwhile
        self._task = None
        self._live = live
        self._show(UntaggedChange((), tuple(live.places)))
        self.counted.emit(len(live.places))
        self._queue.begin(self._step)
        self.opened.emit()

    def _catch_up(self) -> None:
        """Look into all that waits now."""
        while self._step():
            pass

    def _step(self) -> bool:
        """Look into a portion of what waits; True while more does."""
        if self._live is None:
            return False
        change = next(self._changing, None)
        if change is not None:
            self._show(change)
            return True
        self.counted.emit(len(self._live.places))
        if self._waiting:
            edit = self._waiting.popleft()
            self._changing = self._live.changing(edit.removed, edit.added)
            return True
        return False

    def _show(self, change: UntaggedChange) -> None:
        if change:
            self._view.change_marks(map(_mark, change.removed), map(_mark, change.added))
            self.changed.emit(list(change.removed), list(change.added))


def _mark(place: Untagged) -> Mark:
    return Mark(place.start, place.end, "", _COLOUR, MarkStyle.UNTAGGED)
