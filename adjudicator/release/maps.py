"""The map of a release, which is there with the release or not at all.

The two lie in different places, so no one step of the disk makes both. The map is first: without it
nothing leads back from a release. What says of which release it is lies beside the release until
that is there, so that the map of one that never came to be goes again.
"""

import contextlib
import json
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Any

from shared.errors import FileError, storage_errors
from shared.outside import parse_json_object
from shared.project.files import digest_of, read_file, write_output
from shared.project.folders import lock_beside, unfinished
from shared.surrogates.release import MARKER

_WHO = "the writing of a release"


@contextlib.contextmanager
def map_of_a_release(out: Path) -> Generator[Callable[[Path, bytes, Path], None]]:
    """Give what writes the map at a path, with its bytes and the folder that is to become `out`.

    The map is new: the block raises ChangedOnDiskError where there is a file by then. Where the
    block raises, the map goes again.
    """
    out = out.resolve()
    said: dict[str, str | None] = {}

    def keep(path: Path, data: bytes, folder: Path) -> None:
        made = {
            "map": str(path.resolve()),
            "digest": digest_of(data),
            "release": _marker_of(folder),
        }
        write_output(_note(out), json.dumps(made).encode())
        said.update(made)
        write_output(path, data, expected_digest=None)

    try:
        yield keep
    except BaseException:
        with contextlib.suppress(FileError):  # where it cannot be told, a map stays
            if said and said["release"] != _marker_of(out):
                _remove_map(said)
        raise
    finally:
        with contextlib.suppress(OSError):
            _note(out).unlink(missing_ok=True)


def remove_orphaned_map(out: Path) -> None:
    """Remove the map that a killed process wrote of a release that never came to be at `out`.

    Any other map stays, as does one that was changed since. Raises LockedError where a release is
    being written there, StorageError.
    """
    out = out.resolve()
    if read_file(_note(out)) is None:
        return
    with lock_beside(out, _WHO):
        with contextlib.suppress(ValueError, KeyError, TypeError):  # half a note says nothing
            said = parse_json_object(read_file(_note(out)) or b"")
            release = said["release"]
            if release == _marker_of(unfinished(out)) and release != _marker_of(out):
                _remove_map(said)
        _note(out).unlink(missing_ok=True)


def _remove_map(said: Mapping[str, Any]) -> None:
    """Remove that map, unless it is another by now."""
    path = Path(said["map"])
    there = read_file(path)
    if there is not None and digest_of(there) == said["digest"]:
        with storage_errors(path):
            path.unlink()


def _marker_of(folder: Path) -> str | None:
    """The digest of what marks a folder as a release; None where it is none."""
    data = read_file(folder / MARKER)
    return None if data is None else digest_of(data)


def _note(out: Path) -> Path:
    return out.with_name(f".{out.name}.map")
