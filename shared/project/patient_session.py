"""A patient that is open to be worked on: locked, journalled, saved; what is done is in the tags.

The annotator's session and the adjudicator's extend it. It knows nothing of windows. Offsets are
those of the merged view.
"""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import Any, Self

from shared.errors import FileError, FileFormatError
from shared.language.detection import records_language
from shared.language.languages import Language
from shared.model import Document, Layer, MergedView, Origin, Span
from shared.outside import MALFORMED
from shared.project.creation import ASSIGNMENTS, MANIFEST, SETTINGS
from shared.project.edits import Edit
from shared.project.files import read_file
from shared.project.folders import remove_leftovers
from shared.project.journal import parse_journal, read_uncut
from shared.project.layer_history import begun_with
from shared.project.patient_layer import PatientLayer, Snapshot
from shared.project.project import Project
from shared.project.project_log import CLOSE, OPEN, PROJECT_LOG, heads_of, note_event, note_found
from shared.project.reading_progress import ReadingProgress
from shared.project.rescued_edits import rescued_entries
from shared.project.safe_journal import SafeJournal, read_rescue, rescue_files
from shared.project.settings import GOLD
from shared.project.tag_operations import TagOperations
from shared.project.verified_journals import altered_lines

_OF_ADJUDICATOR = ("handed_out.jsonl", "surrogates/held_back.jsonl", "audit/audits.jsonl")

_OF_ALL_PATIENTS = ("", "suggestions", "surrogates", "dismissed", "audit")
"""The folders of a project with files that are of no patient alone."""


