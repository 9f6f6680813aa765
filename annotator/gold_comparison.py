"""An annotator's own tags beside the gold standard, once both are done; to be looked at only.

No other annotator's layer is opened, and of the adjudicator's journal only what was given as a
reason is taken, with the names of other annotators left out.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from shared.errors import FileFormatError, RequestError
from shared.metrics.alignment import DifferenceKind, TagMark, align_layers
from shared.model import Document, Layer, MergedView, Span, Tag
from shared.outside import MALFORMED
from shared.project.assignments import State
from shared.project.edits import PlacedTag
from shared.project.gold_remarks import PlacedReason, placed_reasons
from shared.project.gold_state import GoldState
from shared.project.journal import read_journal
from shared.project.notes import Note, NoteBook
from shared.project.project import Project
from shared.project.settings import GOLD

_KINDS = {
    DifferenceKind.TYPE: "type",
    DifferenceKind.EXTENT: "extent",
    DifferenceKind.TYPE_AND_EXTENT: "type, extent",
    DifferenceKind.SPLIT_OR_MERGE: "split",
}


@dataclass(frozen=True, slots=True)
class GoldDifference:
    """A stretch `[start, end)` of the merged view that the two do not tag alike.

    `reasons` are those that the adjudicator gave there, and answers to the annotator's notes.
    """

    start: int
    end: int
    record_id: str
    kind: DifferenceKind
    own: tuple[TagMark, ...]
    gold: tuple[TagMark, ...]
    reasons: tuple[str, ...] = ()

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def kind_words(self) -> str:
        """The kind in a word or two."""
        if not self.own:
            return "missed"
        if self.gold and self.kind is DifferenceKind.EXTENT:
            own, gold = self.own[0][0], self.gold[0][0]
            if gold.contains(own):
                return "too short"
            return "too long" if own.contains(gold) else "extent"
        return _KINDS[self.kind] if self.gold else "extra"


@dataclass(frozen=True, slots=True)
class GoldComparison:
    """The records of a patient, what is tagged alike, and the differences in order of place."""

    view: MergedView
    same: tuple[TagMark, ...]
    differences: tuple[GoldDifference, ...]

    @property
    def patient_id(self) -> str:
        return self.view.patient.id


def compare_with_gold(
    project: Project, annotator: str, patient_id: str, own: Iterable[PlacedTag]
) -> GoldComparison:
    """Compare an annotator's tags with the gold standard; offsets are those of the view.

    Raises RequestError where they may not see it, or not yet, and FileError where the gold standard
    cannot be read as the adjudicator left it.
    """
    refuse_comparison(project, annotator, patient_id)
    view = MergedView(project.patient(patient_id))
    digests, reasons = _read_gold_journal(project, patient_id)
    reasons += _placed_answers(project, annotator, patient_id)
    others = [each for each in project.annotators if each != annotator]
    reasons = [_without_names(each, others) for each in reasons]
    tags: dict[str, list[Tag]] = {each.record_id: [] for each in view.sections}
    for placed in own:
        tags[placed.record_id].append(placed.tag)
    same: list[TagMark] = []
    differences: list[GoldDifference] = []
    for document in view.patient.documents:
        gold = _read_gold(project, document, digests.get(document.record_id))
        here = [each for each in reasons if each.record_id == document.record_id]
        mine = Layer.of(document.record_id, annotator, tags[document.record_id])
        for each in _compared(view, mine, gold, here):
            if each.kind is DifferenceKind.AGREEMENT:
                same += each.gold
            else:
                differences.append(each)
    return GoldComparison(view, tuple(same), tuple(sorted(differences, key=_place)))


def refuse_comparison(project: Project, annotator: str, patient_id: str) -> None:
    """Raise RequestError unless an annotator may see the gold standard of a patient by now.

    What the project says is read anew. FileError says that it cannot be read.
    """
    pair, plan = (patient_id, annotator), project.plan
    if not plan.show_gold_to_annotators and pair not in plan.training_pairs:
        raise RequestError("this project does not show the gold standard to annotators")
    states = {
        each.state for each in project.assigned_to(annotator) if each.patient_id == patient_id
    }
    if not states:
        raise RequestError(f"patient {patient_id} is not assigned to {annotator}")
    if states != {State.DONE}:
        raise RequestError(
            f"patient {patient_id} is not done; mark it as done before you compare it"
        )
    is_shown = pair not in project.known_answers.pairs()
    if not is_shown or project.gold_status(patient_id).state is not GoldState.DONE:
        raise RequestError(
            f"patient {patient_id} is not adjudicated yet; it can be compared after that"
        )


def _read_gold_journal(
    project: Project, patient_id: str
) -> tuple[dict[str, str], list[PlacedReason]]:
    """The digest that each file of the gold standard was left with, and what was remarked."""
    path = project.journal_path(GOLD, patient_id)
    lines = read_journal(path)
    try:
        digests: dict[str, str] = {}
        for line in lines:
            digests |= line.get("digests", {})
        return digests, placed_reasons(lines)
    except MALFORMED:
        raise FileFormatError(path, "holds an entry that Tandem cannot read") from None


def _placed_answers(project: Project, annotator: str, patient_id: str) -> list[PlacedReason]:
    """What the adjudicator answered to the annotator's own notes on places."""
    book = NoteBook(project, annotator)
    book.refresh()
    return [
        PlacedReason(each.note.place.record_id, each.note.place.span, _answer(answer, each.note))
        for each in book.threads(patient_id)
        for answer in each.answers
        if each.note.place.span is not None
    ]


def _answer(answer: Note, note: Note) -> str:
    return f"{answer.text} (to “{note.text}”)" if note.text else answer.text


def _read_gold(project: Project, document: Document, digest: str | None) -> Layer:
    stored = project.layer_as_found(GOLD, document)
    path = project.layer_path(GOLD, document.record_id)
    if stored.digest is None:
        raise FileFormatError(path, "is missing; the adjudicator opens the patient to restore it")
    if digest is not None and digest != stored.digest:
        raise FileFormatError(
            path, "was changed since the patient was adjudicated; the adjudicator looks at it first"
        )
    return stored.layer


def _compared(
    view: MergedView, own: Layer, gold: Layer, reasons: Sequence[PlacedReason]
) -> Iterator[GoldDifference]:
    """Yield what is tagged in one record, with kind AGREEMENT where both say the same."""
    shift = view.section(gold.record_id).start
    for cluster in align_layers([own, gold]):
        mine, golden = (tuple(_shifted(side, shift)) for side in cluster.marks)
        given = [each.reason for each in reasons if each.span.overlaps(cluster.span)]
        span = cluster.span.shifted(shift)
        yield GoldDifference(
            span.start,
            span.end,
            gold.record_id,
            cluster.kind,
            mine,
            golden,
            tuple(dict.fromkeys(given)),
        )


def _shifted(marks: Iterable[TagMark], by: int) -> Iterator[TagMark]:
    return ((span.shifted(by), phi_type) for span, phi_type in marks)


def _without_names(remark: PlacedReason, names: Sequence[str]) -> PlacedReason:
    """Leave out who else marked the patient; names of annotators are letters of ASCII."""
    words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    named = rf"(?<![A-Za-z0-9_])(?:{words})(?![A-Za-z0-9_])"
    reason = re.sub(named, "[another annotator]", remark.reason, flags=re.IGNORECASE)
    return PlacedReason(remark.record_id, remark.span, reason)


def _place(difference: GoldDifference) -> tuple[int, int]:
    return difference.start, difference.end
