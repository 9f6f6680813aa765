"""How far a project is: what `tandem status` and the adjudication window tell of it."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from datetime import date
from functools import cached_property, partial
from operator import attrgetter
from typing import Any

from adjudicator.annotator_checks import (
    acceptance_as_json,
    acceptance_blocks,
    check_blocks,
    checks_as_json,
    drift_as_json,
    drift_block,
)
from adjudicator.decision_log import count_by_kind, read_log
from adjudicator.worklist import AdjudicationTask, Stage, WorklistReader
from shared.errors import FileError, FileFormatError
from shared.model import Document, Origin, Tag
from shared.outside import MALFORMED
from shared.processes import done_beside
from shared.project.acceptance import Acceptances
from shared.project.assignments import Assignment, State
from shared.project.journal import read_journal
from shared.project.listed_work import ListedWork
from shared.project.notes import NoteBook
from shared.project.pace import Forecast, PatientWork, forecast, seconds_by_day
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.verified_journals import Discrepancy, first_discrepancies
from shared.text.blocks import Block, Table, counted

Watch = Callable[[Collection[Assignment], str], Iterable[Assignment]]
"""Looks on while assignments are gone through: which, what is done."""

_MANY = 200
"""Patients of whom the journals are verified in a process of their own, which begins at once."""
_CHOICES = ("first", "second", "both", "neither", "edited", "open")
_KEYS = {State.TO_DO: "to_do", State.BEGUN: "begun", State.DONE: "done"}


def no_watch(items: Collection[Assignment], _what: str) -> Iterable[Assignment]:
    return items


@dataclass
class ProjectStatus:
    """States and numbers of tags by patient and annotator, and the files that are broken.

    With `timed`, also seconds of work by annotator, and tags by annotator and origin.
    """

    project: Project
    assignments: tuple[Assignment, ...]
    timed: bool = False
    today: date = field(default_factory=date.today)  # the day on the calendar of whoever asks
    tags: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    seconds: Counter[str] = field(default_factory=Counter[str])
    works: dict[str, list[PatientWork]] = field(default_factory=dict[str, list[PatientWork]])
    acceptances: dict[str, list[Acceptances]] = field(default_factory=dict[str, list[Acceptances]])
    untimed: set[str] = field(default_factory=set[str])
    """Annotators of whose work a time cannot be read."""
    origins: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    decisions: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    """By kind of disagreement, then by what was chosen."""
    problems: list[FileError] = field(default_factory=list[FileError])
    tasks: dict[str, AdjudicationTask] = field(default_factory=dict[str, AdjudicationTask])
    """How far the adjudicator is with each patient, as the window says it."""
    open_questions: Counter[str] = field(default_factory=Counter[str])
    """Those that the adjudicator has not answered, by patient."""
    unread_answers: Counter[str] = field(default_factory=Counter[str])
    outcomes: list[dict[str, Any]] | None = None
    """What became of imported suggestions; None where nobody asked."""
    drift: list[dict[str, Any]] | None = None
    """How agreement went on in windows of patients; None where nobody asked."""
    checks: dict[str, Any] = field(default_factory=dict[str, Any])
    """What came of training rounds and, where asked for, of known-answer patients."""
    of_patient: dict[str, list[Assignment]] = field(default_factory=dict[str, list[Assignment]])
    _at_hand: tuple[str, dict[str, Document]] = field(default_factory=lambda: ("", {}))
    """The patient whose records were read last, and these."""

    @classmethod
    def of(
        cls,
        project: Project,
        *,
        timed: bool,
        known_answers: bool = False,
        watch: Watch = no_watch,
    ) -> "ProjectStatus":
        """Read a project; `watch` may look on. Raises FileError where nothing can be told."""
        is_large = len(project.patient_ids) > _MANY
        verify = partial(first_discrepancies, project.root)
        with done_beside(verify) if is_large else nullcontext(verify) as altered:
            status = cls(project, project.assignments(), timed)
            status.read_work(watch)
            status.read_gold()
            status.count_notes()
            status.add_altered(altered())
        status.checks = checks_as_json(project, status.problems, known_answers=known_answers)
        return status

    def read_work(self, watch: Watch) -> None:
        """Read what annotators have made, a text once for all of them."""
        by_patient = sorted(self.assignments, key=attrgetter("patient_id"))
        for each in watch(by_patient, "counting tags"):
            self.of_patient.setdefault(each.patient_id, []).append(each)
            self.count(each.patient_id, each.annotator)
            if self.timed:
                self.time(each.patient_id, each.annotator, each.state)

    def read_gold(self) -> None:
        """Read how far the gold standard is, and what was decided."""
        works = WorklistReader(self.project).read(assignments=self.assignments).works
        self.tasks = {each.patient_id: each for each in works}
        for each in works:
            if each.stage in (Stage.BEGUN, Stage.DONE, Stage.SKIPPED, Stage.BROKEN):
                deque(self.tags_of(each.patient_id, GOLD), maxlen=0)
        found: list[FileError] = []
        patient_ids = self.project.patient_ids
        log = read_log(self.project, patient_ids, found, assignments=self.assignments)
        self.decisions = count_by_kind(log)
        for each in found:
            self.add_problem(each)

    def look_back(self) -> None:
        """Tell how agreement went on, for which all that two have finished is read."""
        from adjudicator.agreement.project_study import ProjectStudy

        reading = ProjectStudy(self.project)
        self.drift = drift_as_json(reading.read())
        for each in reading.problems:
            self.add_problem(each)

    def add_altered(self, altered: Iterable[Discrepancy]) -> None:
        """Tell of journals that are broken or were altered, and that nobody came upon so far."""
        told = {each.path for each in self.problems}
        for each in altered:
            path = self.project.root / each.file
            if not told & {path, path.with_suffix(".jsonl"), path.with_suffix(".head")}:
                self.problems.append(FileFormatError(path, f"{each.what}; see tandem verify"))

    def count_notes(self) -> None:
        notes = NoteBook(self.project, GOLD)
        notes.refresh()
        self.problems += notes.problems
        self.open_questions, self.unread_answers = notes.open_questions(), notes.unread_answers()

    def time(self, patient_id: str, annotator: str, state: State) -> None:
        try:
            entries = read_journal(self.project.journal_path(annotator, patient_id))
            spent, accepted = seconds_by_day(entries), Acceptances.of(entries)
        except FileError as problem:
            self.problems.append(problem)
        except MALFORMED:  # such as a time; the journal is read by who opens the patient
            self.untimed.add(annotator)
        else:
            self.seconds[annotator] += round(sum(spent.values()))
            is_done = state is State.DONE
            work = PatientWork(self.project.characters_of(patient_id), spent, is_done)
            self.works.setdefault(annotator, []).append(work)
            self.acceptances.setdefault(annotator, []).append(accepted)

    def count(self, patient_id: str, annotator: str) -> None:
        if self._listed_work.is_none(annotator, patient_id):
            self._read_records(patient_id)  # they may not be what they should be all the same
            return
        for tags in self.tags_of(patient_id, annotator):
            self.tags[patient_id, annotator] += len(tags)
            self.origins.update((annotator, tag.origin.value) for tag in tags)

    @cached_property
    def _listed_work(self) -> ListedWork:
        return ListedWork(self.project)

    def tags_of(self, patient_id: str, annotator: str) -> Iterator[tuple[Tag, ...]]:
        """Yield the tags of each record that can be read, and is what it should be."""
        for record_id in self.project.record_ids(patient_id):
            try:
                document = self.document(patient_id, record_id)
                yield self.project.read_layer(annotator, document).layer.tags
            except FileError as problem:
                self.add_problem(problem)

    def _read_records(self, patient_id: str) -> None:
        for record_id in self.project.record_ids(patient_id):
            try:
                self.document(patient_id, record_id)
            except FileError as problem:
                self.add_problem(problem)

    def document(self, patient_id: str, record_id: str) -> Document:
        """A record, read once for all annotators of a patient. Raises FileError."""
        if patient_id != self._at_hand[0]:
            self._at_hand = patient_id, {}
        documents = self._at_hand[1]
        if record_id not in documents:
            documents[record_id] = self.project.document(patient_id, record_id)
        return documents[record_id]

    def add_problem(self, problem: FileError) -> None:
        """Say once what several readers come upon."""
        if str(problem) not in map(str, self.problems):
            self.problems.append(problem)

    def as_json(self) -> dict[str, Any]:
        outcomes = self.outcomes
        asked = {} if outcomes is None else {"suggestions": outcomes}
        if self.drift is not None:
            asked["drift"] = self.drift
        return {
            "title": self.project.title,
            "annotators": self._people,
            "patients": [self._patient(patient_id) for patient_id in self.project.patient_ids],
            "decisions": self.decisions,
            "notes": {
                "open_questions": self.open_questions.total(),
                "unread_answers": self.unread_answers.total(),
            },
            **asked,
            **self.checks,
        }

    def blocks(self, *, patients: bool, most: int | None = None) -> Iterator[Block]:
        """Yield what people are told; of more patients than `most`, what is not done comes first.

        The others are only counted.
        """
        people = self._people
        yield Table(
            ("annotator", *_KEYS, "tags"),
            [
                [row["annotator"], *(row[key] for key in _KEYS.values()), row["tags"]]
                for row in people
            ],
        )
        if self.timed:
            yield self._time_table(people)
            yield from acceptance_blocks(people)
        if self.drift is not None:
            yield drift_block(self.drift)
        if self.outcomes is not None:
            yield _outcome_block(self.outcomes)
        yield from check_blocks(self.checks)
        rows = [self._patient(patient_id) for patient_id in self.project.patient_ids]
        if patients:
            yield from self._patient_blocks(rows, len(rows) if most is None else most)
        yield tuple(filter(None, (_adjudicated_words(rows), self._notes_words())))
        if self.decisions:
            yield self._decision_table()

    def _patient_blocks(self, rows: list[dict[str, Any]], most: int) -> Iterator[Block]:
        shown = rows
        if len(rows) > most:
            shown = sorted(rows, key=lambda row: row["gold"] == Stage.DONE.value)[:most]
        headers = ("patient", "records", "annotators", "gold")
        yield Table(headers, [self._cells(row) for row in shown])
        if len(shown) < len(rows):
            yield (f"and {len(rows) - len(shown):,} more",)

    @cached_property
    def _people(self) -> list[dict[str, Any]]:
        """What is told of each annotator, with a forecast, which takes its time."""
        return [self._annotator(name) for name in self.project.annotators]

    def _annotator(self, name: str) -> dict[str, Any]:
        theirs = [each for each in self.assignments if each.annotator == name]
        states = Counter(each.state for each in theirs)
        tags = sum(self.tags[each.patient_id, name] for each in theirs)
        counts = {key: states[state] for state, key in _KEYS.items()}
        figures = {"annotator": name, "patients": len(theirs), **counts, "tags": tags}
        return figures | self._time(name, tags) if self.timed else figures

    def _time(self, name: str, tags: int) -> dict[str, Any]:
        hours = self.seconds[name] / 3600
        return {
            "hours": hours,
            "tags_per_hour": tags / hours if hours else None,
            "origins": {each.value: self.origins[name, each.value] for each in Origin},
            "forecast": self._forecast(name),
            "acceptance": acceptance_as_json(self.acceptances.get(name, ())),
        }

    def _forecast(self, name: str) -> dict[str, Any]:
        """Return hours left and last day, each None where too little is finished to tell."""
        is_timed = name not in self.untimed
        found = forecast(self.works.get(name, ()), self.today) if is_timed else None
        figures = asdict(found) if found else dict.fromkeys(Forecast.__dataclass_fields__)
        return {
            key: each.isoformat() if isinstance(each, date) else each
            for key, each in figures.items()
        }

    def _time_table(self, people: Iterable[dict[str, Any]]) -> Table:
        origins = (each.value for each in Origin)
        return Table(
            ("annotator", "hours", "PHI per hour", *origins, "hours left", "done on"),
            [
                [
                    row["annotator"],
                    f"{row['hours']:.2f}",
                    f"{row['tags_per_hour']:.0f}" if row["tags_per_hour"] else "",
                    *row["origins"].values(),
                    *_forecast_cells(row["forecast"]),
                ]
                for row in people
            ],
        )

    def _notes_words(self) -> str:
        questions, answers = self.open_questions.total(), self.unread_answers.total()
        counts = (questions, "question", "open"), (answers, "answer", "not read")
        parts = (f"{counted(n, what)} {how}" for n, what, how in counts if n)
        return ", ".join(parts)

    def _decision_table(self) -> Table:
        chosen = sum(self.decisions.values(), Counter[str]())
        order = [each for each in _CHOICES if each in chosen]
        columns = [*order, *sorted(chosen.keys() - {*order})]
        return Table(
            ["disagreement", "decisions", *columns],
            [
                [kind, counts.total(), *(counts[each] for each in columns)]
                for kind, counts in self.decisions.items()
            ],
        )

    def _patient(self, patient_id: str) -> dict[str, Any]:
        return {
            "patient": patient_id,
            "records": len(self.project.record_ids(patient_id)),
            "annotators": [
                {
                    "annotator": each.annotator,
                    "state": str(each.state),
                    "tags": self.tags[patient_id, each.annotator],
                }
                for each in self.of_patient.get(patient_id, ())
            ],
            "adjudicated": self.tasks[patient_id].stage is Stage.DONE,
            "gold": self.tasks[patient_id].stage.value,
            "changed_by": list(self.tasks[patient_id].changed_by),
            "reason": self.tasks[patient_id].reason,
            "open_questions": self.open_questions[patient_id],
        }

    def _cells(self, row: dict[str, Any]) -> list[object]:
        people = (
            f"{each['annotator']} {each['state']} ({each['tags']})" for each in row["annotators"]
        )
        task = self.tasks[row["patient"]]
        gold = ": ".join(filter(None, (task.state_words, task.reason)))
        return [row["patient"], row["records"], ", ".join(people), gold]


def _adjudicated_words(rows: Sequence[dict[str, Any]]) -> str:
    """Say how many are adjudicated; whoever came with a gold standard for training is no work."""
    work = [row for row in rows if row["annotators"] or row["gold"] != Stage.DONE.value]
    stages = Counter(row["gold"] for row in work)
    done, skipped = stages[Stage.DONE.value], stages[Stage.SKIPPED.value]
    changed = sum(bool(row["changed_by"]) for row in work)
    said = f"{done} of {len(work)} patients adjudicated"
    said += f", {changed} of them changed since" if changed else ""
    said += f", {skipped} skipped" if skipped else ""
    came = len(rows) - len(work)
    return said + (f"; {came} more with a gold standard, given to nobody as work" if came else "")


def _outcome_block(outcomes: list[dict[str, Any]]) -> Block:
    if not outcomes:
        return ("no suggestions of other programs are offered",)
    return Table(
        ["annotator", "suggestions of", *list(outcomes[0])[2:]],
        [[*each.values()] for each in outcomes],
    )


def _forecast_cells(found: dict[str, Any]) -> tuple[str, str]:
    """Say what is left and until when, with intervals; "?" where it cannot be told."""
    if found["hours"] is None:
        return "?", "?"
    if not found["hours_high"]:
        return "0", "done"
    hours = f"{found['hours']:.1f} ({found['hours_low']:.1f}-{found['hours_high']:.1f})"
    day, low, high = (found[each] or "later" for each in ("day", "day_low", "day_high"))
    return hours, f"{day} ({low} to {high})"
