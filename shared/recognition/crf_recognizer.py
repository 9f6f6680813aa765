"""A trained recognizer: CRFs, a confidence model, and how candidates become suggestions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress, groupby
from typing import NamedTuple

from shared.formats.schema_auto import schema_of_types
from shared.model import Document, Schema, Span
from shared.model.schema import SchemaType
from shared.recognition.combination import combined_spans
from shared.recognition.confidence.candidates import PhiCandidate, candidates
from shared.recognition.confidence.confidence_model import ConfidenceModel
from shared.recognition.crf.marginals import CrfMarginals, LabelledSpan
from shared.recognition.dictionaries import LOCALES, language_of
from shared.recognition.features import TokenizedDocument
from shared.recognition.labels import phi_type_named
from shared.recognition.model_card import ModelCard
from shared.recognition.model_crfs import Crfs
from shared.recognition.passes import apply_passes
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recall_mode import cover_doubtful
from shared.recognition.recognizer import Suggestion, keep_most_confident
from shared.recognition.tokens import pieces
from shared.recognition.training_settings import CombinationMethod

MIN_SUGGESTED_CONFIDENCE = 0.1
"""Candidates with less confidence than this are not worth a person's look."""
BATCH_CHARACTERS = 100_000
"""About so many characters are read at a time: enough for large matrices, little for memory."""


class DocumentPart(NamedTuple):
    """A stretch of document number `number`, all of it unless the document is very long."""

    number: int
    offset: int
    tokenized: TokenizedDocument

    @property
    def text(self) -> str:
        return self.tokenized.text


@dataclass(frozen=True, slots=True)
class CrfRecognizer:
    """CRFs, and a confidence model that says how sure to be (None: the mean probability).

    What a type is, `traits_from` says before its name does. With `recall`, everything is covered
    that any doubt hangs on, at the cost of precision. Passes that are `left_out` are not run; the
    others read the `locales`, by default the language of each patient's records.
    """

    card: ModelCard
    crfs: Crfs
    confidence_model: ConfidenceModel | None
    traits_from: Schema | None = None
    recall: bool = False
    left_out: tuple[str, ...] = ()
    locales: tuple[str, ...] = LOCALES

    @property
    def name(self) -> str:
        return self.card.settings.name

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        """Return the suggestions of each document, apart and in order.

        All of some confidence are given; from the card's threshold on more are right than wrong.
        """
        found: list[list[Suggestion]] = [[] for _ in documents]
        for parts in batches(documents):
            for patient, predictions in predict_by_patient(documents, parts, self.crfs):
                for number, suggestion in self._suggested(patient, predictions):
                    found[number].append(suggestion)
        return [tuple(sorted(each, key=lambda one: one.start)) for each in found]

    def _suggested(
        self, parts: Sequence[DocumentPart], predictions: Sequence[Sequence[CrfMarginals]]
    ) -> Iterator[tuple[int, Suggestion]]:
        merged = self._merged(predictions)
        found, sure = self._judged([part.tokenized for part in parts], predictions, merged)
        if merged:
            kept = [each.place in merged[each.document] for each in found]
            found, sure = list(compress(found, kept)), list(compress(sure, kept))
        least = 0.0 if merged else MIN_SUGGESTED_CONFIDENCE
        by_part = [
            chosen_suggestions(found, sure, at, least, self.name) for at in range(len(parts))
        ]
        passes = [name for name in self.card.settings.postprocessing if name not in self.left_out]
        if passes:
            texts = tuple(part.text for part in parts)
            schema = _schema_of(self.card.types, self.traits_from)
            spoken = language_of(texts, self.locales)
            patient = PatientSuggestions(texts, tuple(by_part), schema, self.name, spoken)
            by_part = apply_passes(patient, passes).found
        for part, of_part, chosen in zip(parts, predictions, by_part, strict=True):
            for each in self._covered(part, of_part, chosen) if self.recall else chosen:
                yield part.number, _moved(each, part.offset)

    def _judged(
        self,
        tokenized: Sequence[TokenizedDocument],
        predictions: Sequence[Sequence[CrfMarginals]],
        merged: Sequence[set[LabelledSpan]],
    ) -> tuple[list[PhiCandidate], list[float]]:
        """Return the candidates of a patient, and how sure to be of each."""
        if self.confidence_model is None:
            found = candidates([part.text for part in tokenized], predictions, merged)
            return found, [candidate.mean for candidate in found]
        parts = self.confidence_model.candidates(tokenized, predictions, merged)
        found = [each for part in parts for each in part.found]
        return found, self.confidence_model.confidences(parts)

    def _covered(
        self, part: DocumentPart, predictions: Sequence[CrfMarginals], chosen: Sequence[Suggestion]
    ) -> tuple[Suggestion, ...]:
        firm = [each for each in chosen if each.confidence >= self.card.threshold]
        return cover_doubtful(part.tokenized, predictions, firm, self.card.recall_level, self.name)

    def _merged(self, predictions: Sequence[Sequence[CrfMarginals]]) -> list[set[LabelledSpan]]:
        """Return the only places that may be suggested in each part; nothing where any may."""
        combination = self.card.settings.combination
        if combination is CombinationMethod.STACKED:
            return []
        return [set(combined_spans(combination, of_part)) for of_part in predictions]


