"""Work that leaves the project and comes back: one encrypted file out, one in.

`handed_out.jsonl` of the project has a line for all that went out and came back:

{"op": "out", "id": "6f…", "at": …, "annotator": "ana", "patients": ["110"], "layers": {…}}
{"op": "in", "id": "6f…", "at": …, "annotator": "ana", "patients": ["110"], "layers": {…}}

`layers` are the digests of the annotator's files then, by record. What went out is a project with
one annotator, of these patients only, and `handed_out.json`, by which it knows where it belongs.
"""

import io
import json
import secrets
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from shared.encryption import check_passphrase, decrypted, encrypted
from shared.errors import FileError, FileFormatError, RequestError
from shared.outside import MALFORMED, parse_json_object
from shared.project import assignments, creation, manifest, settings
from shared.project.assignments import Assignment, State
from shared.project.chain import Head, has_hash
from shared.project.files import (
    digest_of,
    is_there,
    make_folder,
    read_file,
    write_new,
    write_output,
)
from shared.project.folders import new_folder_atomically
from shared.project.journal import append_to_journal, read_journal, write_head
from shared.project.manifest import ManifestRow
from shared.project.project import Project
from shared.project.project_guidelines import FOLDER as GUIDELINES
from shared.project.project_guidelines import read_guidelines
from shared.project.project_log import begin_log, note_event
from shared.project.settings import ProjectSettings, SuggestionPolicy
from shared.project.training_rounds import unfinished_round

OUT, IN = "tandem work handed out 1", "tandem work handed in 1"
MARKER, REGISTER = "handed_out.json", "handed_out.jsonl"
_ABOUT = "work.json"
_OF_FILE = "the file"
LARGEST_HANDED = 2**29
"""Bytes of a file of handed work, and of what it unpacks to."""

Files = Mapping[str, bytes]
"""The content of files by their names below the project, with `/`."""


@dataclass(frozen=True, slots=True)
class HandedWork:
    """Which work it is: an id, of whom, which patients, and their records with digests."""

    id: str
    annotator: str
    patients: tuple[str, ...]
    records: Mapping[str, str]

    @classmethod
    def from_json(cls, data: bytes, path: Path) -> "HandedWork":
        """Raises FileFormatError."""
        try:
            table = parse_json_object(data)
            return cls(
                str(table["id"]),
                str(table["annotator"]),
                tuple(map(str, table["patients"])),
                {str(name): str(digest) for name, digest in table["records"].items()},
            )
        except MALFORMED:
            raise FileFormatError(path, "does not say whose work it is; restore it") from None

    def to_json(self) -> bytes:
        return json.dumps(asdict(self), indent=1).encode()


def hand_out(
    project: Project,
    annotator: str,
    patient_ids: Collection[str],
    passphrase: str,
    more: Files | None = None,
) -> bytes:
    """Return a file with an annotator's patients, or those named, and nothing of anyone else.

    Guidelines and what the annotator has done so far go with it, and `more` files, such as a model.
    Raises RequestError, LockedError where a patient is open, FileError.
    """
    check_passphrase(passphrase, _OF_FILE)
    if is_handed_out(project):
        raise RequestError(f"{project.root} was handed out itself; hand out from the first project")
    mine = list(project.assigned_to(annotator))
    project.notes_folder(annotator)  # says so where there is no such annotator
    journal_of = partial(project.journal_path, annotator)
    if unfinished_round(project.plan.training_of(annotator), journal_of) is not None:
        raise RequestError(f"{annotator} is in a training round, which takes the first project")
    chosen = _chosen(mine, patient_ids, annotator)
    rows = _rows(project, chosen)
    work = HandedWork(
        secrets.token_hex(16),
        annotator,
        tuple(each.patient_id for each in chosen),
        {each.record_id: each.sha256 for each in rows},
    )
    own = work_files(project, annotator, work.patients)
    data = _packed(
        {
            MARKER: work.to_json(),
            creation.SETTINGS: settings.to_toml(_settings_for(project, annotator, work.patients)),
            creation.MANIFEST: manifest.to_csv(rows),
            creation.ASSIGNMENTS: assignments.to_csv(chosen),
            **dict(_record_files(project, rows)),
            **dict(_guideline_files(project)),
            **(more or {}),
            **own,
        }
    )
    register(project, "out", work, own)
    return encrypted(data, OUT, passphrase)


def open_handed_out(content: bytes, path: Path, passphrase: str, folder: Path) -> Project:
    """Make a project of a file that was handed out, in a new or empty folder.

    Raises FileFormatError where it is none, RequestError for a wrong passphrase, StorageError.
    """
    what = "work that was handed out"
    files = _unpacked(decrypted(content, OUT, passphrase, path, what), path)
    HandedWork.from_json(files.get(MARKER, b""), path)
    with new_folder_atomically(folder, "tandem") as aside:
        for name, data in files.items():
            target = aside / name
            make_folder(target.parent)
            write_new(target, data)
            if target.suffix == ".jsonl" and has_hash(data):
                write_head(target, Head.of(data))
        begin_log(aside, "opened", (name for name in files if not name.endswith(".jsonl")))
    return Project.open(folder)


def is_handed_out(project: Project) -> bool:
    """Say whether a project was made of a file that was handed out."""
    return is_there(project.root / MARKER)


def hand_in(project: Project, passphrase: str) -> bytes:
    """Return a file with the work done in a project that was handed out.

    Raises RequestError where the project was not, LockedError where a patient is open, FileError.
    """
    check_passphrase(passphrase, _OF_FILE)
    data = read_file(project.root / MARKER)
    if data is None:
        raise RequestError(f"{project.root} was not handed out; its work is where it belongs")
    work = HandedWork.from_json(data, project.root / MARKER)
    own = work_files(project, work.annotator, work.patients)
    return encrypted(_packed({_ABOUT: work.to_json(), **own}), IN, passphrase)


