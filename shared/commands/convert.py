"""`tandem convert`: from one file format into another."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import counted, print_problems, progress
from shared.errors import RequestError

if TYPE_CHECKING:
    from shared.formats.record_folder import FolderRecord, RecordFolder


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how a folder of it is read, and the files that hold given records."""

    name: str
    about: str
    read: "Callable[[Path], RecordFolder]"
    files: "Callable[[Sequence[FolderRecord]], Iterator[tuple[str, bytes]]]"


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    names = ", ".join(f"{each.name} ({each.about})" for each in FORMATS.values())
    parser = subparsers.add_parser(
        "convert",
        help="between file formats",
        description=f"Write the records of one folder into another in another format: {names}.",
    )
    parser.add_argument("source", type=Path, metavar="IN", help="a folder of records")
    parser.add_argument("target", type=Path, metavar="OUT", help="a folder, new or empty")
    parser.add_argument("--from", dest="from_", required=True, metavar="F", choices=FORMATS)
    parser.add_argument("--to", required=True, metavar="F", choices=FORMATS)
    parser.add_argument(
        "--skip-broken", action="store_true", help="leave out records that cannot be read"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from shared.project.atomic_file import write_new
    from shared.project.whole_folder import check_target, whole_folder

    check_target(arguments.target)
    folder = FORMATS[arguments.from_].read(arguments.source)
    print_problems(folder.problems)
    if folder.problems and not arguments.skip_broken:
        raise RequestError(
            f"nothing was converted, {len(folder.problems)} of the files could not be read; "
            "mend them or use --skip-broken"
        )
    with whole_folder(arguments.target, "tandem convert") as aside:
        for name, data in progress(FORMATS[arguments.to].files(folder.records), "writing"):
            write_new(aside / name, data)
    tags = sum(len(record.tags) for record in folder.records)
    lost = " (text alone holds no tags)" if arguments.to == "text" and tags else ""
    records = counted(len(folder.records), "record")
    print(f"{arguments.target}: {records}, {counted(tags, 'tag')}{lost}")
    return 0


def _read_xml(folder: Path) -> "RecordFolder":
    return _read(folder, ".xml")


def _read_text(folder: Path) -> "RecordFolder":
    return _read(folder, ".txt")


def _read(folder: Path, ending: str) -> "RecordFolder":
    from shared.formats.record_folder import read_folder

    return read_folder(folder, endings=(ending,))


def _i2b2_files(records: "Sequence[FolderRecord]") -> Iterator[tuple[str, bytes]]:
    from shared.formats.i2b2_xml import format_record
    from shared.model import Layer

    for each in records:
        name, text = each.document.record_id, each.document.text
        yield f"{name}.xml", format_record(text, Layer.of(name, "", each.tags, each.unknown))


def _mae_files(records: "Sequence[FolderRecord]") -> Iterator[tuple[str, bytes]]:
    from shared.formats.mae_dtd import format_dtd
    from shared.formats.mae_xml import TASK, format_mae
    from shared.formats.schema_auto import schema_of
    from shared.model import Layer

    for each in records:
        name, text = each.document.record_id, each.document.text
        yield f"{name}.xml", format_mae(text, Layer.of(name, "", each.tags))
    tags = [tag for each in records for tag in each.tags]
    if tags:
        yield f"{TASK}.dtd", format_dtd(schema_of(tags), TASK)


def _text_files(records: "Sequence[FolderRecord]") -> Iterator[tuple[str, bytes]]:
    from shared.formats.text_file import to_bytes

    for each in records:
        yield f"{each.document.record_id}.txt", to_bytes(each.document.text)


FORMATS = {
    each.name: each
    for each in (
        Format("i2b2", "XML of i2b2 2014", _read_xml, _i2b2_files),
        Format("mae", "XML of MAE and MedTator", _read_xml, _mae_files),
        Format("text", "plain text", _read_text, _text_files),
    )
}
