"""What a project keeps of a release under way: secret, choices, review table, what is no PHI.

It lies in `surrogates/` of the project. The secret and the table are gone once there is a release:
nothing may undo it. What stays is of which work each data card tells.
"""

import contextlib
import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shared.errors import FileError, FileFormatError, StorageError
from shared.model import Span
from shared.outside import MALFORMED, parse_json_object, read_bounded
from shared.project.files import read_file, remove_half_written, write_atomic
from shared.project.project import Project
from shared.project.project_log import write_logged
from shared.surrogates.drawing import name_of, new_secret, secret_of_seed
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.release import MARKER
from shared.surrogates.review import (
    choices_from_json,
    choices_in_table,
    choices_to_json,
    merged,
    review_table,
)
from shared.surrogates.surrogate_kinds import ManualSurrogate, ReleaseMode

Place = tuple[str, Span]
"""Record and span of a place in the gold standard."""


def usual_release(project: Project) -> Path:
    """Where a release goes where nobody says otherwise: beside the project, not into it."""
    return project.root.with_name(f"{project.root.name}-release")


class ReleaseFolder:
    """The folder `surrogates` of a project. All methods raise FileError.

    Each mode of a release has a secret, choices and a table of its own: what a person wrote in
    place of a surrogate is nothing to put among placeholders.
    """

    def __init__(self, project: Project, mode: ReleaseMode = ReleaseMode.SURROGATE) -> None:
        self._folder = project.root / "surrogates"
        suffix = "" if mode is ReleaseMode.SURROGATE else f"-{mode}"
        self._choices = self._folder / f"choices{suffix}.json"
        self._key = self._folder / f"draft{suffix}.key"
        self._table = self._folder / f"review{suffix}.csv"
        self._asked_path = self._folder / "cards.json"
        self.suspicious_path = self._folder / "suspicious.csv"

    def secret(self, seed: int | None = None) -> bytes:
        """The secret of the review that was begun last, else a new one."""
        self._forget_what_is_out()
        if seed is not None:
            return secret_of_seed(seed)
        path = self._key
        data = read_file(path)
        if data is None:
            return new_secret()
        try:
            return bytes.fromhex(data.decode("ascii").strip())
        except ValueError:
            raise FileFormatError(path, "is not the key of a review; remove it") from None

    def keep_secret(self, secret: bytes) -> None:
        """Let what is reviewed now be what is released."""
        data = secret.hex().encode()
        path = self._key
        if read_file(path) != data:
            _write(path, data)

    def choices(self) -> tuple[ManualSurrogate, ...]:
        """The choices of earlier runs and those in the review table, which are kept from now on."""
        self._forget_what_is_out()
        path, table = self._choices, self._table
        kept, reviewed = read_file(path), read_file(table)
        earlier = choices_from_json(kept, path) if kept is not None else ()
        if reviewed is None:
            return earlier
        name = name_of(self.secret())
        written = (replace(each, draft=name) for each in choices_in_table(reviewed, table))
        choices = merged(earlier, written)
        if choices != earlier:
            self.keep_choices(choices)
        return choices

    def keep_choices(self, choices: Iterable[ManualSurrogate]) -> None:
        write_logged(self._folder.parent, self._choices, choices_to_json(choices))

    def drop_table(self) -> None:
        """Remove the review table, whose choices are kept: later ones shall not give way to it."""
        self._remove(self._table)

    def write_table(self, patients: Iterable[SurrogatePatient]) -> Path:
        _write(self._table, review_table(patients))
        return self._table

    def write_suspicious(self, table: bytes) -> Path:
        """Keep the list of places that look left over in a release."""
        _write(self.suspicious_path, table)
        return self.suspicious_path

    def suspicious(self) -> str | None:
        """That list; None where there is none."""
        data = read_file(self.suspicious_path)
        return None if data is None else data.decode("utf-8", "replace")

    def keep_asked(
        self, release: str, patient_ids: Iterable[str], work: str, out: Path | None = None
    ) -> None:
        """Keep of which work on which patients the card of a release tells, all by its digest.

        With `out`, where the release is to be, a review that has become this release is forgotten
        later even where the process is killed as soon as the release is there.
        """
        entry: dict[str, Any] = {"patients": sorted(patient_ids), "work": work}
        if out is not None:
            entry |= {"out": str(out.resolve()), "draft": self._draft()}
        kept = self._asked()
        earlier = kept.get(release)
        kept[release] = {**earlier, **entry} if isinstance(earlier, dict) else entry
        write_logged(self._folder.parent, self._asked_path, json.dumps(kept, indent=1).encode())

    def asked(self, release: str) -> tuple[frozenset[str], str] | None:
        """The patients and the digest of the work of which that card tells; None of an unknown."""
        try:
            entry = self._asked().get(release)
            return entry and (frozenset(entry["patients"]), str(entry["work"]))
        except (AttributeError, KeyError, TypeError):
            raise self._no_list_of_cards() from None

    def _asked(self) -> dict[str, Any]:
        data = read_file(self._asked_path)
        try:
            return {} if data is None else parse_json_object(data)
        except (ValueError, TypeError):
            raise self._no_list_of_cards() from None

    def _no_list_of_cards(self) -> FileFormatError:
        return FileFormatError(self._asked_path, "is not a list of data cards; remove it")

    def confirmed_not_phi(self) -> frozenset[Place]:
        """The places of which a person said that they are no PHI, as earlier versions kept them."""
        path = self._folder / "not_phi.csv"
        return read_places(path) if path.exists() else frozenset()

    def forget(self) -> None:
        """Remove what could undo a release; the secret last, by which the rest is known later."""
        self._remove(self._table)
        self._remove(self._key)

    def _draft(self) -> str:
        """A name of the review under way, which tells nothing of its secret; "" for none."""
        data = read_file(self._key)
        return "" if data is None else f"{self._key.name} {name_of(data)}"

    def _forget_what_is_out(self) -> None:
        """Forget a review whose release is there: a process was killed between the two."""
        draft = self._draft()
        if not draft:
            return
        try:
            is_out = any(
                entry.get("draft") == draft and _is_there(Path(str(entry["out"])), release)
                for release, entry in self._asked().items()
            )
        except (AttributeError, KeyError, TypeError):
            raise self._no_list_of_cards() from None
        if is_out:
            self.forget()

    @staticmethod
    def _remove(path: Path) -> None:
        remove_half_written(path)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError.from_os(path, error) from error


def _is_there(out: Path, release: str) -> bool:
    """Whether the release of this digest is at `out`; no where that may not be read."""
    with contextlib.suppress(FileError):
        return release.encode() in (read_file(out / MARKER) or b"")
    return False


def read_places(path: Path) -> frozenset[Place]:
    """Read the places in a CSV table with the columns record, start and end. Raises FileError."""
    try:
        file = io.StringIO(read_bounded(path).decode("utf-8-sig"), newline="")
        rows: Sequence[Mapping[str, str]] = list(csv.DictReader(file, strict=True))
        return frozenset((row["record"], Span(int(row["start"]), int(row["end"]))) for row in rows)
    except (csv.Error, *MALFORMED):
        raise FileFormatError(
            path, "is not a table with the columns record, start and end"
        ) from None


def _write(path: Path, data: bytes) -> None:
    """Write a file of one person at a time: what a killed process left of it goes."""
    remove_half_written(path)
    write_atomic(path, data)
