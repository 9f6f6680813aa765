"""Suggestions on their way from the recognizers to the review, a portion at a time."""

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QObject, QTimer

from annotator.recognizer_process import RecognizerProcess
from annotator.recognizers import SuggestionBatch
from annotator.rejections import PlacedSuggestion
from annotator.session import AnnotationSession
from annotator.suggestions import SuggestionReview
from annotator.tagged_texts import Exchange
from annotator.ui.suggestion_pane import SuggestionPane
from shared.project.settings import Policy
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.parts.messages import sentence

_PAINTED_MS = 40
"""By then an opened patient is on the screen."""
_PORTION = 300
"""So many suggestions are shown at a time, which takes less than a person notices."""


class SuggestionFeed(QObject):
    """Finds suggestions off the window's thread, and shows those that are sure enough.

    Whatever makes many of them come or go at once does so while the window sees to its user.
    """

    def __init__(
        self, pane: SuggestionPane, recognizers: RecognizerProcess, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._pane = pane
        self._recognizers = recognizers
        self._session: AnnotationSession | None = None
        self._task: BackgroundTask | None = None
        self._finding: Iterator[SuggestionBatch] = iter(())
        self._coming: Iterator[Exchange] = iter(())
        self._threshold: float | None = None
        self.is_looking = False
        """Whether more is to come."""
        self._beginning = QTimer(self, singleShot=True, interval=_PAINTED_MS)
        self._beginning.timeout.connect(self.search_again)
        self._showing = QTimer(self, singleShot=True, interval=0)
        self._showing.timeout.connect(self._take_portion)
        self._moving = QTimer(self, singleShot=True, interval=0)
        self._moving.timeout.connect(self._apply_threshold)
        pane.threshold_moved.connect(self._move_threshold)

    def open(self, session: AnnotationSession) -> None:
        """Look for suggestions in a patient once its page is shown."""
        self._session = session
        if self._threshold is not None:
            session.review.threshold = self._threshold
        self.is_looking = _policy(session) is not Policy.OFF
        self._beginning.start()

    def search_again(self) -> None:
        """Look with what was learnt by now; what is suggested already stays until then."""
        session = self._session
        if session is None:
            return
        self._beginning.stop()
        self._showing.stop()
        policy = _policy(session)
        off = policy is Policy.OFF
        self._pane.say("The project has no suggestions for this patient." if off else "Looking…")
        self._pane.count(session.review)
        self._finding = self._recognizers.suggest(session.view, policy)
        self.is_looking = not off
        self._look()

    def close(self) -> None:
        """Let a look that is under way come to nothing."""
        self.is_looking = False
        self._beginning.stop()
        self._showing.stop()
        self._session = None
        self._task = None
        self._finding = iter(())
        self._coming = iter(())

    def _move_threshold(self, threshold: float) -> None:
        self._threshold = threshold
        if self._session is not None:
            self._session.review.move_threshold(threshold)
            self._apply_threshold()

    def _apply_threshold(self) -> None:
        """Show or hide a part of what the slider asks for, the rest when the window is free."""
        if self._session is not None:
            settled = self._session.review.apply_threshold(_PORTION)
            self._pane.count(self._session.review)
            if not settled:
                self._moving.start()

    def _look(self) -> None:
        """Let the recognizers find what comes next, on another thread."""
        if self._session is not None:
            find = partial(_next_found, self._finding, self._session.review)
            self._task = BackgroundTask(find, self)
            self._task.succeeded.connect(self._found)
            self._task.failed.connect(self._failed)
            self._task.start()

    def _found(self, found: tuple[SuggestionBatch, Exchange] | None) -> None:
        if self.sender() is not self._task:
            return
        if found is None:
            self.is_looking = False
        else:
            about, (removed, added) = found
            self._coming = _portions(removed, added)
            self._pane.say(f"From {about.by}. {about.problem}".strip())
            self._take_portion()

    def _take_portion(self) -> None:
        """Show a part of what was found, the rest when the window has seen to its user."""
        if self._session is None:
            return
        portion = next(self._coming, None)
        if portion is None:
            self._look()
        else:
            self._session.review.exchange(*portion)
            self._pane.count(self._session.review)
            self._showing.start()

    def _failed(self, error: Exception) -> None:
        if self.sender() is self._task:
            self.is_looking = False
            self._pane.say(sentence(error))


def _policy(session: AnnotationSession) -> Policy:
    return session.project.suggestions.of(session.annotator, session.patient_id)


def _next_found(
    finding: Iterator[SuggestionBatch], review: SuggestionReview
) -> tuple[SuggestionBatch, Exchange] | None:
    found = next(finding, None)
    return None if found is None else (found, review.difference(found.suggestions))


def _portions(
    removed: tuple[PlacedSuggestion, ...], added: tuple[PlacedSuggestion, ...]
) -> Iterator[Exchange]:
    for at in range(0, max(len(removed), len(added)), _PORTION):
        yield removed[at : at + _PORTION], added[at : at + _PORTION]
