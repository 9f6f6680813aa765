"""What other programs suggest, among what recognizers do, and what an annotator made of it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from annotator.rejections import PlacedSuggestion, Rejections
from shared.errors import FileError
from shared.model import SUGGESTED_BY, MergedView
from shared.project.imported_suggestions import ImportedSuggestions
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.settings import Policy
from shared.text.overlaps import resolve_overlaps
from shared.text.span_index import SpanIndex


@dataclass(frozen=True, slots=True)
class SuggestionBatch:
    """What was suggested, by whom in words, and what went wrong with a model, if anything did."""

    suggestions: tuple[PlacedSuggestion, ...]
    by: str
    problem: str = ""


class PlacedImports:
    """The suggestions that were imported into a project, as the annotation window shows them."""

    def __init__(self, project: Project) -> None:
        self._imported = ImportedSuggestions(project)

    def placed(self, view: MergedView) -> dict[str, list[PlacedSuggestion]]:
        """Return by name what is suggested in a patient's records. Raises FileError."""
        found = self._imported.of([each.record_id for each in view.patient.documents])
        return {
            name: [
                PlacedSuggestion(
                    view.to_merged(record_id, one.span.start),
                    view.to_merged(record_id, one.span.end),
                    record_id,
                    one.phi_type,
                    one.confidence,
                    name,
                    name,
                )
                for record_id, some in by_record.items()
                for one in some
            ]
            for name, by_record in found.items()
        }

    def beside(self, found: SuggestionBatch, view: MergedView) -> SuggestionBatch:
        """Return a batch with what was imported: of two that overlap the surer stays."""
        try:
            placed = self.placed(view)
        except FileError as error:
            return replace(found, problem=f"{found.problem} {error}.".strip())
        if not placed:
            return found
        every = [*found.suggestions, *(one for some in placed.values() for one in some)]
        kept = tuple(resolve_overlaps(every, _rank))
        return replace(
            found, suggestions=kept, by=f"{found.by}, and {', '.join(placed)} (imported)"
        )


@dataclass(frozen=True, slots=True)
class ImportOutcome:
    """What became of the suggestions of a name with an annotator.

    `accepted` counts the tags that came of them and are there, `otherwise` what lies under another
    tag, `waiting` what nobody has decided about.
    """

    annotator: str
    name: str
    offered: int = 0
    accepted: int = 0
    otherwise: int = 0
    rejected: int = 0
    waiting: int = 0

    def __add__(self, other: "ImportOutcome") -> "ImportOutcome":
        return ImportOutcome(
            self.annotator,
            self.name,
            self.offered + other.offered,
            self.accepted + other.accepted,
            self.otherwise + other.otherwise,
            self.rejected + other.rejected,
            self.waiting + other.waiting,
        )


def import_outcomes(project: Project) -> list[ImportOutcome]:
    """Return the outcomes by annotator and name, on patients on whom the annotator sees them.

    Raises FileError.
    """
    imports = PlacedImports(project)
    totals: dict[tuple[str, str], ImportOutcome] = {}
    for each in project.assignments():
        if project.suggestions.of(each.annotator, each.patient_id) is Policy.ON:
            view = MergedView(project.patient(each.patient_id))
            placed = imports.placed(view)
            for one in _of_patient(project, each.annotator, view, placed) if placed else ():
                key = one.annotator, one.name
                totals[key] = totals[key] + one if key in totals else one
    return sorted(totals.values(), key=lambda one: (one.annotator, one.name))


def _rank(one: PlacedSuggestion) -> tuple[float, int, int]:
    return -one.confidence, one.start - one.end, one.start


def _of_patient(
    project: Project,
    annotator: str,
    view: MergedView,
    placed: dict[str, list[PlacedSuggestion]],
) -> Iterator[ImportOutcome]:
    lines = read_journal(project.journal_path(annotator, view.patient.id))
    rejections = Rejections(view, lines)
    tags = [
        (view.merged_span(document.record_id, tag.span), dict(tag.attributes).get(SUGGESTED_BY))
        for document in view.patient.documents
        for tag in project.read_layer(annotator, document).layer.tags
    ]
    accepted = Counter(name for _, name in tags)
    spans = SpanIndex(span for span, _ in tags)
    names = dict(tags)
    for name, some in placed.items():
        outcome = ImportOutcome(annotator, name, len(some), accepted[name])
        for one in some:
            there = spans.query(one.start, one.end)
            if there:
                is_theirs = any(names[each] == name for each in there)
                outcome = replace(outcome, otherwise=outcome.otherwise + (not is_theirs))
            elif one in rejections:
                outcome = replace(outcome, rejected=outcome.rejected + 1)
            else:
                outcome = replace(outcome, waiting=outcome.waiting + 1)
        yield outcome
