"""When a file was changed, to tell whether it has to be read again."""

from pathlib import Path

Stamp = tuple[int, int]
"""Nanoseconds of the last change, and size."""


def stamp_of(path: Path) -> Stamp | None:
    """The stamp of a file, None where there is none that can be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
