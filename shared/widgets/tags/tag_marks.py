"""The marks of a session's tags in a document view."""

from collections.abc import Callable, Hashable, Iterable

from shared.model import PhiType
from shared.project.edits import Edit, PlacedTag
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark


class TagMarks:
    """Shows each tag in the colour of its type, with what is noted on it."""

    def __init__(self, view: DocumentView, colour: Callable[[PhiType], str]) -> None:
        self._view = view
        self._colour = colour
        self._marks: dict[Hashable, Mark] = {}
        self.note_of: Callable[[PlacedTag], str] = _no_note
        """Says what is to be noted on a tag; its owner calls `refresh` where that changes."""

    def show(self, tags: Iterable[PlacedTag]) -> None:
        """Show these tags and no others."""
        self._marks = {each.key: self.mark(each) for each in tags}
        self._view.set_marks(self._marks.values())

    def forget(self) -> None:
        """Know no tags any more; the view is closed by its owner."""
        self._marks = {}

    def refresh(self, tags: Iterable[PlacedTag]) -> None:
        """Show these tags anew: what is noted on them has changed."""
        tags = [each for each in tags if each.key in self._marks]
        if not tags:
            return
        old = [self._marks[each.key] for each in tags]
        new = [self.mark(each) for each in tags]
        self._marks |= {mark.key: mark for mark in new}
        self._view.change_marks(old, new)

    def follow(self, edit: Edit) -> None:
        """Show a change of the tags."""
        gone = [mark for each in edit.removed if (mark := self._marks.pop(each.key, None))]
        come = {each.key: self.mark(each) for each in edit.added}
        self._marks |= come
        self._view.change_marks(gone, come.values())

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


def _no_note(_: PlacedTag) -> str:
    return ""