def write_handed_in(project: Project, path: Path, passphrase: str) -> tuple[int, int]:
    """Write the work into a new file for its owner alone; return how many patients are done of all.

    Raises FileError where there is one already, and as `hand_in` does.
    """
    refuse_present(path)
    content = hand_in(project, passphrase)
    note_event(  # first, so that no file goes out of which the log knows nothing
        project.root, project.annotators[0], "hand in", file=str(path), digest=digest_of(content)
    )
    write_output(path, content, expected_digest=None)
    states = [each.state for each in project.all_assignments()]
    return states.count(State.DONE), len(states)


def refuse_present(path: Path) -> None:
    """Raise FileError where there is something at `path` already."""
    if is_there(path):
        raise FileError(path, "already exists; give a new file")


def unpack_handed_in(content: bytes, path: Path, passphrase: str) -> tuple[HandedWork, Files]:
    """Return whose work a file holds, and its files. Raises FileFormatError, RequestError."""
    what = "work that was handed in"
    files = dict(_unpacked(decrypted(content, IN, passphrase, path, what), path))
    return HandedWork.from_json(files.pop(_ABOUT, b""), path), files


def work_files(project: Project, annotator: str, patient_ids: Iterable[str]) -> dict[str, bytes]:
    """What an annotator has made of patients: layers, journals and notes, nobody having them open.

    Raises LockedError, FileError.
    """
    found: dict[str, bytes] = {}
    with ExitStack() as locks:
        for each in patient_ids:
            locks.enter_context(project.lock_patient(annotator, each, "tandem hand-out"))
            for path in work_paths(project, annotator, each):
                data = read_file(path)
                if data is not None:
                    found[path.relative_to(project.root).as_posix()] = data
    return found


def work_paths(project: Project, annotator: str, patient_id: str) -> Iterator[Path]:
    """Yield where an annotator's layers, journal and notes of a patient lie, there or not."""
    for record_id in project.record_ids(patient_id):
        yield project.layer_path(annotator, record_id)
    yield project.journal_path(annotator, patient_id)
    yield project.notes_path(annotator, patient_id)


def register(project: Project, operation: str, work: HandedWork, files: Files) -> None:
    """Note in the project what went out or came in. Raises StorageError."""
    layers = {
        PurePosixPath(name).stem: digest_of(data)
        for name, data in files.items()
        if name.startswith("layers/")
    }
    entry = {
        "op": operation,
        "id": work.id,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "annotator": work.annotator,
        "patients": list(work.patients),
        "layers": layers,
    }
    append_to_journal(project.root / REGISTER, [entry], "tandem hand-out")


def registered(project: Project, work_id: str) -> list[dict[str, Any]]:
    """The lines of the project about a work, oldest first. Raises FileError."""
    return [each for each in read_journal(project.root / REGISTER) if each.get("id") == work_id]


def _chosen(
    mine: Sequence[Assignment], patient_ids: Collection[str], annotator: str
) -> list[Assignment]:
    theirs = {each.patient_id for each in mine}
    for each in patient_ids:
        if each not in theirs:
            raise RequestError(f"patient {each} is not assigned to {annotator}")
    chosen = [each for each in mine if not patient_ids or each.patient_id in patient_ids]
    if not chosen:
        raise RequestError(f"{annotator} has no patient; there is nothing to hand out")
    return chosen


def _rows(project: Project, chosen: Iterable[Assignment]) -> list[ManifestRow]:
    path = project.root / creation.MANIFEST
    patients = {each.patient_id for each in chosen}
    rows = manifest.from_csv(read_file(path) or b"", path)
    return [each for each in rows if each.patient_id in patients]


def _settings_for(project: Project, annotator: str, patients: Collection[str]) -> ProjectSettings:
    policy = project.suggestions
    own = {(name, each): said for (name, each), said in policy.by_patient.items()
           if name == annotator and each in patients}  # fmt: skip
    return ProjectSettings(
        project.title,
        project.schema,
        (annotator,),
        SuggestionPolicy({annotator: policy.of(annotator)}, own, policy.learn_from),
        project.language,
    )


def _record_files(project: Project, rows: Iterable[ManifestRow]) -> Iterator[tuple[str, bytes]]:
    for row in rows:
        name = f"records/{row.patient_id}/{row.record_id}.txt"
        data = read_file(project.root / name)
        if data is None or digest_of(data) != row.sha256:
            raise FileFormatError(
                project.root / name, "is not the text that was imported; restore it"
            )
        yield name, data


def _guideline_files(project: Project) -> Iterator[tuple[str, bytes]]:
    for each in read_guidelines(project.root).guidelines:
        yield f"{GUIDELINES}/{each.name}", each.markdown.encode()


def _packed(files: Files) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _unpacked(data: bytes, path: Path) -> Files:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            if sum(each.file_size for each in entries) > LARGEST_HANDED:
                raise FileFormatError(path, "holds more than Tandem would unpack")
            for each in entries:
                parts = PurePosixPath(each.filename).parts
                if not parts or not all(map(manifest.is_file_name, parts)) or "\\" in each.filename:
                    raise FileFormatError(path, "holds a file that would lie outside its folder")
            return {each.filename: archive.read(each) for each in entries}
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, *MALFORMED):
        raise FileFormatError(path, "is damaged; ask for it again") from None
