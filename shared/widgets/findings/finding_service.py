"""The findings of one layer of an open patient: looked for, fixed, dismissed."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from shared.consistency.across_patients import joined
from shared.consistency.dismissals import (
    Dismissal,
    DismissalKey,
    dismissal_key,
    dismissals_path,
    read_dismissals,
    without_dismissed,
)
from shared.consistency.findings import TAG_KINDS, Finding, FindingKind
from shared.language.detection import AUTO
from shared.model import MergedView, Patient, PhiType, Span
from shared.project.edits import PlacedTag
from shared.project.journal import Journal, read_journal
from shared.project.tag_operations import TagChange, TagOperations
from shared.widgets.findings.finding_process import FindingProcess, Marks, OtherPatientsSource
from shared.widgets.parts.background_task import CancelledError, Step


class FindingService:
    """Findings of a layer in a project's folder; dismissals are signed by `who`.

    What `others` find is shown too, unless they are None.
    """

    def __init__(
        self,
        root: Path,
        layer: str,
        who: str,
        others: OtherPatientsSource | None = None,
        language: str = AUTO,
    ) -> None:
        self.others = others
        self._language = language
        self._path = dismissals_path(root, layer)
        self._layer = layer
        self._who = who

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
        with suppress(CancelledError):
            found = joined(found, next(looking))
        return without_dismissed(found, patient.documents, self._dismissed())

    def dismiss(self, view: MergedView, finding: Finding, reason: str) -> None:
        """Keep a finding away until the text around it changes. Raises StorageError."""
        key = dismissal_key(finding, view.patient.document(finding.record_id))
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with Journal(self._path) as journal:
            journal.append(Dismissal(key, self._layer, self._who, now, reason).as_entry())

    def _dismissed(self) -> set[DismissalKey]:
        return {each.key for each in read_dismissals(read_journal(self._path), self._layer)}


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
    placed = _tag_of(session, finding)
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
    return [each for each in findings if _likeness(each) == _likeness(finding)]


def _likeness(finding: Finding) -> tuple[object, ...]:
    if finding.kind in {FindingKind.BOUNDARY, FindingKind.GUIDELINE}:
        return finding.kind, finding.why
    return finding.kind, " ".join(finding.text.split()), finding.phi_type


def _tag_of(session: TagOperations, finding: Finding) -> PlacedTag | None:
    """The tag that a finding is about."""
    span = merged_span(session.view, finding)
    there = [each for each in session.tags.query(span.start, span.end) if each.span == span]
    wanted = finding.kind is not FindingKind.TYPES
    fitting = [each for each in there if (each.phi_type == finding.phi_type) is wanted]
    return next(iter((*fitting, *there)), None)
