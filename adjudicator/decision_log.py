"""The decisions of a project as a list for people and programs: who, when, about what, which, why.

No text of a record is in it unless asked for.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from adjudicator.decision_book import read_decisions
from adjudicator.decisions import Decision, DecisionMode
from adjudicator.disagreements import DisagreementKey
from adjudicator.gold_layer import read_gold
from adjudicator.worklist import annotators_by_patient
from shared.errors import FileError
from shared.metrics.alignment import DifferenceKind, TagMark, kind_of
from shared.project.assignments import Assignment
from shared.project.gold_remarks import Remark
from shared.project.notes import NoteBook
from shared.project.project import Project
from shared.text.harmless import as_markdown

_CONTEXT = 60


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One disagreement that was decided or remarked on.

    `text` is that of its record, "" where no text is wanted; `annotators` belong to the sides.
    """

    patient_id: str
    key: DisagreementKey
    annotators: tuple[str, ...]
    decision: Decision | None = None
    remark: Remark | None = None
    text: str = ""

    @property
    def kind(self) -> DifferenceKind:
        return self.decision.kind if self.decision else kind_of(self.key.sides)

    @property
    def is_edited_after(self) -> bool:
        """True where the gold standard was edited and the decision did not follow."""
        return bool(self.decision and self.decision.mode is DecisionMode.EDITED_AFTER)

    @property
    def wants_discussion(self) -> bool:
        return bool(self.remark and self.remark.discuss)

    def as_json(self) -> dict[str, Any]:
        """The entry as one JSON object; offsets are those of the record."""
        decision, remark = self.decision, self.remark or Remark()
        entry: dict[str, Any] = {
            "patient": self.patient_id,
            "record": self.key.record_id,
            "kind": self.kind.value,
            "said": [
                {"annotator": name, "tags": self._tags(side)}
                for name, side in zip(self.annotators, self.key.sides, strict=False)
            ],
            "choice": decision.choice.value if decision else None,
            "gold": self._tags(decision.marks) if decision else None,
            "by": decision.by if decision else remark.by,
            "at": decision.at if decision else remark.at,
            "way": decision.mode.value if decision else None,
            "reason": remark.reason,
            "discuss": remark.discuss,
        }
        return entry | ({"context": list(self.context())} if self.text else {})

    def context(self) -> tuple[str, str, str]:
        """The words before it, of it and after it."""
        text, start, end = self.text, self.key.span.start, self.key.span.end
        return text[max(0, start - _CONTEXT) : start], text[start:end], text[end : end + _CONTEXT]

    def _tags(self, marks: Iterable[TagMark]) -> list[dict[str, Any]]:
        return [
            {"start": span.start, "end": span.end, "type": str(phi_type)}
            | ({"text": span.text_in(self.text)} if self.text else {})
            for span, phi_type in marks
        ]


def read_log(
    project: Project,
    patient_ids: Iterable[str],
    problems: list[FileError],
    *,
    with_text: bool = False,
    checked: bool = False,
    assignments: Iterable[Assignment] | None = None,
) -> Iterator[LogEntry]:
    """Yield what was decided or remarked about patients, each in the order of their records.

    What was taken over without asking is left out. If `checked`, a decision is said as the gold
    standard has it: EDITED_AFTER where it did not follow. A patient whose files cannot be read is
    left out and one of the `problems`. Raises FileError where the assignments, unless they are
    given, cannot be read.
    """
    annotators = annotators_by_patient(project, assignments)
    for patient_id in patient_ids:
        names = annotators.get(patient_id, ())
        try:
            book = read_decisions(project, patient_id)
            decided = {each.key: each for each in book if not each.choice.is_automatic}
            if checked and decided:
                gold = read_gold(project, patient_id)
                decided = {key: gold.as_it_stands(each) for key, each in decided.items()}
            texts = _texts(project, patient_id) if with_text and (decided or book.remarks) else {}
        except FileError as problem:
            problems.append(problem)
            continue
        for key in sorted({*decided, *book.remarks}, key=lambda key: (key.record_id, key.span)):
            text = texts.get(key.record_id, "")
            yield LogEntry(patient_id, key, names, decided.get(key), book.remarks.get(key), text)


def _texts(project: Project, patient_id: str) -> dict[str, str]:
    return {each.record_id: each.text for each in project.patient(patient_id).documents}


def count_by_kind(entries: Iterable[LogEntry]) -> dict[str, Counter[str]]:
    """Count the decisions by kind and choice; what was only remarked on counts as open."""
    counts: dict[str, Counter[str]] = {}
    for each in entries:
        choice = each.decision.choice.value if each.decision else "open"
        counts.setdefault(each.kind.value, Counter())[choice] += 1
    return {kind.value: counts[kind.value] for kind in DifferenceKind if kind.value in counts}


def to_markdown(entries: Iterable[LogEntry]) -> Iterator[str]:
    """Yield the lines of a document to discuss hard cases by, one section per kind."""
    every = list(entries)
    yield "# To discuss"
    for kind in DifferenceKind:
        cases = [each for each in every if each.kind is kind]
        if cases:
            yield from ("", f"## {kind.value.capitalize()}")
        for each in cases:
            yield from _case(each)


def notes_to_markdown(book: NoteBook, patient_ids: Iterable[str]) -> Iterator[str]:
    """Yield what people noted and asked about these patients, and the answers, unless closed."""
    every = [each for one in patient_ids for each in book.threads(one) if not each.is_closed]
    if every:
        yield from ("", "## Notes and questions")
    for thread in every:
        place = thread.note.place
        where = f"Record {place.record_id}" if place.record_id else f"Patient {thread.patient_id}"
        if place.span:
            where = f"{where}, {place.span.start} to {place.span.end}"
        yield from ("", f"### {where}", "")
        if place.span:
            text = book.text_of(thread.patient_id, place.record_id)
            yield from (f"> {as_markdown(place.span.text_in(text))}", "")
        for each in (thread.note, *thread.answers):
            said = f"- {as_markdown(each.writer)}, {each.kind}: {as_markdown(each.text)}"
            yield said.removesuffix(": ")


def _case(entry: LogEntry) -> Iterator[str]:
    span = entry.key.span
    yield from ("", f"### Record {entry.key.record_id}, {span.start} to {span.end}", "")
    if entry.text:
        before, words, after = map(as_markdown, entry.context())
        yield from (f"> … {before} **{words}** {after} …", "")
    for name, side in zip(entry.annotators, entry.key.sides, strict=False):
        yield f"- {as_markdown(name)}: {_said(side, entry)}"
    decided = _said(entry.decision.marks, entry) if entry.decision else "open"
    yield f"- gold standard: {decided}"
    if entry.remark and entry.remark.reason:
        yield f"- reason: {as_markdown(entry.remark.reason)}"


def _said(marks: Iterable[TagMark], entry: LogEntry) -> str:
    said = (
        as_markdown(f"{phi_type} {span.text_in(entry.text) or f'{span.start} to {span.end}'}")
        for span, phi_type in marks
    )
    return "; ".join(said) or "no tag"
