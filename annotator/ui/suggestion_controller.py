"""Suggestions in the document view: marks, the walk over them, and what keys do to one."""

from collections.abc import Callable, Sequence
from functools import cache, partial

from PySide6.QtCore import QObject, Signal

from annotator.recognizer_process import RecognizerProcess
from annotator.rejections import PlacedSuggestion
from annotator.session import AnnotationSession
from annotator.suggestions import DOUBTFUL, SuggestionChange, SuggestionOrder
from annotator.ui.actions import SURE
from annotator.ui.screen_watch import ScreenWatch
from annotator.ui.suggestion_feed import SuggestionFeed
from annotator.ui.suggestion_model import percent
from annotator.ui.suggestion_pane import SuggestionPane
from shared.consistency.dismissals import places_without_tag
from shared.errors import TandemError
from shared.garbage import collection_put_off
from shared.model import Span
from shared.project.edits import Edit
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.records.record_controller import BELOW_TOP
from shared.widgets.tags.dismissal_store import DismissalStore
from shared.widgets.tags.place_at_hand import PlaceAction, PlaceAtHand, PlaceVerb, PlaceWalk
from shared.widgets.tags.place_list import PlaceRow, place_row, review_places
from shared.widgets.tags.tag_editor import TagEditor

_Change = Callable[[AnnotationSession, PlacedSuggestion], Edit]
_STILL_COMING = "Suggestions are still coming; try again in a moment."


