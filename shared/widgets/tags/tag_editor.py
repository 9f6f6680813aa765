"""Editing tags in a document view: what keys, clicks and menus come down to.

Both windows use it, the annotators on their own layers, the adjudicator on the gold standard. It
holds no tags: it asks the session, and tells the view what changed.
"""

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import product

from PySide6.QtCore import QObject, Signal

from shared.errors import RequestError, TandemError
from shared.garbage import collection_put_off
from shared.model import PhiType, Schema, SchemaCategory, Span
from shared.project.edits import Edit, PlacedTag
from shared.project.patient_session import PatientSession
from shared.text.scripts import begins_right_to_left
from shared.text.words import next_word, previous_word
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark
from shared.widgets.tags.place_list import PlaceRow, place_row, review_places
from shared.widgets.tags.tag_marks import TagMarks
from shared.widgets.tags.type_palette import ArmedType, TypePicker


class TagEditor(QObject):
    """Carries out what the user asks for on the tag or text at the caret.

    Signals: `edited` (Edit) after every change; `said` (str) for the status line; `failed`
    (Exception) where a change could not be kept.
    """

    edited = Signal(object)
    said = Signal(str)
    failed = Signal(object)

    def __init__(self, view: DocumentView, schema: Schema, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self.schema = schema
        self._session: PatientSession | None = None
        self._colour = cache(schema.colour)
        self._last_used: dict[str, PhiType] = {}
        self._last: PhiType | None = None
        self.marks = TagMarks(view, self._colour)
        self._picker = TypePicker(schema, view)
        self._picker.chosen.connect(self.tag_as)
        self._alike_picker = TypePicker(schema, view)
        self._alike_picker.chosen.connect(self._retype_alike)
        self.offered: Callable[[], Span | None] = _nothing
        """What a type's key tags where nothing is selected, before the word at the caret."""
        self.armed = ArmedType(view, self._colour, self)
        self.armed.said.connect(self.said)
        self.armed.picked.connect(self.tag_span)
        view.edge_dragged.connect(self._resize)

    @property
    def last_type(self) -> PhiType | None:
        """The type that was given last, whatever its category."""
        return self._last

    @property
    def session(self) -> PatientSession | None:
        return self._session

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions of the table that are the editor's, by their names."""
        handlers: dict[str, Callable[[], object]] = {
            "undo": self.undo,
            "redo": self.redo,
            "remove": self.remove,
            "remove_alike": self.remove_alike,
            "retype_alike": self.retype_alike,
            "next_tag": self.go_next,
            "previous_tag": self.go_previous,
        }
        for edge, (way, by) in product(("start", "end"), (("left", -1), ("right", 1))):
            handlers[f"{edge}_{way}"] = partial(self.move_edge, edge, by)
            handlers[f"{edge}_word_{way}"] = partial(self.move_edge, edge, by, word=True)
        for category in self.schema.categories:
            handlers[f"tag.{category.name}"] = partial(self.tag_as_category, category.name)
            if has_type_actions(category):
                for each in category.types:
                    action = f"tag.{category.name}.{each.name}"
                    handlers[action] = partial(self.tag_as, each.phi_type)
        return handlers

    def open(self, session: PatientSession) -> None:
        """Show the tags of a session, whose view the document view has open."""
        self._session = session
        self.marks.show(session.tags)

    def close(self) -> None:
        self._session = None
        self.marks.forget()
        self.armed.disarm()

    def mark(self, placed: PlacedTag) -> Mark:
        return self.marks.mark(placed)

    def current(self) -> PlacedTag | None:
        """The tag that is emphasised, else the shortest at the caret."""
        if self._session is None:
            return None
        selected = self._view.selected_span()
        caret = self._view.caret()
        here = self._session.tags.query(max(0, caret - 1), caret + 1)
        touching = [each for each in here if each.start <= caret <= each.end]
        if selected:
            touching = [each for each in touching if each.span == selected]
        mark = self._view.current_mark
        if mark is not None:
            touching.sort(key=lambda each: each.key != mark.key)
            if touching and touching[0].key == mark.key:
                return touching[0]
        inside = [each for each in touching if each.start <= caret < each.end] or touching
        return min(inside, key=lambda each: each.end - each.start, default=None)

    def tag_as(self, phi_type: PhiType) -> None:
        """Give the selection, the tag at the caret or the word there this type."""
        session, current = self._session, self.current()
        if session is None:
            return
        self.remember(phi_type)
        if current is not None and (self._view.selected_span() or current.span) == current.span:
            self.carry_out(lambda: session.retype([current], phi_type))
        else:
            self._tag(self._target_span(), phi_type)

    def repeat(self) -> bool:
        """Tag the selection with the type that was given last; False where either is missing."""
        span, phi_type = self._view.selected_span(), self._last
        if span is None or phi_type is None:
            return False
        self.tag_span(span, phi_type)
        return True

    def tag_span(self, span: Span, phi_type: PhiType) -> None:
        """Give a stretch this type."""
        self.remember(phi_type)
        self._tag(span, phi_type)

    def tag_as_category(self, category: str) -> None:
        """Tag as the category's only type, or let the user pick one of several."""
        types = [each.phi_type for each in self.schema.category(category).types]
        if len(types) == 1:
            self.tag_as(types[0])
        elif self.target() is None:
            self.said.emit("Put the caret on a word, or select text, then choose its type.")
        else:
            self._pick(self._picker, self._last_used.get(category), types)

    def ask_type(self, types: Iterable[PhiType] | None = None) -> None:
        """Let the user pick the type of the selection, of these or of all that there are."""
        self._pick(self._picker, self._last, types)

    def target(self) -> Span | None:
        """What tagging would act on: the selection, the tag at the caret, or the word there."""
        current = self.current()
        return self._view.selected_span() or (current.span if current else self._target_span())

    def remove(self) -> None:
        session, current = self._session, self.current()
        if session is not None:
            self.carry_out(lambda: session.remove([current] if current else []))

    def move_edge(self, edge: str, by: int, *, word: bool = False) -> None:
        """Move `start` or `end` of the current tag by a character or word, left (-1) or right."""
        session, current = self._session, self.current()
        if session is None or current is None:
            return
        moved = with_edge_moved(session.view.text, current.span, edge, by, word=word)
        if moved is not None:
            self.carry_out(lambda: session.resize(current, moved))

    def remove_alike(self) -> None:
        """Remove all tags of the current one's type on its text, after a look at each."""
        session, current = self._session, self.current()
        if session is None:
            return
        if current is None:
            self.remove()
        else:
            self._review_alike("Remove all with this text", "&Remove", current, session.remove)

    def retype_alike(self) -> None:
        """Let the user pick a type for every tag like the one at the caret."""
        if self.current() is None:
            self.said.emit("Put the caret on a tag to retype all with its text.")
        else:
            self._pick(self._alike_picker, self._last)

    def replace(self, placed: PlacedTag, marks: list[tuple[Span, PhiType]]) -> None:
        """Put other tags in place of one, as one step."""
        session = self._session
        if session is not None:
            self.carry_out(lambda: session.replace([(placed, marks)]))

    def comment(self, key: tuple[str, str], text: str) -> None:
        session = self._session
        placed = session.find(*key) if session else None
        if session and placed and placed.tag.comment != text:
            self.carry_out(lambda: session.comment(placed, text))

    def apply_all(self, spans: Iterable[Span], phi_type: PhiType) -> None:
        """Tag the places that annotate all was ticked for."""
        session = self._session
        if session is not None:
            self.carry_out(lambda: session.tag_all(spans, phi_type))

    def undo(self) -> None:
        if self._session is not None:
            self._take_back(self._session.undo, "Undone", "There is nothing to undo.")

    def redo(self) -> None:
        if self._session is not None:
            self._take_back(self._session.redo, "Redone", "There is nothing to redo.")

    def go_next(self) -> None:
        if self._session is not None:
            self._go(self._session.tags.next_after(self._from()), "There is no tag after this one.")

    def go_previous(self) -> None:
        if self._session is not None:
            self._go(
                self._session.tags.last_before(self._from()), "There is no tag before this one."
            )

    @collection_put_off()
    def carry_out(self, change: Callable[[], Edit]) -> None:
        """Make a change and show it; trouble is told by the signals."""
        try:
            edit = change()
        except TandemError as error:
            self._say_trouble(error)
        else:
            self._show_done(edit)

    def follow(self, edit: Edit) -> None:
        """Show a change of the tags, whoever made it."""
        self.marks.apply_edit(edit)

    def show(self, placed: PlacedTag) -> None:
        """Bring a tag into sight, with the caret on it and emphasised."""
        self._view.set_caret(placed.start)
        self._view.set_current_mark(self.mark(placed))
        self._view.reveal(placed.span)

    def remember(self, phi_type: PhiType) -> None:
        """Take note that this type was given last."""
        self._last_used[phi_type.category] = phi_type
        self._last = phi_type

    def _pick(
        self, picker: TypePicker, first: PhiType | None, types: Iterable[PhiType] | None = None
    ) -> None:
        if types is None:
            types = [each.phi_type for each in self.schema.types()]
        picker.open(types, first, self._view.caret_rectangle())

    def _retype_alike(self, phi_type: PhiType) -> None:
        session, current = self._session, self.current()
        if session is not None and current is not None:
            self.remember(phi_type)
            retype = partial(session.retype, phi_type=phi_type)
            take = f"&Retype as {phi_type.name}"
            self._review_alike("Retype all with this text", take, current, retype)

    def _review_alike(
        self, title: str, take: str, current: PlacedTag, change: Callable[[list[PlacedTag]], Edit]
    ) -> None:
        """Change all tags like the current one; where there are several, those that are ticked."""
        session = self._session
        alike = session.same_text(current) if session else []
        if session is None or len(alike) < 2:
            self.carry_out(lambda: change(alike))
            return

        def row(tag: PlacedTag) -> PlaceRow:
            return place_row(self._view.merged_view, tag.span, tag.phi_type.name)

        def change_ticked(ticked: list[PlacedTag]) -> None:
            self.carry_out(lambda: change(ticked))

        review_places(title, take, alike, row, self._view, change_ticked)

    def _target_span(self) -> Span | None:
        selected = self._view.selected_span()
        return selected or self.offered() or self._view.target_span()

    def _from(self) -> int:
        current = self.current()
        return current.start if current else self._view.caret()

    def _go(self, placed: PlacedTag | None, nothing: str) -> None:
        if placed is None:
            self.said.emit(nothing)
        else:
            self.show(placed)

    def _tag(self, span: Span | None, phi_type: PhiType) -> None:
        session = self._session
        if session is None:
            return
        if span is None:
            self.said.emit("Put the caret on a word, or select text, then choose its type.")
        else:
            self.carry_out(lambda: session.tag(span, phi_type))
            self._tell_nested(session, span, phi_type)

    def _tell_nested(self, session: PatientSession, span: Span, phi_type: PhiType) -> None:
        """Say so where a tag has just come to lie in one of another type."""
        there = session.tags.query(span.start, span.end)
        others = {each.phi_type.name for each in there if each.span.contains(span)}
        is_there = any(each.phi_type == phi_type for each in session.tags.on(span.start, span.end))
        if is_there and (outer := sorted(others - {phi_type.name})):
            self.said.emit(f"Tagged as {phi_type.name} inside {', '.join(outer)}; both tags stay.")

    def _resize(self, mark: Mark, span: Span) -> None:
        """The edge of a tag was dragged."""
        session = self._session
        there = session.tags.on(mark.start, mark.end) if session else []
        placed = next((each for each in there if each.key == mark.key), None)
        if session is not None and placed is not None:
            self.carry_out(lambda: session.resize(placed, span))

    @collection_put_off()
    def _take_back(self, change: Callable[[], Edit | None], done: str, nothing: str) -> None:
        try:
            edit = change()
        except TandemError as error:
            self.failed.emit(error)
            return
        if edit is None:
            self.said.emit(nothing)
        else:
            self._show(edit)
            if len(edit.removed) == 1 and not edit.added:
                self._view.select(edit.removed[0].span)
            self.said.emit(f"{done}: {edit.words}.")

    def _show_done(self, edit: Edit) -> None:
        self._show(edit)
        self.said.emit(_sentence(edit.done))

    def _say_trouble(self, error: TandemError) -> None:
        if isinstance(error, RequestError):
            self.said.emit(_sentence(str(error)))
        else:
            self.failed.emit(error)

    def _show(self, edit: Edit) -> None:
        self.follow(edit)
        if len(edit.added) == 1:
            self._view.set_caret(edit.added[0].end)
            self._view.set_current_mark(self.mark(edit.added[0]))
            self._view.reveal(edit.added[0].span)
        else:
            self._view.set_current_mark(None)
        self.edited.emit(edit)


def with_edge_moved(text: str, span: Span, edge: str, by: int, *, word: bool) -> Span | None:
    """The span with its `start` or `end` moved to the left (-1) or right on the screen.

    None where nothing would be left of it.
    """
    by = -by if begins_right_to_left(span.text_in(text)) else by
    edges = {"start": span.start, "end": span.end}
    step = next_word if by > 0 else previous_word
    edges[edge] = step(text, edges[edge]) if word else edges[edge] + by
    return Span(**edges) if 0 <= edges["start"] < edges["end"] else None


def has_type_actions(category: SchemaCategory) -> bool:
    """False where the category's own action does all that its only type's would do."""
    return len(category.types) > 1 or any(each.key for each in category.types)


def _nothing() -> None:
    """Nothing is offered."""


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
