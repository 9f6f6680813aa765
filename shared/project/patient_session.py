"""A patient that is open to be worked on: locked, journalled, saved; what is done is in the tags.

The annotator's session and the adjudicator's extend it. It knows nothing of windows. Offsets are
those of the merged view.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache, partial
from pathlib import Path
from typing import Any, Self

from shared.errors import FileFormatError
from shared.language.detection import records_language
from shared.language.languages import Language
from shared.model import Document, Layer, MergedView, Origin, Span
from shared.outside import MALFORMED
from shared.project.edits import Edit
from shared.project.journal import read_journal
from shared.project.patient_layer import PatientLayer, Snapshot
from shared.project.project import Project
from shared.project.reading_progress import ReadingProgress
from shared.project.rescued_edits import rescued_entries
from shared.project.safe_journal import SafeJournal, read_rescue
from shared.project.tag_operations import TagOperations


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
            self._read_files()
            path = project.journal_path(owner, patient_id)
            entries = read_journal(path)
            self.journal = stack.enter_context(SafeJournal(path, lock, owner, patient_id))
            try:
                self.reading = ReadingProgress(self.view, entries)
                """What of the records has been on the screen."""
                layer = self._open_layer(entries)
            except MALFORMED as error:
                raise FileFormatError(
                    path,
                    "holds an entry that Tandem cannot read; move the file aside to go on",
                ) from error
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
            return sum(self._take_up(lines))
        except MALFORMED as error:
            raise FileFormatError(path, "holds an entry that Tandem cannot read") from error

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
        return self.layer.snapshot()

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
            self.layer.changed = _nothing  # or layer and session would keep each other in memory

    @abstractmethod
    def _read_files(self) -> None:
        """Read the layers of the patient's records, of which `view` is there already."""

    @abstractmethod
    def _open_layer(self, entries: list[dict[str, Any]]) -> PatientLayer:
        """The tags as the files that were read and the entries of the journal have them.

        KeyError, TypeError or ValueError say that an entry makes no sense.
        """

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


def _nothing(_operation: str, _edit: Edit) -> None: ...
