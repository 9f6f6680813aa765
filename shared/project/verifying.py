"""A project held against itself: journals, logs, layers, gold standard, records, settings.

What it can tell rests on hashes without a secret: who may write every file of a project and works
out every hash anew is found only by a head that was noted elsewhere.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from shared.errors import FileError, RequestError, TandemError
from shared.formats import i2b2_xml
from shared.model import Document, Layer, MergedView, Patient
from shared.outside import MALFORMED
from shared.project.chain import Head
from shared.project.creation import ASSIGNMENTS, MANIFEST, SETTINGS
from shared.project.files import digest_of, read_file
from shared.project.known_answers import BOOK
from shared.project.layer_history import (
    LayerHistory,
    Standing,
    noted_digests,
    saved_records,
    standing,
)
from shared.project.project import Project
from shared.project.project_log import PROJECT_LOG
from shared.project.settings import GOLD
from shared.project.stored_layers import ASIDE
from shared.project.verified_journals import (
    Discrepancy,
    VerifiedJournal,
    name_in,
    seal_of,
    table_in,
    verified_journals,
)


@dataclass(frozen=True, slots=True)
class NotedFile:
    """What the log says of a file: which digests it may have, None for none, since when."""

    digests: tuple[str | None, ...]
    at: str


@dataclass(frozen=True, slots=True)
class RebuildableLayer:
    """A layer's file that is not what its journal says, and what it would be."""

    owner: str
    patient_id: str
    document: Document
    layer: Layer
    path: Path
    journal: Path


@dataclass(slots=True)
class Verification:
    """What was found, and how much was looked at; nothing vouches for the files `not_covered`."""

    root: Path
    discrepancies: list[Discrepancy] = field(default_factory=list[Discrepancy])
    remarks: list[Discrepancy] = field(default_factory=list[Discrepancy])
    journals: list[VerifiedJournal] = field(default_factory=list[VerifiedJournal])
    layers: int = 0
    records: int = 0
    files: int = 0
    not_covered: list[str] = field(default_factory=list[str])
    noted_files: dict[str, NotedFile] = field(default_factory=dict[str, NotedFile])
    rebuildable: list[RebuildableLayer] = field(default_factory=list[RebuildableLayer])

    @property
    def lines(self) -> int:
        return sum(each.lines for each in self.journals)

    @property
    def before_chain(self) -> int:
        return sum(each.before_chain for each in self.journals)

    @property
    def log(self) -> bytes:
        """The content of the project's own log."""
        return next((each.data for each in self.journals if each.name == PROJECT_LOG), b"")

    def add(self, name: str, what: str, since: str = "", *, can_be_rebuilt: bool = False) -> None:
        self.discrepancies.append(Discrepancy(name, what, since, can_be_rebuilt))

    def content(self, name: str) -> bytes | None:
        """What a file holds, None where there is none, or something that is no file."""
        try:
            return read_file(self.root / name)
        except FileError as error:
            self.add(name, error.problem)
            return None


def verify(root: Path, head: str | None = None) -> Verification:
    """Hold a project against itself, and against a `head` of its log that was noted elsewhere.

    Raises StorageError where a file cannot be read for want of rights, RequestError where `head`
    is none.
    """
    found = Verification(root)
    found.journals, log = verified_journals(root)
    seal = seal_of(log)
    for journal in found.journals:
        found.discrepancies += journal.discrepancies
        found.remarks += journal.remarks
    if head is not None:
        _check_head(found, head)
    files = found.noted_files = _noted_files(log)
    at = str(seal.get("at", ""))
    for name, digest in table_in(seal, "files").items():
        if name not in files or files[name].at <= at:
            files[name] = NotedFile((digest,), at)
    _check_project(found, files)
    return found


def fingerprint(log: bytes) -> str:
    """A short head of a project's log, to be written down elsewhere: 16 digits in fours."""
    digits = Head.of(log).hash[:16]
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


