"""A trained recognizer: CRFs, a judge, and how their findings become suggestions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import compress, groupby
from typing import NamedTuple

from shared.model import Document, PhiType, Span
from shared.recognition.candidates import Candidate, candidates
from shared.recognition.card import Card
from shared.recognition.cover import cover
from shared.recognition.crf.crfs import Crfs
from shared.recognition.crf.reading import Place, Reading
from shared.recognition.features import Sheet
from shared.recognition.firm import with_firm
from shared.recognition.judge import Judge
from shared.recognition.labels import named_type
from shared.recognition.longitudinal.agreed import agreed
from shared.recognition.merging import Merging, places_of
from shared.recognition.suggestion import Suggestion, apart
from shared.recognition.tokens import pieces

FAINTEST = 0.1
"""Candidates with less confidence than this are not worth a person's look."""
BATCH = 100_000
"""About so many characters are read at a time: enough for large matrices, little for memory."""


class Part(NamedTuple):
    """A stretch of document number `number`, all of it unless the document is very long."""

    number: int
    offset: int
    sheet: Sheet

    @property
    def text(self) -> str:
        return self.sheet.text


@dataclass(frozen=True, slots=True)
class Model:
    """CRFs that read, and a judge that says how sure to be (None: the mean probability).

    With `recall`, everything is covered that any doubt hangs on, at the cost of precision.
    """

    card: Card
    crfs: Crfs
    judge: Judge | None
    recall: bool = False

    @property
    def name(self) -> str:
        return self.card.settings.name

    @property
    def _types(self) -> tuple[PhiType, ...]:
        return tuple(named_type(name) for name in self.card.types)

    def recalling(self) -> "Model":
        """Return this model in recall mode."""
        return replace(self, recall=True)

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        """Return the suggestions of each document, apart and in order.

        All of some confidence are given; from `Card.threshold` on they are more right than not.
        """
        found: list[list[Suggestion]] = [[] for _ in documents]
        for parts in batches(documents):
            for patient, readings in by_patient(documents, parts, self.crfs):
                for number, suggestion in self._suggested(patient, readings):
                    found[number].append(suggestion)
        return [tuple(sorted(each, key=lambda one: one.start)) for each in found]

    def _suggested(
        self, parts: Sequence[Part], readings: Sequence[Sequence[Reading]]
    ) -> Iterator[tuple[int, Suggestion]]:
        merged = self._merged(readings)
        found = candidates([part.text for part in parts], readings, merged)
        sure = confidences(found, self.judge)
        if merged:
            kept = [each.place in merged[each.document] for each in found]
            found, sure = list(compress(found, kept)), list(compress(sure, kept))
        least = 0.0 if merged else FAINTEST
        by_part = [chosen_from(found, sure, at, least, self.name) for at in range(len(parts))]
        if self.card.settings.echoes:
            texts = [part.text for part in parts]
            by_part = agreed(texts, with_firm(texts, by_part, self._types, self.name))
        for part, of_part, chosen in zip(parts, readings, by_part, strict=True):
            for each in self._covered(part, of_part, chosen) if self.recall else chosen:
                yield part.number, _moved(each, part.offset)

    def _covered(
        self, part: Part, readings: Sequence[Reading], chosen: Sequence[Suggestion]
    ) -> tuple[Suggestion, ...]:
        firm = [each for each in chosen if each.confidence >= self.card.threshold]
        return cover(part.sheet, readings, firm, self.card.recall_level, self.name)

    def _merged(self, readings: Sequence[Sequence[Reading]]) -> list[set[Place]]:
        """Return the only places that may be suggested in each part; nothing where any may."""
        merging = self.card.settings.merging
        if merging is Merging.JUDGED:
            return []
        return [set(places_of(merging, of_part)) for of_part in readings]


def _moved(one: Suggestion, offset: int) -> Suggestion:
    return replace(one, span=one.span.shifted(offset)) if offset else one


def confidences(found: Sequence[Candidate], judge: Judge | None) -> list[float]:
    """Return how sure to be of each candidate of a patient."""
    if judge is None:
        return [candidate.mean for candidate in found]
    return judge.confidences(found)


def chosen_from(
    found: Sequence[Candidate],
    sure: Sequence[float],
    document: int,
    threshold: float,
    recognizer: str,
) -> tuple[Suggestion, ...]:
    """Return what is chosen of the candidates in document number `document` of a patient."""
    return apart(
        Suggestion(
            Span(candidate.place.start, candidate.place.end),
            named_type(candidate.place.phi_type),
            confidence,
            recognizer,
        )
        for candidate, confidence in zip(found, sure, strict=True)
        if candidate.document == document and confidence >= threshold
    )


def batches(documents: Sequence[Document]) -> Iterator[list[Part]]:
    """Yield the documents in parts, a patient's together, about `BATCH` characters at a time."""
    order = sorted(range(len(documents)), key=lambda number: documents[number].patient_id)
    batch: list[Part] = []
    size = 0
    for number in order:
        for offset, piece in pieces(documents[number].text):
            if batch and size + len(piece) > BATCH:
                yield batch
                batch, size = [], 0
            batch.append(Part(number, offset, Sheet(piece)))
            size += len(piece)
    if batch:
        yield batch


def by_patient(
    documents: Sequence[Document], parts: Sequence[Part], crfs: Crfs
) -> Iterator[tuple[list[Part], list[list[Reading]]]]:
    """Read the parts, and yield those of each patient with what each CRF makes of them."""
    read = zip(parts, crfs.read([part.sheet for part in parts]), strict=True)
    for _, group in groupby(read, key=lambda each: documents[each[0].number].patient_id):
        of_patient = list(group)
        yield [part for part, _ in of_patient], [readings for _, readings in of_patient]
