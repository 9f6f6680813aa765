"""Simulated annotators: the gold standard with the faults that people make.

The kinds of fault are those of section 6 and table 10 of Stubbs and Uzuner (2015): repeats that are
overlooked, sub-types of ID and LOCATION mixed up, titles, punctuation or half a name at the edges,
`2/2` taken for a date, OSH for a hospital, generic departments for unique ones. The rates are set
so that an annotator agrees with the gold standard about as in table 2 (strict F1 about 0.90, token
F1 about 0.93).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from shared.language.occurrences import occurrences
from shared.model import Document, Layer, Origin, PhiType, Span, Tag
from shared.synthetic.patients import FabricatedPatient
from shared.text.overlaps import resolve_overlaps
from shared.text.span_index import SpanIndex

_LONG_LINE = 60
_TITLE = re.compile(r"\b(?:[Dd]rs?|Mrs?|Ms)\b\.?\s$")
_GAP = re.compile(r"[\s,]+")
_MARKS = re.compile(r"['’]s\b|[.,;:)]")


@dataclass(frozen=True, slots=True)
class Distractor:
    """Something that looks like PHI: who falls for it tags it as `phi_type`, `rate` of the time."""

    pattern: re.Pattern[str]
    phi_type: PhiType
    rate: float


@dataclass(frozen=True, slots=True)
class ErrorRates:
    """How often a simulated annotator goes wrong; rates from 0 to 1.

    `missed` is the share of tags of a type that are overlooked (`usually_missed` for the others),
    `confused` for what a type is mistaken and how often, `edges` how often the edges are wrong
    where they can be, `annotate_all` how often the repeats of a text are tagged in one go, and
    `carried_too_far` how often that also tags a place where the text is no PHI.
    """

    missed: Mapping[str, float]
    usually_missed: float
    confused: Mapping[str, tuple[tuple[PhiType, float], ...]]
    edges: float
    annotate_all: float
    carried_too_far: float
    distractors: tuple[Distractor, ...]


_location = partial(PhiType, "LOCATION")
_identifier = partial(PhiType, "ID")
_DEPARTMENTS = (
    "Cardiology|cardiology|Emergency Department|emergency department|ED|EMERGENCY DEPT|"
    "DEPARTMENT OF RADIOLOGY|radiology|PACU|Surgery|surgery|neurology|oncology|physical therapy|"
    "INTERNAL MEDICINE|Psychiatry|Urology|Neurology|nephrology|Vascular surgery|telemetry"
)

USUAL_ERROR_RATES = ErrorRates(
    missed={
        "DATE": 0.045,
        "DOCTOR": 0.045,
        "PATIENT": 0.04,
        "AGE": 0.045,
        "HOSPITAL": 0.10,
        "PROFESSION": 0.24,
        "ORGANIZATION": 0.25,
        "COUNTRY": 0.15,
        "STATE": 0.03,
        "ZIP": 0.01,
        "DEPARTMENT": 0.35,
        "ROOM": 0.30,
        "LOCATION-OTHER": 0.40,
        "OTHER": 0.40,
        "FAX": 0.30,
        "IDNUM": 0.10,
    },
    usually_missed=0.05,
    confused={
        "IDNUM": ((_identifier("MEDICALRECORD"), 0.12),),
        "MEDICALRECORD": ((_identifier("IDNUM"), 0.04), (_identifier("ACCOUNT"), 0.01)),
        "BIOID": ((_identifier("MEDICALRECORD"), 0.4),),
        "DEVICE": ((_identifier("IDNUM"), 0.3),),
        "ACCOUNT": ((_identifier("MEDICALRECORD"), 0.25),),
        "HEALTHPLAN": ((_identifier("IDNUM"), 0.3),),
        "LICENSE": ((_identifier("IDNUM"), 0.3),),
        "VEHICLE": ((_identifier("LICENSE"), 0.3),),
        "HOSPITAL": ((_location("ORGANIZATION"), 0.025), (_location("DEPARTMENT"), 0.025)),
        "ORGANIZATION": ((_location("HOSPITAL"), 0.08), (_location("LOCATION-OTHER"), 0.06)),
        "DEPARTMENT": ((_location("HOSPITAL"), 0.15),),
        "LOCATION-OTHER": ((_location("CITY"), 0.25),),
        "ROOM": ((_location("DEPARTMENT"), 0.15),),
        "CITY": ((_location("STATE"), 0.01), (_location("HOSPITAL"), 0.01)),
        "DOCTOR": ((PhiType("NAME", "PATIENT"), 0.008),),
        "PATIENT": ((PhiType("NAME", "DOCTOR"), 0.012),),
        "USERNAME": ((_identifier("IDNUM"), 0.05), (PhiType("NAME", "DOCTOR"), 0.04)),
        "FAX": ((PhiType("CONTACT", "PHONE"), 0.3),),
        "PHONE": ((_identifier("IDNUM"), 0.02),),
    },
    edges=0.10,
    annotate_all=0.6,
    carried_too_far=0.3,
    distractors=(
        Distractor(re.compile(r"\b2/2\b"), PhiType("DATE", "DATE"), 0.3),
        Distractor(re.compile(r"\b[1-4]/[4-6]\b"), PhiType("DATE", "DATE"), 0.03),
        Distractor(re.compile(r"\bOSH\b"), _location("HOSPITAL"), 0.4),
        Distractor(re.compile(rf"\b(?:{_DEPARTMENTS})\b"), _location("DEPARTMENT"), 0.25),
        Distractor(
            re.compile(r"\b(?:Taxus|Angioseal|Carpentier-Edwards)\b"), _identifier("DEVICE"), 0.1
        ),
        Distractor(re.compile(r"\b(?:Graves|Murphy|Hodgkin)\b"), PhiType("NAME", "DOCTOR"), 0.03),
    ),
)
"""Misses after the recall in table 10 of the paper, by type."""


def annotate(
    fabricated: FabricatedPatient, annotator: str, seed: int, rates: ErrorRates = USUAL_ERROR_RATES
) -> dict[str, Layer]:
    """Return what a simulated annotator makes of a patient, by record id.

    Repeats that were tagged in one go have the origin "annotate all", all others "by hand". The
    same arguments give the same layers; two annotators of one seed fail in different places.
    """
    rng = Random(f"{seed} {annotator} {fabricated.patient.id}")
    return _Annotation(fabricated, annotator, rates, rng).layers()


class _Annotation:
    """One annotator at work on one patient."""

    def __init__(
        self, fabricated: FabricatedPatient, annotator: str, rates: ErrorRates, rng: Random
    ) -> None:
        self._fabricated = fabricated
        self._annotator = annotator
        self._rates = rates
        self._rng = rng
        self._carried: dict[tuple[str, PhiType], bool] = {}

    def layers(self) -> dict[str, Layer]:
        return {
            document.record_id: Layer.of(document.record_id, self._annotator, self._tags(document))
            for document in self._fabricated.patient.documents
        }

    def _tags(self, document: Document) -> list[Tag]:
        gold = self._fabricated.gold[document.record_id].tags
        marked = [made for tag in gold for made in self._marked(tag, document)]
        taken = SpanIndex(tag.span for tag in (*gold, *marked))
        distracted = [
            tag
            for tag in (*self._distracted(document), *self._overdone(document))
            if not taken.query(tag.start, tag.end)
        ]
        return resolve_overlaps((*marked, *distracted), Tag.sort_key)

    def _marked(self, tag: Tag, document: Document) -> Iterator[Tag]:
        """What becomes of one tag of the gold standard: nothing, itself, or something like it."""
        text = tag.span.text_in(document.text)
        key = (text, tag.phi_type)
        if self._carried.get(key):
            yield replace(tag, id="", origin=Origin.ANNOTATE_ALL)
            return
        if self._rng.random() < self._miss_rate(tag, document.text, repeated=key in self._carried):
            return
        self._carried.setdefault(key, self._rng.random() < self._rates.annotate_all)
        made = replace(tag, id="", origin=Origin.HAND, phi_type=self._type_given(tag.phi_type))
        faults = _wrong_edges(document.text, tag.span)
        if faults and self._rng.random() < self._rates.edges:
            yield from (replace(made, span=span) for span in self._rng.choice(faults))
        else:
            yield made

    def _miss_rate(self, tag: Tag, text: str, *, repeated: bool) -> float:
        """More is overlooked among repeats, and within paragraphs and tables than in headers."""
        rate = self._rates.missed.get(tag.phi_type.name, self._rates.usually_missed)
        before = text.rfind("\n", 0, tag.start) + 1
        after = text.find("\n", tag.end)
        length = (after if after >= 0 else len(text)) - before
        return rate * (1.7 if repeated else 1.0) * (1.3 if length > _LONG_LINE else 0.9)

    def _type_given(self, phi_type: PhiType) -> PhiType:
        for mistaken, rate in self._rates.confused.get(phi_type.name, ()):
            if self._rng.random() < rate:
                return mistaken
        return phi_type

    def _distracted(self, document: Document) -> Iterator[Tag]:
        for distractor in self._rates.distractors:
            for found in distractor.pattern.finditer(document.text):
                if self._rng.random() < distractor.rate:
                    yield Tag(Span(found.start(), found.end()), distractor.phi_type)

    def _overdone(self, document: Document) -> Iterator[Tag]:
        """Names carried to where the same word is no name (`Bell` to `Bell's palsy`)."""
        for (text, phi_type), carried in self._carried.items():
            if carried and phi_type.category == "NAME" and text.isalpha() and len(text) > 2:
                for found in occurrences(text, document.text):
                    if self._rng.random() < self._rates.carried_too_far:
                        yield Tag(found.span, phi_type, origin=Origin.ANNOTATE_ALL)


def _wrong_edges(text: str, span: Span) -> list[list[Span]]:
    """Return the ways in which the edges of this span can be wrong: in one piece or in two."""
    faults: list[list[Span]] = []
    if title := _TITLE.search(text[: span.start]):
        faults.append([Span(title.start(), span.end)])
    if mark := _MARKS.match(text, span.end):
        faults.append([Span(span.start, mark.end())])
    if gap := _GAP.search(text, span.start + 1, span.end - 1):
        first, second = Span(span.start, gap.start()), Span(gap.end(), span.end)
        faults += [[first, second], [first], [second]]
    return faults
