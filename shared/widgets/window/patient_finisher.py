"""Finishing a patient: what is left to look at is said once before."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from shared.errors import RequestError, TandemError
from shared.project.patient_session import PatientSession
from shared.widgets.parts.messages import StatusBanner, Tone, sentence
from shared.widgets.window.save_status import SaveStatus


class LeftToLookAt(NamedTuple):
    """A sentence on what is left, with a button and the action that this triggers.

    `places` says which those are, for whom the sentence may change while they grow fewer.
    """

    sentence: str
    button: str
    action: str
    places: Collection[str]


class PatientFinisher(QObject):
    """Marks the open patient as done, when asked a second time where nothing else is left.

    `left` says what is, `lead_to` triggers an action. Signals: `said` (str) for the status line.
    """

    said = Signal(str)

    def __init__(
        self,
        banner: StatusBanner,
        keeping: SaveStatus,
        left: Callable[[], Sequence[LeftToLookAt]],
        lead_to: Callable[[str], None],
        again: Callable[[], object],
    ) -> None:
        super().__init__(banner)
        self._banner = banner
        self._keeping = keeping
        self._left = left
        self._lead_to = lead_to
        self._again = again
        self._said: set[tuple[str, str]] = set()

    def begin_anew(self) -> None:
        """Say again what is left, even if it is the same."""
        self._said = set()

    def finish(self, session: PatientSession) -> bool:
        """Finish the patient; False where it is not, and why has been said."""
        left = self._left()
        places = {(each.action, place) for each in left for place in each.places}
        if not places <= self._said:
            self._said = places
            buttons = {each.button: partial(self._lead_to, each.action) for each in left}
            sentences = (each.sentence for each in left)
            self._banner.show_message(
                " ".join((*sentences, "Press Ctrl+D again to mark the patient as done anyway.")),
                Tone.HINT,
                {**buttons, "Done anyway": self._again},
            )
            return False
        self._keeping.wait()
        try:
            session.finish()
        except RequestError as error:
            self.said.emit(sentence(error))
        except TandemError as error:
            self._keeping.say_unsaved(error)
        else:
            return True
        return False