class SuggestionController(QObject):
    """Marks the suggestions of a patient, and leads through them.

    Nothing is shown where the annotator has dismissed a place in another list. Signals: `said`
    (str) for the status line; `failed` (Exception) where that could not be read.
    """

    said = Signal(str)
    failed = Signal(object)

    def __init__(
        self,
        view: DocumentView,
        pane: SuggestionPane,
        editor: TagEditor,
        recognizers: RecognizerProcess,
        walk: PlaceWalk,
        dismissals: DismissalStore,
    ) -> None:
        super().__init__(view)
        self._places = walk
        self._dismissals = dismissals
        self._view = view
        self._pane = pane
        self._editor = editor
        self.feed = SuggestionFeed(pane, recognizers, self)
        self.screen = ScreenWatch(view)
        self._colour = cache(editor.schema.colour)
        self._session: AnnotationSession | None = None
        self._walk = SuggestionOrder.BY_PLACE
        self._reached: PlacedSuggestion | None = None
        self._left_to_decide: Span | None = None
        """The screen that was accepted, while something doubtful on it waits."""
        editor.offered = self.offered_span
        dismissals.changed.connect(self._leave_without_tag)
        pane.chosen.connect(self._go)
        pane.pointed.connect(self._show)
        view.mark_activated.connect(self._mark_clicked)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on suggestions, by their names."""
        return {
            "next_suggestion": self.go_next,
            "previous_suggestion": self.go_previous,
            "accept_sure": self.accept_sure,
            "accept_screen": self.accept_screen,
            "least_sure_first": self._turn_walk,
            "suggest_again": self.feed.search_again,
        }

    def open(self, session: AnnotationSession) -> None:
        """Look for suggestions in a patient once its page is shown."""
        self._session = session
        self._reached = self._left_to_decide = None
        self.screen.begin_anew()
        session.review.changed = self._changed
        self._leave_without_tag()
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

    def place_at_hand(self) -> PlaceAtHand | None:
        session, suggestion = self._session, self.at_caret()
        if session is None or suggestion is None:
            return None
        alike = session.review.alike(suggestion)
        several = len(alike) > 1
        verbs = {
            PlaceAction.ACCEPT: PlaceVerb("accepts", self._accept),
            PlaceAction.ACCEPT_EVERYWHERE: PlaceVerb(
                f"all {len(alike)}…" if several else "", self._accept_alike
            ),
            PlaceAction.DISMISS: PlaceVerb("rejects", self._reject),
            PlaceAction.DISMISS_EVERYWHERE: PlaceVerb(
                f"all {len(alike)}" if several else "", partial(self._reject, alike=True)
            ),
            PlaceAction.EDIT: PlaceVerb("edits", self._edit),
        }
        return PlaceAtHand(f"Suggested as {self._words(suggestion)}", verbs)

    def _accept(self) -> None:
        self._carry_out(lambda session, suggestion: session.accept([suggestion]))

    def _accept_alike(self) -> None:
        """Accept a suggestion wherever it is made on this text, after a look at each place."""
        session, suggestion = self._session, self.at_caret()
        if session is None or suggestion is None:
            return
        alike = session.review.alike(suggestion)
        if len(alike) == 1:
            self._accept()
        else:
            self._review("Accept everywhere", alike, suggestion)

    def _reject(self, *, alike: bool = False) -> None:
        self._carry_out(lambda session, suggestion: session.reject(suggestion, alike=alike))

    def _edit(self) -> None:
        """Accept and stay there, for the edges to be moved or the type to be changed."""
        if self._carry_out(lambda session, it: session.accept([it]), stay=True):
            self.said.emit("Accepted; Alt and arrows move the edges, a type's key retypes it.")

    @collection_put_off()
    def accept_sure(self) -> None:
        """Accept what is almost certain, in one step, after a look at each place."""
        session = self._session
        sure = session.review.above(SURE) if session is not None else []
        if session is not None and sure:
            self._review(f"Accept all above {SURE}", session.review.least_alike_first(sure))
        else:
            self.said.emit(
                _STILL_COMING if self.feed.is_looking else f"No suggestion is above {SURE}."
            )

    def accept_screen(self) -> None:
        """Accept what is on the screen and go on to the text below it.

        What is doubtful is led to instead, for a word of its own; the last of it goes on.
        """
        session, screen = self._session, self._view.visible_span()
        if session is None or screen is None:
            return
        shown = session.review.shown_within(screen)
        sure = [each for each in shown if each.confidence >= DOUBTFUL]
        if self.feed.is_looking:
            self.said.emit(_STILL_COMING)
        elif shown and not self.screen.is_looked_at():
            self.said.emit("This has only just come into sight; look at it, then press again.")
        elif sure:
            self._accept_on_screen(session, sure)
        elif shown:
            self._left_to_decide = screen
            self._go(shown[0])
        elif self._is_text_below(screen):
            self._go_below(screen)
        else:
            self.go_next()

    def _accept_on_screen(
        self, session: AnnotationSession, sure: Sequence[PlacedSuggestion]
    ) -> None:
        """Accept at once where the types can be read beside the text; else list them first."""
        if self._view.is_compact and len(sure) > 1:
            self._review("Accept on this screen", session.review.least_alike_first(sure))
            return
        screen = self._view.visible_span()
        self._editor.carry_out(lambda: session.accept(sure))
        doubtful = session.review.shown_within(screen) if screen else []
        then = ""
        if doubtful:
            self._left_to_decide = screen
            self._go(doubtful[0])
            then = f" {len(doubtful):,} doubtful: Enter accepts, X rejects."
        elif screen and self._is_text_below(screen):
            self._go_below(screen)
        elif not session.review.shown:
            then = f" {self._none_left('No suggestion is left to look at')}"
        self.said.emit(f"{len(sure):,} accepted on the screen.{then}")

    def _is_text_below(self, screen: Span) -> bool:
        return bool(self._view.merged_view.text[screen.end :].strip())

    def _go_below(self, screen: Span) -> None:
        self._view.set_caret(screen.end)
        self._view.scroll_to(screen.end, BELOW_TOP)

    def _review(
        self,
        title: str,
        suggestions: Sequence[PlacedSuggestion],
        at: PlacedSuggestion | None = None,
    ) -> None:
        """List suggestions to be ticked; those that are ticked are accepted in one step."""
        view = self._view.merged_view

        def row(suggestion: PlacedSuggestion) -> PlaceRow:
            return place_row(view, suggestion.span, self._words(suggestion))

        def accept(ticked: Sequence[PlacedSuggestion]) -> None:
            self._do(lambda session: session.accept(ticked), at)

        review_places(title, "&Accept", suggestions, row, self._view, accept)

    def _words(self, suggestion: PlacedSuggestion) -> str:
        by = f" ({suggestion.source})" if suggestion.source else ""
        return f"{suggestion.phi_type.name}, {percent(suggestion.confidence)} sure{by}"

    def _carry_out(self, change: _Change, *, stay: bool = False) -> bool:
        """Change the suggestion at the caret; on a walk go on to the next, unless to `stay`."""
        suggestion = self.at_caret()
        if self._session is None or suggestion is None:
            return False
        self._do(lambda session: change(session, suggestion), None if stay else suggestion)
        return True

    def _do(
        self, change: Callable[[AnnotationSession], Edit], at: PlacedSuggestion | None = None
    ) -> None:
        """Make a change; go on with a walk that has led `at` a suggestion which is settled then."""
        session = self._session
        if session is None:
            return
        walking = at is not None and self._reached == at
        self._editor.carry_out(lambda: change(session))
        if at is not None and walking and at not in session.review.shown:
            self._go_on(session, at)

    def _leave_without_tag(self) -> None:
        """Show nothing where somebody said that there is no tag, now or when it is suggested."""
        session = self._session
        if session is None:
            return
        try:
            dismissed = self._dismissals.read()
        except TandemError as error:
            self.failed.emit(error)
            return
        places = places_without_tag(session.view.patient.documents, dismissed)
        session.review.leave_without_tag(
            session.view.merged_span(each.record_id, each.span) for each in places
        )

    def _go_on(self, session: AnnotationSession, at: PlacedSuggestion) -> None:
        """From what is settled to the next; from the last on an accepted screen to the text below.

        Nothing is passed over: that screen was read to its end when it was accepted.
        """
        screen = self._left_to_decide
        if screen is not None and screen.contains(at.span):
            left = session.review.shown_within(screen)
            if left:
                self._go(next((each for each in left if each.start > at.start), left[0]))
                return
            self._left_to_decide = None
            if self._is_text_below(screen):
                self._go_below(screen)
                self.said.emit("All that was suggested on that screen is decided.")
                return
        following = session.review.following(self._walk, at.start, at)
        if following is not None:
            self._go(following)
        else:
            self.said.emit(self._none_left("That was the last suggestion"))

    def _none_left(self, words: str) -> str:
        """That nothing is left to look at, as far as that is known."""
        if self.feed.is_looking:
            return _STILL_COMING
        review = self._session.review if self._session else None
        less_sure = review.waiting - len(review.shown) if review else 0
        but = f", but for {less_sure:,} less sure, which the slider hides" if less_sure else ""
        return f"{words}{but}."

    def _here(self) -> PlacedSuggestion | None:
        """Where a walk stands; by place it begins anew where the caret was put elsewhere."""
        if self._walk is SuggestionOrder.LEAST_SURE or self.at_caret() == self._reached:
            return self._reached
        return None

    def _go(self, suggestion: PlacedSuggestion | None) -> None:
        if suggestion is None or self._session is None:
            self.said.emit(self._none_left("There is no suggestion to look at"))
            return
        self._show(suggestion)
        self._view.setFocus()  # wherever the walk was begun, what comes next is a key in the text
        self._pane.select(suggestion)
        left = len(self._session.review.shown)
        self.said.emit(f"{self._words(suggestion)}. {left:,} suggested to look at.")

    def _show(self, suggestion: PlacedSuggestion) -> None:
        """Let the keys act on a suggestion, wherever they are pressed."""
        self._reached = suggestion
        self._places.show(self, suggestion.span)
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
        if self.feed.is_looking:
            self.screen.begin_anew()
        self._view.change_marks(map(self._mark, change.removed), map(self._mark, change.added))
        self._pane.change(change)

    def _mark(self, suggestion: PlacedSuggestion) -> Mark:
        return Mark(
            suggestion.start,
            suggestion.end,
            suggestion.phi_type.name + ("" if suggestion.confidence >= DOUBTFUL else "?"),
            self._colour(suggestion.phi_type),
            MarkStyle.SUGGESTION,
            suggestion,
            f"{percent(suggestion.confidence)} sure ({suggestion.recognizer})",
        )
