"""The file formats by name, and the forms of files that are known and not read."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from shared.errors import RequestError
from shared.formats.base import Feature, FileFormat
from shared.formats.brat import BratFormat
from shared.formats.brat_conf import read_brat_conf
from shared.formats.cas import CasFormat
from shared.formats.conll import ConllFormat
from shared.formats.i2b2_xml import I2b2Format
from shared.formats.json_lines import JsonLinesFormat
from shared.formats.label_studio import LabelStudioFormat
from shared.formats.mae import MaeFormat, MedTatorFormat, read_dtd
from shared.formats.schema_toml import read_schema
from shared.formats.table_file import TableFormat
from shared.formats.text_file import TextFormat
from shared.model import Schema

FORMATS: Mapping[str, FileFormat] = {
    each.name: each
    for each in (
        CasFormat(),
        I2b2Format(),
        MaeFormat(),
        MedTatorFormat(),
        BratFormat(),
        ConllFormat(),
        JsonLinesFormat(),
        LabelStudioFormat(),
        TableFormat(),
        TextFormat(),
    )
}
"""Where several could read a file and none is named, the first does."""

TAGGED = tuple(each for each in FORMATS.values() if Feature.TAGS in each.features)
"""The formats that hold tags."""

_SCHEMAS = {".conf": read_brat_conf, ".dtd": read_dtd}
_SUFFIXES = {
    ".ann": "brat",
    ".conf": "settings of brat",
    ".conll": "CoNLL",
    ".csv": "CSV",
    ".docx": "Word",
    ".htm": "HTML",
    ".html": "HTML",
    ".iob": "CoNLL",
    ".json": "JSON",
    ".jsonl": "JSON lines",
    ".parquet": "Parquet",
    ".pdf": "PDF",
    ".rtf": "RTF",
    ".tsv": "TSV",
    ".xlsx": "Excel",
}
_MARKS = {
    b"http://www.omg.org/XMI": "UIMA CAS XMI; let its name end in .xmi",
    b"http://uima.apache.org/resourceSpecifier": "a UIMA type system",
    b"BioC.dtd": "BioC",
}
_HEAD = 1000


def refuse_unknown_options(names: Iterable[str], formats: Iterable[FileFormat]) -> None:
    """Raise RequestError where an option is none of these formats."""
    known = {name for form in formats for name in form.options}
    for each in names:
        if each not in known:
            there = ", ".join(sorted(known)) or "none"
            raise RequestError(f"there is no option {each} here; there are: {there}")


def detect_format(path: Path) -> FileFormat | None:
    """Return the format by which a file is read where none is named, None where there is none."""
    return next((each for each in FORMATS.values() if [*each.sources([path])]), None)


def form_of(path: Path) -> str:
    """What a file is by its name, read or not, in words; "" where nothing is known."""
    found = detect_format(path)
    return found.title if found else _SUFFIXES.get(path.suffix.lower(), "")


def mistaken_form_of(path: Path) -> str:
    """What a file is that only looks as if it could be read, by how it begins; "" if not known."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return ""
    return next((form for mark, form in _MARKS.items() if mark in head), "")


def belongs_to_format(path: Path) -> bool:
    """Whether it lies beside the files of a format and holds no record, as a task definition."""
    beside = tuple(suffix for each in FORMATS.values() for suffix in each.beside)
    return path.name.lower().endswith(beside)


def read_schema_file(path: Path) -> Schema:
    """Read a schema, or what another program has in its place. Raises FileError."""
    return _SCHEMAS.get(path.suffix.lower(), read_schema)(path)
