"""Token CRFs: what they label, and reading documents with several of them."""

from collections.abc import Sequence

from shared.recognition.crf.crf import Crf, Cut
from shared.recognition.crf.crfsuite_file import Weights
from shared.recognition.crf.reading import Reading
from shared.recognition.crf.scorer import WindowScorer
from shared.recognition.dictionaries import Dictionaries
from shared.recognition.features import Extractor, FeatureSet, Sheet, together
from shared.recognition.features.taught import Lesson


def token_units(sheet: Sheet) -> Cut:
    return sheet.tokens.starts, sheet.tokens.ends, sheet.tokens.sequences


class TokenCrfs:
    """Several token CRFs that share what is read off the page."""

    def __init__(
        self,
        members: Sequence[tuple[Weights, FeatureSet]],
        lesson: Lesson,
        dictionaries: Dictionaries | None = None,
    ) -> None:
        features = together([features for _, features in members])
        weights = [each for each, _ in members]
        self._scorer = WindowScorer(weights, Extractor(features, lesson, dictionaries))
        self._crfs = [Crf(each) for each in weights]

    def read(self, sheets: Sequence[Sheet]) -> list[list[Reading]]:
        """Return, for each CRF, the reading of each document."""
        units = [token_units(sheet) for sheet in sheets]
        scores = self._scorer.scores(sheets)
        return [crf.read(units, each) for crf, each in zip(self._crfs, scores, strict=True)]
