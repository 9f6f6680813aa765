"""What `tandem surrogate` puts together: project, consistency check, surrogates, leaks, release."""

import argparse
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from shared.commands.output import progress
from shared.commands.surrogate_gate import Gate, Read
from shared.consistency.findings import Finding
from shared.errors import FileFormatError, RequestError
from shared.project.atomic_file import make_folder, read_file, write_atomic, write_new
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.whole_folder import whole_folder
from shared.surrogates.checked import replace_checked
from shared.surrogates.choices import (
    choices_from_json,
    choices_in_table,
    choices_to_json,
    merged,
    review_table,
)
from shared.surrogates.data_card import CardFacts
from shared.surrogates.key_map import encrypted_map
from shared.surrogates.kinds import kinds_of, read_kinds
from shared.surrogates.language import language_of
from shared.surrogates.leaks import Leak, LeakRules
from shared.surrogates.ordinary import ordinary_words
from shared.surrogates.patient import (
    Choice,
    SurrogatePatient,
    SurrogateSettings,
)
from shared.surrogates.randomness import KeyedRandom, new_secret, secret_of_seed
from shared.surrogates.release import ReleasePlan, draw_new_ids, draw_test_part, release_files


@dataclass(frozen=True, slots=True)
class Run:
    """All surrogates of a project, with what stands against their release."""

    project: Project
    arguments: argparse.Namespace
    settings: SurrogateSettings
    secret: bytes
    patients: tuple[SurrogatePatient, ...]
    findings: tuple[Finding, ...]
    leaks: tuple[Leak, ...]

    @property
    def blocked(self) -> bool:
        return bool(self.findings or self.leaks)

    @property
    def record_count(self) -> int:
        return sum(len(each.documents) for each in self.patients)

    @property
    def notes(self) -> Iterable[str]:
        """What the person at the terminal should know besides the tables."""
        guessed = self.settings.kinds.guessed
        if guessed:
            kinds = (f"{each.name} {self.settings.kinds.kind(each)}" for each in guessed)
            yield f"kinds guessed by name, see --kinds: {', '.join(kinds)}"
        overlapping = sum(len(each.dropped) for each in self.patients)
        if overlapping:
            yield f"{overlapping} tags overlapped a longer one and were left out"
        look = sum(bool(each.reasons) for patient in self.patients for each in patient.replacements)
        if look:
            yield f"{look} replacements are for a person to look at, see --review"
        if self.arguments.seed is not None:
            yield f"MADE WITH --seed {self.arguments.seed}: FOR TESTS ONLY, NOT FOR RELEASE"

    def rows_by_type(self) -> list[tuple[str, str, str, str]]:
        """Type, kind of surrogate, how many were replaced, how many are to be looked at."""
        every = [each for patient in self.patients for each in patient.replacements]
        counts = Counter(each.tag.phi_type for each in every)
        looks = Counter(each.tag.phi_type for each in every if each.reasons)
        return [
            (str(phi_type), self.settings.kinds.kind(phi_type).value, str(count),
             str(looks[phi_type]))
            for phi_type, count in sorted(counts.items())
        ]  # fmt: skip

    def finding_rows(self) -> list[tuple[str, str, str, str, str]]:
        return [
            (each.patient_id, each.record_id, str(each.span.start), str(each.span.end),
             str(each.phi_type))
            for each in self.findings
        ]  # fmt: skip

    def leak_rows(self) -> list[tuple[str, str, str, str, str, str]]:
        return [
            (
                each.patient_id,
                each.record_id,
                str(each.old.start) if each.old else "-",
                str(each.old.end) if each.old else "-",
                str(each.phi_type),
                each.what + ("" if not each.in_surrogate else ", in a surrogate"),
            )
            for each in self.leaks
        ]

    def as_json(self) -> dict[str, object]:
        heads = ("patient", "record", "start", "end", "type", "what")
        return {
            "records": self.record_count,
            "released": not self.blocked and not self.arguments.review,
            "types": [
                {"type": row[0], "kind": row[1], "replaced": int(row[2]), "to_look_at": int(row[3])}
                for row in self.rows_by_type()
            ],
            "findings": [dict(zip(heads, row, strict=False)) for row in self.finding_rows()],
            "leaks": [dict(zip(heads, row, strict=True)) for row in self.leak_rows()],
        }

    def write_review(self) -> Path:
        """Write the table of replacements into the project and keep the secret they hang on."""
        folder = _folder(self.project)
        write_atomic(folder / "draft.key", self.secret.hex().encode())
        path = folder / "review.csv"
        write_atomic(path, review_table(self.patients))
        return path

    def release(self, out: Path, map_path: Path | None, passphrase: str) -> None:
        """Write the release, whole or not at all, then forget what could undo it.

        Raises FileError where the folder is there and not empty, or the system refuses.
        """
        plan = self._plan()
        with whole_folder(out, "tandem surrogate") as folder:
            for name, data in release_files(self.patients, plan):
                make_folder((folder / name).parent)
                write_new(folder / name, data)
            if map_path is not None:
                key_map = encrypted_map(self.patients, plan.new_ids, passphrase)
                write_atomic(map_path, key_map)
        for name in ("draft.key", "review.csv"):
            (_folder(self.project) / name).unlink(missing_ok=True)

    def _plan(self) -> ReleasePlan:
        arguments = self.arguments
        randomness = KeyedRandom(self.secret, "release")
        share = arguments.test / 100
        test = draw_test_part(self.patients, share, randomness) if share else frozenset[str]()
        new_ids = draw_new_ids(self.patients, randomness) if arguments.new_ids else {}
        facts = CardFacts(
            self.project.title,
            arguments.version,
            datetime.now(UTC).date().isoformat(),
            self.settings.language,
            arguments.keep_weekdays,
            arguments.seed,
            sum(len(each.dropped) for each in self.patients),
            tuple(each.name for each in self.settings.kinds.guessed),
        )
        return ReleasePlan(facts, _unmarked(arguments.unmark, self.project), test, new_ids)