def _noted_files(log: list[dict[str, Any]]) -> dict[str, NotedFile]:
    noted: dict[str, NotedFile] = {}
    for line in log:
        is_sealed, is_begun = (line.get("op") == each for each in ("sealed", "writing"))
        for name, digest in () if is_sealed else table_in(line, "files").items():
            before = noted[name].digests[-1:] if name in noted else (None,)
            may_be = (*before, digest) if is_begun else (digest,)
            noted[name] = NotedFile(may_be, str(line.get("at", "")))
    return noted


def _check_head(found: Verification, head: str) -> None:
    wanted = head.replace("-", "").strip().casefold()
    if len(wanted) < 8 or not set(wanted) <= set("0123456789abcdef"):
        raise RequestError(f"{head!r} is no head of a log; give it as tandem verify printed it")
    ends = [at + 1 for at, byte in enumerate(found.log) if byte == 10]
    if not any(Head.of(found.log[:end]).hash.startswith(wanted) for end in reversed(ends)):
        found.add(PROJECT_LOG, f"has no line with the head {head}: it is another history")


def _check_project(found: Verification, files: Mapping[str, NotedFile]) -> None:
    root = found.root
    for name in (SETTINGS, MANIFEST, ASSIGNMENTS):
        if name not in files:
            found.not_covered.append(name)
    try:
        project = Project.open(root)
        project.assignments()
    except TandemError as error:
        where = error.path if isinstance(error, FileError) else root / SETTINGS
        problem = error.problem if isinstance(error, FileError) else str(error)
        is_inside = where.is_relative_to(root) and where != root
        found.add(name_in(root, where) if is_inside else SETTINGS, problem)
        _check_files(found, files, frozenset())
        return
    patients = dict(_patients(found, project))
    _check_assignments(found, project)
    told = _check_layers(found, project, patients)
    _check_files(found, files, told)
    unread = [each for each in project.patient_ids if each not in patients]
    unchecked = {record_id for each in unread for record_id in project.record_ids(each)}
    _check_strangers(found, files, told, unchecked)


def _patients(found: Verification, project: Project) -> Iterator[tuple[str, Patient]]:
    """Yield the patients whose records are those of the manifest, and tell of the others."""
    root, listed = found.root, set[str]()
    for patient_id in project.patient_ids:
        documents: list[Document] = []
        for record_id in project.record_ids(patient_id):
            name = f"records/{patient_id}/{record_id}.txt"
            listed.add(name)
            try:
                documents.append(project.document(patient_id, record_id))
                found.records += 1
            except FileError as error:
                found.add(name, error.problem)
        if len(documents) == len(project.record_ids(patient_id)):
            yield patient_id, Patient(patient_id, tuple(documents))
    for path in sorted((root / "records").glob("*/*")):
        if name_in(root, path) not in listed:
            found.add(name_in(root, path), "is in no manifest: it came otherwise")


def _check_assignments(found: Verification, project: Project) -> None:
    for each in project.all_assignments():
        if each.annotator not in project.annotators or each.patient_id not in project.patient_ids:
            found.add(ASSIGNMENTS, "names an annotator or patient that the project has not")
            break
    pairs = ((BOOK, project.known_answers.pairs()), (SETTINGS, project.plan.training_pairs))
    for name, some in pairs:
        if any(who not in project.annotators or each not in project.patient_ids
               for each, who in some):  # fmt: skip
            found.add(name, "names an annotator or patient that the project has not")


def _check_layers(
    found: Verification, project: Project, patients: Mapping[str, Patient]
) -> frozenset[str]:
    """Hold layers against their journals; returns the names of those that these note."""
    by_record = {one.record_id: one for each in patients.values() for one in each.documents}
    told: set[str] = set()
    for journal in found.journals:
        parts = PurePosixPath(journal.name).parts
        if len(parts) < 3 or parts[-3] != "journal":
            continue
        owner, key = parts[-2], parts[-1].removesuffix(".jsonl")
        above = found.root.joinpath(*parts[:-3])
        if above == found.root:
            patient = patients.get(key)
            folder = above / GOLD if owner == GOLD else above / "layers" / owner
        else:  # of an audit, where each record stands alone
            document = by_record.get(key)
            patient = document and Patient(document.patient_id, (document,))
            folder = above / "layers" / owner
        if patient is None:
            is_known = key in project.patient_ids
            if is_known or above != found.root:
                what = "tells of layers that cannot be checked while a record differs"
                found.add(journal.name, what)
            else:
                found.add(journal.name, "is of no patient of the project")
            continue
        told |= _LayersOfJournal(found, journal, owner, key, patient, folder).check()
    return frozenset(told)


