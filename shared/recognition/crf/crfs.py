"""All CRFs of a model, whatever they label."""

from collections.abc import Sequence
from pathlib import Path

from shared.recognition.crf.characters import CharacterCrfs
from shared.recognition.crf.crfsuite_file import Weights, read_weights
from shared.recognition.crf.reading import Reading
from shared.recognition.crf.tokens import TokenCrfs
from shared.recognition.dictionaries import Dictionaries
from shared.recognition.features import Sheet
from shared.recognition.features.taught import Lesson
from shared.recognition.settings import CrfSettings, Units


class Crfs:
    """The CRFs of a model, read together, in the dictionaries given or those shipped now."""

    def __init__(
        self,
        members: Sequence[tuple[Weights, CrfSettings]],
        lesson: Lesson,
        dictionaries: Dictionaries | None = None,
    ) -> None:
        tokens = [each for each in members if each[1].units is Units.TOKENS]
        characters = [each for each in members if each[1].units is Units.CHARACTERS]
        self._parts: list[TokenCrfs | CharacterCrfs] = []
        if tokens:
            pairs = [(weights, settings.features) for weights, settings in tokens]
            self._parts.append(TokenCrfs(pairs, lesson, dictionaries))
        if characters:
            self._parts.append(CharacterCrfs([weights for weights, _ in characters]))
        numbers = range(len(members))
        read = [at for units in Units for at in numbers if members[at][1].units is units]
        self._order = [read.index(number) for number in numbers]

    def read(self, sheets: Sequence[Sheet]) -> list[list[Reading]]:
        """Return, for each document, the reading of each CRF, in the order of the members."""
        by_crf = [readings for part in self._parts for readings in part.read(sheets)]
        return [[by_crf[at][number] for at in self._order] for number in range(len(sheets))]


def crfs_from(
    folder: Path,
    settings: Sequence[CrfSettings],
    lesson: Lesson,
    dictionaries: Dictionaries | None = None,
) -> Crfs:
    """Load the CRFs of a model's folder; the errors are those of `read_weights`."""
    members = [(read_weights(folder / crf.file), crf) for crf in settings]
    return Crfs(members, lesson, dictionaries)
