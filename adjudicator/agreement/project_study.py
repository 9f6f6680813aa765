"""What the agreement of a project is measured on: who finished which records, and when."""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import chain, combinations

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
    ReleasedCorpus,
    Study,
    WholePatientShare,
)
from shared.errors import FileError
from shared.model import Layer
from shared.project.assignments import State
from shared.project.imported_suggestions import ImportedSuggestions
from shared.project.journal import read_journal
from shared.project.pace import seconds_by_day
from shared.project.project import Project
from shared.project.settings import Policy
from shared.risk.bounds import interval
from shared.risk.readers import ReaderCounts, ReadPatient, read_patient

_EDITS = ("edit", "undo", "redo")

Names = tuple[str, str]


class ProjectStudy:
    """The study of a project, and what is wrong with its files.

    Two annotators are compared on the patients that both have finished, and an annotator with the
    gold standard on those that the annotator has finished and that are adjudicated.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self.problems: list[FileError] = []
        self._left_out: list[SkippedRecord] = []
        self._comparisons: dict[Names, list[Comparison]] = {}
        self._done_on: dict[Names, dict[str, date]] = {}

    def read(self, watch: Callable[[Collection[str]], Iterable[str]] = iter) -> Study:
        """Read all layers; a patient with a file that cannot be read is left out and said.

        `watch` may look on while the patients, by their ids, are read.
        """
        finished: dict[str, set[str]] = {}
        for each in self._project.assignments():
            done = finished.setdefault(each.patient_id, set())
            if each.state is State.DONE:
                done.add(each.annotator)
        for patient_id in watch(self._project.patient_ids):
            if patient_id not in finished:
                self._leave_out(patient_id, "nobody has the patient as work")
                continue
            done = finished[patient_id]
            names = [name for name in self._project.annotators if name in done]
            try:
                found = list(self._of_patient(patient_id, names))
            except FileError as problem:
                self.problems.append(problem)
                self._leave_out(patient_id, "a file could not be read")
            else:
                self._add(patient_id, found)
        hipaa = frozenset(each.phi_type for each in self._project.schema.types() if each.hipaa)
        sides = tuple(
            AnnotatorPair(
                *names,
                tuple(comparisons),
                self._done_on.get(names, {}),
                self._offered(names, comparisons),
            )
            for names, comparisons in self._comparisons.items()
        )
        ordered = sorted(sides, key=lambda each: (each.has_gold, each.first, each.second))
        return Study(self._project.title, tuple(ordered), hipaa, tuple(self._left_out))

    def with_details(self, study: Study, released: ReleasedCorpus | None = None) -> Study:
        """Return the study with what adjudication came to, what may be left, what is `released`."""
        compared = {patient for sides in study.with_gold for patient in sides.patients}
        counts = ReaderCounts.added(
            ReaderCounts.of(each, self._project.schema)
            for each in _read_twice(study, self._project.annotators)
        )
        risk = risk_of(counts) if counts.patients else None
        return replace(
            study,
            outcomes=tuple(self._outcomes(compared)),
            adjudication_seconds=dict(self._adjudication_seconds(compared)),
            missed=tuple(_missed(risk)) if risk else (),
            whole=tuple(_whole(risk)) if risk else (),
            released=released,
        )

    def _outcomes(self, patient_ids: Collection[str]) -> Iterator[AdjudicationOutcome]:
        """Yield what was decided about patients; what all agreed on asked for no decision."""
        for entry in read_log(self._project, sorted(patient_ids), self.problems):
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

    def _adjudication_seconds(self, patient_ids: Collection[str]) -> Iterator[tuple[str, float]]:
        for patient_id in sorted(patient_ids):
            with contextlib.suppress(FileError, ValueError):  # read_log has told of the file
                entries = read_journal(self._project.journal_path(GOLD, patient_id))
                yield patient_id, sum(seconds_by_day(entries).values())

    def _of_patient(self, patient_id: str, names: list[str]) -> Iterator[tuple[Names, Comparison]]:
        if len(names) < 2:
            self._leave_out(patient_id, "fewer than two annotators are done")
        if not names:
            return
        compared = [*names, GOLD] if self._project.is_adjudicated(patient_id) else names
        for document in self._project.patient(patient_id).documents:
            layers = {name: self._project.read_layer(name, document).layer for name in compared}
            for pair in combinations(layers, 2):
                yield pair, Comparison(document, layers[pair[0]].tags, layers[pair[1]].tags)

    def _add(self, patient_id: str, found: Iterable[tuple[Names, Comparison]]) -> None:
        for names, comparison in found:
            self._comparisons.setdefault(names, []).append(comparison)
        pairs = {names for names, _ in found}
        days = {name: self._last_edit(name, patient_id) for name in set(chain(*pairs))}
        for names in pairs:
            known = [day for name in names if (day := days[name]) is not None]
            if known:
                self._done_on.setdefault(names, {})[patient_id] = max(known)

    def _offered(self, names: Names, comparisons: Iterable[Comparison]) -> dict[str, str]:
        """Say for each patient which suggestions the project offers: "on", or "on + gpt / off"."""
        imported = ImportedSuggestions(self._project)

        def offered(patient_id: str) -> str:
            others = sorted(imported.of(self._project.record_ids(patient_id)))
            policies = [
                " + ".join([policy, *others]) if policy is Policy.ON else str(policy)
                for each in annotators
                for policy in [self._project.suggestions.of(each, patient_id)]
            ]
            return policies[0] if len(set(policies)) == 1 else " / ".join(policies)

        annotators = [name for name in names if name != GOLD]
        return {each: offered(each) for each in {one.document.patient_id for one in comparisons}}

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
        self._left_out.extend(SkippedRecord(each, reason) for each in record_ids)


def _read_twice(study: Study, annotators: Sequence[str]) -> Iterator[ReadPatient]:
    """Yield the adjudicated patients that two finished, as their first two read them."""
    found: dict[str, dict[str, list[Comparison]]] = {}
    for name in annotators:
        for sides in study.with_gold:
            for each in sides.comparisons if sides.first == name else ():
                found.setdefault(each.document.patient_id, {}).setdefault(name, []).append(each)
    for patient_id, readers in found.items():
        if len(readers) > 1:
            first_two = dict(list(readers.items())[:2])
            compared = next(iter(first_two.values()))
            yield read_patient(
                patient_id,
                [each.document for each in compared],
                {
                    each.record_id: Layer.of(each.record_id, GOLD, each.reference)
                    for each in compared
                },
                {
                    name: {e.record_id: Layer.of(e.record_id, name, e.candidate) for e in every}
                    for name, every in first_two.items()
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
