"""Journals of a project held against their own hashes, their heads, and what logs noted of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import Any, cast

from shared.errors import FileError, FileFormatError
from shared.outside import parse_json_object
from shared.project.chain import PREVIOUS, Head, chained_lines, hangs_together
from shared.project.files import read_file
from shared.project.journal import parse_journal, read_head, read_uncut
from shared.project.project_log import LOGS, PROJECT_LOG, journals_of

_LOG_NAMES = (PROJECT_LOG, f"{LOGS}/")

_SLACK = timedelta(seconds=1)
"""Some lines tell whole seconds, others fractions."""


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A file of the project that is not what something else says, and the last time it was.

    `since` is "" where nothing tells. `file` is its name in the project.
    """

    file: str
    what: str
    since: str = ""
    can_be_rebuilt: bool = False

    def __str__(self) -> str:
        return f"{self.file} {self.what}" + (f" (after {self.since})" if self.since else "")


@dataclass(frozen=True, slots=True)
class NotedHead:
    """A head of a journal that a log noted, and when."""

    head: Head
    at: str


@dataclass(slots=True)
class VerifiedJournal:
    """A journal as it is, what is wrong with it, and what is strange but no alteration."""

    path: Path
    name: str
    data: bytes = b""
    entries: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    lines: int = 0
    before_chain: int = 0
    """Lines that no hash vouches for."""
    discrepancies: list[Discrepancy] = field(default_factory=list[Discrepancy])
    remarks: list[Discrepancy] = field(default_factory=list[Discrepancy])
    head_is_wrong: bool = False

    @classmethod
    def read(
        cls, path: Path, name: str, noted: Iterable[NotedHead], sealed: NotedHead | None
    ) -> "VerifiedJournal":
        """Read a journal; what was `sealed` is believed as it was then, whatever led to it.

        Raises StorageError.
        """
        found = cls(path, name)
        kept, problem = None, ""
        try:
            kept = read_head(path)
        except FileError as error:
            problem = error.problem
        data = found._content()
        found.data = data or b""
        is_sealed = sealed is not None and sealed.head.is_in(found.data)
        start = sealed.head.size if sealed and is_sealed else 0
        since = sealed.at if sealed and is_sealed else ""
        later = [each for each in noted if each.at > since]
        lost = [each for each in later if not each.head.is_in(found.data)]
        last = max((each.at for each in lost), default="")
        found._read_lines(start, last)
        if lost:
            gone = "is missing" if data is None else "is not what it was: lines are gone or others"
            found.discrepancies.append(Discrepancy(name, gone, last))
        found._check_head(kept, problem, is_there=data is not None)
        return found

    def _content(self) -> bytes | None:
        try:
            return read_file(self.path)
        except FileError as error:  # a link, a pipe, or larger than any journal
            self.discrepancies.append(Discrepancy(self.name, error.problem))
            return None

    def _read_lines(self, start: int, last: str) -> None:
        times = _Times(self.name)
        is_chained = False
        for line in chained_lines(self.data):
            self.lines += 1
            entry = _entry(line.data)
            is_new = line.start >= start
            at = times.last
            if entry is None:
                entry = {}
                self._add(is_new, f"line {line.number} is no entry of a journal", last or at)
            elif not line.is_right:
                what = f"line {line.number} does not follow from what stands before it"
                self._add(is_new, what, last or at)
            elif is_chained and not line.has_hash:
                what = f"line {line.number} has no hash, unlike those before it"
                self._add(is_new, what, last or at)
            self.before_chain += not (is_chained or line.has_hash)
            is_chained = is_chained or line.has_hash
            if remark := times.after(line.number, entry):
                self.remarks.append(remark)
            entry.pop(PREVIOUS, None)
            self.entries.append(entry)

    def _add(self, is_new: bool, what: str, since: str) -> None:
        if is_new:
            self.discrepancies.append(Discrepancy(self.name, what, since))

    def _check_head(self, kept: Head | None, problem: str, *, is_there: bool) -> None:
        """Hold the journal against the head beside it, which a kill may leave one line behind."""
        beside = f"{Path(self.name).with_suffix('.head').as_posix()}"
        is_whole = not self.discrepancies
        if problem or (kept is None and self.lines > self.before_chain):
            self.head_is_wrong = True
            what = problem or "is missing"
            self.discrepancies.append(Discrepancy(beside, what, can_be_rebuilt=is_whole))
        elif kept is not None and not kept.is_in(self.data):
            self.head_is_wrong = True
            if is_whole:
                what = "was cut short, or its head changed" if is_there else "is missing"
                self.discrepancies.append(Discrepancy(self.name, what))
        elif kept is not None and self.data.count(b"\n", kept.size) > 1:
            self.head_is_wrong = True
            self.discrepancies.append(
                Discrepancy(beside, "is older than its journal", can_be_rebuilt=is_whole)
            )


