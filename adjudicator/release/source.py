"""What a release is made of: records and gold standard, and the rules that hold for all of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from adjudicator.release.folder import Place, ReleaseFolder, read_places
from shared.consistency.check import check_patient
from shared.consistency.dismissals import (
    DismissalKey,
    dismissals_path,
    read_dismissals,
    without_dismissed,
)
from shared.consistency.findings import TAG_KINDS, Finding
from shared.consistency.misspellings import small_words
from shared.consistency.patient_records import PatientRecords
from shared.errors import FileError, RequestError, TandemError
from shared.language.detection import language_said
from shared.model import Layer, Patient, Schema
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.surrogates.leak_check import LeakRules
from shared.surrogates.numbers.ages import may_stay
from shared.surrogates.ordinary_words import ordinary_words
from shared.surrogates.surrogate_kinds import (
    SurrogateKind,
    SurrogateSettings,
    kinds_of,
    read_kinds,
)

Watch = Callable[[str, Iterable[Any]], Iterable[Any]]
"""Looks on while things are done: what, to which."""


def no_progress(_what: str, items: Iterable[Any]) -> Iterable[Any]:
    return items


Read = tuple[Patient, Mapping[str, Layer]]
"""A patient with its gold standard by record id."""


@dataclass(frozen=True, slots=True)
class SurrogateOptions:
    """How surrogates are made. `language` is "" for that of the project; a seed is for tests."""

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
    rules: LeakRules
    """With the places of which a person said that they are no PHI, the dismissed ones too."""
    schema: Schema
    language: str
    common: frozenset[str]
    dismissed: frozenset[DismissalKey]

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
        entries = read_journal(dismissals_path(project.root, GOLD))
        dismissed = frozenset(each.key for each in read_dismissals(entries, GOLD))
        source = cls.of(patients, project.schema, project.language, options, dismissed)
        cleared = source.rules.cleared | ReleaseFolder(project).confirmed_not_phi()
        return replace(source, problems=problems, rules=replace(source.rules, cleared=cleared))

    @classmethod
    def of(
        cls,
        patients: Mapping[str, Read],
        schema: Schema,
        language: str,
        options: SurrogateOptions,
        dismissed: frozenset[DismissalKey] = frozenset(),
    ) -> "Source":
        """The source of these patients. Raises FileError where an option's file cannot be read."""
        read = patients.values()
        kinds = kinds_of(schema, read_kinds(options.kinds) if options.kinds else None)
        texts = [each.text for patient, _ in read for each in patient.documents]
        spoken = language_said(options.language or language, texts)
        settings = SurrogateSettings(kinds, spoken, options.keep_weekdays)
        not_phi = read_places(options.not_phi) if options.not_phi else frozenset[Place]()
        not_phi |= _cleared(dismissed)
        ordinary = ordinary_words(
            [(each, gold[each.record_id]) for each in patient.documents] for patient, gold in read
        )
        rules = LeakRules(spoken, ordinary, not_phi, options.keep_weekdays)
        return cls(
            patients, {}, settings, rules,
            schema, language, small_words(texts), dismissed,
        )  # fmt: skip

    def with_dismissed(self, key: DismissalKey) -> "Source":
        """The source where that is dismissed too."""
        cleared = self.rules.cleared | _cleared([key])
        rules = replace(self.rules, cleared=cleared)
        return replace(self, rules=rules, dismissed=self.dismissed | {key})

    def findings(self, patient_id: str) -> tuple[Finding, ...]:
        """What the check shows of a patient by default, and nobody has dismissed.

        Of a tag that overlaps another `overlaps` tells, and what may stay needs no tag.
        """
        patient, gold = self.patients[patient_id]
        tagged = PatientRecords(patient.documents, gold.values(), self.schema, self.language)
        found = check_patient(tagged, common=self.common)
        return tuple(
            each
            for each in without_dismissed(found, patient.documents, self.dismissed)
            if each.kind in TAG_KINDS or not self._may_stay(each)
        )

    def _may_stay(self, untagged: Finding) -> bool:
        kind = untagged.phi_type and self.settings.kinds.kind(untagged.phi_type)
        if kind is SurrogateKind.AGE:
            return may_stay(untagged.text, self.settings.language)
        cleared = (untagged.record_id, untagged.span) in self.rules.cleared
        return cleared or kind is SurrogateKind.KEEP


def _cleared(dismissed: Iterable[DismissalKey]) -> frozenset[Place]:
    """The places where a dismissal says that no PHI is; one about a tag does not say so."""
    return frozenset(
        (each.place.record_id, each.place.span) for each in dismissed if each.kind not in TAG_KINDS
    )


def _read(project: Project, patient_id: str) -> Read:
    if not project.is_adjudicated(patient_id):
        raise RequestError(f"patient {patient_id} has no gold standard yet; adjudicate it first")
    patient = project.patient(patient_id)
    return patient, {
        each.record_id: project.read_layer(GOLD, each).layer for each in patient.documents
    }
