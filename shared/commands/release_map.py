"""The map of `tandem surrogate`: its passphrase, opening it, and putting the originals back."""

import argparse
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from shared.commands.output import counted, report, write_text
from shared.commands.passphrases import passphrase_of
from shared.errors import FileFormatError
from shared.formats.base import Record, WriteOptions
from shared.formats.registry import FORMATS
from shared.formats.text_file import read_text
from shared.model import Document
from shared.project.files import read_file, write_new
from shared.project.folders import new_folder_atomically
from shared.surrogates.key_map import decrypted_map
from shared.surrogates.release import MARKER
from shared.surrogates.restoring import restored


def map_passphrase(arguments: argparse.Namespace) -> str:
    """The passphrase of a map. Raises RequestError, FileError."""
    is_new = arguments.keep_map is not None
    return passphrase_of(arguments.passphrase_file, "the map", is_new=is_new)


def open_map(arguments: argparse.Namespace) -> int:
    """Print the rows of a map as JSON, as they are kept, or put its originals into a release."""
    path: Path = arguments.open_map
    data = read_file(path)
    if data is None:
        raise FileFormatError(path, "does not exist; check the name")
    rows = decrypted_map(data, path, map_passphrase(arguments))
    if arguments.restore is not None:
        count = _restore(rows, *arguments.restore)
        out: Path = arguments.restore[1]
        said = f"{counted(count, 'record')} as they were; they name the patients again"
        data = {"folder": str(out), "restored": count}
        report(data, arguments, lambda: print(f"{out}: {said}"))
        return 0
    write_text(json.dumps(rows, indent=2) + "\n", arguments.json or "-")
    return 0


def _restore(rows: Iterable[Mapping[str, Any]], release: Path, out: Path) -> int:
    """Write the records of a release as they were, whole or not at all; returns how many."""
    texts = restored(_released_texts(release), rows)
    form = FORMATS["text"]
    with new_folder_atomically(out, "the restoring of a release") as folder:
        for name, text in texts.items():
            for file in form.write([Record(Document(name, "", text), ())], WriteOptions(bare=True)):
                write_new(folder / file.name, file.data)
    return len(texts)


def _released_texts(release: Path) -> dict[str, str]:
    """The texts of a release by the names of its records. Raises FileError."""
    if not (release / MARKER).is_file():
        raise FileFormatError(release, f"is no release: it has no {MARKER}")
    suffix = FORMATS["text"].suffixes[0]
    folders = (release / "text", release / "train" / "text", release / "test" / "text")
    files = (path for folder in folders for path in sorted(folder.glob(f"*{suffix}")))
    return {path.name.removesuffix(suffix): read_text(path).text for path in files}
