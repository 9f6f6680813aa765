"""Suggestions that the annotator has turned down, as the journal remembers them.

{"op": "reject", "record": "110-02", "start": 12, "end": 19, "category": "NAME",
 "type": "DOCTOR", "alike": true}                        turned down, with all alike
{"op": "unreject", …}                                    that was taken back

Offsets are those of the record. A rejection with all alike holds for the same text and type
everywhere in the patient; the text is looked up in the record, and never written. Rejections and
edits are undone in the order in which they were made.

An edit that only removes an accepted suggestion turns down what is suggested there too, and brings
it back when it is undone; the journal's line of the edit says it all.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from shared.model import MergedView, Origin, PhiType, Span
from shared.project.edits import Edit, edit_from_entry

Likeness = tuple[str, PhiType]
_TAKEN_BACK = {"edit": 1, "undo": -1, "redo": 1}


@dataclass(frozen=True, slots=True)
class PlacedSuggestion:
    """A suggestion where it stands in the merged view of its patient: `[start, end)`."""

    start: int
    end: int
    record_id: str
    phi_type: PhiType
    confidence: float
    recognizer: str
    source: str = ""
    """The other program that it was imported from."""

    def __hash__(self) -> int:
        return self.start  # tells most apart, and is asked for some twenty times of each

    def __reduce__(self) -> tuple[object, ...]:
        """Between processes only values go: to write and read fields by name takes much longer."""
        values = self.start, self.end, self.record_id, self.phi_type, self.confidence
        return PlacedSuggestion, (*values, self.recognizer, self.source)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Rejection:
    """One suggestion turned down; `step`, how many edits had been made by then."""

    record_id: str
    span: Span
    phi_type: PhiType
    alike: bool
    step: int

    def entry(self, operation: str) -> dict[str, Any]:
        """The journal's line, "reject" or "unreject"."""
        return {
            "op": operation,
            "record": self.record_id,
            "start": self.span.start,
            "end": self.span.end,
            "category": self.phi_type.category,
            "type": self.phi_type.name,
            "alike": self.alike,
        }

    @classmethod
    def of(cls, entry: Mapping[str, Any], step: int) -> "Rejection":
        return cls(
            str(entry["record"]),
            Span(int(entry["start"]), int(entry["end"])),
            PhiType(str(entry["category"]), str(entry["type"])),
            bool(entry["alike"]),
            step,
        )


class Rejections:
    """What was rejected of one patient, read from the journal's entries."""

    def __init__(self, view: MergedView, entries: Iterable[Mapping[str, Any]] = ()) -> None:
        self._view = view
        self._made: list[Rejection] = []
        self._taken_back: list[Rejection] = []
        self._removed: set[tuple[int, int]] = set()
        self.without_tag: frozenset[Span] = frozenset()
        """Where the annotator said in another list that there is no tag, whatever is suggested."""
        steps = 0
        for entry in entries:
            steps = max(0, steps + _TAKEN_BACK.get(str(entry["op"]), 0))
            if str(entry["op"]) in _TAKEN_BACK:
                edit = edit_from_entry(view, dict(entry))
                self.edited(edit, taken_back=entry["op"] == "undo")
            self._take(entry, steps)
        self._look_up()

    def __bool__(self) -> bool:
        """Whether anything is rejected now."""
        return bool(self._made)

    def __contains__(self, suggestion: PlacedSuggestion) -> bool:
        place = (suggestion.start, suggestion.end, suggestion.phi_type)
        if place in self._places or place[:2] in self._removed:
            return True
        if self.without_tag and suggestion.span in self.without_tag:
            return True
        return bool(self._alike) and (
            likeness(self._view, suggestion.span, suggestion.phi_type) in self._alike
        )

    def count(self, alike: Likeness) -> int:
        """How often what is alike was rejected, wherever."""
        return self._times[alike]

    def read_again(self, lines: Iterable[Mapping[str, Any]]) -> "list[PlacedSuggestion | None]":
        """For each line of another journal what it rejects for good; None where it does not."""
        rejected: list[PlacedSuggestion | None] = []
        standing: list[int] = []
        for number, line in enumerate(lines):
            rejected.append(None)
            if line["op"] == "reject":
                standing.append(number)
                made = Rejection.of(line, 0)
                span = self._view.merged_span(made.record_id, made.span)
                rejected[number] = PlacedSuggestion(
                    span.start, span.end, made.record_id, made.phi_type, 0.0, ""
                )
            elif line["op"] == "unreject" and standing:
                rejected[standing.pop()] = None
        return rejected

    def make(self, suggestion: PlacedSuggestion, *, alike: bool, step: int) -> Rejection:
        """Reject a suggestion after `step` edits; returns what the journal is to keep."""
        record_id, span = self._view.record_span(suggestion.span)
        made = Rejection(record_id, span, suggestion.phi_type, alike, step)
        self._made.append(made)
        self._taken_back.clear()
        self._look_up()
        return made

    def edited(self, edit: Edit, *, taken_back: bool) -> None:
        """Take note of an edit, or of one that was undone: its reverse."""
        tags, others = (edit.added, edit.removed) if taken_back else (edit.removed, edit.added)
        if others:
            return
        places = {(each.start, each.end) for each in tags if each.tag.origin is Origin.SUGGESTION}
        self._removed = self._removed - places if taken_back else self._removed | places

    def undo(self, step: int) -> Rejection | None:
        """Take the last rejection back, if no edit was made after it that is not undone."""
        if not self._made or self._made[-1].step < step:
            return None
        return self._move(self._made, self._taken_back)

    def redo(self, step: int) -> Rejection | None:
        """Make the rejection again that was taken back last, if it is what comes next."""
        if not self._taken_back or self._taken_back[-1].step != step:
            return None
        return self._move(self._taken_back, self._made)

    def forget_undone(self) -> None:
        """There is no way back to what was undone before a new edit."""
        self._taken_back.clear()

    def _take(self, entry: Mapping[str, Any], steps: int) -> None:
        operation = entry["op"]
        if operation == "edit":
            self._taken_back.clear()
        elif operation == "unreject" and self._made:
            self._taken_back.append(self._made.pop())
        elif operation == "reject":
            made = Rejection.of(entry, steps)
            if self._taken_back[-1:] == [made]:
                self._taken_back.pop()
            else:
                self._taken_back.clear()
            self._made.append(made)

    def _move(self, source: list[Rejection], target: list[Rejection]) -> Rejection:
        moved = source.pop()
        target.append(moved)
        self._look_up()
        return moved

    def _look_up(self) -> None:
        placed = [
            (self._view.merged_span(each.record_id, each.span), each.phi_type)
            for each in self._made
        ]
        self._places = {(span.start, span.end, phi_type) for span, phi_type in placed}
        likenesses = [likeness(self._view, *each) for each in placed]
        self._times = Counter(likenesses)
        self._alike = {
            each for each, made in zip(likenesses, self._made, strict=True) if made.alike
        }


def likeness(view: MergedView, span: Span, phi_type: PhiType) -> Likeness:
    """What makes suggestions alike: their words, whatever their blanks and case, and their type."""
    return words_of(view, span), phi_type


def words_of(view: MergedView, span: Span) -> str:
    """The text at a span for comparing."""
    return folded(span.text_in(view.text))


def folded(text: str) -> str:
    """A text for comparing: blanks and line ends count as one, case not at all."""
    return " ".join(text.split()).casefold()
