"""Patients that come into a project later, with their gold standard where they have one."""

from collections.abc import Sequence
from dataclasses import dataclass

from shared.errors import RequestError
from shared.formats import i2b2_xml
from shared.formats.base import Record
from shared.formats.record_names import record_order
from shared.model import Layer
from shared.project import creation, manifest
from shared.project.files import digest_of, make_folder, read_file
from shared.project.imported_layers import imported_layers
from shared.project.project import Project
from shared.project.project_log import write_logged
from shared.project.settings import GOLD


@dataclass(frozen=True, slots=True)
class NewPatients:
    """Records that a project can take, in order, and the gold standard that came with them."""

    records: tuple[Record, ...]
    gold: dict[str, Layer]
    """By record."""

    @classmethod
    def of(
        cls, project: Project, records: Sequence[Record], gold: Sequence[Record] = ()
    ) -> "NewPatients":
        """Look through records from outside, and the same with a gold standard.

        Raises RequestError where the project has one of the patients or cannot have it,
        UnknownTypeError.
        """
        ordered = tuple(sorted(records, key=record_order))
        for each in ordered:
            if each.document.patient_id in project.patient_ids:
                raise RequestError(
                    f"the project has patient {each.document.patient_id} already; a patient's "
                    "records come together"
                )
        creation.check_records(ordered, project.schema, "", project.annotators)
        known = project.record_digests()
        creation.refuse_alike(
            sorted({*known, *(each.document.record_id for each in ordered)}), "records"
        )
        ids = {*project.patient_ids, *(each.document.patient_id for each in ordered)}
        creation.refuse_alike(sorted(ids), "patients")
        for each in ordered:
            if each.document.record_id in known:
                raise RequestError(f"the project has record {each.document.record_id} already")
        creation.check_types(gold, project.schema)
        return cls(ordered, imported_layers(ordered, {GOLD: gold})[GOLD])

    @property
    def patient_ids(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.document.patient_id for each in self.records))

    @property
    def to_annotate(self) -> tuple[str, ...]:
        """The patients of which not every record has a gold standard."""
        without = {
            each.document.patient_id
            for each in self.records
            if each.document.record_id not in self.gold
        }
        return tuple(each for each in self.patient_ids if each in without)


def add_patients(project: Project, new: NewPatients) -> None:
    """Write the records and their gold standard, then list them; nobody has them yet.

    Where that ends halfway it can be done again. Raises FileError, StorageError.
    """
    root = project.root
    rows = [creation.write_record(root, each) for each in new.records]
    for record in new.records:
        layer = new.gold.get(record.document.record_id)
        if layer is not None:
            path = project.layer_path(GOLD, layer.record_id)
            make_folder(path.parent)
            write_logged(root, path, i2b2_xml.format_record(record.document.text, layer, bare=True))
    path = root / creation.MANIFEST
    data = read_file(path) or b""
    listed = manifest.to_csv((*manifest.from_csv(data, path), *rows))
    write_logged(root, path, listed, expected_digest=digest_of(data))
    project.read_again()
