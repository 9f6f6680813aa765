"""Work that was handed in, merged into the project by its journals.

A journal only grows, so of two that belong together one begins with the other. What comes in is
taken where it goes on from what is here; it changes nothing where it is the same; where it is
older, or both went on apart, nothing of that patient is touched and it is said.
"""

from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from shared.errors import FileFormatError, RequestError
from shared.formats import i2b2_xml
from shared.formats.xml_characters import xml_copy
from shared.project.chain import Head
from shared.project.files import digest_of, read_file, remove_half_written, write_atomic
from shared.project.handed_work import (
    Files,
    HandedWork,
    register,
    registered,
    unpack_handed_in,
    work_paths,
)
from shared.project.journal import parse_journal, read_head, read_journal, write_head
from shared.project.project import Project
from shared.project.project_log import heads_of, log_path, note_event
from shared.project.settings import GOLD


class Arrival(StrEnum):
    """What became of a patient that came in."""

    NEW = "new"
    SAME = "nothing new"
    OLDER = "older than what is here, left as it is"
    APART = "worked on here as well, left as it is"


@dataclass(frozen=True, slots=True)
class CollectedPatient:
    """A patient of a file, what became of it, and how many lines of journal came."""

    patient_id: str
    arrival: Arrival
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Collected:
    """What a file held."""

    annotator: str
    patients: tuple[CollectedPatient, ...]

    def count(self, *arrivals: Arrival) -> int:
        return sum(each.arrival in arrivals for each in self.patients)


def collect(project: Project, content: bytes, path: Path, passphrase: str) -> Collected:
    """Merge a file into the project; a second time, or after a kill, it comes to the same.

    Raises RequestError where the file is of another project or older than what is here throughout,
    FileFormatError where it is damaged, LockedError, StorageError; nothing is changed then.
    """
    work, files = unpack_handed_in(content, path, passphrase)
    _refuse_foreign(project, work, path)
    with ExitStack() as locks:
        for each in work.patients:
            locks.enter_context(project.lock_patient(work.annotator, each, "tandem collect"))
        _refuse_broken(project, work, files, path)
        seen = _layers_seen(project, work)
        found = Collected(
            work.annotator,
            tuple(_arrival(project, work, files, each, seen) for each in work.patients),
        )
        if found.count(Arrival.OLDER) and not found.count(Arrival.NEW):
            raise RequestError(
                f"{path} is older than the work of {work.annotator} that is here; nothing was "
                "changed"
            )
        is_noted = _is_noted(project, digest_of(content))
        taken = {Arrival.NEW} if is_noted else {Arrival.NEW, Arrival.SAME}  # by one that was killed
        patients = [each.patient_id for each in found.patients if each.arrival in taken]
        for each in patients:
            _take(project, work, files, each)
        if patients:
            register(project, "in", work, files)
            _note(project, work, content, path, patients)
    return found


def _is_noted(project: Project, digest: str) -> bool:
    """Whether the log says that a file was collected."""
    lines = read_journal(log_path(project.root, GOLD))
    return any(each.get("op") == "collect" and each.get("digest") == digest for each in lines)


def _note(
    project: Project, work: HandedWork, content: bytes, path: Path, patients: list[str]
) -> None:
    journals = [
        one
        for each in patients
        for one in work_paths(project, work.annotator, each)
        if one.suffix != ".xml"
    ]
    note_event(
        project.root, GOLD, "collect", annotator=work.annotator, patients=patients, file=str(path),
        digest=digest_of(content), heads=heads_of(project.root, journals),
    )  # fmt: skip


def _refuse_foreign(project: Project, work: HandedWork, path: Path) -> None:
    out = [each for each in registered(project, work.id) if each.get("op") == "out"]
    if not out:
        raise RequestError(f"{path} is of another project, or of a copy; nothing was changed")
    rows = project.record_digests()
    strange = [each for each, digest in work.records.items() if rows.get(each) != digest]
    listed = out[0].get("annotator"), tuple(out[0].get("patients", ()))
    if strange or listed != (work.annotator, work.patients):
        raise RequestError(
            f"{path} is about other records than were handed out; nothing was changed"
        )


def _layers_seen(project: Project, work: HandedWork) -> set[tuple[str, str]]:
    """The layers that went out or came in, by record and digest."""
    return {
        (str(record_id), str(digest))
        for line in registered(project, work.id)
        for record_id, digest in line.get("layers", {}).items()
    }


def _refuse_broken(project: Project, work: HandedWork, files: Files, path: Path) -> None:
    """Raise FileFormatError where something that came in could not be read again."""
    known: set[str] = set()
    for patient_id in work.patients:
        documents = {each.record_id: each for each in project.patient(patient_id).documents}
        for each in work_paths(project, work.annotator, patient_id):
            name = _name(project, each)
            known.add(name)
            if name not in files:
                continue
            if each.suffix == ".xml":
                text = documents[each.stem].text
                if i2b2_xml.parse_record(files[name], path).text not in (text, xml_copy(text)):
                    raise FileFormatError(path, f"has tags of another text for record {each.stem}")
            else:
                parse_journal(files[name], path)
    if not known.issuperset(files):
        raise FileFormatError(path, "holds files that belong to no work; ask for it again")


def _arrival(
    project: Project, work: HandedWork, files: Files, patient_id: str, seen: set[tuple[str, str]]
) -> CollectedPatient:
    arrivals: set[Arrival] = set()
    lines = 0
    paths = list(work_paths(project, work.annotator, patient_id))
    for path in (each for each in paths if each.suffix != ".xml"):
        here, there = read_file(path) or b"", files.get(_name(project, path), b"")
        arrivals.add(_compared(here, there))
        if path == project.journal_path(work.annotator, patient_id):
            lines = max(0, there.count(b"\n") - here.count(b"\n"))
    if Arrival.OLDER not in arrivals:  # else what is here goes on, and its layers with it
        for path in (each for each in paths if each.suffix == ".xml"):
            here, there = read_file(path), files.get(_name(project, path))
            if here is None and there is not None:
                arrivals.add(Arrival.NEW)
            elif here not in (None, there) and (path.stem, digest_of(here or b"")) not in seen:
                arrivals.add(Arrival.APART)
    arrivals.discard(Arrival.SAME)
    if not arrivals:
        return CollectedPatient(patient_id, Arrival.SAME)
    return CollectedPatient(
        patient_id, arrivals.pop() if len(arrivals) == 1 else Arrival.APART, lines
    )


def _compared(here: bytes, there: bytes) -> Arrival:
    """How a journal that comes in stands to the one that is here; a torn last line is none."""
    here, there = (each[: each.rfind(b"\n") + 1] for each in (here, there))
    if here == there:
        return Arrival.SAME
    if there.startswith(here):
        return Arrival.NEW
    return Arrival.OLDER if here.startswith(there) else Arrival.APART


def _take(project: Project, work: HandedWork, files: Files, patient_id: str) -> None:
    """Write layers and notes, and the journal last: until it is there, the work is not taken.

    Nobody else writes them now, as the patient is locked.
    """
    journal = project.journal_path(work.annotator, patient_id)
    paths = [*work_paths(project, work.annotator, patient_id)]
    for each in sorted(paths, key=lambda path: path == journal):
        data = files.get(_name(project, each))
        if data is None:
            continue
        remove_half_written(each)
        if data != read_file(each):
            write_atomic(each, data)
        if each.suffix != ".xml" and read_head(each) != Head.of(data):
            write_head(each, Head.of(data))


def _name(project: Project, path: Path) -> str:
    return path.relative_to(project.root).as_posix()
