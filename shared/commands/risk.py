"""`tandem risk`: what may be left in the records of a project after adjudication, and how sure."""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isinf
from pathlib import Path

from shared.commands.output import add_json, counted, print_table, progress, write_json
from shared.errors import RequestError
from shared.model import Layer, Patient
from shared.project.assignments import State
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.recognition.recognizer import Recognizer
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.risk.bounds import interval
from shared.risk.missed_phi import (
    MissedPhi,
    missed_by_three,
    missed_by_two,
    patients_with_missed,
    total,
)
from shared.risk.readers import (
    ReadPatient,
    WholePatients,
    cells_by_type,
    read_patient,
    whole_patients,
)

RECOGNIZER = "recognizer"
_VERY_ALIKE = 100
_ENOUGH = 50
_ESTIMATE = ("estimate", "low", "high")
_DESCRIPTION = """
Estimates what may be left in the records after adjudication, from what each annotator found of the
gold standard: PHI that neither found, by type, with intervals of 95 %, the patients who have any,
and of how many patients each annotator found every identifier. With --model a recognizer reads the
records too, and the estimate allows for annotators who miss the same; it should not have been
trained on these records. An estimate is no proof: it knows nothing of PHI that no reader of this
kind would ever see.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("project", type=Path, metavar="PROJECT", help="an adjudicated project")
    parser.add_argument(
        "--model", action="append", default=[], metavar="MODEL",
        help="folder of a model, rules, dictionaries, or a TOML file of patterns, as third reader",
    )  # fmt: skip
    add_json(parser)


@dataclass(frozen=True, slots=True)
class ProjectRisk:
    """What a project's readers tell: two annotators, and a recognizer where one has read.

    `missed` is by type, and "all"; `added` counts, likewise, what no reader covered and the gold
    standard has all the same. `alike` is the odds ratio of the annotators finding the same, and
    `unjudged` counts what the recognizer suggests where the gold standard has nothing.
    """

    patients: Sequence[ReadPatient]
    missed: Mapping[str, MissedPhi]
    added: Mapping[str, int]
    whole: Sequence[WholePatients]
    alike: float | None = None
    unjudged: int = 0

    def left(self, name: str) -> tuple[float, float, float]:
        """What is missed less what was added: as estimated, at least, at most."""
        each, added = self.missed[name], self.added[name]
        least, middle, most = (
            max(0.0, value - added) for value in (each.low, each.missed, each.high)
        )
        return middle, least, most

    def patients_with_any(self) -> tuple[float, float, float]:
        found = [len(each.types) for each in self.patients]
        middle, least, most = (patients_with_missed(found, each) for each in self.left("all"))
        return middle, least, most


def run(arguments: argparse.Namespace) -> int:
    """Print or write the estimates; 0 done. Raises RequestError where nobody read twice."""
    project = Project.open(arguments.project)
    found = _risk(project, arguments.model)
    if arguments.json is not None:
        write_json(_as_json(found), arguments.json)
    else:
        _print(found)
    return 0


def _risk(project: Project, models: Sequence[str]) -> ProjectRisk:
    reading = _Reading(project, models)
    patients = list(reading.patients())
    if not patients:
        raise RequestError("no patient is adjudicated yet that two annotators have finished")
    # whoever they are, the first and the second reader of each patient are two people
    named = ["first", "second", *([RECOGNIZER] if models else [])]
    alike = [
        replace(each, covered=dict(zip(named, each.covered.values(), strict=True)))
        for each in patients
    ]
    cells = dict(sorted(cells_by_type(alike, named).items()))
    method = missed_by_three if models else missed_by_two
    missed = {str(phi_type): method(own) for phi_type, own in cells.items()}
    added = Counter({str(phi_type): own[(False,) * len(named)] for phi_type, own in cells.items()})
    people = sorted({name for each in patients for name in each.covered})
    whole = [row for name in people for row in whole_patients(patients, project.schema, name)]
    missed["all"] = total(map(method, _strata(cells.values())))
    odds = missed_by_three(_together(cells.values())).alike if models else None
    added["all"] = added.total()
    return ProjectRisk(alike, missed, added, whole, odds, reading.unjudged)


def _strata(cells: Iterable[Counter[tuple[bool, ...]]]) -> list[Counter[tuple[bool, ...]]]:
    """The types that have enough tags to tell by themselves, and all others together."""
    every = list(cells)
    rare = [each for each in every if each.total() < _ENOUGH]
    return [each for each in every if each.total() >= _ENOUGH] + ([_together(rare)] if rare else [])


def _together(cells: Iterable[Counter[tuple[bool, ...]]]) -> Counter[tuple[bool, ...]]:
    whole: Counter[tuple[bool, ...]] = Counter()
    for each in cells:
        whole.update(each)
    return whole


class _Reading:
    """Reads the patients that two annotators have finished and that are adjudicated."""

    def __init__(self, project: Project, models: Sequence[str]) -> None:
        self._project = project
        self._models = tuple(models)
        self.unjudged = 0

    def patients(self) -> Iterator[ReadPatient]:
        project = self._project
        done = {
            (each.patient_id, each.annotator)
            for each in project.assignments()
            if each.state is State.DONE
        }
        for patient_id in progress(project.patient_ids, "reading"):
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
            self.unjudged += sum(
                not any(tag.span.overlaps(each.span) for each in known) for tag in tags
            )
            layers[document.record_id] = Layer.of(document.record_id, RECOGNIZER, tags)
        return layers

    @cached_property
    def _recognizer(self) -> Recognizer:
        return open_recognizer(RecognizerSpec(self._models, self._project.schema))

    @cached_property
    def _threshold(self) -> float:
        return RecognizerSpec(self._models, self._project.schema).threshold


# ---------------------------------------------------------------- JSON and tables


def _as_json(found: ProjectRisk) -> dict[str, object]:
    return {
        "version": 1,
        "patients": len(found.patients),
        "missed": {
            name: {
                "found": each.found,
                "missed": _plain(each.missed),
                "low": _plain(each.low),
                "high": _plain(each.high),
                "added_in_adjudication": found.added[name],
                "left": dict(zip(_ESTIMATE, map(_plain, found.left(name)), strict=True)),
            }
            for name, each in found.missed.items()
        },
        "patients_with_any_left": dict(
            zip(_ESTIMATE, map(_plain, found.patients_with_any()), strict=True)
        ),
        "all_or_nothing": [
            {
                "reader": each.reader,
                "identifiers": each.identifier.value,
                "whole": each.whole,
                "patients": each.patients,
                "interval": list(interval(each.whole, each.patients)),
            }
            for each in found.whole
        ],
        "annotators_alike": None if found.alike is None else _plain(found.alike),
        "suggestions_not_judged": found.unjudged,
        "limits": list(_limits(found)),
    }


def _plain(value: float) -> float | None:
    return None if isinf(value) else round(value, 3)


def _print(found: ProjectRisk) -> None:
    print(f"PHI that no reader found, of {counted(len(found.patients), 'patient')}:")
    rows = [
        (
            name,
            each.found,
            found.added[name],
            *map(_written, (each.missed, each.low, each.high)),
            *map(_written, found.left(name)),
        )
        for name, each in found.missed.items()
    ]
    heads = ("type", "found", "added", "missed", "from", "to", "left", "from", "to")
    print_table(rows, heads)
    middle, least, most = map(_written, found.patients_with_any())
    print(f"Patients with any of it left: {middle} ({least} to {most}).")
    print("Patients of whom a reader found every identifier:")
    print_table(
        [
            (
                each.reader,
                each.identifier.value,
                f"{each.whole} of {each.patients}",
                *(f"{value:.3f}" for value in interval(each.whole, each.patients)),
            )
            for each in found.whole
        ],
        ("reader", "identifiers", "patients", "from", "to"),
    )
    for each in _limits(found):
        print(each)


def _written(value: float) -> str:
    return "?" if isinf(value) else f"{value:.1f}"


def _limits(found: ProjectRisk) -> Iterator[str]:
    """What the estimates rest on, in words for who decides on a release."""
    yield "From and to are intervals of 95 %; a question mark says that none can be told."
    if found.alike is None:
        yield (
            "This assumes that the annotators miss independently of each other. Who reads alike "
            "misses alike: then more is left than this. A third reader (--model) allows for it."
        )
    elif found.alike > _VERY_ALIKE:
        yield (
            "The annotators found so much the same that the recognizer alone tells what both "
            "missed: do not rely on these figures."
        )
    else:
        odds = f"{found.alike:.1f}"
        yield f"The annotators found the same with an odds ratio of {odds} (1: by chance)."
    if found.unjudged:
        yield (
            f"{counted(found.unjudged, 'suggestion')} of the recognizer lie where the gold "
            "standard has no tag. What of them is PHI is not counted: look at them first."
        )
    yield "PHI that no reader of this kind would ever see is in none of these figures."