@lru_cache(maxsize=8)
def _schema_of(types: tuple[str, ...], traits_from: Schema | None) -> Schema:
    """The types of a model as a schema, with what another schema says that they are."""
    schema = schema_of_types(map(phi_type_named, types), "model")
    if traits_from is None:
        return schema
    categories = (
        replace(category, types=tuple(_with_traits(each, traits_from) for each in category.types))
        for category in schema.categories
    )
    return replace(schema, categories=tuple(categories))


def _with_traits(one: SchemaType, schema: Schema) -> SchemaType:
    known = one.phi_type in schema
    return replace(one, traits=schema.traits_of(one.phi_type)) if known else one


def _moved(one: Suggestion, offset: int) -> Suggestion:
    return replace(one, span=one.span.shifted(offset)) if offset else one


def chosen_suggestions(
    found: Sequence[PhiCandidate],
    sure: Sequence[float],
    document: int,
    threshold: float,
    recognizer: str,
) -> tuple[Suggestion, ...]:
    """Return what is chosen of the candidates in document number `document` of a patient."""
    return keep_most_confident(
        Suggestion(
            Span(candidate.place.start, candidate.place.end),
            phi_type_named(candidate.place.phi_type),
            confidence,
            recognizer,
        )
        for candidate, confidence in zip(found, sure, strict=True)
        if candidate.document == document and confidence >= threshold
    )


def batches(documents: Sequence[Document]) -> Iterator[list[DocumentPart]]:
    """Yield the documents in parts, a patient's together, `BATCH_CHARACTERS` or fewer at a time."""
    order = sorted(range(len(documents)), key=lambda number: documents[number].patient_id)
    batch: list[DocumentPart] = []
    size = 0
    for number in order:
        for offset, piece in pieces(documents[number].text):
            if batch and size + len(piece) > BATCH_CHARACTERS:
                yield batch
                batch, size = [], 0
            batch.append(DocumentPart(number, offset, TokenizedDocument(piece)))
            size += len(piece)
    if batch:
        yield batch


def predict_by_patient(
    documents: Sequence[Document], parts: Sequence[DocumentPart], crfs: Crfs
) -> Iterator[tuple[list[DocumentPart], list[list[CrfMarginals]]]]:
    """Read the parts, and yield those of each patient with what each CRF makes of them."""
    read = zip(parts, crfs.read([part.tokenized for part in parts]), strict=True)
    for _, group in groupby(read, key=lambda each: documents[each[0].number].patient_id):
        of_patient = list(group)
        yield [part for part, _ in of_patient], [predictions for _, predictions in of_patient]
