"""The marks of a session's tags in a document view."""

from collections.abc import Callable, Hashable, Iterable

from shared.model import PhiType
from shared.project.edits import Edit, PlacedTag
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle


class TagMarks:
    """Shows each tag in the colour of its type, with what is noted on it."""

    def __init__(self, view: DocumentView, colour: Callable[[PhiType], str]) -> None:
        self._view = view
        self._colour = colour
        self._marks: dict[Hashable, Mark] = {}
        self._signs: dict[Hashable, Mark] = {}
        """What says that there is a comment on a tag."""
        self.note_of: Callable[[PlacedTag], str] = _no_note
        """Says what is to be noted on a tag; its owner calls `refresh` where that changes."""

    def show(self, tags: Iterable[PlacedTag]) -> None:
        """Show these tags and no others; of none of them is anything noted yet."""
        tags = list(tags)
        self._marks = {mark.key: mark for mark in [self._mark(each, "") for each in tags]}
        self._signs = {each.key: _sign(each) for each in tags if each.tag.comment}
        self._view.set_marks([*self._marks.values(), *self._signs.values()])

    def forget(self) -> None:
        """Know no tags any more; the view is closed by its owner."""
        self._marks, self._signs = {}, {}

    def refresh(self, tags: Iterable[PlacedTag]) -> None:
        """Show what is noted on these tags by now; each stays where the last edit has put it."""
        known = [each for each in tags if each.key in self._marks]
        old = [self._marks[each.key] for each in known]
        new = [
            mark._replace(note=self.note_of(each)) for each, mark in zip(known, old, strict=True)
        ]
        self._marks |= {mark.key: mark for mark in new}
        self._view.change_marks(old, new)

    def apply_edit(self, edit: Edit) -> None:
        """Show a change of the tags."""
        self._change([each.key for each in edit.removed], edit.added)

    def mark(self, placed: PlacedTag) -> Mark:
        """The mark that a tag has, or would have."""
        return self._mark(placed, self.note_of(placed))

    def _mark(self, placed: PlacedTag, note: str) -> Mark:
        phi_type = placed.tag.phi_type
        label, colour = phi_type.name, self._colour(phi_type)
        # by place, since there may be many thousands: naming them takes a third longer
        return Mark(placed.start, placed.end, label, colour, MarkStyle.TAG, placed.key, note)

    def _change(self, gone: Iterable[Hashable], added: Iterable[PlacedTag]) -> None:
        gone = list(gone)
        old = [mark for key in gone if (mark := self._marks.pop(key, None))]
        old += [mark for key in gone if (mark := self._signs.pop(key, None))]
        new = {mark.key: mark for mark in map(self.mark, added)}
        signs = {each.key: _sign(each) for each in added if each.tag.comment}
        self._marks |= new
        self._signs |= signs
        self._view.change_marks(old, [*new.values(), *signs.values()])


def _sign(placed: PlacedTag) -> Mark:
    key = "comment", placed.key
    return Mark(placed.start, placed.end, "", "", MarkStyle.NOTE, key, placed.tag.comment)


def _no_note(_: PlacedTag) -> str:
    return ""
