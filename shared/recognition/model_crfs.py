"""All CRFs of a model, whatever they label, run over batches of documents.

Token CRFs share one pass over the features, be they linear or over networks; and so do character
CRFs.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from shared.recognition.crf.crfs import (
    Crf,
    attributes_of_characters,
    attributes_of_words,
    character_units,
    token_units,
    word_units,
)
from shared.recognition.crf.crfsuite_file import Weights, read_weights
from shared.recognition.crf.marginals import CrfMarginals
from shared.recognition.crf.scorer import Scorer, WindowScorer
from shared.recognition.crf.weight_table import Sums
from shared.recognition.dictionaries import Dictionaries, dictionaries_of
from shared.recognition.features import Extractor, TokenizedDocument, together
from shared.recognition.features.token_attributes import TokenAttributes
from shared.recognition.features.tokenized_document import UnitLayout
from shared.recognition.features.trained_gazetteer import TermCounts
from shared.recognition.neural.network import Network, NetworkScorer
from shared.recognition.neural.network_file import read_network
from shared.recognition.training_settings import (
    CrfSettings,
    NetworkSettings,
    RecognizerSettings,
    Units,
)


@dataclass(frozen=True, slots=True)
class _Part:
    """CRFs of the same units that see the same attributes: who scores these, and which they are."""

    units_of: Callable[[TokenizedDocument], UnitLayout]
    attributes_of: Callable[[TokenizedDocument], Iterable[TokenAttributes]]
    scorers: Sequence[tuple[Scorer | NetworkScorer, Sequence[int]]]

    def scores(
        self, documents: Sequence[TokenizedDocument], units: Sequence[UnitLayout]
    ) -> Iterator[tuple[int, Sums]]:
        """Yield the number of each CRF, and the units of all documents x labels."""
        attributes = list(map(self.attributes_of, documents))
        for scorer, own in self.scorers:
            yield from zip(own, scorer.scores(documents, attributes, units), strict=True)


class Crfs:
    """The CRFs of a model, read together, in the dictionaries given or those shipped now.

    Those over networks come after all others.
    """

    def __init__(
        self,
        linear: Sequence[tuple[Weights, CrfSettings]],
        networks: Sequence[tuple[Network, NetworkSettings]],
        term_counts: TermCounts,
        dictionaries: Dictionaries | None = None,
    ) -> None:
        self._crfs = [
            *(Crf(each.labels, each.transitions) for each, _ in linear),
            *(Crf(each.labels, each.transitions) for each, _ in networks),
        ]
        self._parts: list[_Part] = []
        of_units = {
            units: [at for at, (_, settings) in enumerate(linear) if settings.units is units]
            for units in Units
        }
        own = of_units[Units.TOKENS]
        if own or networks:
            sets = [linear[at][1].features for at in own]
            features = together([*sets, *(settings.features for _, settings in networks)])
            extractor = Extractor(features, term_counts, dictionaries)
            scorers: list[tuple[Scorer | NetworkScorer, Sequence[int]]] = []
            if own:
                scorers.append((WindowScorer([linear[at][0] for at in own], extractor), own))
            if networks:
                network_scorer = NetworkScorer([network for network, _ in networks], extractor)
                scorers.append((network_scorer, range(len(linear), len(self._crfs))))
            self._parts.append(_Part(token_units, extractor.places, scorers))
        for at in of_units[Units.WORDS]:
            features = linear[at][1].features
            known = dictionaries_of(features.locales) if dictionaries is None else dictionaries
            attributes_of = partial(attributes_of_words, features.groups, known)
            self._parts.append(_Part(word_units, attributes_of, [(Scorer([linear[at][0]]), [at])]))
        if own := of_units[Units.CHARACTERS]:
            scorer = Scorer([linear[at][0] for at in own])
            self._parts.append(_Part(character_units, attributes_of_characters, [(scorer, own)]))

    def read(self, documents: Sequence[TokenizedDocument]) -> list[list[CrfMarginals]]:
        """Return, for each document, the marginals of each CRF, in the order of the members."""
        by_crf: dict[int, list[CrfMarginals]] = {}
        for part in self._parts:
            units = [part.units_of(each) for each in documents]
            for at, scores in part.scores(documents, units):
                by_crf[at] = self._crfs[at].read(units, scores)
        return [list(each) for each in zip(*(by_crf[at] for at in sorted(by_crf)), strict=True)]


def crfs_from(
    folder: Path,
    settings: RecognizerSettings,
    term_counts: TermCounts,
    dictionaries: Dictionaries | None = None,
) -> Crfs:
    """Load the CRFs of a model's folder; errors are those of `read_weights`, `read_network`."""
    linear = [(read_weights(folder / each.file), each) for each in settings.crfs]
    networks = [(read_network(folder / each.file), each) for each in settings.networks]
    return Crfs(linear, networks, term_counts, dictionaries)
