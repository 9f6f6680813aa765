"""What a release is made of: records and gold standard, and the rules that hold for all of them."""

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from adjudicator.corpus_counts import CorpusSummary
from adjudicator.release.folder import Place, ReleaseFolder, read_places
from adjudicator.release.held_back import HeldBack, read_held_back, records_held
from shared.consistency.across_patients import OtherPatientFinder, full_names, joined
from shared.consistency.check import check_patient
from shared.consistency.dismissals import (
    DismissalKey,
    dismissals_path,
    read_dismissals,
    without_dismissed,
)
from shared.consistency.findings import LIKELY, TAG_KINDS, Finding
from shared.consistency.misspellings import small_words
from shared.consistency.patient_records import PatientRecords
from shared.errors import FileError, FileFormatError, RequestError, TandemError
from shared.language.detection import AUTO, language_said
from shared.model import Document, Layer, Patient, Schema
from shared.project.files import read_file
from shared.project.gold_state import GoldState, saved_digests
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.verified_journals import entries_unaltered
from shared.surrogates.keyed import LEAST_KEY
from shared.surrogates.leak_check import LeakRules
from shared.surrogates.numbers.ages import may_stay
from shared.surrogates.ordinary_words import ordinary_words
from shared.surrogates.people.kinship import is_only_kinship
from shared.surrogates.release_modes import MODES
from shared.surrogates.surrogate_kinds import (
    ReleaseMode,
    SurrogateKind,
    SurrogateSettings,
    kinds_of,
    read_kinds,
)

Watch = Callable[[str, Collection[Any]], Iterable[Any]]
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
    mode: ReleaseMode = ReleaseMode.SURROGATE
    key: Path | None = None
    resample: float = 0.0


@dataclass(frozen=True, slots=True)
class CorpusFacts:
    """What the records of all patients together tell of each.

    `ordinary` and `common` are words that are no names, `names` looks for people and hospitals that
    are tagged in full in the records of other patients.
    """

    ordinary: frozenset[str]
    common: frozenset[str]
    names: OtherPatientFinder

    @classmethod
    def of_patients(
        cls, patients: Collection[Read], schema: Schema, language: str, *, labels_too: bool = True
    ) -> "CorpusFacts":
        """The facts of these patients; without labels where nobody has read the tags."""
        tagged = (_tagged(each, schema, language) for each in patients)
        records = (
            [(each, gold[each.record_id]) for each in patient.documents]
            for patient, gold in patients
        )
        return cls(
            ordinary_words(records, labels_too=labels_too),
            small_words(each.text for patient, _ in patients for each in patient.documents),
            OtherPatientFinder(full_names(each) for each in tagged),
        )

    @classmethod
    def of_summary(cls, summary: CorpusSummary, schema: Schema) -> "CorpusFacts":
        """The facts of a corpus that was counted in parts, whose tags nobody has read."""
        names = OtherPatientFinder((), summary.shared_names(schema))
        return cls(summary.ordinary, summary.common, names)


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
    names: OtherPatientFinder
    """Looks for people and hospitals that are tagged in full in the records of other patients."""
    record_ids: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    """All records of all patients, those that cannot be read too."""
    held_back: tuple[HeldBack, ...] = ()
    """What is not to be released; the other records of the patient still keep to it."""
    certainty: float = LIKELY
    """The least certainty of what the check finds, for it to hold a release up."""

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
        entries = entries_unaltered(project.root, dismissals_path(project.root, GOLD))
        dismissed = frozenset(each.key for each in read_dismissals(entries, GOLD))
        source = cls.of(patients, project.schema, project.language, options, dismissed)
        cleared = source.rules.cleared | ReleaseFolder(project).confirmed_not_phi()
        return replace(
            source,
            problems=problems,
            rules=replace(source.rules, cleared=cleared),
            record_ids={each: project.record_ids(each) for each in project.patient_ids},
            held_back=read_held_back(project.root),
        )

    @classmethod
    def of(
        cls,
        patients: Mapping[str, Read],
        schema: Schema,
        language: str,
        options: SurrogateOptions,
        dismissed: frozenset[DismissalKey] = frozenset(),
        facts: CorpusFacts | None = None,
    ) -> "Source":
        """The source of these patients, with the `facts` of a larger corpus where there is one.

        Raises FileError where an option's file cannot be read.
        """
        read = patients.values()
        facts = facts or CorpusFacts.of_patients(read, schema, language)
        kinds = kinds_of(schema, read_kinds(options.kinds) if options.kinds else None)
        texts = [each.text for patient, _ in read for each in patient.documents]
        said = options.language or language
        spoken = language_said(said, texts)
        key = _read_key(options.key) if options.key else b""
        settings = SurrogateSettings(
            kinds, spoken, options.keep_weekdays,
            mode=options.mode, key=key, resample=options.resample, is_language_told=said == AUTO,
        )  # fmt: skip
        not_phi = read_places(options.not_phi) if options.not_phi else frozenset[Place]()
        not_phi |= _cleared(dismissed)
        stay = MODES[options.mode].years_stay
        rules = LeakRules(spoken, facts.ordinary, not_phi, options.keep_weekdays, years_stay=stay)
        return cls(
            patients, {}, settings, rules,
            schema, language, facts.common, dismissed, facts.names,
            {each.id: [one.record_id for one in each.documents] for each, _ in read},
        )  # fmt: skip

    @property
    def records_held(self) -> dict[str, frozenset[str]]:
        """The records that are held back, by patient."""
        return records_held(self.held_back, self.record_ids)

    @property
    def problems_in_the_way(self) -> dict[str, TandemError]:
        """The problems of those patients that are not held back with all their records."""
        held = self.records_held
        return {
            patient_id: problem
            for patient_id, problem in self.problems.items()
            if len(held.get(patient_id, ())) < max(1, len(self.record_ids[patient_id]))
        }

    def with_dismissed(self, key: DismissalKey) -> "Source":
        """The source where that is dismissed too."""
        cleared = self.rules.cleared | _cleared([key])
        rules = replace(self.rules, cleared=cleared)
        return replace(self, rules=rules, dismissed=self.dismissed | {key})

    def findings(self, patient_id: str) -> tuple[Finding, ...]:
        """What the check shows of a patient, by default what is likely, and nobody has dismissed.

        A name that stands in full there and is tagged in other patients only is shown, too. Of a
        tag that overlaps another `overlaps` tells, and what may stay needs no tag.
        """
        read = self.patients[patient_id]
        tagged = _tagged(read, self.schema, self.language)
        found = check_patient(tagged, certainty=self.certainty, common=self.common)
        found = joined(found, self.names.findings(tagged))
        return tuple(
            each
            for each in without_dismissed(found, read[0].documents, self.dismissed)
            if each.kind in TAG_KINDS or not self._may_stay(each)
        )

    def _may_stay(self, untagged: Finding) -> bool:
        kind = untagged.phi_type and self.settings.kinds.kind(untagged.phi_type)
        if kind is SurrogateKind.AGE:
            return may_stay(untagged.text, self.settings.language)
        if kind is SurrogateKind.RELATIVE and is_only_kinship(
            untagged.text, self.settings.language
        ):
            return True
        cleared = any(
            record_id == untagged.record_id
            and span.start <= untagged.span.start
            and untagged.span.end <= span.end
            for record_id, span in self.rules.cleared
        )
        return cleared or kind is SurrogateKind.KEEP


