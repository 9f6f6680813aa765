"""The model that serves before there is a patient to learn from: it learnt from fabricated ones.

A wheel that was made for a release has it with it (`make model`), and a window uses that at once.
Where there is none, it is learnt: a few patients first, in a minute or two, for those who have just
begun; then all. It holds nothing of anybody and is the same for all projects, so it is kept once
for each user, in a folder that is named after what it was made of: a Tandem with other notes or
lists makes another.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.named_recognizers import FABRICATED
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
    from shared.synthetic.letters import FabricatedLetters
    from shared.synthetic.patients import FabricatedPatient
    from shared.synthetic.pools import Templates

SEED = 1
FIRST, FIRST_OTHERS, FIRST_LETTERS = 24, 1, 4
PATIENTS, OTHERS, LETTERS = 320, 40, 40
"""Patients, those of each other set of their templates, and those of each set of letters in any
language: of the first model, and of all."""
SHIPPED_MODELS = Path(__file__).parent / "shipped_models"
"""Models that `make model` made for a release, in folders named after what they were made of."""
MADE_FROM = "Made from fabricated patients; it holds nothing of anybody."
_NO_DAY = "1970-01-01T00:00:00+00:00"
"""When a model was made that is the same whenever it is made."""
RECOGNIZER, SHIPPED = "general", "broad"
"""What is trained in a window, once for each user, and what carries over best to notes of another
kind but is trained by PyTorch: that comes with Tandem."""
_EDITION = re.compile(r"fabricated-[0-9a-f]{12}")
_OURS = {".json", ".crfsuite"}
"""What the files of a model are called."""


@dataclass(frozen=True, slots=True)
class SyntheticTrainingData:
    """The records of fabricated patients to train on.

    `others`: how many more patients there are for each other set of templates to learn from.
    `letters`: the same for each set of letters in any language.
    """

    patients: int = PATIENTS
    seed: int = SEED
    templates: "Templates" = "practice"
    others: int = 0
    letters: int = 0

    def __call__(self) -> "list[Example]":
        from shared.recognition.recognizer import Example
        from shared.synthetic import fabricate

        made = chain(
            fabricate(self.patients, self.seed, templates=self.templates),
            self._of_others(),
            self._of_letters(),
        )
        return [
            Example(document, each.gold[document.record_id].tags)
            for each in made
            for document in each.patient.documents
        ]

    def _of_others(self) -> "Iterator[FabricatedPatient]":
        from shared.synthetic import fabricate
        from shared.synthetic.pools import TEMPLATES_TO_LEARN

        for each in TEMPLATES_TO_LEARN if self.others else ():
            if each != self.templates:
                yield from fabricate(self.others, self.seed, templates=each)

    def _of_letters(self) -> "Iterator[FabricatedLetters]":
        from shared.synthetic.letters import fabricate_letters, letter_languages, sets_to_learn

        if self.letters:
            for code in letter_languages():
                for each in sets_to_learn(code):
                    yield from fabricate_letters(code, self.letters, self.seed, letters=each)


def all_data() -> SyntheticTrainingData:
    """All there is to learn of fabricated patients, in every language that has some."""
    return SyntheticTrainingData(others=OTHERS, letters=LETTERS)


def pretrained_folder(cache_folder: Path) -> Path:
    """Where the model of fabricated patients lies: with Tandem, or where it is learnt.

    One that came with Tandem counts if it was made of what this Tandem has.
    """
    name = f"fabricated-{_edition()}"
    shipped = SHIPPED_MODELS / name
    return shipped if (shipped / "card.json").is_file() else cache_folder / "models" / name


def build_shipped_model(
    models: Path,
    data: SyntheticTrainingData | None = None,
    settings: "RecognizerSettings | None" = None,
    cores: int = 1,
) -> Path:
    """Train the model that goes into a wheel, in a folder of `models`; the same bytes each time.

    Raises StorageError where something cannot be written.
    """
    from shared.recognition.crf.crfsuite_file import halve_precision
    from shared.recognition.model_card import read_card
    from shared.recognition.model_folder import new_model_folder, write_card
    from shared.recognition.training.background import CompanionSpec
    from shared.recognition.training.train import train
    from shared.recognition.training_settings import named_settings

    folder = models / f"fabricated-{_edition()}"
    folder.parent.mkdir(parents=True, exist_ok=True)
    with new_model_folder(folder) as partial:
        train(
            (data or all_data())(),
            settings or named_settings(SHIPPED),
            partial,
            schema=I2B2_2014.name,
            companions=CompanionSpec(shipped_rules(I2B2_2014)).opened(),
            cores=cores,
        )
        for each in partial.glob("*.crfsuite"):
            halve_precision(each)
        card = read_card(partial)
        write_card(partial, replace(card, trained=_NO_DAY, notice=MADE_FROM))
    return folder


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
            SyntheticTrainingData(FIRST, others=FIRST_OTHERS, letters=FIRST_LETTERS),
            all_data(),
        ),
        settings: "RecognizerSettings | None" = None,
    ) -> None:
        super().__init__(project, annotator, settings)
        self.named = ""
        """The recognizer that the annotator asks for by name, "" for what proves best."""
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
        if not on or self.named not in ("", FABRICATED):
            return False
        trained = trained_card(self._project, self._annotator)
        return trained is None or trained.records < MANY_RECORDS


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
    settings = f"{named_settings(RECOGNIZER)} {named_settings(SHIPPED)}"
    made_of = f"{lists} {settings} {PATIENTS} {OTHERS} {LETTERS} {SEED} rules"
    return sha256(made_of.encode()).hexdigest()[:12]
