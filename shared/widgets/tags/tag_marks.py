"""The marks of a session's tags in a document view."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from shared.model import PhiType, Span
from shared.project.edits import Edit, PlacedTag
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark
from shared.widgets.parts.portions import Portions

_MANY = 100
"""More tags than this changed at once, and only those near the page are shown at once."""
_PORTION = 200
"""So many of the others are shown at a time, which takes a millisecond or two."""
_NEAR = 500
"""Characters around the page: what begins there may share its lanes with what is on it."""
_Tags = Sequence[PlacedTag]


class TagMarks:
    """Shows each tag in the colour of its type, with what is noted on it.

    Of a change of many tags the page shows its part at once, and all of it as soon as the view is
    asked for marks, or in a moment.
    """

    def __init__(
        self, view: DocumentView, colour: Callable[[PhiType], str], portions: Portions
    ) -> None:
        self._view = view
        self._portions = portions
        self._gone: _Tags = ()
        self._come: _Tags = ()
        """What of the last change is not shown yet."""
        self._colour = colour
        self._marks: dict[Hashable, Mark] = {}
        self.note_of: Callable[[PlacedTag], str] = _no_note
        """Says what is to be noted on a tag; its owner calls `refresh` where that changes."""

        view.marks_wanted.connect(self.catch_up)
        view.visible_changed.connect(self._show_near)

    def show(self, tags: Iterable[PlacedTag]) -> None:
        """Show these tags and no others."""
        self._forget_waiting()
        self._marks = {each.key: self.mark(each) for each in tags}
        self._view.set_marks(self._marks.values())

    def forget(self) -> None:
        """Know no tags any more; the view is closed by its owner."""
        self._forget_waiting()
        self._marks = {}

    def refresh(self, tags: Iterable[PlacedTag]) -> None:
        """Show these tags anew: what is noted on them has changed."""
        self.catch_up()
        tags = [each for each in tags if each.key in self._marks]
        if not tags:
            return
        old = [self._marks[each.key] for each in tags]
        new = [self.mark(each) for each in tags]
        self._marks |= {mark.key: mark for mark in new}
        self._view.change_marks(old, new)

    def follow(self, edit: Edit) -> None:
        """Show a change of the tags."""
        self.catch_up()
        if len(edit.removed) + len(edit.added) <= _MANY or not _can_be_parted(edit):
            self._show(edit.removed, edit.added)
            return
        self._gone, self._come = edit.removed, edit.added
        self._show_near(self._view.visible_span())
        self._portions.begin(self._step, first=True)

    def catch_up(self) -> None:
        """Show all of the last change."""
        if self._gone or self._come:
            gone, come = self._gone, self._come
            self._forget_waiting()
            self._show(gone, come)

    def mark(self, placed: PlacedTag) -> Mark:
        """The mark that a tag has, or would have."""
        return Mark(
            placed.start,
            placed.end,
            placed.phi_type.name,
            self._colour(placed.phi_type),
            key=placed.key,
            note=self.note_of(placed),
        )

    def _show(self, removed: _Tags, added: _Tags) -> None:
        gone = [mark for each in removed if (mark := self._marks.pop(each.key, None))]
        come = {each.key: self.mark(each) for each in added}
        self._marks |= come
        self._view.change_marks(gone, come.values())

    def _show_near(self, visible: Span | None) -> None:
        """Show what of the change that waits is near the page."""
        if visible is None or not (self._gone or self._come):
            return
        low, high = visible.start - _NEAR, visible.end + _NEAR
        gone = [each for each in self._gone if each.start <= high and low <= each.end]
        come = [each for each in self._come if each.start <= high and low <= each.end]
        if gone or come:
            self._gone = [each for each in self._gone if each.start > high or low > each.end]
            self._come = [each for each in self._come if each.start > high or low > each.end]
            self._show(gone, come)

    def _step(self) -> bool:
        """Show a portion of what waits; True while more does."""
        gone, self._gone = self._gone[:_PORTION], self._gone[_PORTION:]
        come, self._come = self._come[:_PORTION], self._come[_PORTION:]
        if gone or come:
            self._show(gone, come)
        return bool(self._gone or self._come)

    def _forget_waiting(self) -> None:
        self._gone = self._come = ()
        self._portions.end(self._step)


def _can_be_parted(edit: Edit) -> bool:
    """Whether no tag goes at one place to come at another, and all come in the order they go."""
    if not (edit.removed and edit.added):
        return True
    pairs = zip(edit.removed, edit.added, strict=False)
    return len(edit.removed) == len(edit.added) and all(
        (old.key, old.start, old.end) == (new.key, new.start, new.end) for old, new in pairs
    )


def _no_note(_: PlacedTag) -> str:
    return ""