class _LayersOfJournal:
    """The layers of a patient beside the journal of who made them."""

    def __init__(
        self,
        found: Verification,
        journal: VerifiedJournal,
        owner: str,
        key: str,
        patient: Patient,
        folder: Path,
    ) -> None:
        self._found = found
        self._journal = journal
        self._owner = owner
        self._key = key
        self._patient = patient
        self._folder = folder
        self._view = MergedView(patient)
        self.history = cache(lambda: LayerHistory(self._view, journal.entries))

    def check(self) -> set[str]:
        """Add what differs; returns the names of the files of which the journal tells."""
        try:
            noted = noted_digests(self._journal.entries)
            saved = saved_records(self._journal.entries)
            for document in self._patient.documents:
                self._check(document, noted, saved)
        except MALFORMED:
            self._found.add(self._journal.name, "holds an entry that Tandem cannot read")
            return set()
        root = self._found.root
        return {name_in(root, self._folder / f"{each}.xml") for each in {*noted, *saved}}

    def _check(self, document: Document, noted: Mapping[str, str | None], saved: set[str]) -> None:
        path = self._folder / f"{document.record_id}.xml"
        name = name_in(self._found.root, path)
        data = self._found.content(name)
        digest = None if data is None else digest_of(data)
        self._found.layers += data is not None
        found, is_readable = Layer.of(document.record_id, self._owner, ()), True
        if data is not None and noted.get(document.record_id) != digest:
            try:
                record = i2b2_xml.parse_record(data, path)
                found = Layer.of(document.record_id, self._owner, record.tags, record.unknown)
            except TandemError:
                is_readable = False
        how = standing(document, found, digest, noted, lambda: saved, self.history)
        if how in (Standing.AS_NOTED, Standing.NOT_NOTED) and is_readable:
            return
        can = self.history().holds(document.record_id) and not self._journal.discrepancies
        what = "is missing" if data is None else "is not what its journal says"
        self._found.add(name, what, self._noted_at(document.record_id), can_be_rebuilt=can)
        if can:
            layer = self.history().layer(document.record_id, self._owner, found.unknown)
            self._found.rebuildable.append(
                RebuildableLayer(self._owner, self._key, document, layer, path, self._journal.path)
            )

    def _noted_at(self, record_id: str) -> str:
        """When the journal last said what the file is."""
        for line in reversed(self._journal.entries):
            if record_id in noted_digests([line]):
                return str(line.get("at", ""))
        return ""


def _check_files(found: Verification, files: Mapping[str, NotedFile], told: frozenset[str]) -> None:
    """Hold the files that are written over against the log; journals tell of layers themselves."""
    for name, noted in sorted(files.items()):
        if name in told:
            continue
        found.files += 1
        data = found.content(name)
        digest = None if data is None else digest_of(data)
        if digest not in noted.digests:
            what = "is missing" if data is None else "is not what the log says"
            found.add(name, what, noted.at)


def _check_strangers(
    found: Verification, files: Mapping[str, NotedFile], told: frozenset[str], unchecked: set[str]
) -> None:
    """Tell of layers that no journal and no log knows, where the log knows all from the start.

    Nothing is said of those of `unchecked` records, whose journals could not be gone through.
    """
    is_known_from_start = any(each.startswith(("layers/", GOLD, SETTINGS)) for each in files)
    begun = b'"op":"new"' in found.log or b'"op":"opened"' in found.log
    for pattern in ("layers/*/*.xml", f"{GOLD}/*.xml", "audit/*/layers/*/*.xml"):
        for path in sorted(found.root.glob(pattern)):
            name = name_in(found.root, path)
            if name in told or name in files or ASIDE in path.name:
                continue
            if begun and is_known_from_start and path.stem not in unchecked:
                found.add(name, "is in no journal and no log: it came otherwise")
            else:
                found.not_covered.append(name)
