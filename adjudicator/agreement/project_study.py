"""What the agreement of a project is measured on: who finished which records, and when."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import partial
from itertools import combinations

from adjudicator.decision_log import read_log
from adjudicator.project_risk import ProjectRisk, risk_of
from adjudicator.risk_statements import WORDS
from shared.agreement.comparison import Comparison
from shared.agreement.folder_comparison import SkippedRecord
from shared.agreement.study import (
    GOLD,
    AdjudicationOutcome,
    AnnotatorPair,
    MissedEstimate,
    PatientPair,
    ReleasedCorpus,
    Study,
    WholePatientShare,
)
from shared.errors import FileError
from shared.model import Layer, PhiType
from shared.project.assignments import Assignment, State
from shared.project.imported_suggestions import ImportedSuggestions
from shared.project.journal import read_journal
from shared.project.pace import seconds_by_day
from shared.project.project import Project
from shared.project.settings import Policy
from shared.risk.bounds import interval
from shared.risk.readers import ReaderCounts, ReadPatient, read_patient

_EDITS = ("edit", "undo", "redo")

Names = tuple[str, str]


@dataclass(slots=True)
class StudyNotes:
    """What is told of a study beside what is compared; notes of parts add up.

    `readers` counts what two found of each adjudicated patient, `seconds` has how long the
    adjudicator worked on each.
    """

    problems: list[FileError] = field(default_factory=list[FileError])
    left_out: list[SkippedRecord] = field(default_factory=list[SkippedRecord])
    readers: ReaderCounts = field(default_factory=partial(ReaderCounts.added, ()))
    outcomes: list[AdjudicationOutcome] = field(default_factory=list[AdjudicationOutcome])
    seconds: dict[str, float] = field(default_factory=dict[str, float])

    def add_up(self, other: "StudyNotes") -> None:
        """Add those of other patients, which come after these."""
        self.problems += other.problems
        self.left_out += other.left_out
        self.readers = ReaderCounts.added([self.readers, other.readers])
        self.outcomes += other.outcomes
        self.seconds |= other.seconds


class ProjectStudy:
    """The study of a project, and what is wrong with its files.

    Two annotators are compared on the patients that both have finished, and an annotator with the
    gold standard on those that the annotator has finished and that are adjudicated.
    """

    def __init__(self, project: Project, *, is_detailed: bool = False) -> None:
        """With `is_detailed`, it is also read what `with_details` tells."""
        self._project = project
        self._is_detailed = is_detailed
        self._assignments = _by_patient(project)
        self._imported = ImportedSuggestions(project)
        self.notes = StudyNotes()

    @property
    def problems(self) -> list[FileError]:
        return self.notes.problems

    @property
    def hipaa(self) -> frozenset[PhiType]:
        return frozenset(each.phi_type for each in self._project.schema.types() if each.hipaa)

    def patients(self, patient_ids: Iterable[str]) -> Iterator[tuple[PatientPair, ...]]:
        """Read layers, patient by patient, and yield those on whom somebody is compared.

        A patient with a file that cannot be read is left out and said.
        """
        for patient_id in patient_ids:
            if patient_id not in self._assignments:
                self._leave_out(patient_id, "nobody has the patient as work")
                continue
            assigned = self._assignments[patient_id]
            done = {each.annotator for each in assigned if each.state is State.DONE}
            names = [name for name in self._project.annotators if name in done]
            try:
                found = self._of_patient(patient_id, names)
            except FileError as problem:
                self.problems.append(problem)
                self._leave_out(patient_id, "a file could not be read")
            else:
                if self._is_detailed and any(each.has_gold for each in found):
                    self._add_details(patient_id, found)
                if found:
                    yield tuple(map(self._with_offered, found))

    def read(self, watch: Callable[[Collection[str]], Iterable[str]] = iter) -> Study:
        """Read all layers; `watch` may look on while the patients, by their ids, are read."""
        found: dict[Names, list[PatientPair]] = {}
        for pairs in self.patients(watch(self._project.patient_ids)):
            for pair in pairs:
                found.setdefault((pair.first, pair.second), []).append(pair)
        sides = [
            AnnotatorPair(
                *names,
                tuple(each for pair in pairs for each in pair.comparisons),
                {pair.patient_id: pair.done_on for pair in pairs if pair.done_on},
                {pair.patient_id: pair.offered for pair in pairs if pair.offered is not None},
            )
            for names, pairs in found.items()
        ]
        ordered = sorted(sides, key=lambda each: (each.has_gold, each.first, each.second))
        return self.without_sides(ordered)

    def without_sides(self, sides: Iterable[AnnotatorPair] = ()) -> Study:
        """Return what else is known of the study by now."""
        return Study(self._project.title, tuple(sides), self.hipaa, tuple(self.notes.left_out))

    def with_details(self, study: Study, released: ReleasedCorpus | None = None) -> Study:
        """Return the study with what adjudication came to, what may be left, what is `released`.

        The patients must have been read.
        """
        notes = self.notes
        risk = risk_of(notes.readers) if notes.readers.patients else None
        return replace(
            study,
            outcomes=tuple(notes.outcomes),
            adjudication_seconds=dict(notes.seconds),
            missed=tuple(_missed(risk)) if risk else (),
            whole=tuple(_whole(risk)) if risk else (),
            released=released,
        )

    def _add_details(self, patient_id: str, pairs: Iterable[PatientPair]) -> None:
        notes = self.notes
        read = _read_twice([each for each in pairs if each.has_gold])
        if read:
            counts = ReaderCounts.of(read, self._project.schema)
            notes.readers = ReaderCounts.added([notes.readers, counts])
        notes.outcomes += self._outcomes(patient_id)
        with contextlib.suppress(FileError, ValueError):  # read_log has told of the file
            entries = read_journal(self._project.journal_path(GOLD, patient_id))
            notes.seconds[patient_id] = sum(seconds_by_day(entries).values())

    def _outcomes(self, patient_id: str) -> Iterator[AdjudicationOutcome]:
        """Yield what was decided about a patient; what all agreed on asked for no decision."""
        assigned = self._assignments[patient_id]
        for entry in read_log(self._project, [patient_id], self.problems, assignments=assigned):
            if entry.decision is not None:
                side = entry.decision.choice.side
                types = {str(kind) for marks in entry.key.sides for _, kind in marks}
                yield AdjudicationOutcome(
                    entry.patient_id,
                    str(entry.kind),
                    ", ".join(sorted(types)),
                    "" if side is None else entry.annotators[side],
                    str(entry.decision.choice),
                    str(entry.decision.mode),
                )

    def _of_patient(self, patient_id: str, names: list[str]) -> tuple[PatientPair, ...]:
        if len(names) < 2:
            self._leave_out(patient_id, "fewer than two annotators are done")
        if not names:
            return ()
        compared = [*names, GOLD] if self._project.is_adjudicated(patient_id) else names
        found: dict[Names, list[Comparison]] = {}
        for document in self._project.patient(patient_id).documents:
            layers = {name: self._project.read_layer(name, document).layer for name in compared}
            for pair in combinations(layers, 2):
                comparison = Comparison(document, layers[pair[0]].tags, layers[pair[1]].tags)
                found.setdefault(pair, []).append(comparison)
        days = {name: self._last_edit(name, patient_id) for name in compared}
        return tuple(
            PatientPair(
                *pair,
                tuple(comparisons),
                max((day for name in pair if (day := days[name])), default=None),
            )
            for pair, comparisons in found.items()
        )

    def _with_offered(self, pair: PatientPair) -> PatientPair:
        """Say which suggestions the project offers: "on", or "on + gpt / off"."""
        patient_id = pair.patient_id
        others = sorted(self._imported.of(self._project.record_ids(patient_id)))
        policies = [
            " + ".join([policy, *others]) if policy is Policy.ON else str(policy)
            for each in (pair.first, pair.second)
            if each != GOLD
            for policy in [self._project.suggestions.of(each, patient_id)]
        ]
        is_one = len(set(policies)) == 1
        return replace(pair, offered=policies[0] if is_one else " / ".join(policies))

    def _last_edit(self, name: str, patient_id: str) -> date | None:
        """Return the day of the last edit, None where there is no journal or it tells none."""
        if name == GOLD:
            return None
        with contextlib.suppress(FileError, ValueError, KeyError, TypeError):
            for entry in reversed(read_journal(self._project.journal_path(name, patient_id))):
                if entry.get("op") in _EDITS:
                    return datetime.fromisoformat(str(entry["at"])).date()
        return None

    def _leave_out(self, patient_id: str, reason: str) -> None:
        record_ids = self._project.record_ids(patient_id)
        self.notes.left_out.extend(SkippedRecord(each, reason) for each in record_ids)


def _by_patient(project: Project) -> dict[str, list[Assignment]]:
    """Who has each patient as work, and how far they are."""
    found: dict[str, list[Assignment]] = {}
    for each in project.assignments():
        found.setdefault(each.patient_id, []).append(each)
    return found


def _read_twice(with_gold: Sequence[PatientPair]) -> ReadPatient | None:
    """Return a patient as the first two read it, None where fewer did."""
    first_two = with_gold[:2]
    if len(first_two) < 2:
        return None
    compared = first_two[0].comparisons
    return read_patient(
        first_two[0].patient_id,
        [each.document for each in compared],
        {each.record_id: Layer.of(each.record_id, GOLD, each.reference) for each in compared},
        {
            pair.first: {
                each.record_id: Layer.of(each.record_id, pair.first, each.candidate)
                for each in pair.comparisons
            }
            for pair in first_two
        },
    )


def _missed(risk: ProjectRisk) -> Iterator[MissedEstimate]:
    for name, each in risk.missed.items():
        yield MissedEstimate(name, each.found + risk.added[name], *risk.left[name].ends)


def _whole(risk: ProjectRisk) -> Iterator[WholePatientShare]:
    for each in risk.whole:
        bounds = interval(each.whole, each.patients)
        kind = WORDS[each.identifier]
        yield WholePatientShare(each.reader, kind, each.whole, each.patients, *bounds)
