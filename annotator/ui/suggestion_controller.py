"""Suggestions in the document view: marks, the walk over them, and what keys do to one."""

from collections.abc import Callable
from functools import cache, partial

from PySide6.QtCore import QObject, Signal

from annotator.recognizer_process import RecognizerProcess
from annotator.rejections import PlacedSuggestion
from annotator.session import AnnotationSession
from annotator.suggestions import SuggestionChange, SuggestionOrder
from annotator.ui.actions import SURE
from annotator.ui.suggestion_feed import SuggestionFeed
from annotator.ui.suggestion_model import percent
from annotator.ui.suggestion_pane import SuggestionPane
from shared.model import Schema, Span
from shared.project.edits import Edit
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.tags.tag_editor import TagEditor

_Change = Callable[[AnnotationSession, PlacedSuggestion], Edit]


class SuggestionController(QObject):
    """Marks the suggestions of a patient, and leads through them.

    Signals: `said` (str) for the status line.
    """

    said = Signal(str)

    def __init__(
        self,
        view: DocumentView,
        pane: SuggestionPane,
        editor: TagEditor,
        recognizers: RecognizerProcess,
        schema: Schema,
    ) -> None:
        super().__init__(view)
        self._view = view
        self._pane = pane
        self._editor = editor
        self.feed = SuggestionFeed(pane, recognizers, self)
        self._colour = cache(schema.colour)
        self._session: AnnotationSession | None = None
        self._walk = SuggestionOrder.BY_PLACE
        self._reached: PlacedSuggestion | None = None
        editor.offered = self.offered_span
        pane.chosen.connect(self._go)
        pane.pointed.connect(self._show)
        view.mark_activated.connect(self._mark_clicked)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on suggestions, by their names."""
        return {
            "next_suggestion": self.go_next,
            "previous_suggestion": self.go_previous,
            "accept_everywhere": self.accept_everywhere,
            "reject": self.reject,
            "reject_alike": partial(self.reject, alike=True),
            "edit_suggestion": self.edit,
            "accept_sure": self.accept_sure,
            "least_sure_first": self._turn_walk,
            "suggest_again": self.feed.search_again,
        }

    def open(self, session: AnnotationSession) -> None:
        """Look for suggestions in a patient once its page is shown."""
        self._session = session
        self._reached = None
        session.review.changed = self._changed
        self._pane.open(session.view)
        self.feed.open(session)

    def close(self) -> None:
        """Show no patient; a look that is under way comes to nothing."""
        self._session = None
        self.feed.close()
        self._pane.clear()

    def edited(self) -> None:
        """Tags have changed, of which the session knows."""
        if self._session is not None:
            self._pane.count(self._session.review)

    def at_caret(self) -> PlacedSuggestion | None:
        """The suggestion that is selected, or where the caret is: what the keys act on."""
        if self._session is None:
            return None
        selected = self._view.selected_span()
        if selected is not None:
            return self._session.review.find(selected)
        return self._session.review.at(self._view.caret())

    def offered_span(self) -> Span | None:
        """What typing a type tags, where the caret is on a suggestion."""
        suggestion = self.at_caret()
        return suggestion.span if suggestion else None

    def mark_at_caret(self) -> Mark | None:
        suggestion = self.at_caret()
        return self._mark(suggestion) if suggestion else None

    def go_next(self) -> None:
        if self._session is not None:
            review, caret = self._session.review, self._view.caret()
            self._go(review.following(self._walk, caret, self._here()))

    def go_previous(self) -> None:
        if self._session is not None:
            review, caret = self._session.review, self._view.caret()
            self._go(review.preceding(self._walk, caret, self._here()))

    def accept(self) -> bool:
        """Accept the suggestion at the caret; False where there is none."""
        return self._carry_out(lambda session, suggestion: session.accept([suggestion]))

    def accept_everywhere(self) -> None:
        self._carry_out_here(
            lambda session, suggestion: session.accept(session.review.alike(suggestion))
        )

    def reject(self, *, alike: bool = False) -> None:
        self._carry_out_here(lambda session, suggestion: session.reject(suggestion, alike=alike))

    def edit(self) -> None:
        """Accept and stay there, for the edges to be moved or the type to be changed."""
        if self._carry_out_here(lambda session, it: session.accept([it]), stay=True):
            self.said.emit("Accepted; Alt and arrows move the edges, a type's key retypes it.")

    def accept_sure(self) -> None:
        """Accept all that is almost certain, in one step."""
        session = self._session
        if session is not None:
            self._editor.carry_out(lambda: session.accept(session.review.above(SURE)))

    def _carry_out_here(self, change: _Change, *, stay: bool = False) -> bool:
        """Change the suggestion at the caret; say so where there is none."""
        done = self._carry_out(change, stay=stay)
        if not done and self._session is not None:
            self.said.emit("There is no suggestion here; F8 goes to the next.")
        return done

    def _carry_out(self, change: _Change, *, stay: bool = False) -> bool:
        """Change the suggestion at the caret; on a walk go on to the next, unless to `stay`."""
        session, suggestion = self._session, self.at_caret()
        if session is None or suggestion is None:
            return False
        walking = self._reached == suggestion and not stay
        self._editor.carry_out(lambda: change(session, suggestion))
        if walking and suggestion not in session.review.shown:
            following = session.review.following(self._walk, suggestion.start, suggestion)
            if following is not None:
                self._go(following)
            else:
                self.said.emit("That was the last suggestion.")
        return True

    def _here(self) -> PlacedSuggestion | None:
        """Where a walk stands; by place it begins anew where the caret was put elsewhere."""
        if self._walk is SuggestionOrder.LEAST_SURE or self.at_caret() == self._reached:
            return self._reached
        return None

    def _go(self, suggestion: PlacedSuggestion | None) -> None:
        if suggestion is None or self._session is None:
            self.said.emit("There is no suggestion to look at.")
            return
        self._show(suggestion)
        self._view.setFocus()  # wherever the walk was begun, what comes next is a key in the text
        self._pane.select(suggestion)
        left = len(self._session.review.shown)
        self.said.emit(
            f"{suggestion.phi_type.name}, {percent(suggestion.confidence)} sure: "
            f"Enter accepts, X rejects, E edits. {left:,} to look at."
        )

    def _show(self, suggestion: PlacedSuggestion) -> None:
        """Let the keys act on a suggestion, wherever they are pressed."""
        self._reached = suggestion
        self._view.select(suggestion.span)
        self._view.reveal(suggestion.span)
        self._view.set_current_mark(self._mark(suggestion))

    def _mark_clicked(self, mark: Mark) -> None:
        if isinstance(mark.key, PlacedSuggestion):
            self._reached = None
            self._pane.select(mark.key)

    def _turn_walk(self) -> None:
        self._walk = (
            SuggestionOrder.BY_PLACE
            if self._walk is SuggestionOrder.LEAST_SURE
            else SuggestionOrder.LEAST_SURE
        )
        self.said.emit(f"F8 goes {self._walk}.")

    def _changed(self, change: SuggestionChange) -> None:
        self._view.change_marks(map(self._mark, change.removed), map(self._mark, change.added))
        self._pane.change(change)

    def _mark(self, suggestion: PlacedSuggestion) -> Mark:
        return Mark(
            suggestion.start,
            suggestion.end,
            suggestion.phi_type.name,
            self._colour(suggestion.phi_type),
            MarkStyle.SUGGESTION,
            suggestion,
            f"{percent(suggestion.confidence)} sure ({suggestion.recognizer})",
        )
