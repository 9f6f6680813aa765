"""Predictions of another program, brought to the records of a project.

Each is put to the record that it names: where its offsets say, if the file has the same text, else
where its own words stand (`shared/text/quotes.py`). What has no place, no type of the schema or no
confidence is listed with the record and the reason, never with its text. What people tagged is no
prediction: it would show one annotator the tags of another.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path

from shared.errors import RequestError
from shared.formats.base import Record
from shared.formats.labels import type_of_label
from shared.formats.quoted_spans import QuotedSpan
from shared.formats.tag_offsets import MOVED
from shared.formats.xml_characters import xml_copy
from shared.model import Document, Origin, PhiType, Span, Tag
from shared.project import creation
from shared.project.imported_suggestions import ImportedSuggestion
from shared.project.project import Project
from shared.text.quotes import Quote, QuoteFinder

_BY_PEOPLE = frozenset({Origin.HAND, Origin.ANNOTATE_ALL, Origin.ADJUDICATION})
_SCORES = ("confidence", "score", "probability", "prob")
_CONTEXT = 40
"""So many characters around a tag tell its place in another copy of the text."""
NO_SUCH_RECORD = "the project has no such record"
_NO_SHARE = "its confidence is no number from 0 to 1"


@dataclass(frozen=True, slots=True)
class ListedPrediction:
    """A prediction that was not taken as it is; `tag_id` is "" where it has none."""

    record_id: str
    tag_id: str
    reason: str


@dataclass
class SuggestionImport:
    """Takes predictions, and says what became of each.

    `sure` is the confidence of those that have none, `types` says what labels mean.
    """

    project: Project
    sure: float
    types: Mapping[str, PhiType] = field(default_factory=dict[str, PhiType])

    def __post_init__(self) -> None:
        self.listed: list[ListedPrediction] = []
        """What was left out."""
        self.moved: list[ListedPrediction] = []
        """What lies elsewhere than its offsets said."""
        self.unknown_types: Counter[str] = Counter()
        self.taken = 0
        """How many predictions were taken, some of which may be the same."""
        self._found: dict[str, dict[tuple[Span, PhiType], float]] = {}
        self._documents: dict[str, Document] = {}
        self._texts: tuple[str, QuoteFinder] = "", QuoteFinder("")

    @property
    def found(self) -> dict[str, list[ImportedSuggestion]]:
        """By record what is suggested, in order; of what is there twice the surer."""
        return {
            record_id: [ImportedSuggestion(*mark, sure) for mark, sure in sorted(marks.items())]
            for record_id, marks in sorted(self._found.items())
        }

    def take_record(self, record: Record) -> None:
        """Take the tags of a record. Raises RequestError where people made them, FileError."""
        record_id = record.document.record_id
        self.listed += (
            ListedPrediction(record_id, each.tag_id, each.what)
            for each in record.lost
            if each.what != MOVED
        )
        self.moved += (
            ListedPrediction(record_id, each.tag_id, each.what)
            for each in record.lost
            if each.what == MOVED
        )
        tags = [*chain.from_iterable(each.tags for each in record.layers)]
        if any(each.origin in _BY_PEOPLE for each in tags):
            raise RequestError(
                f"record {record_id} holds tags that people made (origin); they would be shown to "
                "the annotators, so nothing was imported"
            )
        document = self._document(record_id)
        if document is None:
            self.listed += (ListedPrediction(record_id, each.id, NO_SUCH_RECORD) for each in tags)
            return
        is_same = record.document.text in (document.text, xml_copy(document.text))
        for each in tags:
            span = each.span if is_same else self._elsewhere(each, record.document, document)
            if span is not None:
                self._take(record_id, each.id, span, self._type_of(each.phi_type), _score_of(each))

    def take_quote(self, said: QuotedSpan) -> None:
        """Take a quote. Raises FileError."""
        document = self._document(said.record_id)
        if document is None:
            self._list(said.record_id, "", NO_SUCH_RECORD)
            return
        span = self._finder(document).find(said.quote)
        if not isinstance(span, Span):
            self._list(said.record_id, "", span.value)
            return
        phi_type = self.types.get(said.label) or self._type_of(type_of_label(said.label))
        self._take(said.record_id, "", span, phi_type, said.score)

    def _elsewhere(self, tag: Tag, its: Document, document: Document) -> Span | None:
        """Return where a tag of another copy of a text lies in a document."""
        text, span = its.text, tag.span
        before = text[max(0, span.start - _CONTEXT) : span.start]
        after = text[span.end : span.end + _CONTEXT]
        quote = Quote(span.text_in(text), span.start, before, after)
        found = self._finder(document).find(quote)
        if not isinstance(found, Span):
            self._list(document.record_id, tag.id, found.value)
            return None
        if found != span:
            self.moved.append(ListedPrediction(document.record_id, tag.id, MOVED))
        return found

    def _take(self, record_id: str, tag_id: str, span: Span, phi_type: PhiType, score: str) -> None:
        sure = _share(score) if score else self.sure
        if phi_type not in self.project.schema:
            self.unknown_types[str(phi_type.name)] += 1
        elif sure is None:
            self._list(record_id, tag_id, _NO_SHARE)
        else:
            marks = self._found.setdefault(record_id, {})
            marks[span, phi_type] = max(sure, marks.get((span, phi_type), 0.0))
            self.taken += 1

    def _type_of(self, phi_type: PhiType) -> PhiType:
        """The type of the schema that is meant: as mapped, the same, or the one of that name."""
        mapped = self.types.get(phi_type.name)
        if mapped is not None or phi_type in self.project.schema:
            return mapped or phi_type
        of_name = self._by_name.get(phi_type.name.casefold(), [])
        return of_name[0] if len(of_name) == 1 else phi_type

    @cached_property
    def _by_name(self) -> dict[str, list[PhiType]]:
        found: dict[str, list[PhiType]] = {}
        for each in self.project.schema.types():
            found.setdefault(each.name.casefold(), []).append(each.phi_type)
        return found

    def _list(self, record_id: str, tag_id: str, reason: str) -> None:
        self.listed.append(ListedPrediction(record_id, tag_id, reason))

    def _document(self, record_id: str) -> Document | None:
        """Read the record of a patient; what was read before it is let go."""
        if record_id not in self._documents:
            patient_id = self._patients.get(record_id)
            if patient_id is None:
                return None
            documents = self.project.patient(patient_id).documents
            self._documents = {each.record_id: each for each in documents}
        return self._documents[record_id]

    @cached_property
    def _patients(self) -> dict[str, str]:
        ids = self.project.patient_ids
        return {one: each for each in ids for one in self.project.record_ids(each)}

    def _finder(self, document: Document) -> QuoteFinder:
        if self._texts[0] != document.record_id:
            self._texts = document.record_id, QuoteFinder(document.text)
        return self._texts[1]


def refuse_layers(path: Path) -> None:
    """Raise RequestError where a file or folder lies in a project: there are people's tags."""
    for each in (path.resolve(), *path.resolve().parents):
        if (each / creation.SETTINGS).is_file():
            raise RequestError(
                f"{path} lies in the project {each}; what annotators tagged is not suggested to "
                "others. Give predictions of a program"
            )


def types_meant(project: Project, said: Iterable[tuple[str, str]]) -> dict[str, PhiType]:
    """Return the types that labels are said to mean, by name or `CATEGORY:NAME`.

    Raises RequestError where the schema has none, or several, of that name.
    """
    return {label: _one_type(project, name) for label, name in said}


def _one_type(project: Project, name: str) -> PhiType:
    fitting = list(_types_called(project, name))
    if len(fitting) != 1:
        many = "several types" if fitting else "no type"
        raise RequestError(f"the schema {project.schema.name} has {many} {name}")
    return fitting[0]


def _types_called(project: Project, name: str) -> Iterator[PhiType]:
    for each in project.schema.types():
        if name in (each.name, f"{each.phi_type.category}:{each.name}"):
            yield each.phi_type


def _score_of(tag: Tag) -> str:
    if tag.confidence is not None:
        return repr(tag.confidence)
    said = dict(tag.attributes)
    return next((said[name] for name in _SCORES if name in said), "")


def _share(said: str) -> float | None:
    try:
        share = float(said)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None
