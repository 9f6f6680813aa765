"""Text that is tagged elsewhere in the patient: faint marks, the walk over them, what is done."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from shared.consistency.untagged_index import Untagged, UntaggedChange
from shared.consistency.untagged_places import UntaggedPlaces
from shared.errors import TandemError
from shared.language.languages import default_language
from shared.model import PhiType, Span
from shared.project.edits import Edit
from shared.project.patient_session import PatientSession
from shared.text.scripts import has_arabic, has_han
from shared.text.span_index import SpanIndex
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.parts.place_line import PlaceLine
from shared.widgets.parts.refresh import RefreshQueue
from shared.widgets.tags.dismissal_store import DismissalStore
from shared.widgets.tags.place_at_hand import PlaceAction, PlaceAtHand, PlaceVerb, PlaceWalk
from shared.widgets.tags.place_list import PlaceRow, place_row, review_places
from shared.widgets.tags.tag_editor import TagEditor

_COLOUR = "#7F7F7F"
_PAINTED_MS = 30
"""By then an opened patient is on the screen."""
_TAGGING = PlaceAction.ACCEPT, PlaceAction.ACCEPT_EVERYWHERE, PlaceAction.EDIT
_DONE = "All tagged text is tagged everywhere"
_LOOKED = "Looked for in capitals, without accents and over line ends too."
_NOT_LOOKED = (
    (has_han, "Not looked for: simplified characters for traditional ones, and the reverse."),
    (has_arabic, "Not looked for: names written together for those written apart."),
)
"""What one who reads such a script would take for the same."""


class UntaggedMarks(QObject):
    """Keeps the marks in step with the tags, a portion at a time after a change is painted.

    The first look at a patient happens off the thread. What may be something else is not marked,
    and comes last; what was dismissed is shown on request.

    Signals: `changed` (list of Untagged that are no more, list of new ones), then `counted` (int
    likely, int doubtful) whenever the untagged places may have changed; `looking` (BackgroundTask)
    when a patient is looked through, `opened` when it was; `said` (str); `failed` (Exception).
    """

    opened = Signal()
    changed = Signal(object, object)
    counted = Signal(int, int)
    looking = Signal(object)
    said = Signal(str)
    failed = Signal(object)

    def __init__(
        self, editor: TagEditor, view: DocumentView, queue: RefreshQueue, walk: PlaceWalk
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._view = view
        self._queue = queue
        self._walk = walk
        self._live: UntaggedPlaces | None = None
        self._store: DismissalStore | None = None
        self._line: PlaceLine | None = None
        self._task: BackgroundTask | None = None
        self._waiting: deque[Edit] = deque()
        self._changing: Iterator[UntaggedChange] = iter(())
        """What is left of the change that is looked into."""
        self._said_done = False
        """Whether that nothing is left was said last, so that what was passed over comes."""
        self.note: Callable[[Span], str] = _nothing
        """What else is to be said of a place, as a sentence."""

    def dismiss_in(self, store: DismissalStore, line: PlaceLine) -> None:
        """Keep dismissals in a store, and ask for their reasons in a line."""
        self._store, self._line = store, line
        store.changed.connect(self._read_dismissals)

    def open(self, session: PatientSession) -> None:
        """Look through a patient once its page is shown; edits that come meanwhile wait."""
        self.close()
        placed, view = list(session.tags), session.view
        store = self._store

        def look() -> UntaggedPlaces:
            language = session.language or default_language()
            reasons = store.read() if store else {}
            return UntaggedPlaces(view, placed, self._editor.schema, language, reasons)

        self._task = BackgroundTask(lambda: (view, look()), self)
        self._task.succeeded.connect(self._opened)
        self._task.failed.connect(self.failed)
        self.looking.emit(self._task)
        QTimer.singleShot(_PAINTED_MS, self._task, self._task.start)

    def close(self) -> None:
        if self._task is not None:
            self._task.wait()
        self._task = None
        self._live = None
        self._waiting.clear()
        self._changing = iter(())
        self._queue.end(self._step)

    def apply_edit(self, edit: Edit) -> None:
        """Take note of a change of the tags, to be looked into when the change is painted."""
        self._said_done = False
        if self._live is not None or self._task is not None:
            self._waiting.append(edit)
            if self._live is not None:
                self._queue.begin(self._step)

    def go_next(self) -> None:
        """Go to the next likely place, else the next doubtful; at last to what was dismissed."""
        if (live := self._caught_up()) and (places := self._walked(live)) is not None:
            caret = self._view.caret()
            self._go(live, places.next_after(caret) or places.next_after(-1))

    def go_previous(self) -> None:
        if (live := self._caught_up()) and (places := self._walked(live)) is not None:
            here = live.near(self._view.caret())
            place = places.last_before(here.start if here else self._view.caret())
            self._go(live, place or places.last_before(len(self._view.merged_view.text) + 1))

    def catch_up(self) -> None:
        """Look into all that waits now."""
        while self._step():
            pass

    def place_at_hand(self) -> PlaceAtHand | None:
        """The untagged place at the caret, as far as changes are looked into."""
        live, place = self._live, self._at_caret
        phi_type = live.phi_type(place) if live and place else None
        if live is None or place is None or phi_type is None:
            return None
        alike = live.alike(place)
        everywhere = f"all {len(alike)}…" if len(alike) > 1 else ""
        dismissed = live.reason(place) is not None
        verbs = {
            PlaceAction.ACCEPT: PlaceVerb("tags it here too", partial(self._tag, place, phi_type)),
            PlaceAction.ACCEPT_EVERYWHERE: PlaceVerb(
                everywhere, partial(self._tag_alike, alike, phi_type)
            ),
            PlaceAction.DISMISS: PlaceVerb("no tag here", partial(self._ask, [place])),
            PlaceAction.DISMISS_EVERYWHERE: PlaceVerb(
                everywhere and f"none of {len(alike)}", partial(self._ask, alike)
            ),
            PlaceAction.EDIT: PlaceVerb("tags and edits", partial(self._edit, place, phi_type)),
        }
        if len(tied := live.types(place)) > 1:
            asking = PlaceVerb("asks which it is", partial(self._ask_type, place, tied))
            for action in _TAGGING:
                verbs[action] = (
                    asking if action is PlaceAction.ACCEPT else replace(asking, words="")
                )
        if dismissed:
            verbs[PlaceAction.DISMISS] = PlaceVerb(
                "dismissed no more", partial(self._take_back, place)
            )
        return PlaceAtHand(self._about(live, place), verbs)

    def dismissal(self, span: Span) -> str | None:
        """Why a stretch was dismissed, as far as is known; None where it was not."""
        return self._live.dismissal(span) if self._live else None

    @property
    def _at_caret(self) -> Untagged | None:
        """The place that is selected, or without a selection the one at the caret.

        One that was dismissed is there only where a walk has led to it: Enter must not tag it by
        chance.
        """
        live, selected = self._live, self._view.selected_span()
        if live is None:
            return None
        place = live.on(selected) if selected else live.near(self._view.caret())
        passed_over = place in live.dismissed and not self._walk.is_led_by(self)
        return None if passed_over else place

    def _about(self, live: UntaggedPlaces, place: Untagged) -> str:
        reason, doubt = live.reason(place), live.doubt(place)
        names = " and ".join(each.name for each in live.types(place))
        about = f"Tagged elsewhere as {names}{f', but {doubt}' if doubt else ''}"
        if reason is not None:
            about = f"{about}; dismissed{f' ({reason})' if reason else ''}"
        return f"{self.note(Span(place.start, place.end))} {about}".strip()

    def _walked(self, live: UntaggedPlaces) -> SpanIndex[Untagged] | None:
        """What a walk goes over; None where there is only something to be said."""
        for places in (live.likely, live.doubtful):
            if places:
                return places
        if live.dismissed and self._said_done:
            return live.dismissed
        self._say_done(live)
        return None

    def _go(self, live: UntaggedPlaces, place: Untagged | None) -> None:
        if place is None:
            return
        self._walk.go(self, Span(place.start, place.end))
        walked = live.group(place) or ()
        which = {id(live.doubtful): "doubtful", id(live.dismissed): "dismissed"}.get(id(walked))
        about = self._about(live, place)
        self.said.emit(f"{about}. {len(walked):,} {which or 'untagged'} to look at.")

    def _say_done(self, live: UntaggedPlaces) -> None:
        """Say that nothing is left, and what that leaves out."""
        self._said_done = True
        doubtful, dismissed, partly = len(live.doubtful), len(live.dismissed), live.partly_tagged
        but = [
            f"{count:,} {what}"
            for count, what in (
                (doubtful, "doubtful"),
                (dismissed, "dismissed"),
                (partly, "tagged in part"),
            )
            if count
        ]
        but_for = f", but for {' and '.join(but)}" if but else ""
        further = " F9 goes on to them." if doubtful or dismissed else ""
        text = self._view.merged_view.text
        limits = "".join(f" {what}" for is_in, what in _NOT_LOOKED if is_in(text))
        self.said.emit(f"{_DONE}{but_for}.{further} {_LOOKED}{limits}")

    def _walking(self) -> SpanIndex[Untagged] | None:
        """Those places that a walk goes over that has led here."""
        place = self._at_caret
        if self._live is None or place is None or not self._walk.is_led_by(self):
            return None
        return self._live.group(place)

    def _go_on(self, walked: SpanIndex[Untagged] | None) -> None:
        """Go on with a walk after what was walked to is settled."""
        live = self._caught_up()
        if walked is None or live is None:
            return
        if walked:
            place = walked.next_after(self._view.caret()) or walked.next_after(-1)
            self._go(live, place)
        else:
            self._walk.end()
            self._view.set_caret(self._view.caret())
            self._say_done(live)

    def _tag(self, place: Untagged, phi_type: PhiType) -> None:
        walked = self._walking()
        self._editor.tag_span(Span(place.start, place.end), phi_type)
        self._go_on(walked)

    def _ask_type(self, place: Untagged, types: Sequence[PhiType]) -> None:
        self._view.select(Span(place.start, place.end))
        self._editor.ask_type(types)

    def _edit(self, place: Untagged, phi_type: PhiType) -> None:
        self._editor.tag_span(Span(place.start, place.end), phi_type)
        self.said.emit("Tagged; Alt and arrows move the edges, a type's key retypes it.")

    def _tag_alike(self, places: Sequence[Untagged], phi_type: PhiType) -> None:
        live = self._live
        if live is None or len(places) == 1:
            self._tag(places[0], phi_type)
            return
        walked, view = self._walking(), self._view.merged_view

        def row(place: Untagged) -> PlaceRow:
            doubt = live.doubt(place)
            return place_row(view, Span(place.start, place.end), doubt, ticked=not doubt)

        def tag(ticked: Sequence[Untagged]) -> None:
            self._editor.apply_all([Span(each.start, each.end) for each in ticked], phi_type)
            self._go_on(walked)

        take = f"&Tag as {phi_type.name}"
        review_places("Tag everywhere", take, places, row, self._view, tag)

    def _ask(self, places: Sequence[Untagged]) -> None:
        if self._line is not None:
            what = "no tag here" if len(places) == 1 else f"no tag in these {len(places)} places"
            self._line.ask_reason(what, partial(self._dismiss, places, self._walking()))

    def _dismiss(
        self, places: Sequence[Untagged], walked: SpanIndex[Untagged] | None, reason: str
    ) -> None:
        live, store = self._live, self._store
        if live is None or store is None:
            return
        try:
            store.dismiss(map(live.key, places), reason)
        except TandemError as error:
            self.failed.emit(error)
        else:
            times = f", {len(places)} times" if len(places) > 1 else ""
            self.said.emit(f"Dismissed{times}; it comes back if the text around it changes.")
            self._go_on(walked)

    def _take_back(self, place: Untagged) -> None:
        live, store, walked = self._live, self._store, self._walking()
        if live is None or store is None:
            return
        try:
            store.take_back([live.key(place)])
        except TandemError as error:
            self.failed.emit(error)
        else:
            self.said.emit("Dismissed no more.")
            self._go_on(walked)

    def _read_dismissals(self) -> None:
        live, store = self._caught_up(), self._store
        if live is None or store is None:
            return
        try:
            self._show(live.dismiss(store.read()))
        except TandemError as error:
            self.failed.emit(error)
        self.counted.emit(len(live.likely), len(live.doubtful))

    def _opened(self, found: tuple[object, UntaggedPlaces]) -> None:
        view, live = found
        if self._task is None or view is not self._view.merged_view:
            return  # closed meanwhile
        self._task = None
        self._live = live
        self._show(UntaggedChange((), tuple(live.likely)))
        self.counted.emit(len(live.likely), len(live.doubtful))
        self._queue.begin(self._step)
        self.opened.emit()

    def _caught_up(self) -> UntaggedPlaces | None:
        """What is untagged once all that waits is looked into; None while a patient is opened."""
        self.catch_up()
        if self._live is None and self._task is not None:
            self.said.emit("Still looking for untagged text; try again in a moment.")
        return self._live

    def _step(self) -> bool:
        """Look into a portion of what waits; True while more does."""
        if self._live is None:
            return False
        change = next(self._changing, None)
        if change is not None:
            self._show(change)
            return True
        self.counted.emit(len(self._live.likely), len(self._live.doubtful))
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


def _nothing(_span: Span) -> str:
    return ""
