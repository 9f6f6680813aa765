"""How commands read records from outside: what was not read is said on standard error."""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import print_problems, reading_bar
from shared.errors import FileError, RequestError
from shared.formats.format_list import LISTED
from shared.language.known_languages import CODE, known_languages
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.formats.base import FileFormat, ReadOptions, Record
    from shared.formats.corpus import Corpus
    from shared.recognition.recognizer import Example

STANDARD_INPUT = Path("-")
_SAID_OF_INPUT = "standard input"


@dataclass(frozen=True, slots=True)
class RecordReading:
    """How records are to be read as the command line says: no `formats` are all of them."""

    formats: "tuple[FileFormat, ...]"
    options: "ReadOptions"


def read_records(
    path: Path,
    patient_pattern: str | None = None,
    *,
    formats: "Sequence[FileFormat]" = (),
    reading: RecordReading | None = None,
) -> "Corpus":
    """Read the records of a file or folder, or of standard input. Raises TandemError.

    They are of any of the `formats`, of all where there are none. With a `reading` that is of one
    format, files of another are a problem as broken ones are.
    """
    from shared.formats.corpus import read_corpus
    from shared.formats.registry import FORMATS

    formats = formats or tuple(FORMATS.values())
    named = reading.formats if reading else ()
    options = reading.options if reading else None
    if path == STANDARD_INPUT:
        found = _read_standard_input(named, formats, options)
    else:
        with reading_bar("reading") as step:
            found = read_corpus(
                path, patient_pattern, formats=named or formats, options=options, step=step
            )
    if named:
        found = _missing_none(found)
    print_problems((*found.unread, *found.problems))
    return found


def _read_standard_input(
    named: "Sequence[FileFormat]", formats: "Sequence[FileFormat]", options: "ReadOptions | None"
) -> "Corpus":
    """One file that comes in: of the format that is named, else XML that says so, else a text."""
    from tempfile import TemporaryDirectory

    from shared.formats.corpus import read_corpus
    from shared.project.files import write_new

    if not sys.stdin:  # None where it is closed, as by <&-
        raise RequestError("there is no standard input to read; name a file instead of -")
    data = sys.stdin.buffer.read()
    usual = ".xml" if data.lstrip().startswith(b"<?xml") else ".txt"
    suffix = named[0].suffixes[0] if named else usual
    with TemporaryDirectory(
        prefix="tandem-"
    ) as aside:  # formats read files; it is the owner's only
        path = Path(aside, f"text{suffix}")
        write_new(path, data)
        try:
            found = read_corpus(path, formats=named or formats, options=options)
        except FileError as error:
            raise FileError(_SAID_OF_INPUT, error.problem) from None
    return replace(
        found,
        records=tuple(
            replace(each, source=replace(each.source, path=STANDARD_INPUT))
            for each in found.records
        ),
        problems=tuple(FileError(_SAID_OF_INPUT, each.problem) for each in found.problems),
    )


def add_reading(parser: argparse.ArgumentParser, names: Sequence[str] = tuple(LISTED)) -> None:
    """Add `--from`, one of these formats, `--option` and `--encoding`."""
    parser.add_argument(
        "--from",
        dest="from_",
        metavar="F",
        choices=names,
        help=f"the format of the records: {', '.join(names)} (default: told by the files)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        type=_option,
        metavar="NAME=VALUE",
        help="what files do not say of themselves; " + "; ".join(_options_in_words(names)),
    )
    parser.add_argument(
        "--encoding",
        type=_encoding,
        help="of files of text, such as iso8859-2 (default: told by their bytes)",
    )


def reading_of(arguments: argparse.Namespace, *others: str) -> RecordReading:
    """Return how the command line says to read; `others` are formats that take its options, too.

    Raises RequestError where an option is none of the formats.
    """
    from shared.formats.base import ReadOptions
    from shared.formats.registry import FORMATS, refuse_unknown_options

    formats = (FORMATS[arguments.from_],) if arguments.from_ else ()
    values = dict(arguments.option)
    about = (*(formats or FORMATS.values()), *(FORMATS[other] for other in others))
    refuse_unknown_options(values, about)
    return RecordReading(formats, ReadOptions(values, arguments.encoding or ""))


def _options_in_words(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        if options := LISTED[name].options:
            yield f"{name}: {', '.join(options)}"


def _option(said: str) -> tuple[str, str]:
    name, is_there, value = said.partition("=")
    if not is_there or not name or not value:
        raise argparse.ArgumentTypeError("needs a name and a value, such as text=note")
    return name, value


def _encoding(said: str) -> str:
    from shared.formats.text_file import is_text_encoding

    if not is_text_encoding(said):
        raise argparse.ArgumentTypeError(f"knows no encoding {said}")
    return said


def _missing_none(found: "Corpus") -> "Corpus":
    """Make problems of the files that another format would have read."""
    missed = [each for each in found.unread if each.form]
    problems = (FileError(each.path, f"{each.problem}; give --from {each.form}") for each in missed)
    rest = tuple(each for each in found.unread if not each.form)
    return replace(found, problems=(*found.problems, *problems), unread=rest)


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


def refuse_broken(corpus: "Corpus", undone: str) -> None:
    """Raise RequestError where a file could not be read; `undone` says what was not done."""
    if corpus.problems:
        raise RequestError(
            f"{undone}, {len(corpus.problems)} of the files could not be read; "
            "correct them or use --skip-broken"
        )


def examples_of(folders: Sequence[Path], patient: str | None = None) -> "list[Example]":
    """Return the records below the folders that hold tags, with them.

    Raises RequestError where a record cannot be read, after saying which on standard error, or is
    there twice.
    """
    from shared.formats.registry import TAGGED
    from shared.recognition.recognizer import Example

    examples: dict[str, Example] = {}
    for folder in folders:
        found = read_records(folder, patient, formats=TAGGED)
        if found.problems:
            raise RequestError(
                f"{counted(len(found.problems), 'record')} of {folder} could not be read; "
                "correct or remove what is wrong"
            )
        for record in found.records:
            record_id = record.document.record_id
            if record_id in examples:
                raise RequestError(f"the record {record_id} is there twice; give each once")
            examples[record_id] = Example(record.document, record.tags)
    return list(examples.values())


def notes_of(records: "Iterable[Record]") -> dict[str, int]:
    """Return what was done to the texts on the way in, and to how many."""
    return dict(sorted(Counter(note for each in records for note in each.notes).items()))


def unread_as_json(corpus: "Corpus") -> dict[str, object]:
    """What was not read, and what could not be, as a part of a report."""
    return {
        "unread": [each.problem for each in corpus.unread],
        "problems": [str(each) for each in corpus.problems],
    }


def print_notes(records: "Sequence[Record]") -> None:
    for note, count in notes_of(records).items():
        print(f"{note}: {count} of {len(records)} records")
