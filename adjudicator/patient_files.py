"""The files that the adjudication of a patient stands on: layers in, gold standard out."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from shared.errors import FileError
from shared.model import Document, Layer, MergedView, Patient
from shared.project.patient_layer import PatientLayer
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.stored_layers import StoredLayer, settled_layers


class PatientFiles:
    """What was read of a patient, and the way back for the gold standard.

    Raises FileError where a file of the gold standard is broken; a broken layer of an annotator's
    only leaves out its record.
    """

    def __init__(
        self,
        project: Project,
        patient: Patient,
        annotators: Sequence[str],
        *,
        hide_names: bool = False,
    ) -> None:
        self._project = project
        self._patient = patient
        self._annotators = annotators
        self._hide_names = hide_names
        self.layers: list[Sequence[Layer]] = []
        """The annotators' layers of every record that can be compared, in order."""
        self.left_out: list[str] = []
        """The records that cannot."""
        self.notices: list[str] = []
        self.rebuilt: Sequence[str] = ()
        """The records whose gold standard was made again from the journal."""
        self.taken_over: Sequence[str] = ()
        """The records whose gold standard is believed though somebody else changed it."""
        self.gold: dict[str, Layer] = {}
        self.digests: dict[str, str | None] = {}
        """SHA-256 of each file of the gold standard; None where there is none."""
        for document in patient.documents:
            stored = project.layer_as_found(GOLD, document)
            self.gold[document.record_id] = stored.layer
            self.digests[document.record_id] = stored.digest
            self._read_layers(document)

    def settle(self, view: MergedView, lines: Sequence[dict[str, Any]]) -> None:
        """Make again, from the journal, the files of the gold standard that were there and are not.

        Of those that somebody else changed it is said. Nothing is written to the journal. Raises
        FileError where one cannot be written, KeyError, TypeError or ValueError where a line makes
        no sense.
        """
        settled = settled_layers(
            view,
            {each: StoredLayer(layer, self.digests[each]) for each, layer in self.gold.items()},
            list(lines),
            partial(self._project.layer_path, GOLD),
            takes_changes_over=True,
        )
        self.rebuilt, self.taken_over = settled.rebuilt, settled.taken_over
        for record_id in self.rebuilt:
            self.gold[record_id] = settled.stored[record_id].layer
            self.write(self._patient.document(record_id), self.gold[record_id])
            self.notices.append(
                f"The gold standard of record {record_id} was missing "
                "and was rebuilt from the decisions."
            )
        for record_id in self.taken_over:
            self.notices.append(
                f"The gold standard of record {record_id} was changed outside of Tandem; "
                "it is shown as it is now, and decisions that it contradicts are open again."
            )

    def write(self, document: Document, layer: Layer) -> None:
        """Write the gold standard of a record. Raises ChangedOnDiskError, StorageError."""
        record_id = document.record_id
        self.digests[record_id] = self._project.write_layer(
            GOLD, document, layer, self.digests[record_id]
        )

    def write_missing(self, gold: PatientLayer) -> None:
        """Give every record a file, those without PHI too: it says that they were adjudicated."""
        for document in self._patient.documents:
            if self.digests[document.record_id] is None:
                self.write(document, gold.layer(document.record_id))

    def _read_layers(self, document: Document) -> None:
        try:
            stored = [self._project.read_layer(each, document) for each in self._annotators]
        except FileError as error:
            self.left_out.append(document.record_id)
            self.notices.append(f"Record {document.record_id} is left out: {error}.")
            return
        nobodys = [Layer.of(document.record_id, GOLD, ())] * 2  # who has it: nothing to decide
        self.layers.append([each.layer for each in stored] or nobodys)
        for annotator, each in zip(self._annotators, stored, strict=True):
            if each.digest is None and any(other.digest for other in stored):
                whose = "one annotator" if self._hide_names else annotator
                self.notices.append(
                    f"Record {document.record_id} has no file from {whose}; it counts as untagged."
                )