def prepare(arguments: argparse.Namespace) -> Run:
    """Read the project, make all surrogates, and look for what stands against a release.

    Raises RequestError where a patient has no gold standard, FileError.
    """
    project = Project.open(arguments.project)
    _refuse_unadjudicated(project)
    _unmarked(arguments.unmark, project)
    read = [_read(project, each) for each in progress(project.patient_ids, "reading")]
    kinds = kinds_of(project.schema, read_kinds(arguments.kinds) if arguments.kinds else None)
    texts = (each.text for patient, _ in read for each in patient.documents)
    settings = SurrogateSettings(
        kinds,
        arguments.language or language_of(texts),
        arguments.keep_weekdays,
        _choices(project),
    )
    gate = Gate.of(project, arguments.not_phi, read, kinds)
    secret = _secret(project, arguments.seed)
    ordinary = ordinary_words(
        [(each, gold[each.record_id]) for each in patient.documents] for patient, gold in read
    )
    rules = LeakRules(ordinary, gate.cleared, settings.keep_weekdays, arguments.new_ids)
    patients: list[SurrogatePatient] = []
    findings: list[Finding] = []
    leaks: list[Leak] = []
    for patient, gold in progress(read, "replacing"):
        findings += gate.findings(patient, gold)
        stream = partial(_stream, secret, patient.id)
        new, left = replace_checked(patient, gold, settings, rules, stream)
        patients.append(new)
        leaks += left
    return Run(project, arguments, settings, secret, tuple(patients), tuple(findings), tuple(leaks))


def _read(project: Project, patient_id: str) -> Read:
    patient = project.patient(patient_id)
    return patient, {
        each.record_id: project.read_layer(GOLD, each).layer for each in patient.documents
    }


def _refuse_unadjudicated(project: Project) -> None:
    open_ones = [each for each in project.patient_ids if not project.is_adjudicated(each)]
    if open_ones:
        raise RequestError(
            f"{len(open_ones)} patients have no gold standard yet: {', '.join(open_ones[:10])}"
            f"{' ...' if len(open_ones) > 10 else ''}; adjudicate them first"
        )


def _unmarked(text: str, project: Project) -> frozenset[str]:
    names = frozenset(name.strip() for name in text.split(",") if name.strip())
    known = {each.name for each in project.schema.types()}
    if names - known:
        raise RequestError(
            f"--unmark: the schema has no type {', '.join(sorted(names - known))}; "
            f"there are {', '.join(sorted(known))}"
        )
    return names


def _stream(secret: bytes, patient_id: str, draw: int) -> KeyedRandom:
    return KeyedRandom(secret, f"{patient_id} {draw}")


def _folder(project: Project) -> Path:
    return project.root / "surrogates"


def _secret(project: Project, seed: int | None) -> bytes:
    """The secret of the review that was written last, else a new one."""
    if seed is not None:
        return secret_of_seed(seed)
    path = _folder(project) / "draft.key"
    data = read_file(path)
    if data is None:
        return new_secret()
    try:
        return bytes.fromhex(data.decode("ascii").strip())
    except ValueError:
        raise FileFormatError(path, "is no key of a review; remove it") from None


def _choices(project: Project) -> tuple[Choice, ...]:
    """The choices of earlier runs and those in the review table, which are kept from now on."""
    path, table = _folder(project) / "choices.json", _folder(project) / "review.csv"
    kept, reviewed = read_file(path), read_file(table)
    earlier = choices_from_json(kept, path) if kept is not None else ()
    if reviewed is None:
        return earlier
    choices = merged(earlier, choices_in_table(reviewed, table))
    if choices != earlier:
        write_atomic(path, choices_to_json(choices))
    return choices
