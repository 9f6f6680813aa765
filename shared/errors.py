"""Everything that can go wrong for a user, as one family.

TandemError                     catch this one at the edge of a program
├── ModelError                  a value that cannot exist
│   ├── SpanError               offsets that do not form a span
│   └── CrossesRecordsError     a stretch of the merged view that no single record holds
├── SchemaError                 a schema that contradicts itself or a type that it does not know
│   └── UnknownTypeError
├── FileError                   a file or folder, named, and what is wrong with it
│   ├── FileFormatError         it is not what it claims to be
│   │   ├── TextMismatchError   a tag's recorded text is not the text at its offsets
│   │   └── NewerVersionError   written by a Tandem that knows more than this one
│   ├── ChangedOnDiskError      somebody else changed it since it was read
│   ├── LockedError             somebody else has it open
│   └── StorageError            the system refused: no permission, no space, not there
└── RequestError                a request that cannot be carried out as it stands

No message of these holds the text of a record: ids, offsets and file names only.
"""

import contextlib
import errno
from collections.abc import Generator
from pathlib import Path

_WHAT_TO_DO = {
    errno.EACCES: "ask its owner for access",
    errno.EPERM: "ask its owner for access",
    errno.EROFS: "copy it to where you may write",
    errno.ENOENT: "check the name",
    errno.ENOTDIR: "give a folder",
    errno.EEXIST: "give another name",
    errno.EISDIR: "give a file",
    errno.ENOSPC: "free some space, then try again",
    errno.EDQUOT: "free some space, then try again",
}


LONGEST = 300
"""Characters of a message: what is wrong with a file must not bring its content along."""
_SHORTEST_NAME = 60
"""Characters that are left of a path in a long message, of its end."""


class TandemError(Exception):
    """Root of the family. `str(error)` is one sentence: what, where, and what to do."""

    def __str__(self) -> str:
        return _shortened(" ".join(super().__str__().split()), LONGEST)


class ModelError(TandemError, ValueError):
    """A value of the model that breaks its own rules."""


class SpanError(ModelError):
    """Offsets that do not form a span."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__(f"a span needs 0 <= start < end, got [{start}, {end})")
        self.start = start
        self.end = end


class CrossesRecordsError(ModelError):
    """A stretch of the merged view that reaches over the edge of a record."""

    def __init__(self, start: int, end: int) -> None:
        super().__init__(
            f"[{start}, {end}) of the merged view does not lie in one record; "
            "tag each record's part on its own"
        )


class SchemaError(TandemError):
    """A schema that contradicts itself."""


class UnknownTypeError(SchemaError):
    """A PHI type that the schema does not have."""

    def __init__(self, category: str, name: str, schema: str, where: str = "") -> None:
        place = f"{where}: " if where else ""
        super().__init__(
            f"{place}the schema {schema} has no type {category}:{name}; "
            "choose another schema, or --schema auto to take the types from the files"
        )
        self.category = category
        self.name = name


class FileError(TandemError):
    """A file or folder, named, and what is wrong with it."""

    def __init__(self, path: Path | str, problem: str) -> None:
        name, problem = str(path), _shortened(problem, LONGEST - _SHORTEST_NAME - 2)
        room = LONGEST - len(problem) - 2
        shown = name if len(name) <= room else f"…{name[len(name) - room + 1 :]}"
        super().__init__(f"{shown}: {problem}")
        self.path = Path(path)
        self.problem = problem

    def __reduce__(self) -> tuple[object, ...]:
        """How it is told to another process, which knows nothing of the arguments of subclasses."""
        return _same_error, (type(self), self.path, self.problem), vars(self)


def _same_error(kind: type[FileError], path: Path, problem: str) -> FileError:
    error = kind.__new__(kind)
    FileError.__init__(error, path, problem)
    return error


class FileFormatError(FileError):
    """A file that is not what it claims to be."""


class TextMismatchError(FileFormatError):
    """A tag's recorded text is not the text at its offsets."""

    def __init__(self, path: Path | str, tag_id: str, start: int, end: int) -> None:
        super().__init__(
            path,
            f"tag {tag_id} does not hold the text at its offsets [{start}, {end}); "
            "correct the offsets or restore the record it was made for",
        )
        self.tag_id = tag_id
        self.start = start
        self.end = end


class NewerVersionError(FileFormatError):
    """A file written by a Tandem that knows more than this one."""

    def __init__(self, path: Path | str, found: int, known: int) -> None:
        super().__init__(
            path, f"has format version {found}, this Tandem knows up to {known}; update Tandem"
        )


class ChangedOnDiskError(FileError):
    """A file that somebody else changed since it was read."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(
            path,
            "was changed by somebody else since it was read, so it was not overwritten; "
            "move the other version aside and save again, or reopen the patient",
        )


class LockedError(FileError):
    """Something that somebody else has open."""

    def __init__(self, path: Path | str, holder: str) -> None:
        super().__init__(
            path,
            f"is open for {holder}; close it there, or delete this file if that computer is off",
        )
        self.holder = holder


class StorageError(FileError):
    """The system refused: no permission, no space, not there."""

    @classmethod
    def from_os(cls, path: Path | str, error: OSError) -> "StorageError":
        problem = (error.strerror or type(error).__name__).lower()
        advice = _WHAT_TO_DO.get(error.errno or 0, "check the disk or the network, then try again")
        return cls(path, f"{problem}; {advice}")


def _shortened(sentence: str, longest: int) -> str:
    """The sentence, or its beginning and its end, which says what to do."""
    if len(sentence) <= longest:
        return sentence
    end = longest // 3
    return f"{sentence[: longest - end - 1]}…{sentence[-end:]}"


@contextlib.contextmanager
def storage_errors(path: Path | str) -> Generator[None]:
    """Tell of `path` what the system refuses within the `with` block: OSError as StorageError."""
    try:
        yield
    except OSError as error:
        raise StorageError.from_os(path, error) from error


class RequestError(TandemError):
    """A request that cannot be carried out as it stands."""
