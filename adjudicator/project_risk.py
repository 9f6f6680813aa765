"""What may be left in the records of a project: its readers put side by side, and the estimates."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf, isinf
from typing import TYPE_CHECKING

from shared.errors import RequestError
from shared.model import Document, Layer, Patient, PhiType, Tag
from shared.project.assignments import State
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.risk.missed_phi import (
    MissedPhi,
    is_refuted,
    less_added,
    missed_by_three,
    missed_by_two,
    patients_with_missed,
    total,
)
from shared.risk.readers import (
    Cells,
    ReaderCounts,
    ReadPatient,
    WholePatients,
    read_patient,
    whole_patients,
)

if TYPE_CHECKING:
    from shared.recognition.recognizer import Recognizer

RECOGNIZER = "recognizer"
_ENOUGH = 50


@dataclass(frozen=True, slots=True)
class ProjectRisk:
    """What a project's readers tell: two annotators, and a recognizer where one has read.

    `missed` is by type, and "all"; `added` counts, likewise, what no reader covered and the gold
    standard has all the same, and `left` is what is missed less that. `alike` is the odds ratio of
    the annotators finding the same. `unjudged` counts what the recognizer suggests where the gold
    standard has nothing: while nobody has said what of that is PHI, there is no estimate (inf), but
    an interval that allows for all of it and for none.
    """

    counts: ReaderCounts
    missed: Mapping[str, MissedPhi]
    added: Mapping[str, int]
    left: Mapping[str, MissedPhi]
    whole: Sequence[WholePatients]
    alike: float | None = None
    unjudged: int = 0
    has_recognizer: bool = False
    suggested: Sequence[tuple[Document, Tag]] = field(default=(), repr=False)
    """What the recognizer suggests outside the gold standard, judged or not, where it was kept."""

    @property
    def patients(self) -> int:
        return self.counts.patients

    @property
    def refuted(self) -> list[str]:
        """The types of which more was added than the estimate allows for."""
        return [
            name
            for name, each in self.missed.items()
            if name != "all" and is_refuted(each, self.added[name])
        ]

    def patients_with_any(self) -> tuple[float, float, float]:
        """How many patients have any of what is left: as estimated, at least, at most."""
        found, left = list(self.counts.sizes.elements()), self.left["all"]
        middle, least, most = (patients_with_missed(found, each) for each in left.ends)
        return (inf if isinf(left.missed) else middle), least, most


def project_risk(
    project: Project,
    models: Sequence[str],
    watch: Callable[[Sequence[str]], Iterable[str]] = iter,
    *,
    is_judged: bool = False,
) -> ProjectRisk:
    """Read the patients of a project, each as `watch` gives it, and estimate what they tell.

    With `is_judged` somebody has looked at what the recognizer suggests outside the gold standard,
    and none of it is PHI. Raises RequestError where no adjudicated patient was finished by two, and
    what reading raises.
    """
    reading = _Reading(project, models)
    counts = ReaderCounts.added(
        ReaderCounts.of(each, project.schema) for each in reading.patients(watch)
    )
    if not counts.patients:
        raise RequestError("no patient is adjudicated yet that two annotators have finished")
    outside = Counter(tag.phi_type for _, tag in reading.suggested)
    found = risk_of(
        replace(counts, outside=outside), has_recognizer=bool(models), is_judged=is_judged
    )
    return replace(found, suggested=tuple(reading.suggested))


def risk_of(
    counts: ReaderCounts, *, has_recognizer: bool = False, is_judged: bool = False
) -> ProjectRisk:
    """Estimate what the readers of patients tell: two of each, and a recognizer if there is one.

    Whoever they are, the first and the second reader of each patient are two people. There must be
    a patient.
    """
    cells = dict(sorted(counts.cells.items()))
    method = missed_by_three if has_recognizer else missed_by_two
    seen = Counter[PhiType]() if is_judged else counts.outside
    none_read = (False,) * (3 if has_recognizer else 2)
    added = Counter({str(phi_type): own[none_read] for phi_type, own in cells.items()})
    added["all"] = added.total()

    def left_of(own: Cells) -> MissedPhi:
        return less_added(method(own), own[none_read])

    def left_of_all(strata: Sequence[Cells]) -> MissedPhi:
        by_stratum, together = total(map(left_of, strata)), total(map(method, strata))
        return _wider(by_stratum, less_added(together, added["all"]))

    every = {each: _with(cells.get(each, Counter()), seen[each]) for each in {*cells, *seen}}
    strata, with_seen = _strata(cells.values()), _strata(every.values())
    missed, left = (
        {
            str(phi_type): _unless_judged(tell(own), tell(every[phi_type]), seen[phi_type])
            for phi_type, own in cells.items()
        }
        for tell in (method, left_of)
    )
    missed["all"] = _unless_judged(
        total(map(method, strata)), total(map(method, with_seen)), seen.total()
    )
    left["all"] = _unless_judged(left_of_all(strata), left_of_all(with_seen), seen.total())
    can_tell = has_recognizer and not seen
    odds = missed_by_three(_together(cells.values())).alike if can_tell else None
    whole = whole_patients(counts)
    return ProjectRisk(counts, missed, added, left, whole, odds, seen.total(), has_recognizer)


def _wider(by_stratum: MissedPhi, together: MissedPhi) -> MissedPhi:
    """What is left of all, less what was added of each stratum, and less all that was added.

    The latter is right where readers miss independently, but what was added of one type is no
    proof that less is left of another: the interval holds both, and where the estimate of a stratum
    is refuted there is none of all.
    """
    if isinf(by_stratum.missed) or isinf(together.missed):
        return MissedPhi(together.found, inf, min(by_stratum.low, together.low), inf)
    low, high = min(by_stratum.low, together.low), max(by_stratum.high, together.high)
    return MissedPhi(together.found, together.missed, low, high)


def _with(cells: Mapping[tuple[bool, ...], int], suggested: int) -> Cells:
    """The cells where so much more is PHI that the recognizer alone found."""
    more = Counter(cells)
    if suggested:
        more[False, False, True] += suggested
    return more


def _unless_judged(none: MissedPhi, every: MissedPhi, suggested: int) -> MissedPhi:
    """What is missed where nothing of what was suggested is PHI, or all of it, and so is left."""
    if not suggested:
        return none
    return MissedPhi(none.found, inf, none.low, every.high + suggested)


def _strata(cells: Iterable[Cells]) -> list[Cells]:
    """The types that have enough tags to tell by themselves, and all others together."""
    every = list(cells)
    rare = [each for each in every if each.total() < _ENOUGH]
    return [each for each in every if each.total() >= _ENOUGH] + ([_together(rare)] if rare else [])


def _together(cells: Iterable[Cells]) -> Cells:
    whole: Cells = Counter()
    for each in cells:
        whole.update(each)
    return whole


class _Reading:
    """Reads the patients that two annotators have finished and that are adjudicated."""

    def __init__(self, project: Project, models: Sequence[str]) -> None:
        self._project = project
        self._models = tuple(models)
        self.suggested: list[tuple[Document, Tag]] = []

    def patients(self, watch: Callable[[Sequence[str]], Iterable[str]]) -> Iterator[ReadPatient]:
        project = self._project
        done = {
            (each.patient_id, each.annotator)
            for each in project.assignments()
            if each.state is State.DONE
        }
        for patient_id in watch(project.patient_ids):
            people = [name for name in project.annotators if (patient_id, name) in done][:2]
            if len(people) < 2 or not project.is_adjudicated(patient_id):
                continue
            patient = project.patient(patient_id)
            gold = self._layers(GOLD, patient)
            layers = {name: self._layers(name, patient) for name in people}
            if self._models:
                layers[RECOGNIZER] = self._suggested(patient, gold)
            yield read_patient(patient_id, patient.documents, gold, layers)

    def _layers(self, name: str, patient: Patient) -> dict[str, Layer]:
        return {
            each.record_id: self._project.read_layer(name, each).layer for each in patient.documents
        }

    def _suggested(self, patient: Patient, gold: Mapping[str, Layer]) -> dict[str, Layer]:
        layers: dict[str, Layer] = {}
        found = self._recognizer.suggest(patient.documents)
        for document, suggestions in zip(patient.documents, found, strict=True):
            tags = [each.tag() for each in suggestions if each.confidence >= self._threshold]
            known = gold[document.record_id].tags
            self.suggested += [
                (document, tag)
                for tag in tags
                if not any(tag.span.overlaps(each.span) for each in known)
            ]
            layers[document.record_id] = Layer.of(document.record_id, RECOGNIZER, tags)
        return layers

    @cached_property
    def _recognizer(self) -> "Recognizer":
        from shared.recognition.registry import RecognizerSpec, open_recognizer

        return open_recognizer(RecognizerSpec(self._models, self._project.schema))

    @cached_property
    def _threshold(self) -> float:
        from shared.recognition.registry import RecognizerSpec

        return RecognizerSpec(self._models, self._project.schema).threshold
