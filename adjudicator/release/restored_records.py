"""The records of a release written as they were before it, by its map: all of them or none."""

from collections.abc import Iterator
from pathlib import Path

from adjudicator.release.source import Watch, no_progress
from adjudicator.release.writing import StoredMap
from shared.errors import FileFormatError, RequestError
from shared.formats.base import Record, WriteOptions
from shared.formats.registry import FORMATS
from shared.formats.text_file import read_text
from shared.model import Document
from shared.project.files import read_file, write_new
from shared.project.folders import check_target, new_folder_atomically
from shared.project.manifest import is_file_name
from shared.surrogates.key_map import decrypted_map
from shared.surrogates.release import MARKER
from shared.surrogates.restoring import MapRow, restored


def opened_map(kept: StoredMap) -> list[MapRow]:
    """The rows of a map. Raises FileError, RequestError for a wrong passphrase."""
    data = read_file(kept.path, may_be_link=True)
    if data is None:
        raise FileFormatError(kept.path, "does not exist; check the name")
    return list(decrypted_map(data, kept.path, kept.passphrase))


def check_restoring(release: Path, out: Path, project: Path | None = None) -> None:
    """Refuse what could not be restored so, before any work. Raises FileError, RequestError.

    What is restored names the patients, so it lies neither in a release nor in a project.
    """
    if not (release / MARKER).is_file():
        raise FileFormatError(release, f"is no release: it has no {MARKER}")
    for folder, why in ((release, "would go out with it"), (project, "are there already")):
        if folder is not None and out.resolve().is_relative_to(folder.resolve()):
            raise RequestError(
                f"{out} lies in {folder}, and records as they were {why}; give a folder outside"
            )
    check_target(out)


def restore_release(
    kept: StoredMap, release: Path, out: Path, project: Path | None = None,
    watch: Watch = no_progress,
) -> int:  # fmt: skip
    """Write the records of a release as they were, whole or not at all; return how many.

    Raises RequestError where the passphrase is wrong, a record is missing or does not come out as
    it was, or the folder lies in the release or the project; FileError.
    """
    check_restoring(release, out, project)
    rows = opened_map(kept)
    paths = list(_released_files(release))
    suffix = FORMATS["text"].suffixes[0]
    released = {
        path.name.removesuffix(suffix): read_text(path).text for path in watch("Reading", paths)
    }
    texts = restored(released, rows)
    if not all(map(is_file_name, texts)):
        raise FileFormatError(kept.path, "names a record as no file can be named")
    with new_folder_atomically(out, "the restoring of a release") as folder:
        for name, text in watch("Writing", list(texts.items())):
            record = Record(Document(name, "", text), ())
            for file in FORMATS["text"].write([record], WriteOptions(bare=True)):
                write_new(folder / file.name, file.data)
    return len(texts)


def _released_files(release: Path) -> Iterator[Path]:
    suffix = FORMATS["text"].suffixes[0]
    for folder in (release / "text", release / "train" / "text", release / "test" / "text"):
        yield from sorted(folder.glob(f"*{suffix}"))
