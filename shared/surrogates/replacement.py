"""All surrogates of one patient: from the gold standard to new records with tags, and a review."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from shared.language.languages import Language
from shared.model import Document, Layer, Patient, Span, Tag
from shared.surrogates.generators import generate_surrogates
from shared.surrogates.mentions import PhiMention, Surrogate, mentions_of
from shared.surrogates.splice import SplicedText, article_rule, splice
from shared.surrogates.surrogate_kinds import GEOGRAPHIC, SurrogateKind, SurrogateSettings

CHOSEN_EARLIER = "chosen for an earlier release"


@dataclass(frozen=True, slots=True)
class Replacement:
    """One tag and what stands for it; `before` and `after` are the record's words around.

    `reasons` say why a person should look at it, `chosen` that a person wrote it.
    """

    record_id: str
    tag: Tag
    span: Span
    kind: SurrogateKind
    original: str
    surrogate: str
    group: str
    before: str
    after: str
    reasons: tuple[str, ...] = ()
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class SurrogatePatient:
    """A patient's records with surrogates.

    `documents` and `layers` (by record id) are what is released; `dropped` are tags that lay
    within another, by record id; `spliced` tells by record id where the old text went.
    """

    patient: Patient
    layers: Mapping[str, Layer]
    replacements: tuple[Replacement, ...]
    dropped: tuple[tuple[str, Tag], ...]
    spliced: Mapping[str, SplicedText]

    @property
    def documents(self) -> tuple[Document, ...]:
        return self.patient.documents

    @property
    def review(self) -> tuple[Replacement, ...]:
        """All replacements, by group, those first that a person should look at."""
        return tuple(sorted(self.replacements, key=lambda each: (not each.reasons, each.group)))


def replace_patient(
    patient: Patient,
    gold: Mapping[str, Layer],
    settings: SurrogateSettings,
    randomness: Random,
) -> SurrogatePatient:
    """Replace every PHI of a patient, the same person, place and date the same in all records.

    `gold` is the gold standard by record id. Raises ModelError where a record has none.
    """
    found = mentions_of(patient, gold, settings.kinds)
    surrogates = generate_surrogates(patient, found.mentions, settings, randomness)
    chosen = _chosen(found.mentions, settings, surrogates)
    surrogates |= chosen
    written = _Written(surrogates, frozenset(chosen), settings.language)
    return _put_together(patient, gold, found.mentions, written, found.dropped)


def _chosen(
    mentions: Sequence[PhiMention], settings: SurrogateSettings, drawn: Mapping[int, Surrogate]
) -> dict[int, Surrogate]:
    """What a person chose, by number of the mention; a choice for one goes before one for all."""
    chosen: dict[int, Surrogate] = {}
    by_place = {(each.record_id, each.tag.span): each for each in mentions}
    for choice in sorted(settings.choices, key=lambda each: not each.same_text):
        mention = by_place.get((choice.record_id, choice.span))
        if mention is None:
            continue
        for each in same_text(mention, mentions) if choice.same_text else [mention]:
            own = drawn[each.number]
            if not choice.approved or own.text == choice.surrogate:
                old = not choice.approved and choice.draft not in ("", settings.draft)
                reasons = (CHOSEN_EARLIER,) if old else ()
                chosen[each.number] = Surrogate(choice.surrogate, own.group, reasons)
    return chosen


def same_text(one: PhiMention, mentions: Iterable[PhiMention]) -> list[PhiMention]:
    """Return the mentions with the same words and type, itself among them."""
    return [
        each
        for each in mentions
        if each.words == one.words and each.tag.phi_type == one.tag.phi_type
    ]


@dataclass(frozen=True, slots=True)
class _Written:
    """The surrogates by number of their mention, those that a person chose, and the language."""

    surrogates: Mapping[int, Surrogate]
    chosen: frozenset[int]
    language: Language


def _put_together(
    patient: Patient,
    gold: Mapping[str, Layer],
    mentions: Sequence[PhiMention],
    written: _Written,
    dropped: tuple[tuple[str, Tag], ...],
) -> SurrogatePatient:
    surrogates = written.surrogates
    documents: list[Document] = []
    layers: dict[str, Layer] = {}
    replacements: list[Replacement] = []
    spliced: dict[str, SplicedText] = {}
    for document in patient.documents:
        own = [each for each in mentions if each.record_id == document.record_id]
        new = splice(
            document.text,
            [each.tag.span for each in own],
            [surrogates[each.number].text for each in own],
            [article_rule(written.language, is_place=each.kind in GEOGRAPHIC) for each in own],
        )
        documents.append(replace(document, text=new.text))
        spliced[document.record_id] = new
        here = [
            _replacement(each, span, surrogates[each.number], chosen=each.number in written.chosen)
            for each, span in zip(own, new.spans, strict=True)
        ]
        replacements += here
        layers[document.record_id] = _layer(gold[document.record_id], here)
    return SurrogatePatient(
        Patient(patient.id, tuple(documents)), layers, tuple(replacements), dropped, spliced
    )


def _replacement(
    mention: PhiMention, span: Span, surrogate: Surrogate, *, chosen: bool
) -> Replacement:
    return Replacement(
        mention.record_id,
        mention.tag,
        span,
        mention.kind,
        mention.text,
        surrogate.text,
        surrogate.group,
        mention.before,
        mention.after,
        surrogate.reasons,
        chosen,
    )


def _layer(gold: Layer, replacements: Iterable[Replacement]) -> Layer:
    """The tags at their new places; comments and unknown parts stay behind, they may hold PHI."""
    tags = (
        Tag(each.span, each.tag.phi_type, each.tag.id, origin=each.tag.origin)
        for each in replacements
    )
    return Layer.of(gold.record_id, gold.annotator, tags)