def _tagged(read: Read, schema: Schema, language: str) -> PatientRecords:
    patient, gold = read
    return PatientRecords(patient.documents, gold.values(), schema, language)


def _cleared(dismissed: Iterable[DismissalKey]) -> frozenset[Place]:
    """The places where a dismissal says that no PHI is; one about a tag does not say so."""
    return frozenset(
        (each.place.record_id, each.place.span) for each in dismissed if each.kind not in TAG_KINDS
    )


_NOT_DONE = {
    GoldState.TO_DO: "has no gold standard yet; adjudicate it first",
    GoldState.BEGUN: "is not done, or was edited since; mark it as done in the adjudication window",
    GoldState.SKIPPED: "was skipped in adjudication; reopen it there, or hold it back",
}


def _read(project: Project, patient_id: str) -> Read:
    state = project.gold_status(patient_id).state
    if state is not GoldState.DONE:
        raise RequestError(f"patient {patient_id} {_NOT_DONE[state]}")
    patient = project.patient(patient_id)
    entries = entries_unaltered(project.root, project.journal_path(GOLD, patient_id))
    saved = saved_digests(entries)
    return patient, {each.record_id: _read_gold(project, each, saved) for each in patient.documents}


def _read_gold(project: Project, document: Document, saved: Mapping[str, str]) -> Layer:
    """The gold standard of a record, if it is what somebody has called done."""
    path = project.layer_path(GOLD, document.record_id)
    stored = project.layer_as_found(GOLD, document)
    if stored.digest is None:
        raise FileError(
            path, "is missing; restore it, or open the patient in the adjudication window"
        )
    if stored.digest != saved.get(document.record_id, stored.digest):
        raise FileError(
            path,
            "was changed outside of Tandem since the patient was done; restore it, or reopen the "
            "patient in the adjudication window, look, and mark it as done again",
        )
    return stored.layer


_OF_ENVIRONMENT = "env:"


def _read_key(path: Path) -> bytes:
    """The key in a file, or, for `env:NAME`, in that variable of the environment."""
    said, _, variable = str(path).partition(_OF_ENVIRONMENT)
    if variable and not said:
        data = os.environ.get(variable, "").encode("utf-8", "surrogateescape")
    else:
        data = read_file(path, may_be_link=True)
    if data is None or len(data) < LEAST_KEY:
        raise FileFormatError(
            path, f"is no key: it needs {LEAST_KEY} bytes or more that nobody can guess"
        )
    return data
