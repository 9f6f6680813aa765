"""What was done with a project: who opened, closed, exported, collected, released, and which files.

Logs are journals, chained like all. They remember what else nobody would: how far the journals were
(their heads), and what the files were that are written over (their digests); never any text.

`log.jsonl`, by whoever writes one of the project's own files:
{"op": "new", "at": …, "user": "lena", "files": {"tandem.toml": "5e…", "layers/ana/1-01.xml": …}}
{"op": "writing", "at": …, "user": …, "files": {"assignments.csv": "9b…"}}    just before
{"op": "written", "at": …, "user": …, "files": {"assignments.csv": "9b…"}}    and after
{"op": "noted", "at": …, "user": …, "heads": {"log/ana.jsonl": "000000000000512 8a…"}}
{"op": "sealed", …}                                                           by `tandem verify`

`log/<annotator>.jsonl`, gold for the adjudicator, which nobody else need be able to read:
{"op": "open", "at": …, "by": "ana", "user": …, "patient": "110", "heads": {"journal/ana/110.jsonl":
"000000000004711 9f…", …}}
{"op": "close", …}    the same as it is then
{"op": "export", "at": …, "by": "gold", "user": …, "what": "agreement", "file": "/home/lena/report"}
"""

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shared.errors import FileError
from shared.outside import read_bounded
from shared.project.current_user import current_user
from shared.project.files import (
    ANY_VERSION,
    digest_of,
    read_file,
    remove_half_written,
    write_atomic,
)
from shared.project.journal import Journal, append_to_journal, read_head
from shared.project.settings import GOLD

PROJECT_LOG, LOGS = "log.jsonl", "log"
OPEN, CLOSE = "open", "close"


def log_path(root: Path, name: str) -> Path:
    """The log of what an annotator, or the adjudicator ("gold"), did."""
    return root / LOGS / f"{name}.jsonl"


def begin_log(root: Path, operation: str, names: Iterable[str]) -> None:
    """Begin the log of a project that is being made of these files. Raises FileError."""
    digests = {name: digest_of(read_bounded(root / name)) for name in sorted(names)}
    with Journal(root / PROJECT_LOG) as journal:
        journal.append(_entry(operation, files=digests))


def write_logged(
    root: Path, path: Path, data: bytes | None, expected_digest: str | None = ANY_VERSION
) -> None:
    """Write one of the project's own files whole, or remove it (None), and say so in the log.

    Raises what `write_atomic` does, and LockedError where somebody else does not end.
    """
    name = path.relative_to(root).as_posix()
    _note_files(root, "writing", {name: None if data is None else digest_of(data)})
    remove_half_written(path)  # whoever writes the same in this moment is told that it failed
    try:
        if data is None:
            path.unlink(missing_ok=True)
        else:
            write_atomic(path, data, expected_digest=expected_digest)
    finally:  # as it is now, whatever came of it
        now = read_file(path)
        _note_files(root, "written", {name: None if now is None else digest_of(now)})


def note_found(root: Path, names: Iterable[str]) -> None:
    """Let the log know files of which it says nothing yet, as they are. Raises FileError."""
    known = read_file(root / PROJECT_LOG) or b""
    missing = [name for name in names if f'"{name}":'.encode() not in known]
    found = {name: read_file(root / name) for name in missing}
    digests = {name: digest_of(data) for name, data in found.items() if data is not None}
    if digests:
        _note_files(root, "found", digests)


def note_event(root: Path, name: str, operation: str, **what: Any) -> None:  # noqa: ANN401
    """Say in the log of `name` what was done; the project's own notes how far that log is.

    Raises FileError.
    """
    path = log_path(root, name)
    append_to_journal(path, [_entry(operation, by=name, **what)], current_user())
    note_heads(root, [path])


def note_heads(root: Path, journals: Iterable[Path]) -> None:
    """Let the project's log know how far these journals are. Raises FileError."""
    noted = _entry("noted", heads=heads_of(root, journals))
    append_to_journal(root / PROJECT_LOG, [noted], current_user())


def note_export(root: Path, what: str, target: str | Path) -> str:
    """Say in the log that something of the project is written elsewhere, just before it is.

    Returns what was wrong where it could not be said, else "": who may only read exports as well.
    """
    try:
        note_event(root, GOLD, "export", what=what, file=str(target))
    except FileError as problem:
        return f"the project's log could not be written: {problem}"
    return ""


def heads_of(root: Path, journals: Iterable[Path]) -> dict[str, str]:
    """The heads of those journals that are there, by their names in the project."""
    heads: dict[str, str] = {}
    for path in journals:
        with contextlib.suppress(FileError):
            head = read_head(path)
            if head is not None:
                heads[path.relative_to(root).as_posix()] = str(head)
    return heads


def journals_of(root: Path) -> Iterator[Path]:
    """Yield the journals of a project that are there, or were by what lies beside them."""
    folders = ("", LOGS, "journal/*", "notes/*", "dismissed", "surrogates", "audit")
    patterns = [*(f"{each}/*".lstrip("/") for each in folders), "audit/*/journal/*/*"]
    found = {path for each in patterns for path in root.glob(each)}
    journals = {path for path in found if path.suffix == ".jsonl" and not path.name.startswith(".")}
    heads = {path for path in found if path.suffix == ".head"}
    yield from sorted(journals | {path.with_suffix(".jsonl") for path in heads})


def _note_files(root: Path, operation: str, files: Mapping[str, str | None]) -> None:
    append_to_journal(root / PROJECT_LOG, [_entry(operation, files=files)], current_user())


def _entry(operation: str, **what: Any) -> dict[str, Any]:  # noqa: ANN401
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    return {"op": operation, "at": at, "user": current_user(), **what}
