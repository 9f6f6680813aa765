"""What both windows need of a patient that is open in them."""

from typing import Protocol

from shared.widgets.tags.tag_session import TagSession
from shared.widgets.window.auto_saver import SavingSession
from shared.widgets.window.rescue import RescuableSession


class PatientSession(TagSession, SavingSession, RescuableSession, Protocol):
    """A patient open in a window; it is locked until `close`."""

    @property
    def patient_id(self) -> str: ...
    @property
    def unsaved(self) -> bool: ...
    def save(self) -> None: ...
    def finish(self) -> None: ...
    def close(self) -> None: ...
