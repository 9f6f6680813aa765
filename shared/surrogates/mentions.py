"""The tags of a patient as what is to be replaced, and what each is replaced by."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from shared.errors import ModelError
from shared.model import Document, Layer, Patient, PhiType, Span, Tag
from shared.surrogates.splice import SplicedText
from shared.surrogates.surrogate_kinds import KindMap, SurrogateKind
from shared.text.overlaps import resolve_overlaps

CONTEXT = 80
"""How many characters of the record a mention shows on either side."""


@dataclass(frozen=True, slots=True)
class PhiMention:
    """One tag to be replaced; `before` and `after` are the record's text around it."""

    number: int
    record_id: str
    tag: Tag
    kind: SurrogateKind
    text: str
    before: str = ""
    after: str = ""
    is_staff: bool = False
    """Whether its type is of those who work in the clinic."""

    @property
    def placeholder(self) -> str:
        """What stands for it where nothing better is known: `[OTHER]`."""
        return placeholder(self.tag.phi_type)

    @property
    def words(self) -> str:
        """The text with every run of blanks, line ends included, as one space."""
        return " ".join(self.text.split())


def placeholder(phi_type: PhiType) -> str:
    """`[OTHER]`, which an earlier run may have put there too."""
    return f"[{phi_type.name}]"


def numbered_placeholder(phi_type: PhiType, name: str) -> str:
    """`[DATE-3]`; the name, a number or letters, tells one of a type from the others."""
    return f"[{phi_type.name}-{name}]"


@dataclass(frozen=True, slots=True)
class Surrogate:
    """What stands for a mention; alike `group` where the same person, place or date is meant.

    `reasons` say why a person should look at it, `kept` that the text may stay as it is, whatever
    its kind.
    """

    text: str
    group: str
    reasons: tuple[str, ...] = ()
    kept: bool = False


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
    is_staff: bool = False

    @property
    def is_numbered(self) -> bool:
        """Whether a placeholder with a number or a pseudonym stands for it, and so no text."""
        name = re.escape(self.tag.phi_type.name)
        return re.fullmatch(rf"\[{name}-(?:\d+|[A-Z]{{10}})\]", self.surrogate) is not None

    @property
    def is_placeholder(self) -> bool:
        """Whether a placeholder of its type stands for it, and so no text."""
        return self.is_numbered or self.surrogate == placeholder(self.tag.phi_type)

    @classmethod
    def of(
        cls, mention: PhiMention, surrogate: Surrogate, span: Span, *, chosen: bool
    ) -> "Replacement":
        return cls(
            mention.record_id,
            mention.tag,
            span,
            SurrogateKind.KEEP if surrogate.kept else mention.kind,
            mention.text,
            surrogate.text,
            surrogate.group,
            mention.before,
            mention.after,
            surrogate.reasons,
            chosen,
            mention.is_staff,
        )


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
    _by_record: Mapping[str, list[Replacement]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_record", by_records(self.replacements))

    def in_record(self, record_id: str) -> Sequence[Replacement]:
        """The replacements of one record."""
        return self._by_record.get(record_id, ())

    @property
    def documents(self) -> tuple[Document, ...]:
        return self.patient.documents

    def without(self, record_ids: Collection[str]) -> "SurrogatePatient":
        """The patient less these records."""
        if not record_ids:
            return self
        documents = tuple(each for each in self.documents if each.record_id not in record_ids)
        return replace(
            self,
            patient=replace(self.patient, documents=documents),
            layers={each.record_id: self.layers[each.record_id] for each in documents},
            replacements=tuple(
                each for each in self.replacements if each.record_id not in record_ids
            ),
            dropped=tuple(each for each in self.dropped if each[0] not in record_ids),
            spliced={each.record_id: self.spliced[each.record_id] for each in documents},
        )

    @property
    def review(self) -> tuple[Replacement, ...]:
        """All replacements, by group, those first that a person should look at."""
        return tuple(sorted(self.replacements, key=lambda each: (not each.reasons, each.group)))


def mentions_of(
    patient: Patient, layers: Mapping[str, Layer], kinds: KindMap
) -> tuple[list[PhiMention], list[tuple[str, Tag]]]:
    """Return what is to be replaced, in the order of the records, and tags within another.

    Where tags overlap, the longest wins, of equally long ones the first. `layers` are the gold
    standard by record id. Raises ModelError where a record has none, or a tag lies outside its
    record.
    """
    mentions: list[PhiMention] = []
    dropped: list[tuple[str, Tag]] = []
    for document in patient.documents:
        if document.record_id not in layers:
            raise ModelError(f"record {document.record_id} has no gold standard; adjudicate it")
        ordered = sorted(layers[document.record_id].tags, key=Tag.sort_key)
        kept = resolve_overlaps(ordered, lambda tag: -len(tag.span))
        stays = set(map(id, kept))
        dropped += ((document.record_id, tag) for tag in ordered if id(tag) not in stays)
        mentions += (
            _mention(number, document, tag, kinds)
            for number, tag in enumerate(kept, start=len(mentions))
        )
    return mentions, dropped


class _OfRecord(Protocol):
    @property
    def record_id(self) -> str: ...


_Each = TypeVar("_Each", bound=_OfRecord)


def by_records(every: Iterable[_Each]) -> dict[str, list[_Each]]:
    """All by record id, in their order."""
    found: dict[str, list[_Each]] = {}
    for each in every:
        found.setdefault(each.record_id, []).append(each)
    return found


def untouched(text: str, spans: Iterable[Span]) -> list[str]:
    """Return the stretches of a text that no span touches; the spans are in order."""
    pieces: list[str] = []
    at = 0
    for span in spans:
        pieces.append(text[at : span.start])
        at = max(at, span.end)
    return [*pieces, text[at:]]


def _mention(number: int, document: Document, tag: Tag, kinds: KindMap) -> PhiMention:
    text, span = document.text, tag.span
    if span.end > len(text):
        raise ModelError(f"record {document.record_id}: tag {tag.id} lies outside the record")
    return PhiMention(
        number,
        document.record_id,
        tag,
        kinds.kind(tag.phi_type),
        text[span.start : span.end],
        text[max(0, span.start - CONTEXT) : span.start],
        text[span.end : span.end + CONTEXT],
        tag.phi_type in kinds.staff,
    )
