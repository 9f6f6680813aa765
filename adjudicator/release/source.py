"""What a release is made of: records and gold standard, and the rules that hold for all of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.release.folder import ReleaseFolder
from adjudicator.release.gate import Gate, Read, read_places
from shared.errors import FileError, RequestError, TandemError
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.surrogates.language import language_of
from shared.surrogates.leak_check import LeakRules
from shared.surrogates.ordinary_words import ordinary_words
from shared.surrogates.surrogate_kinds import SurrogateSettings, kinds_of, read_kinds

Watch = Callable[[str, Iterable[Any]], Iterable[Any]]
"""Looks on while things are done: what, to which."""


def no_progress(_what: str, items: Iterable[Any]) -> Iterable[Any]:
    return items


@dataclass(frozen=True, slots=True)
class SurrogateOptions:
    """How surrogates are made. `language` is "" for that of the records; a seed is for tests."""

    language: str = ""
    kinds: Path | None = None
    keep_weekdays: bool = False
    not_phi: Path | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The patients of a project that have a gold standard, by id, with the rules for them.

    `problems` are the patients without, or with one that cannot be read, and why.
    """

    patients: Mapping[str, Read]
    problems: Mapping[str, TandemError]
    settings: SurrogateSettings
    gate: Gate
    rules: LeakRules

    @classmethod
    def read(
        cls, project: Project, options: SurrogateOptions, watch: Watch = no_progress
    ) -> "Source":
        """Read all patients. Raises FileError for what is not about one patient only."""
        patients: dict[str, Read] = {}
        problems: dict[str, TandemError] = {}
        for patient_id in watch("Reading", project.patient_ids):
            try:
                patients[patient_id] = _read(project, patient_id)
            except (FileError, RequestError) as problem:
                problems[patient_id] = problem
        read = list(patients.values())
        kinds = kinds_of(project.schema, read_kinds(options.kinds) if options.kinds else None)
        texts = (each.text for patient, _ in read for each in patient.documents)
        language = options.language or language_of(texts)
        settings = SurrogateSettings(kinds, language, options.keep_weekdays)
        said = ReleaseFolder(project).cleared()
        said |= read_places(options.not_phi) if options.not_phi else frozenset()
        gate = Gate.of(project, said, read, kinds)
        ordinary = ordinary_words(
            [(each, gold[each.record_id]) for each in patient.documents] for patient, gold in read
        )
        rules = LeakRules(ordinary, gate.cleared, options.keep_weekdays)
        return cls(patients, problems, settings, gate, rules)


def _read(project: Project, patient_id: str) -> Read:
    if not project.is_adjudicated(patient_id):
        raise RequestError(f"patient {patient_id} has no gold standard yet; adjudicate it first")
    patient = project.patient(patient_id)
    return patient, {
        each.record_id: project.read_layer(GOLD, each).layer for each in patient.documents
    }
