"""The findings of one layer of an open patient: looked for, fixed, dismissed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.consistency.across_patients import joined
from shared.consistency.dismissals import dismissal_key, without_dismissed
from shared.consistency.findings import TAG_KINDS, Finding, FindingKind
from shared.language.detection import AUTO
from shared.model import MergedView, Patient, PhiType, Span
from shared.project.edits import Edit, PlacedTag
from shared.project.tag_operations import TagChange, TagOperations
from shared.text.span_index import SpanIndex
from shared.widgets.findings.finding_process import FindingProcess, Marks, OtherPatientsSource
from shared.widgets.parts.background_task import CancelledError, Step
from shared.widgets.tags.dismissal_store import DismissalStore


class FindingService:
    """Findings of a layer, without those that are dismissed in `store`.

    What `others` find is shown too, unless they are None.
    """

    def __init__(
        self,
        store: DismissalStore,
        others: OtherPatientsSource | None = None,
        language: str = AUTO,
    ) -> None:
        self.store = store
        self.others = others
        self._language = language
        self._dismissed: set[Finding] = set()
        """Those that were left out since the last look, by itself and of its list."""
        self.is_cut_short = False
        """Whether the last look was ended while other patients were asked."""

    @property
    def dismissed(self) -> int:
        """How many findings of the last look somebody has dismissed."""
        return len(self._dismissed)

    def look(
        self, process: FindingProcess, view: MergedView, tags: Sequence[PlacedTag], step: Step
    ) -> tuple[Finding, ...]:
        """Return what nobody has dismissed; to be run on a thread. Raises RequestError, FileError.

        `step` hears how far it is where that takes long, and ends the look by CancelledError; while
        other patients are asked, what was found until then is returned.
        """
        patient = view.patient
        process.language = self._language
        looking = process.look(patient, _marks(patient, tags), self.others, step)
        found = tuple(next(looking))
        self.is_cut_short = False
        try:
            found = joined(found, next(looking))
        except CancelledError:
            self.is_cut_short = self.others is not None
        self._dismissed = set()
        return self._not_dismissed(view, found)

    def left(self, session: TagOperations, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """Those of some findings that are not settled or dismissed by now. Raises FileError."""
        left = self._not_dismissed(session.view, findings)
        return tuple(each for each in left if not is_settled(session, each))

    def _not_dismissed(self, view: MergedView, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        every = tuple(findings)
        left = without_dismissed(every, view.patient.documents, self.store.read().keys())
        self._dismissed |= set(every) - set(left)
        return left

    def dismiss(self, view: MergedView, findings: Iterable[Finding], reason: str) -> None:
        """Keep findings away until the text around them changes. Raises StorageError."""
        patient = view.patient
        keys = [dismissal_key(each, patient.document(each.record_id)) for each in findings]
        self.store.dismiss(keys, reason)


def _marks(patient: Patient, tags: Iterable[PlacedTag]) -> Marks:
    marks: Marks = {each.record_id: [] for each in patient.documents}
    for each in tags:
        tag, kind = each.tag, each.tag.phi_type
        marks[each.record_id].append((tag.start, tag.end, kind.category, kind.name))
    return marks


def merged_span(view: MergedView, finding: Finding) -> Span:
    """Where a finding is in the merged view."""
    return view.merged_span(finding.record_id, finding.span)


def fix_of(session: TagOperations, finding: Finding) -> TagChange | None:
    """What would set a finding right; None where only a person can tell."""
    if finding.fix is None:
        return None
    view = session.view
    marks = [
        (view.merged_span(finding.record_id, span), phi_type) for span, phi_type in finding.fix
    ]
    if finding.kind not in TAG_KINDS:
        return None, marks
    placed = tag_of(session, finding)
    return None if placed is None else (placed, marks)


def fixes_of_choice(
    session: TagOperations, finding: Finding, phi_type: PhiType, *, everywhere: bool
) -> list[TagChange]:
    """What makes one of the types that a finding lets choose from the only one at its place.

    Or `everywhere`: at all the places of all of them.
    """
    places = [finding.place, *(each for choice in finding.choices for each in choice.places)]
    changes: list[TagChange] = []
    for place in dict.fromkeys(places if everywhere else places[:1]):
        span = session.view.merged_span(place.record_id, place.span)
        there = [each for each in session.tags.query(span.start, span.end) if each.span == span]
        is_so = any(each.phi_type == phi_type for each in there)
        for placed in (each for each in there if each.phi_type != phi_type):
            changes.append((placed, [] if is_so else [(span, phi_type)]))
            is_so = True
    return changes


def similar(finding: Finding, findings: Iterable[Finding]) -> list[Finding]:
    """The findings of the same kind that one fixes in the same way, itself among them.

    Of untagged text those with the same words and type, of tags those for the same reason.
    """
    wanted = _likeness(finding)
    return [each for each in findings if _likeness(each) == wanted]


def _likeness(finding: Finding) -> tuple[object, ...]:
    if finding.kind in {FindingKind.BOUNDARY, FindingKind.GUIDELINE}:
        return finding.kind, finding.why
    return finding.kind, " ".join(finding.text.split()), finding.phi_type


def tag_of(session: TagOperations, finding: Finding) -> PlacedTag | None:
    """The tag that a finding is about; None where that is gone, or has become of another type."""
    span = merged_span(session.view, finding)
    there = session.tags.on(span.start, span.end)
    wanted = finding.kind is not FindingKind.TYPES
    fitting = [each for each in there if (each.phi_type == finding.phi_type) is wanted]
    other = there if finding.kind is FindingKind.EXTENTS else ()
    return next(iter((*fitting, *other)), None)


def is_settled(session: TagOperations, finding: Finding) -> bool:
    """Whether a place that needed a tag is touched by one, or the tag at fault is no more."""
    if finding.kind in TAG_KINDS:
        return tag_of(session, finding) is None
    span = merged_span(session.view, finding)
    return bool(session.tags.query(span.start, span.end))


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """A finding where it stands in the merged view: `[start, end)`."""

    start: int
    end: int
    finding: Finding


class FindingsByPlace:
    """Findings of a patient by where they are; made when first asked."""

    def __init__(self, view: MergedView, findings: Iterable[Finding]) -> None:
        spans = ((merged_span(view, each), each) for each in findings)
        self._placed = SpanIndex(PlacedFinding(at.start, at.end, each) for at, each in spans)

    def settled_by(self, edit: Edit, session: TagOperations) -> list[Finding]:
        """The findings where an edit has taken tags out or put some in, and settled them."""
        places = (each.span for each in (*edit.removed, *edit.added))
        there = (one.finding for each in places for one in self._placed.query(each.start, each.end))
        return [each for each in there if is_settled(session, each)]

    def at(self, selected: Span | None, caret: int, current: Finding | None) -> Finding | None:
        """The finding that is selected, or without a selection the untagged one at the caret.

        Of several the `current` one comes first.
        """
        if selected is not None:
            here = self._placed.on(selected.start, selected.end)
        else:
            near = self._placed.query(max(0, caret - 1), caret + 1)
            untagged = (each for each in near if each.finding.kind not in TAG_KINDS)
            here = sorted(untagged, key=lambda each: each.end <= caret)
        here = sorted(here, key=lambda each: each.finding is not current)
        return here[0].finding if here else None
