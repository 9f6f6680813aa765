"""The work of the demo's people, done through the very sessions that the windows use."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from adjudicator.decisions import DecisionChoice, chosen_marks, possible_choices
from adjudicator.disagreements import Disagreement
from adjudicator.session import AdjudicationSession
from adjudicator.worklist import annotators_by_patient
from annotator.session import AnnotationSession
from shared.commands.output import progress
from shared.consistency.check import check_patient
from shared.consistency.findings import ALL_KINDS, TAG_KINDS
from shared.consistency.patient_records import PatientRecords
from shared.formats.base import Record, WriteOptions
from shared.formats.corpus import read_corpus
from shared.formats.registry import FORMATS
from shared.metrics.alignment import TagMark
from shared.model import Layer, Origin, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.edits import PlacedTag
from shared.project.files import make_folder, write_new
from shared.project.project import Project
from shared.synthetic import FabricatedPatient, annotate

ANNOTATORS = ("ana", "ben")
ADJUDICATOR = "carol"
FEWEST_PATIENTS = 3
"""One is left to annotate, one to adjudicate, so it takes a third to have anything done."""


@dataclass(slots=True)
class AdjudicationCounts:
    """What the adjudicator did: counts of decisions, and of what came to light after them."""

    patients: int = 0
    kinds: Counter[str] = field(default_factory=Counter[str])
    choices: Counter[str] = field(default_factory=Counter[str])
    found_by_check: int = 0
    false_alarms: int = 0
    found_by_reading: int = 0
    taken_back: int = 0


def write_records(patients: Iterable[FabricatedPatient], records: Path, truth: Path) -> None:
    """Write the records as text files, and their PHI as they were made as XML. Raises FileError."""
    made = [
        Record(document, (fabricated.gold[document.record_id],))
        for fabricated in patients
        for document in fabricated.patient.documents
    ]
    for folder, form in ((records, FORMATS["text"]), (truth, FORMATS["i2b2"])):
        make_folder(folder)
        for file in form.write(made, WriteOptions(bare=True)):
            write_new(folder / file.name, file.data)


def make_project(records: Path, root: Path, seed: int) -> Project:
    """Make the project from the text files, as `tandem new` does. Raises FileError."""
    found = read_corpus(records)
    return Project.create(root, "Tandem demo", I2B2_2014, found.records, ANNOTATORS, seed)


def annotate_all(
    project: Project, patients: Sequence[FabricatedPatient], seed: int
) -> Counter[str]:
    """Let every annotator mark the patients they have, and return how many tags each made."""
    made: Counter[str] = Counter()
    annotators = annotators_by_patient(project)
    for fabricated in progress(patients, "annotating"):
        for name in annotators[fabricated.patient.id]:
            made[name] += _annotate(project, fabricated, name, seed)
    return made


def _annotate(project: Project, fabricated: FabricatedPatient, name: str, seed: int) -> int:
    """Tag what the simulated annotator would: texts by hand, their repeats by annotate all."""
    layers = annotate(fabricated, name, seed)
    with AnnotationSession(project, name, fabricated.patient.id) as session:
        repeats: dict[tuple[str, PhiType], list[Span]] = {}
        for record_id, layer in layers.items():
            for tag in layer.tags:
                span = session.view.merged_span(record_id, tag.span)
                if tag.origin is Origin.ANNOTATE_ALL:
                    key = (span.text_in(session.view.text), tag.phi_type)
                    repeats.setdefault(key, []).append(span)
                else:
                    session.tag(span, tag.phi_type)
        for (_, phi_type), spans in repeats.items():
            session.tag_all(spans, phi_type)
        session.finish()
        return len(session.tags)


def adjudicate_all(project: Project, patients: Sequence[FabricatedPatient]) -> AdjudicationCounts:
    """Settle every patient down to the PHI as they were made, and return what it took."""
    counts = AdjudicationCounts()
    for fabricated in progress(patients, "adjudicating"):
        with AdjudicationSession(project, fabricated.patient.id, ADJUDICATOR) as session:
            _Adjudicator(session, fabricated, counts).settle()
    return counts


class _Adjudicator:
    """Decides as one who knows the truth would, and says how each tag was found."""

    def __init__(
        self,
        session: AdjudicationSession,
        fabricated: FabricatedPatient,
        counts: AdjudicationCounts,
    ) -> None:
        self._session = session
        self._truth: Mapping[str, Layer] = fabricated.gold
        self._counts = counts

    def settle(self) -> None:
        while (disagreement := self._session.queue.next_open()) is not None:
            self._decide(disagreement)
        while self._follow_check():
            pass
        self._read_through()
        self._session.finish()
        self._counts.patients += 1

    def _decide(self, disagreement: Disagreement) -> None:
        right = self._true_marks(disagreement)
        fitting = [
            choice
            for choice in possible_choices(disagreement)
            if sorted(chosen_marks(disagreement, choice)) == sorted(right)
        ]
        choice = DecisionChoice.NEITHER if not right else next(iter(fitting), DecisionChoice.EDITED)
        if fitting:
            self._session.queue.decide(disagreement, choice)
        else:
            self._session.queue.decide_with(disagreement, right)
        self._counts.kinds[disagreement.kind.value] += 1
        self._counts.choices[choice.value] += 1

    def _true_marks(self, disagreement: Disagreement) -> list[TagMark]:
        return [
            tag.mark
            for tag in self._truth[disagreement.record_id].tags
            if any(tag.span.overlaps(each.span) for each in disagreement.tags)
        ]

    def _merged(self, record_id: str, marks: Iterable[TagMark]) -> list[TagMark]:
        view = self._session.view
        return [(view.merged_span(record_id, span), phi_type) for span, phi_type in marks]

    def _follow_check(self) -> bool:
        """Tag what the consistency check finds and is PHI; True where that was anything."""
        true = set(self._all_true())
        documents = self._session.view.patient.documents
        found = check_patient(
            PatientRecords(documents, self._layers(), I2B2_2014), ALL_KINDS - TAG_KINDS
        )
        places = [self._session.view.merged_span(each.record_id, each.span) for each in found]
        right = [(span, phi_type) for span, phi_type in true if span in set(places)]
        for span, phi_type in sorted(right):
            self._session.tag(span, phi_type)
        self._counts.found_by_check += len(right)
        self._counts.false_alarms += 0 if right else len(places)
        return bool(right)

    def _read_through(self) -> None:
        true = set(self._all_true())
        wrong = [each for each in self._session.tags if _mark(each) not in true]
        if wrong:
            self._session.remove(wrong)
        missing = sorted(true - {_mark(each) for each in self._session.tags})
        for span, phi_type in missing:
            self._session.tag(span, phi_type)
        self._counts.taken_back += len(wrong)
        self._counts.found_by_reading += len(missing)

    def _all_true(self) -> Iterator[TagMark]:
        for record_id, layer in self._truth.items():
            yield from self._merged(record_id, (tag.mark for tag in layer.tags))

    def _layers(self) -> list[Layer]:
        tags = {record_id: list[PlacedTag]() for record_id in self._truth}
        for placed in self._session.tags:
            tags[placed.record_id].append(placed)
        return [
            Layer.of(record_id, "gold", (each.tag for each in placed))
            for record_id, placed in tags.items()
        ]


def _mark(placed: PlacedTag) -> TagMark:
    return placed.span, placed.tag.phi_type
