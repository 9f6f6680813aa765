"""The recognizers in a process of their own: reading records would hold the window up.

The process is given patients and gives suggestions back, a portion at a time, so that no message
is large enough for the window to notice. It ends with the program that started it.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

from annotator.recognizers import Recognizers, SuggestionBatch
from annotator.rejections import PlacedSuggestion
from shared.errors import RequestError, TandemError
from shared.model import MergedView, Patient
from shared.processes import PipedProcess
from shared.project.project import Project
from shared.project.settings import Policy

_PORTION = 500
_ENDED = "looking for suggestions ended unexpectedly; suggest again (Ctrl+F8), or continue without"


class RecognizerProcess:
    """Suggests as `Recognizers` do; what is asked for anew ends what was asked for before."""

    def __init__(self, root: Path, annotator: str, pretrained: Path | None = None) -> None:
        self.named = ""
        """The recognizer that is to suggest alone; "" for what proves best."""
        self._process = PipedProcess(serve, root, annotator, pretrained)
        self._busy = False

    def close(self) -> None:
        """End the process, whatever it does, for good."""
        self._process.close()

    def suggest(self, view: MergedView, policy: Policy) -> Iterator[SuggestionBatch]:
        """Return what yields as `Recognizers.suggest` does; that may be done on a thread.

        What is returned raises RequestError where the process cannot go on, or none begin.
        """
        if policy is Policy.OFF:
            return iter(())
        if self._busy:
            self._process.stop()
        self._busy = True
        pipe = None
        with suppress(EOFError, OSError):
            pipe = self._process.pipe()
        return self._found(pipe, view.patient, policy)

    def _found(
        self, pipe: Connection | None, patient: Patient, policy: Policy
    ) -> Iterator[SuggestionBatch]:
        if pipe is None:
            raise RequestError(_ENDED)
        suggestions: list[PlacedSuggestion] = []
        try:
            pipe.send((patient, policy, self.named))
            while (message := pipe.recv()) is not None:
                if isinstance(message, SuggestionBatch):
                    yield replace(message, suggestions=tuple(suggestions))
                    suggestions = []
                elif isinstance(message, str):
                    raise RequestError(message)
                else:
                    suggestions += message
        except (EOFError, OSError):
            raise RequestError(_ENDED) from None
        self._busy = False


def serve(pipe: Connection, root: Path, annotator: str, pretrained: Path | None = None) -> None:
    """Suggest for every patient that comes through the pipe, until it is closed."""
    recognizers: Recognizers | None = None
    while True:
        patient, policy, named = pipe.recv()
        try:
            recognizers = recognizers or Recognizers(Project.open(root), annotator, pretrained)
            for found in recognizers.suggest(MergedView(patient), policy, named):
                _send(pipe, found)
            pipe.send(None)
        except TandemError as error:
            pipe.send(str(error))
        except MemoryError:
            pipe.send("there was not enough memory for suggestions; close other programs")


def _send(pipe: Connection, found: SuggestionBatch) -> None:
    for at in range(0, len(found.suggestions), _PORTION):
        pipe.send(list(found.suggestions[at : at + _PORTION]))
    pipe.send(replace(found, suggestions=()))
