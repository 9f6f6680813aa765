"""Training in a process of its own, so that nothing waits for it.

CRFsuite's trainer holds the interpreter while it works; a thread would stop the window. The
process is given paths and settings only, reports progress through a small file beside the model,
and can be ended at any time: the model that was there stays until the new one is whole.
"""

import contextlib
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.errors import TandemError
from shared.formats.i2b2_xml import read_record
from shared.model import Document
from shared.processes import begin_process, end_process
from shared.recognition.ensemble_weights import CompanionRecognizers
from shared.recognition.model_card import model_version
from shared.recognition.model_folder import new_model_folder, remove_incomplete
from shared.recognition.recognizer import Example
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.train import train
from shared.recognition.training_settings import RecognizerSettings


@dataclass(frozen=True, slots=True)
class RecordPath:
    """An XML record with right tags, and whose it is."""

    path: Path
    record_id: str
    patient_id: str


ExampleSource = Callable[[], Sequence[Example]]
"""What to train on, fetched or made in the process that trains; it has to be picklable."""


@dataclass(frozen=True, slots=True)
class XmlExamples:
    """Examples that lie in XML records."""

    paths: Sequence[RecordPath]

    def __call__(self) -> list[Example]:
        return [_example(each) for each in self.paths]


@dataclass(frozen=True, slots=True)
class CompanionSpec:
    """Who will suggest beside a model: rules, and the pretrained model, if there is one."""

    rules: RecognizerSpec
    pretrained: Path | None = None

    def opened(self) -> CompanionRecognizers:
        """Open them, but for a model that cannot be read. Raises what opening rules does."""
        rules = open_recognizer(self.rules)
        if self.pretrained is not None:
            with contextlib.suppress(TandemError):
                spec = RecognizerSpec((str(self.pretrained),), self.rules.schema)
                return CompanionRecognizers(
                    rules, open_recognizer(spec), model_version(self.pretrained)
                )
        return CompanionRecognizers(rules)


@dataclass(frozen=True, slots=True)
class TrainingState:
    """How far a training is: `done` from 0 to 1; `problem` says in a sentence why it failed."""

    done: float = 0.0
    running: bool = True
    problem: str = ""


class BackgroundTraining:
    """One training that runs, has ended well, has failed, or was cancelled.

    `companions_spec` says who will suggest beside the model. It begins at once. Nobody waits:
    `state` is asked for as often as one likes.
    """

    def __init__(
        self,
        source: ExampleSource,
        settings: RecognizerSettings,
        target: Path,
        *,
        schema: str,
        companions_spec: CompanionSpec | None = None,
    ) -> None:
        self._target = target
        self._progress = target.with_name(f".{target.name}.progress.json")
        self._cancelled = False
        self.clear()
        self._process = begin_process(
            train_in_process, source, settings, target, schema, self._progress, companions_spec
        )

    @property
    def state(self) -> TrainingState:
        """How far it is; never raises. A process that died says so."""
        running = self._process.is_alive()
        done, problem = _read_progress(self._progress)
        if running or self._process.exitcode == 0:
            return TrainingState(done, running, problem)
        if self._cancelled:
            return TrainingState(done, running=False)
        return TrainingState(
            done,
            running=False,
            problem=problem or "the training ended unexpectedly; start it again",
        )

    def cancel(self) -> None:
        """End it; the model that was there before stays as it is."""
        self._cancelled = True
        end_process(self._process)
        self.clear()

    def clear(self) -> None:
        """Leave nothing behind but the model, once it has ended."""
        remove_incomplete(self._target)
        with contextlib.suppress(OSError):
            self._progress.unlink(missing_ok=True)


def train_in_process(
    source: ExampleSource,
    settings: RecognizerSettings,
    target: Path,
    schema: str,
    progress: Path,
    companions_spec: CompanionSpec | None = None,
) -> None:
    """Train a model, telling the file `progress` how far it is and what went wrong."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(10)  # the person at the window comes first

    def tell(done: float, _what: str) -> None:
        _write_progress(progress, done)

    try:
        examples = source()
        companions = companions_spec.opened() if companions_spec else None
        with new_model_folder(target) as folder:
            train(
                examples, settings, folder, schema=schema, companions=companions, on_progress=tell
            )
    except TandemError as error:
        _write_progress(progress, problem=str(error))
        raise SystemExit(1) from None
    except MemoryError:
        problem = "there was not enough memory to train; close other programs or take fewer records"
        _write_progress(progress, problem=problem)
        raise SystemExit(1) from None


def _example(record: RecordPath) -> Example:
    found = read_record(record.path)
    return Example(Document(record.record_id, record.patient_id, found.text), found.tags)


def _write_progress(path: Path, done: float = 0.0, problem: str = "") -> None:
    aside = path.with_suffix(".tmp")
    with contextlib.suppress(OSError):  # progress is not worth failing for
        descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump([done, problem], file)
        aside.replace(path)


def _read_progress(path: Path) -> tuple[float, str]:
    try:
        done, problem = json.loads(path.read_bytes())
        return float(done), str(problem)
    except (OSError, ValueError, TypeError):
        return 0.0, ""
