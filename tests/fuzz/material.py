"""Healthy files of every kind that Tandem reads, made of fabricated patients at run time."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from unittest.mock import patch

import tomlkit

from adjudicator.audit_book import AuditBook, adjudicated_records
from adjudicator.release.held_back import HeldBack, keep_held_back
from shared import encryption
from shared.commands import demo_pipeline as pipeline
from shared.consistency.dismissals import dismissals_path
from shared.formats.base import Record, RecordSource, WriteOptions
from shared.formats.brat_conf import format_conf
from shared.formats.mae import format_dtd
from shared.formats.registry import FORMATS
from shared.formats.schema_toml import schema_to_table
from shared.language.known_languages import SHIPPED
from shared.model import Layer, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.handed_work import IN, OUT, hand_in, hand_out, open_handed_out
from shared.project.imported_suggestions import ImportedSuggestion, write_imported
from shared.project.journal import Journal
from shared.project.notes import NoteBook, NoteKind, NotePlace
from shared.project.project import Project
from shared.project.settings import GOLD, Policy, SuggestionPolicy
from shared.recognition.model_folder import new_model_folder, write_card
from shared.recognition.recognizer import Example
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS
from shared.surrogates.key_map import FORMAT as MAP
from shared.synthetic import FabricatedPatient, fabricate
from tests.builders import phi
from tests.networks import add_network

MARKER = "Quorzelbyx"
"""A name that stands in every record, and in no message."""
PASSPHRASE = "a passphrase of a fuzzer"  # noqa: S105  it guards fabricated files
PATTERNS = """
[[pattern]]
type = "ID:MEDICALRECORD"
find = '\\bMRN:? (\\d{6,8})\\b'
confidence = 0.9
"""

Files = dict[str, bytes]
"""The content of files by their names below a folder."""


@dataclass(frozen=True)
class Material:
    """Healthy files, by what they are; each kind has several sets that belong together."""

    sets: dict[str, list[Files]]


def make_material(folder: Path, seed: int) -> Material:
    """Make the files below `folder`, which is empty."""
    patients = [_marked(each) for each in fabricate(3, seed)]
    project = _project(patients, folder, seed)
    sets = {
        "model": [*_model(patients, folder)],
        "handed out": [*_handed(project, folder)],
        "project": [files_of(project.root)],
        "schema": [*_schemas()],
        "patterns": [{"patterns.toml": PATTERNS.encode()}],
        "kinds": [{"kinds.toml": b'[surrogates]\nDOCTOR = "person"\nCITY = "keep"\n'}],
        "language": [_language(each) for each in ("und", "en", "es")],
        "map": [{"map": packed(json.dumps(_map_rows(project)).encode(), MAP)}],
        "places": [{"places.csv": b"record,start,end\n" + _place_lines(project)}],
        "quotes": [{"quotes.jsonl": _quotes(project)}],
        "choices": [{"choices.json": _choices(project)}],
        "review": [{"review.csv": _review(project)}],
        "card": [{"data_card.json": b'{"language": "en", "keep_weekdays": true, "unmarked": []}'}],
        "statements": [
            {
                "card.json": b'{"residual_risk": {"missed": {"title": "x", "told": true, '
                b'"asked_on": "", "says": ["y"], "limits": [], "figures": {"n": 1}}}}'
            }
        ],
        "lock": [{"lock": b'{"who":"ana","host":"h","pid":1,"started":"1","since":"2026"}'}],
        "preferences": [{"preferences.json": b'{"font_size": 12, "keys": {"save": ["F2"]}}'}],
    }
    sets |= {f"format {name}": [*_written(name, patients)] for name in FORMATS}
    return Material(sets)


def files_of(folder: Path) -> Files:
    """All files below a folder."""
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def write_files(files: Files, folder: Path) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def packed(data: bytes, form: str) -> bytes:
    """Data under the passphrase, at next to no cost: thousands are opened."""
    with patch.dict(encryption._COST, n=2, r=1):
        return encryption.encrypted(data, form, PASSPHRASE)


def unpacked(content: bytes, form: str) -> bytes:
    return encryption.decrypted(content, form, PASSPHRASE, Path("x"), "x")


def _marked(each: FabricatedPatient) -> FabricatedPatient:
    """The patient with a name that nobody else has at the end of every record."""
    documents: list[object] = []
    gold: dict[str, Layer] = {}
    for document in each.patient.documents:
        text = f"{document.text}\nSeen by {MARKER}."
        documents.append(replace(document, text=text))
        at = text.index(MARKER)
        layer = each.gold[document.record_id]
        tag = Tag(Span(at, at + len(MARKER)), phi("DOCTOR"), "Q1")
        gold[document.record_id] = Layer.of(document.record_id, "", (*layer.tags, tag))
    return replace(each, patient=replace(each.patient, documents=tuple(documents)), gold=gold)


def _project(patients: list[FabricatedPatient], folder: Path, seed: int) -> Project:
    pipeline.write_records(patients, folder / "records", folder / "truth")
    project = pipeline.make_project(folder / "records", folder / "project", seed)
    pipeline.annotate_all(project, patients[:-1], seed)
    pipeline.adjudicate_all(project, patients[:-1])
    first = project.patient_ids[0]
    record_id = project.record_ids(first)[0]
    notes = NoteBook(project, "ana")
    notes.write(first, NoteKind.QUESTION, NotePlace(record_id, Span(0, 4)), MARKER)
    archive = adjudicated_records(project)
    AuditBook(project).draw(archive, 2, "carol", "hidden", seed)
    write_imported(
        project,
        "gpt",
        {record_id: [ImportedSuggestion(Span(0, 4), PhiType("NAME", "DOCTOR"), 0.9)]},
    )
    keep_held_back(project.root, [HeldBack.now((first, ""), "x")])
    with Journal(dismissals_path(project.root, GOLD)) as journal:
        digest = sha256(b"x").hexdigest()
        journal.append({"kind": "casing", "record": record_id, "start": 0, "end": 4,
                        "layer": GOLD, "by": "carol", "at": "2026", "reason": "", "text": digest,
                        "digest": digest})  # fmt: skip
    project.set_suggestions(SuggestionPolicy({"ana": Policy.RULES}))
    return project


def _model(patients: list[FabricatedPatient], folder: Path) -> Iterator[Files]:
    examples = [
        Example(document, each.gold[document.record_id].tags)
        for each in patients
        for document in each.patient.documents
    ]
    settings = replace(SETTINGS["token"], folds=2)
    crfs = tuple(replace(each, iterations=5) for each in settings.crfs)
    with new_model_folder(folder / "model") as target:
        card = train(examples[:4], replace(settings, crfs=crfs), target)
    yield files_of(folder / "model")
    write_card(folder / "model", replace(card, has_confidence_model=False))  # it is of one CRF
    add_network(folder / "model")
    yield files_of(folder / "model")


def _handed(project: Project, folder: Path) -> Iterator[Files]:
    out = unpacked(hand_out(project, "ana", [], PASSPHRASE), OUT)
    yield {"out": packed(out, OUT)}
    opened = open_handed_out(packed(out, OUT), Path("out"), PASSPHRASE, folder / "opened")
    yield {"in": packed(unpacked(hand_in(opened, PASSPHRASE), IN), IN)}


def _schemas() -> Iterator[Files]:
    yield {"schema.toml": tomlkit.dumps(schema_to_table(I2B2_2014)).encode()}
    yield {"schema.dtd": format_dtd(I2B2_2014, "Task")}
    yield {
        "annotation.conf": format_conf(
            {each.phi_type: each.phi_type.name for each in I2B2_2014.types()}, {}
        ).encode()
    }


def _language(code: str) -> Files:
    return {each.name: each.read_bytes() for each in (SHIPPED / code).iterdir() if each.is_file()}


def _written(name: str, patients: list[FabricatedPatient]) -> Iterator[Files]:
    """Three records in the format, each a set of its own where each has a file of its own."""
    form = FORMATS[name]
    records = [
        Record(each, (patient.gold[each.record_id],), RecordSource(Path(f"{each.record_id}.x")))
        for patient in patients[:2]
        for each in patient.patient.documents[:2]
    ]
    for some in (records[:1], records[1:3]):
        yield {each.name: each.data for each in form.write(some, WriteOptions())}


def _map_rows(project: Project) -> list[dict[str, object]]:
    return [
        {"patient": each, "record": record, "released_as": record, "start": 0, "end": 4,
         "type": "NAME:DOCTOR", "original": MARKER, "surrogate": "Xyz.", "source": ""}
        for each in project.patient_ids for record in project.record_ids(each)
    ]  # fmt: skip


def _place_lines(project: Project) -> bytes:
    records = (record for each in project.patient_ids for record in project.record_ids(each))
    return b"".join(f"{each},0,4\n".encode() for each in records)


def _quotes(project: Project) -> bytes:
    lines = [
        {"record": record, "quotes": [{"text": MARKER, "type": "DOCTOR", "before": "Seen by",
                                       "after": ".", "score": 0.9, "start": 3}]}
        for each in project.patient_ids for record in project.record_ids(each)
    ]  # fmt: skip
    return "".join(f"{json.dumps(each)}\n" for each in lines).encode()


def _choices(project: Project) -> bytes:
    record = project.record_ids(project.patient_ids[0])[0]
    return json.dumps([{"record": record, "start": 0, "end": 4, "surrogate": MARKER,
                        "alike": True, "approved": True, "draft": "x"}]).encode()  # fmt: skip


def _review(project: Project) -> bytes:
    record = project.record_ids(project.patient_ids[0])[0]
    head = "original,surrogate,edit,all alike,patient,record,start,end\n"
    return f"{head}{MARKER},Lee,Lea,x,1,{record},0,4\n".encode()