class _Times:
    """The times of a journal's lines, which go on."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._latest: datetime | None = None
        self.last = ""

    def after(self, number: int, entry: Mapping[str, Any]) -> Discrepancy | None:
        said = entry.get("at", entry.get("when"))
        try:
            now = datetime.fromisoformat(str(said))
            is_back = self._latest is not None and now < self._latest - _SLACK
        except (ValueError, TypeError):
            return None
        before, self.last, self._latest = self.last, str(said), now
        if not is_back:
            return None
        return Discrepancy(self._name, f"line {number} tells an earlier time, {said}", before)


def noted_heads(logs: Iterable[Iterable[Mapping[str, Any]]]) -> dict[str, list[NotedHead]]:
    """The heads that the lines of logs noted, by the names of the journals."""
    noted: dict[str, list[NotedHead]] = {}
    for entries in logs:
        for line in entries:
            for name, head in _heads(line):
                noted.setdefault(name, []).append(NotedHead(head, str(line.get("at", ""))))
    return noted


def verified_journals(root: Path) -> tuple[list[VerifiedJournal], list[dict[str, Any]]]:
    """Hold every journal against itself and the logs; also return the project's own log.

    Raises StorageError.
    """
    paths = {name_in(root, path): path for path in journals_of(root)}
    logs = {name: _log(path) for name, path in paths.items() if name.startswith(_LOG_NAMES)}
    noted = noted_heads(logs.values())
    for name in noted:
        paths.setdefault(name, root / name)
    log = logs.get(PROJECT_LOG, [])
    sealed = {name: each[-1] for name, each in noted_heads([[seal_of(log)]]).items()}
    return [
        VerifiedJournal.read(path, name, noted.get(name, ()), sealed.get(name))
        for name, path in sorted(paths.items())
    ], log


def first_discrepancies(root: Path) -> list[Discrepancy]:
    """What is wrong first with each journal that is not what it should be. Raises StorageError."""
    return [each.discrepancies[0] for each in verified_journals(root)[0] if each.discrepancies]


def altered_lines(root: Path, path: Path) -> str:
    """Say which line of a journal is not what was written, "" where all are, or were sealed.

    Raises StorageError.
    """
    return _altered(root, path, read_file(path) or b"")


def read_unaltered(root: Path, path: Path) -> bytes:
    """Return the content of a journal that is whole, and whose lines are what was written.

    Raises FileFormatError where it is not, StorageError.
    """
    data = read_uncut(path)
    if altered := _altered(root, path, data):
        raise FileFormatError(path, f"{altered}; see tandem verify")
    return data


def entries_unaltered(root: Path, path: Path) -> list[dict[str, Any]]:
    """The entries of such a journal. Raises what `read_unaltered` does."""
    return parse_journal(read_unaltered(root, path), path)


def _altered(root: Path, path: Path, data: bytes) -> str:
    if hangs_together(data):
        return ""
    name = name_in(root, path)
    sealed = noted_heads([[seal_of(_log(root / PROJECT_LOG))]]).get(name, [None])[-1]
    found = VerifiedJournal.read(path, name, (), sealed).discrepancies
    return next((each.what for each in found if each.file == name), "")


def table_in(line: Mapping[str, Any], key: str) -> dict[str, Any]:
    """What a line of a log says of files by their names, which lead nowhere else."""
    table = line.get(key)
    if not isinstance(table, dict):
        return {}
    said = cast("dict[str, Any]", table)
    return {name: said[name] for name in said if _is_inside(PurePosixPath(name))}


def _is_inside(name: PurePosixPath) -> bool:
    return bool(name.parts) and not name.is_absolute() and ".." not in name.parts


def _heads(line: Mapping[str, Any]) -> Iterator[tuple[str, Head]]:
    for name, said in table_in(line, "heads").items():
        head = Head.parse(str(said))
        if head is not None:
            yield name, head


def _entry(line: bytes) -> dict[str, Any] | None:
    try:
        return parse_json_object(line)
    except ValueError:
        return None


def _log(path: Path) -> list[dict[str, Any]]:
    """The entries of a log, {} for a line that is none; what is wrong with it, others tell."""
    try:
        data = read_file(path) or b""
    except FileError:
        return []
    found = [_entry(each) or {} for each in data[: data.rfind(b"\n") + 1].splitlines()]
    for entry in found:
        entry.pop(PREVIOUS, None)
    return found


def name_in(root: Path, path: Path) -> str:
    """The name of a file in the project, which its logs have."""
    return path.relative_to(root).as_posix()


def seal_of(log: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The last line of the project's log by which somebody took everything as it was, or {}."""
    seals = [line for line in log if line.get("op") == "sealed"]
    return seals[-1] if seals else {}
