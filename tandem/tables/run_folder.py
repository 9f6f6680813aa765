"""What lies beside a table while it is made: what was asked for, the parts, and what is done."""

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from adjudicator.corpus_counts import CorpusCounts, CorpusSummary, Line, added_lines
from shared.errors import storage_errors
from shared.outside import parse_json_object
from shared.project.files import make_folder, open_new, read_file, write_atomic

_REQUEST, _PUT_TOGETHER, _SUMMARY = "request.json", "put_together.json", "corpus.json"
_OPEN_AT_ONCE = 256
"""So many files of counts are read beside each other; most systems let a process open 1,024."""


class PartDone(NamedTuple):
    """What became of a part; `astray` are rows about patients whose records are not there."""

    number: int
    records: int
    left_out: int
    astray: int
    rows: Mapping[str, int]


@dataclass(frozen=True)
class RunFolder:
    """The folder of an unfinished run, which holds the text of records.

    Each file in it is whole or not there, and those of a part are the same whoever writes them, so
    that a part may be done twice.
    """

    root: Path

    def table(self, name: str) -> Path:
        """Where a table that is read lies in parts."""
        return self.root / name

    def part(self, number: int, name: str) -> Path:
        """Where a table that a part makes is written."""
        return self.root / "parts" / f"{number:06}.{name}.parquet"

    @property
    def ready(self) -> Path:
        """Where whole tables wait until all are there."""
        return self.root / "ready"

    def put_together(self) -> dict[str, Any] | None:
        """What came of it all, once whole tables wait; None before. Raises FileError."""
        data = read_file(self.root / _PUT_TOGETHER)
        return None if data is None else parse_json_object(data)

    def write_put_together(self, found: Mapping[str, Any]) -> None:
        self._write(_PUT_TOGETHER, found)

    def finish(self) -> None:
        """Remove the folder once all is in place. Raises StorageError.

        That it was put together goes last, so that a run that is killed here is known as done.
        """
        with storage_errors(self.root):
            (self.root / _REQUEST).unlink(missing_ok=True)
            for each in self.root.iterdir():
                if each.is_dir():
                    shutil.rmtree(each)
                elif each.name != _PUT_TOGETHER:
                    each.unlink()
            shutil.rmtree(self.root)

    def remove_finished(self) -> None:
        """Remove what a run that was killed while it removed its folder has left of it."""
        if self.put_together() is not None and self.request() is None:
            self.finish()

    def request(self) -> dict[str, Any] | None:
        """What was asked for; None where nobody has yet. Raises FileError."""
        data = read_file(self.root / _REQUEST)
        return None if data is None else parse_json_object(data)

    def write_request(self, request: Mapping[str, Any]) -> None:
        self._write(_REQUEST, request)

    def done(self, number: int) -> PartDone | None:
        """What became of a part; None where it is not done. Raises FileError."""
        data = read_file(self.root / "parts" / f"{number:06}.json")
        return PartDone(**parse_json_object(data)) if data else None

    def write_done(self, done: PartDone) -> None:
        self._write(f"parts/{done.number:06}.json", done._asdict())

    def has_counts(self, number: int) -> bool:
        """Whether a part is counted."""
        return self._counts(number).exists()

    def added_counts(self, parts: int) -> Iterator[Line]:
        """Yield the counts of so many parts added up. Raises StorageError."""
        paths = [self._counts(each) for each in range(parts)]
        while len(paths) > _OPEN_AT_ONCE:
            groups = [paths[at : at + _OPEN_AT_ONCE] for at in range(0, len(paths), _OPEN_AT_ONCE)]
            paths = [_added_to_file(each) for each in groups]
        return added_lines(map(_lines, paths))

    def write_counts(self, counts: CorpusCounts, number: int) -> None:
        """Write the counts of a part, which hold words of its records."""
        path = self._counts(number)
        make_folder(path.parent)
        write_atomic(path, "".join(map(_as_text, counts.lines())).encode())

    def summary(self) -> CorpusSummary | None:
        """What the counts of all parts come to; None before. Raises FileError."""
        data = read_file(self.root / _SUMMARY)
        return None if data is None else CorpusSummary.of_json(parse_json_object(data))

    def write_summary(self, summary: CorpusSummary) -> None:
        self._write(_SUMMARY, summary.as_json())

    def _counts(self, number: int) -> Path:
        return self.root / "counts" / f"{number:06}.tsv"

    def _write(self, name: str, data: Mapping[str, Any]) -> None:
        path = self.root / name
        make_folder(path.parent)
        write_atomic(path, json.dumps(data).encode())


def _as_text(line: Line) -> str:
    return f"{line[0]}\t{line[1]}\n"


def _lines(path: Path) -> Iterator[Line]:
    with storage_errors(path), path.open(encoding="utf-8") as file:
        for line in file:
            key, _, seen = line.rpartition("\t")
            yield key, int(seen)


def _added_to_file(paths: list[Path]) -> Path:
    """Add up counts into a file beside the first of them, and return it."""
    path = paths[0].with_suffix(f"{paths[0].suffix}+")
    with storage_errors(path), os.fdopen(open_new(path, os.O_TRUNC), "w", encoding="utf-8") as file:
        file.writelines(map(_as_text, added_lines(map(_lines, paths))))
    return path
