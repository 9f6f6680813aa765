"""The project's own guidelines: Markdown in its folder `guidelines/`; anybody may have made it."""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from shared.errors import FileError, FileFormatError, StorageError, storage_errors
from shared.formats.record_names import natural_key
from shared.project.files import FileSignature, signature_of

FOLDER = "guidelines"
_SUFFIXES = (".md", ".markdown")
_MOST_FILES = 100
_LARGEST, _LARGEST_TOGETHER = 128_000, 500_000
_MOST = {r"\|": 3_000, r"\[": 4_000, r"(?m)^[ \t>]*(?:[-*+]|\d+[.)])[ \t]": 2_000}
_LONGEST_LINE = 20_000
"""More table cells, open brackets or items of lists, or a longer line, hold Qt up for seconds."""


@dataclass(frozen=True, slots=True)
class ProjectGuideline:
    """A file of the folder; `name` is its path in there."""

    name: str
    path: Path
    markdown: str

    @property
    def title(self) -> str:
        """The first heading, or the name of the file."""
        heads = (line[2:].strip(" #") for line in self.markdown.splitlines() if line[:2] == "# ")
        return next(filter(None, heads), self.path.stem.replace("_", " "))


@dataclass(frozen=True, slots=True)
class ProjectGuidelines:
    """What could be read of the folder, and what is wrong with the rest."""

    folder: Path
    guidelines: tuple[ProjectGuideline, ...] = ()
    problems: tuple[FileError, ...] = ()
    signature: tuple[tuple[str, FileSignature | None], ...] = ()
    """Changes when a file does."""


def read_guidelines(root: Path, before: ProjectGuidelines | None = None) -> ProjectGuidelines:
    """Read the guidelines of the project at `root`; those of `before` where nothing has changed."""
    folder = root / FOLDER
    problems: list[FileError] = []
    paths = list(_paths(folder, problems))
    signature = tuple((os.fspath(each), signature_of(each)) for each in paths)
    if before is not None and before.signature == signature and not problems:
        return before
    found: list[ProjectGuideline] = []
    for path in paths[:_MOST_FILES]:
        try:
            name = path.relative_to(folder).as_posix()
            found.append(ProjectGuideline(name, path, _markdown(path, folder)))
        except FileError as error:
            problems.append(error)
    if len(paths) > _MOST_FILES or sum(len(each.markdown) for each in found) > _LARGEST_TOGETHER:
        problem = "holds too many or too long files, of which the first are shown; shorten them"
        problems.append(FileError(folder, problem))
    sizes = accumulate(len(each.markdown) for each in found)
    shown = [each for each, size in zip(found, sizes, strict=True) if size <= _LARGEST_TOGETHER]
    return ProjectGuidelines(folder, tuple(shown), tuple(problems), signature)


def file_inside(folder: Path, beside: Path, wanted: str) -> Path | None:
    """The file that a text at `beside` means by `wanted`; None unless it lies in the folder."""
    try:
        path = (beside.parent / wanted).resolve()
        inside = path.is_relative_to(folder.resolve())
        return path if inside and path.is_file() else None
    except (OSError, ValueError, RuntimeError):
        return None


def _paths(folder: Path, problems: list[FileError]) -> Iterator[Path]:
    """Yield the files of Markdown, as people count, and nothing where there is no such folder."""
    if folder.is_symlink():
        problem = "leads to another folder; put the files into the project"
        problems.append(FileError(folder, problem))
        return
    if not folder.is_dir():
        return
    found: list[Path] = []
    for above, folders, names in os.walk(folder, onerror=lambda e: _refused(e, folder, problems)):
        folders[:] = [each for each in folders if not each.startswith(".")]
        found += (
            Path(above, each)
            for each in names
            if not each.startswith(".") and each.lower().endswith(_SUFFIXES)
        )
    yield from sorted(found, key=lambda each: natural_key(each.relative_to(folder).as_posix()))


def _refused(error: OSError, folder: Path, problems: list[FileError]) -> None:
    problems.append(StorageError.from_os(error.filename or folder, error))


def _markdown(path: Path, folder: Path) -> str:
    """Read a file. Raises FileError where it is none that can be shown."""
    if file_inside(folder, path, path.name) is None:
        raise FileFormatError(path, "is no file of the folder; put a file there instead")
    with storage_errors(path), path.open("rb") as file:
        data = file.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise FileFormatError(path, f"has more than {_LARGEST // 1000} kB; cut it into several")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FileFormatError(path, "is not in UTF-8; save it as UTF-8") from None
    if "\0" in text:
        raise FileFormatError(path, "is no text; save it as text")
    if not _is_bearable(text):
        raise FileFormatError(path, "has too long a table, list or line; cut it into several files")
    return text


def _is_bearable(text: str) -> bool:
    if max(map(len, text.splitlines()), default=0) > _LONGEST_LINE:
        return False
    return all(
        sum(1 for _ in re.finditer(pattern, text)) <= most for pattern, most in _MOST.items()
    )