class PatientSession(TagOperations, ABC):
    """The records of a patient, open until `close` for `user`, who works on the layers of `owner`.

    Raises LockedError where somebody else has them open, FileError where a file is broken; other
    patients are not touched by that.
    """

    def __init__(
        self, project: Project, patient_id: str, owner: str, user: str, by: Origin = Origin.HAND
    ) -> None:
        self.project = project
        self.patient_id = patient_id
        self._owner = owner
        with ExitStack() as stack:
            lock = stack.enter_context(project.lock_patient(owner, patient_id, user))
            self.view = MergedView(project.patient(patient_id))
            self._remove_leftovers()
            self._journal_is_cut = False
            self.notices: list[str] = []
            """One sentence for each thing that whoever works here should know about the files."""
            self._read_files()
            path = self._journal_path = project.journal_path(owner, patient_id)
            self.notices += map(_left_in, rescue_files(path))
            entries = parse_journal(self._journal_content(path), path)
            self.journal = stack.enter_context(SafeJournal(path, lock, owner, patient_id))
            try:
                self.reading = ReadingProgress(self.view, entries)
                """What of the records has been on the screen."""
                layer = self._open_layer(entries)
                self._begin_journal(layer, entries)
            except MALFORMED as error:
                raise FileFormatError(
                    path,
                    "holds an entry that Tandem cannot read; move the file aside to go on",
                ) from error
            self._note_in_log(OPEN)
            self._held = stack.pop_all()
        super().__init__(self.view, layer, project.schema, by)
        layer.changed = self._after_edit
        self.read_language = cache(partial(_language_of, project, self.view))
        """Reads the language of the records, which takes a while, once."""

    @property
    def language(self) -> Language:
        """The language of the records, read when it is first asked for."""
        return self.read_language()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def unsaved(self) -> bool:
        """True while the files lack what the journal has."""
        return self.layer.unsaved

    def replay_rescue_file(self, path: Path) -> int:
        """Do again what a rescue file says; returns how much of it was not there already.

        Raises FileError where it is none for this patient.
        """
        lines = read_rescue(path, self._owner, self.patient_id)
        try:
            changed = sum(self._take_up(lines))
        except MALFORMED as error:
            raise FileFormatError(path, "holds an entry that Tandem cannot read") from error
        if path in rescue_files(self._journal_path) and not self.journal.waiting:
            with contextlib.suppress(OSError):  # or it would be named at each opening
                path.unlink()
        return changed

    def record_visible(self, visible: Span) -> None:
        """Take note of what is on the screen; only what was not before goes into the journal."""
        for entry in self.reading.record_visible(visible):
            self.layer.note(entry)

    def record_activity(self) -> None:
        """Note that somebody is at it, for the time that the patient takes."""
        self.layer.note({"op": "active"})

    @abstractmethod
    def finish(self) -> None:
        """Save, and mark the patient as done."""

    def save(self) -> None:
        """Write the XML of every record that changed since the last save."""
        snapshot = self.snapshot()
        if snapshot.documents:
            self.write(snapshot)
            self.saved(snapshot)

    def snapshot(self) -> Snapshot:
        snapshot = self.layer.snapshot()
        if snapshot.documents:
            self.journal.begin()  # or a file could be there of which it does not tell
        return snapshot

    def write(self, snapshot: Snapshot) -> None:
        """Write the files of a snapshot; may run on another thread, one at a time.

        Raises LockedError where somebody else has taken the patient over, FileError.
        """
        self.journal.check_lock()
        for document, layer in snapshot.layers:
            self._write_layer(document, layer)

    def saved(self, snapshot: Snapshot) -> None:
        self.layer.saved(snapshot)

    def close(self) -> None:
        """Save and let go of the patient."""
        try:
            self.save()
        finally:
            self._held.close()
            self._note_in_log(CLOSE)
            self.layer.changed = _nothing  # or layer and session would keep each other in memory

    @abstractmethod
    def _read_files(self) -> None:
        """Read the layers of the patient's records, of which `view` is there already."""

    @abstractmethod
    def _open_layer(self, entries: list[dict[str, Any]]) -> PatientLayer:
        """The tags as the files that were read and the entries of the journal have them.

        KeyError, TypeError or ValueError say that an entry makes no sense.
        """

    @property
    @abstractmethod
    def _file_digests(self) -> Mapping[str, str | None]:
        """SHA-256 of the file of each record's layer; None where there is none."""

    @property
    def _taken_over(self) -> Collection[str]:
        """The records whose files are believed though their journal says otherwise."""
        return ()

    def _remove_leftovers(self) -> None:
        """Remove what a process that was killed at this patient left; a lock keeps others away."""
        project, owner = self.project, self._owner
        layers = [project.layer_path(owner, each) for each in project.record_ids(self.patient_id)]
        journal = project.journal_path(owner, self.patient_id)
        ours = {each.name for each in layers}
        for folder in {each.parent for each in (*layers, journal)}:
            remove_leftovers(folder, ours)
        for name in _OF_ALL_PATIENTS:
            remove_leftovers(project.root / name)
        if any(project.root.glob(f".{ASSIGNMENTS}.*")):  # theirs, unless somebody has their lock
            with contextlib.suppress(FileError):
                project.lock_assignments(owner, patience=0).release()

    def _journal_content(self, path: Path) -> bytes:
        """What the journal holds; that it was cut short, or lines of it altered, is said."""
        try:
            data = read_uncut(path)
        except FileFormatError as problem:
            self.notices.append(f"The journal of patient {self.patient_id} {problem.problem}.")
            self._journal_is_cut = True
            return read_file(path) or b""
        if altered := altered_lines(self.project.root, path):
            self.notices.append(
                f"The journal of patient {self.patient_id} was changed outside of Tandem: "
                f"{altered}; see tandem verify."
            )
        return data

    def _note_in_log(self, operation: str) -> None:
        """Say in the project's log that it was opened or closed, and how far its journals are.

        That it cannot be said keeps nobody from working.
        """
        project, root = self.project, self.project.root
        if not root.is_dir():  # what is gone for now is not made again
            return
        name = self._owner if self._owner in project.annotators else GOLD
        journals = (
            project.journal_path(self._owner, self.patient_id),
            project.notes_path(self._owner, self.patient_id),
            root / "dismissed" / f"{name}.jsonl",
            *(root / each for each in (PROJECT_LOG, *(_OF_ADJUDICATOR if name == GOLD else ()))),
        )
        try:
            if operation == OPEN:
                note_found(root, (SETTINGS, ASSIGNMENTS, MANIFEST))
            heads = heads_of(root, journals)
            note_event(root, name, operation, patient=self.patient_id, heads=heads)
        except FileError as problem:
            self.notices.append(f"The project's log could not be written: {problem}.")

    def _begin_journal(self, layer: PatientLayer, entries: list[dict[str, Any]]) -> None:
        """Have the journal tell of the files before anything else: not now, where it takes long."""
        base = begun_with(entries, self._file_digests, layer.tags, self._taken_over)
        if base is not None:
            self.journal.begin_with(lambda: layer.stamped(base()))

    @abstractmethod
    def _write_layer(self, document: Document, layer: Layer) -> None: ...

    def _take_up(self, lines: list[dict[str, Any]]) -> Iterator[bool]:
        """Do what each line of a rescue file says; yields whether that changed anything.

        KeyError, TypeError or ValueError say that one makes no sense, before anything is changed.
        """
        for each in rescued_entries(self.layer, self.view, lines):
            if each.edit:
                self.layer.apply(each.edit)
            yield bool(each.edit)

    @abstractmethod
    def _after_edit(self, operation: str, edit: Edit) -> None:
        """Take note of what an "edit", "undo" or "redo" has changed."""


def _language_of(project: Project, view: MergedView) -> Language:
    return records_language(project.language, (each.text for each in view.patient.documents))


def _left_in(rescue: Path) -> str:
    return f"Edits that could not be saved are in {rescue.name}; take them up from that file."


def _nothing(_operation: str, _edit: Edit) -> None: ...
