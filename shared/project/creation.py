"""What goes into a new project folder."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from shared.errors import RequestError, UnknownTypeError
from shared.formats import i2b2_xml, text_file
from shared.formats.base import Record
from shared.formats.record_names import record_order, same_file_name
from shared.model import Layer, Schema
from shared.project import assignments, manifest, settings
from shared.project.assignments import Assignment, AssignmentDraw, assign
from shared.project.file_names import ASSIGNMENTS, SETTINGS
from shared.project.files import digest_of, make_folder, read_file, write_new
from shared.project.folders import new_folder_atomically
from shared.project.group_access import GroupAccess
from shared.project.imported_layers import (
    ImportedLayers,
    assigned_by_layers,
    imported_layers,
)
from shared.project.manifest import ManifestRow
from shared.project.project_log import begin_log
from shared.project.settings import GOLD, ProjectSettings, check_annotators

MANIFEST = "records/manifest.csv"
_LONGEST_NAME = 200
"""Bytes: the systems take 255, and locks and files that are half written have longer names."""
_SHOWN = 40


def build(  # noqa: PLR0913  what a project is made of
    root: Path,
    plan: ProjectSettings,
    records: Iterable[Record],
    draw: AssignmentDraw,
    import_as: str,
    layers: Mapping[str, Sequence[Record]],
    *,
    access: GroupAccess,
) -> None:
    """Make the project folder `root`, or leave nothing behind.

    With `import_as`, the tags that the records hold become the layers of that annotator, for
    their patients, or the gold standard; `layers` are those of annotators, and gold, who made them
    elsewhere. Raises RequestError, UnknownTypeError, FileError, also
    where the schema or the title could not be read again.
    """
    check_annotators(plan.annotators)
    content = settings.to_toml(plan)
    settings.from_toml(content, root / SETTINGS)  # refuses what could not be opened again
    ordered = sorted(records, key=record_order)
    check_records(ordered, plan.schema, import_as, plan.annotators)
    draw.check(len({each.document.patient_id for each in ordered}), len(plan.annotators))
    for name, tagged in layers.items():
        _refuse_unknown(name, plan.annotators)
        check_types(tagged, plan.schema)
    given = imported_layers(ordered, layers)
    access.check()
    if access.adjudicators and (layers or import_as):
        raise RequestError(
            "layers that are their owners' alone have to be made by them; leave out imported tags, "
            "or the group of adjudicators"
        )
    with new_folder_atomically(root, "tandem new") as aside:
        access.prepare(aside, shows_gold=plan.show_gold_to_annotators)
        write_new(aside / SETTINGS, content)
        _fill(aside, plan, ordered, draw, import_as, given)


def check_records(
    records: Sequence[Record], schema: Schema, import_as: str, annotators: tuple[str, ...]
) -> None:
    """Raise RequestError where the records cannot be a project's, UnknownTypeError."""
    if not records:
        raise RequestError("a project needs one record or more")
    seen: set[str] = set()
    for record in records:
        document = record.document
        if document.record_id in seen:
            raise RequestError(f"two records have the name {document.record_id}; rename one")
        if not all(map(manifest.is_file_name, (document.record_id, document.patient_id))):
            raise RequestError(f"{document.record_id!r} cannot be the name of a record's file")
        _refuse_long("record", document.record_id)
        _refuse_long("patient", document.patient_id)
        seen.add(document.record_id)
    refuse_alike(sorted(seen), "records")
    refuse_alike(sorted({each.document.patient_id for each in records}), "patients")
    if import_as:
        _refuse_unknown(import_as, annotators)
        check_types(records, schema)


def _refuse_long(what: str, name: str) -> None:
    length = len(name.encode("utf-8", "replace"))
    if length > _LONGEST_NAME:
        raise RequestError(
            f"the {what} {name[:_SHOWN]}… has a name of {length} bytes; its files could not be "
            f"saved, so give it one of at most {_LONGEST_NAME}"
        )


def _refuse_unknown(name: str, annotators: tuple[str, ...]) -> None:
    if name not in (*annotators, GOLD):
        names = ", ".join(annotators)
        raise RequestError(f"{name} is neither an annotator nor gold; there are {names}")


def refuse_alike(names: Iterable[str], what: str) -> None:
    known: dict[str, str] = {}
    for name in names:
        other = known.setdefault(same_file_name(name), name)
        if other != name:
            raise RequestError(f"the {what} {other} and {name} would share a file; rename one")


def check_types(records: Iterable[Record], schema: Schema) -> None:
    known = {each.phi_type for each in schema.types()}
    for record in records:
        for tag in record.tags:
            if tag.phi_type not in known:
                where = str(record.source if record.source.path.name else record.document.record_id)
                raise UnknownTypeError(tag.phi_type.category, tag.phi_type.name, schema.name, where)


def _fill(
    aside: Path,
    plan: ProjectSettings,
    records: Sequence[Record],
    draw: AssignmentDraw,
    import_as: str,
    given: ImportedLayers,
) -> None:
    rows = [write_record(aside, record) for record in records]
    patient_ids = list(dict.fromkeys(row.patient_id for row in rows))
    patients: dict[str, list[str]] = {each: [] for each in patient_ids}
    for row in rows:
        patients[row.patient_id].append(row.record_id)
    drawn = assign(patient_ids, plan.annotators, draw)
    assigned = assigned_by_layers(drawn, given, patients, plan.annotators)
    for folder in ("layers", GOLD, "journal"):
        make_folder(aside / folder)
    _import_tags(aside, records, assigned, import_as)
    texts = {each.document.record_id: each.document.text for each in records}
    for name, layers in given.items():
        for layer in layers.values():
            _write_layer(aside, name, texts[layer.record_id], layer)
    write_new(aside / MANIFEST, manifest.to_csv(rows))
    write_new(aside / ASSIGNMENTS, assignments.to_csv(assigned))
    names = (SETTINGS, MANIFEST, ASSIGNMENTS, f"{GOLD}/*.xml", "layers/*/*.xml")
    files = (path for each in names for path in aside.glob(each))
    begin_log(aside, "new", (each.relative_to(aside).as_posix() for each in files))


def write_record(aside: Path, record: Record) -> ManifestRow:
    """Write the text of a record; one that is there already is left. Raises StorageError."""
    document = record.document
    data = text_file.to_bytes(document.text)
    folder = aside / "records" / document.patient_id
    make_folder(folder)
    path = folder / f"{document.record_id}.txt"
    if read_file(path) != data:
        write_new(path, data)
    return ManifestRow(
        document.record_id,
        document.patient_id,
        digest_of(data),
        len(document.text),
        record.source.encoding,
        "; ".join(record.notes),
    )


def _import_tags(
    aside: Path, records: Iterable[Record], assigned: Iterable[Assignment], import_as: str
) -> None:
    theirs = {each.patient_id for each in assigned if each.annotator == import_as}
    for record in records if import_as else ():
        document = record.document
        found = record.layer
        if import_as == GOLD or (document.patient_id in theirs and (found.tags or found.unknown)):
            _write_layer(aside, import_as, document.text, replace(found, annotator=import_as))


def _write_layer(aside: Path, name: str, text: str, layer: Layer) -> None:
    bare = name == GOLD
    folder = aside / GOLD if bare else aside / "layers" / name
    make_folder(folder)
    data = i2b2_xml.format_record(text, layer, bare=bare)
    write_new(folder / f"{layer.record_id}.xml", data)
