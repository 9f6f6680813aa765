"""The model that serves before there is a patient to learn from: it learnt from fabricated ones.

A few of them are learnt first, within a minute, for those who have just begun; then all.
It holds nothing of anybody and is the same for all projects, so it is kept once for each user, in
a folder that is named after what it was made of: a Tandem with other notes makes another.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.recognizers import shipped_rules, trained_card
from annotator.training_lock import ExclusiveTraining, lock_of
from shared.errors import TandemError
from shared.model import Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project

if TYPE_CHECKING:
    from shared.recognition.recognizer import Example
    from shared.recognition.training.background import TrainingState
    from shared.recognition.training_settings import RecognizerSettings
    from shared.synthetic.pools import Templates

FIRST, PATIENTS, SEED = 24, 320, 1
RECOGNIZER = "broad"
"""What is trained: what carries over best to notes of another kind, once for each user."""
_EDITION = re.compile(r"fabricated-[0-9a-f]{12}")
_OURS = {".json", ".crfsuite"}
"""What the files of a model are called."""


@dataclass(frozen=True, slots=True)
class SyntheticTrainingData:
    """The records of fabricated patients to train on."""

    patients: int = PATIENTS
    seed: int = SEED
    templates: "Templates" = "practice"

    def __call__(self) -> "list[Example]":
        from shared.recognition.recognizer import Example
        from shared.synthetic import fabricate

        return [
            Example(document, each.gold[document.record_id].tags)
            for each in fabricate(self.patients, self.seed, templates=self.templates)
            for document in each.patient.documents
        ]


def pretrained_folder(cache_folder: Path) -> Path:
    """Where the model of fabricated patients lies."""
    return cache_folder / "models" / f"fabricated-{_edition()}"


def supports_schema(schema: Schema) -> bool:
    """Whether the schema has any of the types that fabricated patients are tagged with."""
    return any(each.phi_type in schema for each in I2B2_2014.types())


class Pretraining(ExclusiveTraining):
    """Trains the model of fabricated patients for whoever has done few patients or none."""

    def __init__(
        self,
        project: Project,
        annotator: str,
        folder: Path,
        data: Sequence[SyntheticTrainingData] = (
            SyntheticTrainingData(FIRST),
            SyntheticTrainingData(),
        ),
        settings: "RecognizerSettings | None" = None,
    ) -> None:
        super().__init__(project, annotator, settings)
        self._folder = folder
        self._data = data

    def is_wanted(self) -> bool:
        """True where the model would suggest something, and has data yet to learn from."""
        asked_for = self._is_asked_for() and supports_schema(self._project.schema)
        return asked_for and self._next_data() is not None

    def patients(self) -> int:
        """How many fabricated patients the user's model has learnt; 0 where there is none."""
        from shared.recognition.model_card import read_card

        try:
            return read_card(self._folder).patients
        except TandemError:
            return 0

    def is_complete(self) -> bool:
        """Whether the user has a model that learnt all there is."""
        return self._next_data() is None

    def why_not(self) -> str:
        """In a sentence, why there will be no such model although it would be of use."""
        if not self._is_asked_for() or supports_schema(self._project.schema):
            return ""
        return (
            f"The schema {self._project.schema.name} shares no type with the fabricated patients; "
            "rules and lists of names make suggestions until a patient is done."
        )

    def start(self) -> bool:
        """Begin with the next data; False where none is wanted or another window trains already.

        Raises FileError where the model's folder cannot be made.
        """
        from shared.recognition.training.background import CompanionSpec
        from shared.recognition.training_settings import named_settings

        self.is_trained_elsewhere = False
        data = self._next_data()
        if self.running or data is None or not self.is_wanted():
            return False
        return self.begin(
            data,
            self._settings or named_settings(RECOGNIZER),
            self._folder,
            I2B2_2014.name,
            CompanionSpec(shipped_rules(I2B2_2014)),
        )

    def look(self) -> "TrainingState":
        """How far it is; models of other editions are removed once the new one is there."""
        running = self.running
        state = super().look()
        if running and not state.running and self.patients():
            _remove_other_editions(self._folder)
        return state

    def _next_data(self) -> SyntheticTrainingData | None:
        trained = self.patients()
        return next((each for each in self._data if each.patients > trained), None)

    def _is_asked_for(self) -> bool:
        from shared.recognition.training_settings import MANY_RECORDS

        on = self._project.suggestions.ever_on(self._annotator)
        trained = trained_card(self._project, self._annotator)
        return on and (trained is None or trained.records < MANY_RECORDS)


def _remove_other_editions(newest: Path) -> None:
    """Remove what models of other editions consist of, and their folders if nothing else is there.

    No link is followed, and an edition that is being trained is left alone.
    """
    for folder in sorted(newest.parent.glob("fabricated-*")):
        is_ours = _EDITION.fullmatch(folder.name) and folder != newest
        if is_ours and not folder.is_symlink() and not lock_of(folder).exists():
            with suppress(OSError):
                for each in folder.iterdir():
                    if each.suffix in _OURS and each.is_file() and not each.is_symlink():
                        each.unlink()
                folder.rmdir()


@cache
def _edition() -> str:
    from shared.recognition.dictionaries import digest_of_locales
    from shared.recognition.training_settings import named_settings
    from shared.synthetic.pools import digest_of_templates

    lists = f"{digest_of_templates()} {digest_of_locales()}"
    made_of = f"{lists} {named_settings(RECOGNIZER)} {PATIENTS} {SEED} rules"
    return sha256(made_of.encode()).hexdigest()[:12]
