"""How commands read records from outside: what was not read is said on standard error."""

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from shared.commands.output import print_problems
from shared.errors import RequestError
from shared.formats.base import FileFormat, Record
from shared.formats.corpus import Corpus, read_corpus
from shared.formats.registry import FORMATS, TAGGED
from shared.language.detection import CODE
from shared.language.languages import known_languages
from shared.recognition.recognizer import Example


def read_records(
    path: Path,
    patient_pattern: str | None = None,
    *,
    formats: Sequence[FileFormat] = tuple(FORMATS.values()),
) -> Corpus:
    """Read the records of a file or folder in these formats. Raises TandemError."""
    found = read_corpus(path, patient_pattern, formats=formats)
    print_problems((*found.unread, *found.problems))
    return found


def add_language(parser: argparse.ArgumentParser, default: str | None, meaning: str) -> None:
    """Add `--language`, which is the code of any language: one without a folder is `und`."""
    parser.add_argument(
        "--language",
        default=default,
        type=_language_code,
        metavar="CODE",
        help=f"of the records: {', '.join(known_languages())} (default: {meaning})",
    )


def _language_code(said: str) -> str:
    if not CODE.fullmatch(said):
        raise argparse.ArgumentTypeError("needs the code of a language, such as en")
    return said


def refuse_broken(corpus: Corpus, undone: str) -> None:
    """Raise RequestError where a file could not be read; `undone` says what was not done."""
    if corpus.problems:
        raise RequestError(
            f"{undone}, {len(corpus.problems)} of the files could not be read; "
            "correct them or use --skip-broken"
        )


def examples_of(folders: Sequence[Path], patient: str | None = None) -> list[Example]:
    """Return the records below the folders that hold tags, with them.

    Raises RequestError where a record cannot be read, after saying which on standard error, or is
    there twice.
    """
    examples: dict[str, Example] = {}
    for folder in folders:
        found = read_records(folder, patient, formats=TAGGED)
        if found.problems:
            raise RequestError(
                f"{len(found.problems)} records of {folder} could not be read; "
                "correct or remove them"
            )
        for record in found.records:
            record_id = record.document.record_id
            if record_id in examples:
                raise RequestError(f"the record {record_id} is there twice; give each once")
            examples[record_id] = Example(record.document, record.tags)
    return list(examples.values())


def notes_of(records: Iterable[Record]) -> dict[str, int]:
    """Return what was done to the texts on the way in, and to how many."""
    return dict(sorted(Counter(note for each in records for note in each.notes).items()))


def print_notes(records: Sequence[Record]) -> None:
    for note, count in notes_of(records).items():
        print(f"{note}: {count} of {len(records)} records")
