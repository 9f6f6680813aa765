"""What lies beside a table while it is made: what was asked for, the parts, and what is done."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from adjudicator.corpus_counts import CorpusCounts
from shared.errors import FileError, storage_errors
from shared.outside import parse_json_object
from shared.project.files import make_folder, read_file, write_atomic

_REQUEST, _PUT_TOGETHER = "request.json", "put_together.json"
_LARGEST = 4 << 30
"""Counts of a corpus are larger than what comes from outside may be."""


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

    def has_counts(self, number: int | None = None) -> bool:
        """Whether a part is counted, or the whole corpus."""
        return (self.root / _counts_name(number)).exists()

    def counts(self, number: int | None = None) -> CorpusCounts:
        """The counts of a part, or of the whole corpus. Raises FileError where there are none."""
        path = self.root / _counts_name(number)
        data = read_file(path, largest=_LARGEST)
        if data is None:
            raise FileError(path, "is gone; remove the folder and run it again")
        return CorpusCounts.of_json(json.loads(data))

    def write_counts(self, counts: CorpusCounts, number: int | None = None) -> None:
        self._write(_counts_name(number), counts.as_json())

    def _write(self, name: str, data: Mapping[str, Any]) -> None:
        path = self.root / name
        make_folder(path.parent)
        write_atomic(path, json.dumps(data).encode())


def _counts_name(number: int | None) -> str:
    return "corpus.json" if number is None else f"counts/{number:06}.json"
