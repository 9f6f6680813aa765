"""A project folder as its users see it: patients, assignments, layers, journals, locks."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from shared.errors import FileFormatError, RequestError, storage_errors
from shared.formats import i2b2_xml, text_file
from shared.formats.base import Record
from shared.formats.xml_characters import xml_copy
from shared.language.detection import AUTO
from shared.model import Document, Layer, MergedView, Patient, Schema
from shared.outside import MALFORMED, read_bounded
from shared.project import assignments, creation, manifest, settings
from shared.project.annotation_state import JournalledStates, write_state
from shared.project.assignments import Assignment, AssignmentDraw, State
from shared.project.files import (
    FileSignature,
    digest_of,
    is_there,
    read_file,
    signature_of,
    write_atomic,
)
from shared.project.folders import folder_of, refuse_linked_folders, remove_leftovers
from shared.project.gold_state import GoldState, GoldStatus, gold_status
from shared.project.group_access import GroupAccess
from shared.project.journal import parse_journal, read_uncut
from shared.project.known_answers import KnownAnswers
from shared.project.lock import Lock, acquire_lock
from shared.project.manifest import ManifestRow
from shared.project.project_log import write_logged
from shared.project.settings import GOLD, ProjectSettings, SuggestionPolicy
from shared.project.stored_layers import BelievedLayers, StoredLayer

_BY_ITS_FOLDER = GroupAccess()
_PATIENCE = 10.0  # seconds to wait while somebody else writes the assignments, in milliseconds


class Project:
    """An open project. Opening reads the lists; records and layers are read when asked for.

    Where an annotator is named, "gold" stands for the gold standard.
    """

    def __init__(self, root: Path, plan: ProjectSettings, rows: Iterable[ManifestRow]) -> None:
        """Take what `open` has read."""
        self.root = root
        self.known_answers = KnownAnswers(root)
        self._settings = plan
        self._signature: FileSignature | None = None
        self._states = JournalledStates()
        self._layers = BelievedLayers(root)
        self._rows = manifest.by_patient(rows)

    @classmethod
    def open(cls, root: Path) -> Self:
        """Open a project folder.

        Raises FileFormatError, NewerVersionError where a later Tandem made it, StorageError.
        """
        if not is_there(root / creation.SETTINGS):
            with storage_errors(root):
                os.scandir(root).close()
            raise FileFormatError(root, "is not a Tandem project; create one with tandem new")
        refuse_linked_folders(root)
        return cls(root, _settings_of(root), _listed_records(root))

    @classmethod
    def create(  # noqa: PLR0913  what a project is made of
        cls,
        root: Path,
        title: str,
        schema: Schema,
        records: Iterable[Record],
        annotators: Sequence[str],
        seed: int,
        *,
        import_as: str = "",
        layers: Mapping[str, Sequence[Record]] = MappingProxyType({}),
        language: str = AUTO,
        per_patient: int = 2,
        all_on: int = 0,
        show_gold_to_annotators: bool = False,
        access: GroupAccess = _BY_ITS_FOLDER,
    ) -> "Project":
        """Make a project of these records, every patient in the hands of two annotators or more.

        `seed` draws who gets whom, and which `all_on` patients go to all. With `import_as`, the
        records' tags become the layers of that annotator, for their patients only, or the gold
        standard. `layers` are records tagged elsewhere by annotators, or gold: patients go to those
        who have layers of them, who are done where they have all. `access` says to which group of
        the system the project is open. Raises RequestError, FileError where `root` is there and not
        empty, UnknownTypeError; nothing is left behind then.
        """
        plan = ProjectSettings(
            title,
            schema,
            tuple(annotators),
            language=language,
            show_gold_to_annotators=show_gold_to_annotators,
        )
        root = root.resolve()  # "." is another folder once the new one has taken its place
        draw = AssignmentDraw(seed, per_patient, all_on)
        creation.build(root, plan, records, draw, import_as, layers, access=access)
        return cls.open(root)

    @property
    def title(self) -> str:
        return self._settings.title

    @property
    def schema(self) -> Schema:
        return self._settings.schema

    @property
    def language(self) -> str:
        """The code of the language that the records are in, or `auto` where they tell."""
        return self._settings.language

    @property
    def annotators(self) -> tuple[str, ...]:
        return self._settings.annotators

    @property
    def shows_gold(self) -> bool:
        """Whether annotators may compare their tags with the gold standard of what is done."""
        return self._settings.show_gold_to_annotators

    @property
    def patient_ids(self) -> tuple[str, ...]:
        return tuple(self._rows)

    @property
    def suggestions(self) -> SuggestionPolicy:
        """Who sees suggestions of which kind, and what they are learnt from."""
        return self._settings.suggestions

    @property
    def plan(self) -> ProjectSettings:
        """All that `tandem.toml` says by now: also who left and who trains. Raises FileError."""
        if signature_of(self.root / creation.SETTINGS) != self._signature:
            self._read_settings()
        return self._settings

    def set_staffing(self, **changes: Any) -> None:  # noqa: ANN401
        """Change annotators, who left, training or known_answer_rate, by their names.

        Raises RequestError where they cannot be annotators, and what `set_suggestions` does.
        """
        settings.check_annotators(changes.get("annotators", self.annotators))
        self._change(settings.with_staffing, changes)

    def set_suggestions(self, policy: SuggestionPolicy) -> None:
        """Change who sees suggestions. Raises FileFormatError, ChangedOnDiskError, StorageError."""
        self._change(settings.with_suggestions, {"suggestions": policy})

    def _change(
        self, written: Callable[[bytes, ProjectSettings], bytes], changes: Mapping[str, Any]
    ) -> None:
        path = self.root / creation.SETTINGS
        data = _needed(path)
        plan = replace(settings.from_toml(data, path), **changes)
        write_logged(self.root, path, written(data, plan), expected_digest=digest_of(data))
        self._settings = plan

    def record_ids(self, patient_id: str) -> tuple[str, ...]:
        """The patient's records in order, without reading them. Raises RequestError."""
        return tuple(row.record_id for row in self._rows_of(patient_id))

    def characters_of(self, patient_id: str) -> int:
        """How long the patient's records are, without reading them. Raises RequestError."""
        return sum(row.characters for row in self._rows_of(patient_id))

    def record_digests(self) -> dict[str, str]:
        """What identifies the text of each record, by its id."""
        return {row.record_id: row.sha256 for rows in self._rows.values() for row in rows}

    def patient(self, patient_id: str) -> Patient:
        """Read a patient's records.

        Raises RequestError where there is no such patient, FileFormatError where a text is not
        the one that was imported, StorageError.
        """
        return Patient(patient_id, tuple(self._document(row) for row in self._rows_of(patient_id)))

    def document(self, patient_id: str, record_id: str) -> Document:
        """Read one record of a patient; raises what `patient` does, of this record alone."""
        rows = [row for row in self._rows_of(patient_id) if row.record_id == record_id]
        if not rows:
            raise RequestError(f"patient {patient_id} has no record {record_id}")
        return self._document(rows[0])

    def assignments(self) -> tuple[Assignment, ...]:
        """Read who has which patient as work, and how far they are by their journals.

        Neither known-answer patients nor those of training rounds are among them; they are none of
        what is adjudicated and reported. Raises FileError.
        """
        aside = self.plan.training_pairs | self.known_answers.pairs()
        every = self.all_assignments()
        if not aside:
            return every
        return tuple(each for each in every if (each.patient_id, each.annotator) not in aside)

    def all_assignments(self) -> tuple[Assignment, ...]:
        """Read who has which patient, for whatever reason, in the order in which they have them.

        Raises FileError.
        """
        return self._states.told(self.root / "journal", self._listed())

    def assigned_to(self, annotator: str) -> tuple[Assignment, ...]:
        """Read what an annotator has, and nothing of another's journals. Raises FileError."""
        own = [each for each in self._listed() if each.annotator == annotator]
        return self._states.told(self.root / "journal", own)

    def set_state(self, patient_id: str, annotator: str, state: State) -> None:
        """Say how far an annotator is with a patient that no session has open.

        Raises RequestError where the patient is not in their hands, LockedError, StorageError.
        """
        self.list_state(patient_id, annotator, state)
        if Assignment(patient_id, annotator, state) not in self.all_assignments():
            write_state(self.journal_path(annotator, patient_id), annotator, state)

    def list_state(self, patient_id: str, annotator: str, state: State) -> None:
        """Put a state into the list, for people and earlier versions; the journal goes before it.

        Raises RequestError where the patient is not in their hands, LockedError, StorageError.
        """
        path = self.root / creation.ASSIGNMENTS
        with self.lock_assignments(annotator):
            wanted = Assignment(patient_id, annotator, state)
            before = self._listed()
            theirs = [replace(wanted, state=each) for each in State]
            if not any(each in theirs for each in before):
                raise RequestError(f"patient {patient_id} is not assigned to {annotator}")
            after = tuple(wanted if each in theirs else each for each in before)
            if after != before:
                write_logged(self.root, path, assignments.to_csv(after))

    def _listed(self) -> tuple[Assignment, ...]:
        path = self.root / creation.ASSIGNMENTS
        found = assignments.from_csv(_needed(path), path)
        if any(each.patient_id not in self._rows for each in found):
            self.read_again()
        return found

    def read_again(self) -> None:
        """Read settings and manifest anew, to which patients were added. Raises FileError."""
        self._read_settings()
        self._rows = manifest.by_patient(_listed_records(self.root))

    def _read_settings(self) -> None:
        self._signature = signature_of(self.root / creation.SETTINGS)
        self._settings = _settings_of(self.root)

    def lock_assignments(self, who: str, patience: float = _PATIENCE) -> Lock:
        """Take the lock on who has which patient. Raises LockedError, StorageError."""
        lock = acquire_lock(self.root / f".{creation.ASSIGNMENTS}.lock", who, patience=patience)
        remove_leftovers(self.root, {creation.ASSIGNMENTS})  # nobody else writes it now
        return lock

    def layer_path(self, annotator: str, record_id: str) -> Path:
        """The file of a layer. Raises RequestError where there is no such annotator."""
        return self._own_folder("layers", annotator) / f"{record_id}.xml"

    def has_layer(self, annotator: str, record_id: str) -> bool:
        """True where a layer of the record was written. Raises RequestError, StorageError."""
        return is_there(self.layer_path(annotator, record_id))

    def read_layer(self, annotator: str, document: Document) -> StoredLayer:
        """Read an annotator's layer of a record; empty where there is none yet.

        Raises what `layer_as_found` does, and FileFormatError where the file is not what its
        journal says: missing, changed by somebody else, an older copy.
        """
        patient_id = document.patient_id
        return self._layers.read(
            self.journal_path(annotator, patient_id),
            self.layer_path(annotator, document.record_id),
            document,
            lambda: MergedView(self.patient(patient_id)),
            lambda: self.layer_as_found(annotator, document),
        )

    def layer_as_found(self, annotator: str, document: Document) -> StoredLayer:
        """Read the file of a layer, whatever its journal says; empty where there is none.

        Raises FileFormatError where the file is broken or was made for another text,
        TextMismatchError where a tag does not fit, StorageError.
        """
        path = self.layer_path(annotator, document.record_id)
        data = read_file(path)
        if data is None:
            return StoredLayer(Layer.of(document.record_id, annotator, ()), None)
        record = i2b2_xml.parse_record(data, path)
        if record.text != document.text and record.text != xml_copy(document.text):
            raise FileFormatError(
                path, f"was made for another text than record {document.record_id}; restore it"
            )
        layer = Layer.of(document.record_id, annotator, record.tags, record.unknown)
        return StoredLayer(layer, digest_of(data))

    def write_layer(
        self, annotator: str, document: Document, layer: Layer, digest: str | None
    ) -> str:
        """Write an annotator's layer of a record and return the file's new digest.

        `digest` is that of the file when it was read. Raises ChangedOnDiskError where the file is
        another one by now, ModelError where a tag lies outside the record, StorageError.
        """
        path = self.layer_path(annotator, document.record_id)
        data = i2b2_xml.format_record(document.text, layer, bare=annotator == GOLD)
        return write_atomic(path, data, expected_digest=digest)

    def gold_status(self, patient_id: str) -> GoldStatus:
        """How far the gold standard of a patient is, and why it was skipped.

        Raises FileError where the adjudicator's journal cannot be read.
        """
        record_ids = self.record_ids(patient_id)
        path = self.journal_path(GOLD, patient_id)
        lines = parse_journal(read_uncut(path), path)
        filed = all(self.has_layer(GOLD, each) for each in record_ids)
        try:
            return gold_status(lines, record_ids, filed=filed)
        except MALFORMED:
            raise FileFormatError(path, "holds an entry that Tandem cannot read") from None

    def is_adjudicated(self, patient_id: str) -> bool:
        """True where the adjudicator has said so, or every record came with a gold standard.

        Raises FileError where the adjudicator's journal cannot be read.
        """
        return self.gold_status(patient_id).state is GoldState.DONE

    def journal_path(self, annotator: str, patient_id: str) -> Path:
        """Where an annotator's edits of a patient are journalled. Raises RequestError."""
        self._rows_of(patient_id)
        return self._own_folder("journal", annotator) / f"{patient_id}.jsonl"

    def notes_folder(self, writer: str) -> Path:
        """Where what somebody noted is kept. Raises RequestError."""
        return self._own_folder("notes", writer)

    def notes_path(self, writer: str, patient_id: str) -> Path:
        """Where what somebody noted on a patient is kept. Raises RequestError."""
        self._rows_of(patient_id)
        return self.notes_folder(writer) / f"{patient_id}.jsonl"

    def lock_patient(self, annotator: str, patient_id: str, who: str) -> Lock:
        """Take the lock on an annotator's work on a patient.

        Raises LockedError, naming who holds it, and StorageError.
        """
        return acquire_lock(self.journal_path(annotator, patient_id).with_suffix(".lock"), who)

    def _own_folder(self, kind: str, annotator: str) -> Path:
        if annotator == GOLD:
            return self.root / GOLD if kind == "layers" else folder_of(self.root, kind, GOLD)
        if annotator not in self.annotators:
            raise RequestError(
                f"{annotator} is not an annotator of this project; its annotators are "
                f"{', '.join(self.annotators)}"
            )
        return folder_of(self.root, kind, annotator)

    def _rows_of(self, patient_id: str) -> list[ManifestRow]:
        if patient_id not in self._rows:
            raise RequestError(
                f"the project {self.title} has no patient {patient_id}; "
                "tandem status --patients lists all"
            )
        return self._rows[patient_id]

    def _document(self, row: ManifestRow) -> Document:
        path = self.root / "records" / row.patient_id / f"{row.record_id}.txt"
        data = _needed(path)
        if digest_of(data) != row.sha256:
            raise FileFormatError(path, "is not the text that was imported; restore it")
        return Document(row.record_id, row.patient_id, text_file.from_bytes(data))


def _settings_of(root: Path) -> ProjectSettings:
    path = root / creation.SETTINGS
    return settings.from_toml(_needed(path), path)


def _listed_records(root: Path) -> tuple[ManifestRow, ...]:
    path = root / creation.MANIFEST
    return manifest.from_csv(_needed(path), path)


def _needed(path: Path) -> bytes:
    return read_bounded(path, may_be_link=False)
