"""A table with a record in each row, as hospitals export them: CSV, TSV, Parquet.

    patient,record,date,kind,text
    110,110-02,2071-04-12,discharge,"Seen by Dr. Lee."

Which column is what is told by its name, or by the options patient, record, date, kind and text.
Other columns are kept as an unknown element. A table holds no tags.
"""

import csv
import io
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from shared.errors import FileError, FileFormatError, RequestError
from shared.formats.base import (
    Feature,
    FileFormat,
    OutputFile,
    ReadOptions,
    Record,
    RecordSource,
    WriteOptions,
)
from shared.formats.format_list import LISTED
from shared.formats.record_fields import (
    FIELDS,
    encodable,
    field_names,
    fields_of,
    fields_written,
    record_id_in,
)
from shared.formats.text_file import DecodedText, read_raw
from shared.model import Document, Layer
from shared.outside import read_bounded

_DELIMITERS = "\t;,|"
_ENDS = {"csv": ",", "tsv": "\t"}


class TableFormat(FileFormat):
    """Many records in a file, without tags."""

    name = "table"
    title = LISTED[name].title
    suffixes = (".csv", ".tsv", ".parquet")
    beside = ("manifest.csv",)
    features = frozenset({Feature.DATES, Feature.KINDS})
    options = LISTED[name].options

    def sources(self, paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
        for path in paths:
            if path.suffix.lower() in self.suffixes and path.name not in self.beside:
                yield (path,)

    def read(self, paths: tuple[Path, ...], options: ReadOptions) -> Iterator[Record | FileError]:
        (path,) = paths
        form = path.suffix.lower().removeprefix(".")
        columns, rows, raw = _parquet(path) if form == "parquet" else _separated(path, options)
        names = field_names(columns, options)
        if "text" not in names:
            raise FileFormatError(path, "has no column of texts; name it with --option text=COLUMN")
        of_patient: Counter[str] = Counter()
        for number, row in enumerate(rows, 1):
            source = RecordSource(path, raw.encoding, f"row {number}", (("as", form),))
            if row is None:
                yield FileFormatError(str(source), "has more or fewer cells than the head")
            else:
                yield _record(row, names, source, raw.notes, of_patient)

    def write(self, records: Sequence[Record], options: WriteOptions) -> Iterator[OutputFile]:
        forms = {options.value("as", each, "csv") for each in records} or {"csv"}
        form = options.values.get("as") or (min(forms) if len(forms) == 1 else "csv")
        rows = [fields_written(each) for each in records]
        columns = list(dict.fromkeys([*FIELDS, *(name for row in rows for name in row)]))
        if form == "parquet":
            yield OutputFile("records.parquet", _as_parquet(columns, rows))
        elif form in _ENDS:
            yield OutputFile(f"records.{form}", _as_separated(columns, rows, _ENDS[form]))
        else:
            raise RequestError(f"a table can be written as csv, tsv or parquet, not as {form}")


# ---------------------------------------------------------------- reading

_Rows = Iterator[dict[str, Any] | None]


def _record(
    row: Mapping[str, Any],
    names: Mapping[str, str],
    source: RecordSource,
    notes: tuple[str, ...],
    of_patient: Counter[str],
) -> Record:
    fields = fields_of(row, names)
    patient = fields.values.get("patient", "").strip()
    said = fields.values.get("record", "").strip()
    if patient:
        of_patient[patient] += 1
        said = said or f"{patient}-{of_patient[patient]:02}"
    record_id = said if patient or not said.isdecimal() else record_id_in(said, source)
    text = fields.values["text"].replace("\r\n", "\n").replace("\r", "\n")
    return Record(
        Document(record_id or record_id_in("", source), patient, text),
        (Layer(record_id, "", (), fields.unknown),) if fields.unknown else (),
        source,
        notes,
        (),
        fields.values.get("date", ""),
        fields.values.get("kind", ""),
    )


def _separated(path: Path, options: ReadOptions) -> tuple[list[str], _Rows, DecodedText]:
    raw = read_raw(path, options.encoding)
    if not raw.text.strip():
        raise FileFormatError(path, "holds no records")
    csv.field_size_limit(sys.maxsize)
    head = raw.text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=head.count) if path.suffix.lower() != ".tsv" else "\t"
    reader = csv.reader(io.StringIO(raw.text, newline=""), delimiter=delimiter, strict=True)
    columns = _checked(path, reader)
    return columns, _cells(path, reader, columns), raw


def _checked(path: Path, reader: Iterator[list[str]]) -> list[str]:
    try:
        columns = [each.strip() for each in next(reader, list[str]())]
    except csv.Error:
        raise FileFormatError(path, "has a head that is no row of cells; correct it") from None
    twice = [name for name, times in Counter(columns).items() if name and times > 1]
    if twice:
        raise FileFormatError(path, f"has the column {twice[0]} twice; rename one")
    return columns


def _cells(path: Path, reader: Iterator[list[str]], columns: list[str]) -> _Rows:
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise FileFormatError(path, f"is no table from some row on ({error})") from None
        if row is None:
            return
        if row:
            yield dict(zip(columns, row, strict=True)) if len(row) == len(columns) else None


def _parquet(path: Path) -> tuple[list[str], _Rows, DecodedText]:
    _refuse_without_pyarrow()
    import pandas as pd

    data = read_bounded(path)
    try:
        frame = pd.read_parquet(io.BytesIO(data))
    except (ValueError, OSError):
        raise FileFormatError(path, "is no Parquet; export it again") from None
    columns = [str(each) for each in frame.columns]
    frame.columns = columns
    nothing = frame.isna()
    made = frame.astype(object).mask(nothing, None)
    rows = (cast("dict[str, Any]", each) for each in made.to_dict("records"))
    plain = ({name: _plain(value) for name, value in row.items()} for row in rows)
    return columns, plain, DecodedText("", "Parquet")


def _plain(value: object) -> str | int | float | None:
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _refuse_without_pyarrow() -> None:
    if find_spec("pyarrow") is None:
        raise RequestError(
            "Parquet needs the package pyarrow; install it beside Tandem, or export CSV"
        )


# ---------------------------------------------------------------- writing


def _as_separated(columns: list[str], rows: Sequence[Mapping[str, Any]], delimiter: str) -> bytes:
    written = io.StringIO()
    table = csv.DictWriter(written, columns, delimiter=delimiter, lineterminator="\n", restval="")
    table.writeheader()
    table.writerows(rows)
    return encodable(written.getvalue()).encode()


def _as_parquet(columns: list[str], rows: Sequence[Mapping[str, Any]]) -> bytes:
    _refuse_without_pyarrow()
    import pandas as pd

    return pd.DataFrame(rows, columns=columns).astype(str).to_parquet(index=False)
