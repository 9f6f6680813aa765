"""A project as data frames: records, tags, decisions, findings, agreement."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pandas as pd

from adjudicator.agreement.export import options_of_today
from adjudicator.agreement.project_study import ProjectStudy
from adjudicator.checked_tags import CheckedTags
from adjudicator.decision_log import LogEntry, read_log
from adjudicator.released_corpus import released_corpus
from shared.agreement.report.options import RESAMPLES
from shared.agreement.report.report import make_report
from shared.consistency.findings import LIKELY
from shared.errors import FileError, RequestError
from shared.formats.base import Record
from shared.metrics.alignment import TagMark
from shared.model import Document
from shared.project.project import Project
from shared.project.settings import GOLD
from tandem.corpora import TaggedCorpus
from tandem.tag_frames import findings_frame, frame_of, records_frame

ASSIGNMENT_COLUMNS = ["patient", "annotator", "state"]
DECISION_COLUMNS = [
    *("patient", "record", "start", "end", "kind", "choice", "gold"),
    *("by", "at", "way", "reason", "discuss"),
]


@dataclass(frozen=True, slots=True)
class AgreementFrames:
    """The tables of the agreement report in full precision, by name; what is not measured is empty.

    `tables` has them all, as `tandem agreement --out` writes them.
    """

    tables: Mapping[str, pd.DataFrame]

    @property
    def compared(self) -> pd.DataFrame:
        """Who was compared with whom, on how many patients and records."""
        return self._table("records")

    @property
    def by_measure(self) -> pd.DataFrame:
        """Every measure, typed and binary, with 95 % intervals."""
        return self._table("agreement")

    @property
    def by_type(self) -> pd.DataFrame:
        """Strict agreement by category and type, with 95 % intervals."""
        return self._table("by_type")

    @property
    def left_out(self) -> pd.DataFrame:
        """Records that enter no number, and why."""
        return self._table("left_out")

    def _table(self, name: str) -> pd.DataFrame:
        return self.tables.get(name, pd.DataFrame())


class OpenedProject:
    """A project folder, read when asked and never written.

    `problems` says what the last call could not read; a patient with such a file is left out of
    what that call returned, never of a count in silence.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self.problems: tuple[FileError, ...] = ()

    @property
    def title(self) -> str:
        return self._project.title

    @property
    def annotators(self) -> tuple[str, ...]:
        return self._project.annotators

    def assignments(self) -> pd.DataFrame:
        """Who has which patient, and how far: patient, annotator, state."""
        rows = ((each.patient_id, each.annotator, str(each.state))
                for each in self._project.assignments())  # fmt: skip
        return frame_of(rows, ASSIGNMENT_COLUMNS)

    def records(self) -> pd.DataFrame:
        """Every record: patient, record, text."""
        return records_frame(self._documents(self._project.patient_ids))

    def tags(self, annotator: str = GOLD) -> pd.DataFrame:
        """The tags of an annotator, of the gold standard by default, a row for each.

        Of the gold standard, those of patients that are done; an annotator's as far as they are,
        which `assignments` tells. Raises RequestError where there is no such annotator.
        """
        return self.corpus(annotator).tags.drop(columns="annotator")

    def corpus(self, annotator: str = GOLD) -> TaggedCorpus:
        """Records and `tags` of those patients that have such tags, of no others."""
        checked = self._tagged(annotator)
        return TaggedCorpus(
            tuple(
                Record(document, (layer,))
                for documents, layers in checked.patients.values()
                for document, layer in zip(documents, layers, strict=True)
            ),
            self.problems,
        )

    def findings(
        self, annotator: str = GOLD, *, certainty: float = LIKELY, across_patients: bool = False
    ) -> pd.DataFrame:
        """What `tandem check` finds in these tags and nobody has dismissed."""
        checked = self._tagged(annotator)
        found = checked.findings(certainty=certainty, across_patients=across_patients)
        return findings_frame(checked.open_findings(found))

    def decisions(self) -> pd.DataFrame:
        """What the adjudicator decided or remarked on, as the gold standard has it now.

        A row for each disagreement; the column of each annotator, and `gold`, hold tags as
        `CATEGORY:TYPE start-end`, several with `; `, "" for no tag, None where it is open.
        """
        problems: list[FileError] = []
        entries = list(read_log(self._project, self._project.patient_ids, problems, checked=True))
        self.problems = tuple(problems)
        frame = frame_of(map(_decision, entries), DECISION_COLUMNS)
        for name in self._project.annotators:
            frame[name] = [_said_by(name, each) for each in entries]
        return frame

    def agreement(self, *, resamples: int = RESAMPLES, seed: int = 1) -> AgreementFrames:
        """Agreement between annotators, and with the gold standard, where both are done.

        `resamples` and `seed` are those of the bootstrap of the intervals. Raises RequestError
        where `resamples` is below 1.
        """
        if resamples < 1:
            raise RequestError("resamples must be a number above 0")
        reading = ProjectStudy(self._project, is_detailed=True)
        study = reading.with_details(reading.read(), released_corpus(self._project))
        report = make_report(study, options_of_today(resamples, seed))
        self.problems = tuple(reading.problems)
        return AgreementFrames(MappingProxyType({each.name: each.frame for each in report.tables}))

    def _tagged(self, annotator: str) -> CheckedTags:
        checked = CheckedTags.of_project(self._project, annotator)
        self.problems = tuple(checked.problems)
        return checked

    def _documents(self, patient_ids: Iterable[str]) -> Iterator[Document]:
        problems: list[FileError] = []
        for each in patient_ids:
            try:
                documents = self._project.patient(each).documents
            except FileError as problem:
                problems.append(problem)
            else:
                yield from documents
        self.problems = tuple(problems)


def open_project(path: str | Path) -> OpenedProject:
    """Open a project folder. Raises FileError where it is none, or of a later Tandem."""
    return OpenedProject(Project.open(Path(path)))


def _decision(entry: LogEntry) -> tuple[Any, ...]:
    said, span = entry.as_json(), entry.key.span
    gold = _in_words(entry.decision.marks) if entry.decision else None
    return (
        *(entry.patient_id, entry.key.record_id, span.start, span.end, str(entry.kind)),
        *(said["choice"], gold),
        *(said[each] for each in ("by", "at", "way", "reason", "discuss")),
    )


def _said_by(annotator: str, entry: LogEntry) -> str | None:
    """What an annotator tagged there, None where the patient was not theirs."""
    sides = dict(zip(entry.annotators, entry.key.sides, strict=False))
    return _in_words(sides[annotator]) if annotator in sides else None


def _in_words(marks: Iterable[TagMark]) -> str:
    return "; ".join(f"{phi_type} {span.start}-{span.end}" for span, phi_type in marks)
