from importlib.util import find_spec

import pytest

from shared.errors import FileFormatError, RequestError
from shared.formats.base import ReadOptions, Record, WriteOptions
from shared.formats.corpus import read_corpus
from shared.formats.table_file import TableFormat
from shared.model import Document, Layer

FORMAT = TableFormat()
TABLE = (
    "PAT_ID;Note Date;Note Type;WARD;NOTE_TEXT\n"
    '7;2071-04-12;letter;3;"Seen by ""Dr."" Lee;\r\nnot by Bo."\n'
    "7;2071-05-01;;;Again.\n"
    "8;;;4;Never.\n"
)


@pytest.fixture
def read(tmp_path):
    def of(content, name="notes.csv", encoding="", **values):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return list(FORMAT.read((path,), ReadOptions(values, encoding)))

    return of


def written(*records, **values):
    (file,) = FORMAT.write(records, WriteOptions(values=values))
    return file.name, file.data.decode()


def test_columns_are_found_by_their_names(read):
    records = read(TABLE)
    assert [(each.document.record_id, each.document.patient_id) for each in records] == [
        ("7-01", "7"), ("7-02", "7"), ("8-01", "8"),
    ]  # fmt: skip
    assert records[0].document.text == 'Seen by "Dr." Lee;\nnot by Bo.'
    assert [(each.date, each.kind) for each in records] == [
        ("2071-04-12", "letter"), ("2071-05-01", ""), ("", ""),
    ]  # fmt: skip


def test_columns_can_be_named(read):
    (record,) = read(
        "text,befund,pat,nr\nno,Seen.,9,a-4\n", text="befund", patient="pat", record="nr"
    )
    assert record.document == Document("a-4", "9", "Seen.")
    with pytest.raises(RequestError, match="there is no x to take the date from; name another"):
        read(TABLE, date="x")


def test_other_columns_come_back(read):
    name, content = written(*read(TABLE))
    assert name == "records.csv"
    assert content.splitlines()[0] == "record,patient,date,kind,text,WARD"
    again = read(content)
    assert [each.document for each in again] == [each.document for each in read(TABLE)]
    assert [each.layers for each in again] == [each.layers for each in read(TABLE)]


def test_a_table_of_tabs_stays_one(read):
    (record,) = read('text\tid\n"Seen, 1 ""x"""\tr-1\n', "a.tsv")
    assert record.document.text == 'Seen, 1 "x"'
    assert written(record) == (
        "records.tsv",
        'record\tpatient\tdate\tkind\ttext\nr-1\t\t\t\t"Seen, 1 ""x"""\n',
    )
    assert written(record, **{"as": "csv"})[0] == "records.csv"


def test_a_record_without_a_name_has_that_of_its_row(read):
    records = read("text\nSeen.\nLeft.\n")
    assert [each.document.record_id for each in records] == ["notes_1", "notes_2"]


def test_text_in_another_encoding_is_read_as_it_is_said(read):
    data = "text\nDr. Łęcki sah Öz.\n".encode("iso8859-2")
    (record,) = read(data, encoding="iso8859-2")
    assert record.document.text == "Dr. Łęcki sah Öz."
    assert record.notes == ("read as iso8859-2",)
    with pytest.raises(FileFormatError, match=r"is not in utf-8 \(byte 9\); name another encoding"):
        read(data, encoding="utf-8")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "holds no records"),
        ("a,b\n1,2\n", "has no column of texts; name it with --option text=COLUMN"),
        ("text,text\na,b\n", "has the column text twice"),
        ('text\n"a\n', "is no table from some row on"),
    ],
)
def test_what_is_no_table_of_records_is_an_error(read, content, said):
    with pytest.raises(FileFormatError) as caught:
        read(content)
    assert said in caught.value.problem


def test_a_row_that_does_not_fit_the_head_is_an_error_and_the_others_are_read(tmp_path):
    (tmp_path / "a.csv").write_text("id,text\na,b\nc\nd,e\n", "utf-8")
    found = read_corpus(tmp_path)
    assert [each.document.record_id for each in found.records] == ["a", "d"]
    assert "row 2: has more or fewer cells than the head" in str(found.problems[0])


def test_a_long_text_is_one_cell(read):
    (record,) = read(f"text\n{'x' * 200_000}\n")
    assert len(record.document.text) == 200_000


def test_tags_are_dropped_and_what_cannot_be_written_is_replaced():
    record = Record(Document("1", "1", "a\ud83dz"), (Layer("1", "ana"),))
    assert written(record)[1].splitlines()[1] == "1,1,,,a\ufffdz"


def test_a_table_is_written_in_a_form_that_there_is():
    with pytest.raises(RequestError, match="can be written as csv, tsv or parquet, not as xls"):
        written(**{"as": "xls"})


def test_parquet_without_its_package_says_what_to_install(read, monkeypatch):
    monkeypatch.setattr("shared.formats.table_file.find_spec", lambda _name: None)
    with pytest.raises(RequestError, match="Parquet needs the package pyarrow; install it"):
        read(b"PAR1", "a.parquet")


@pytest.mark.skipif(find_spec("pyarrow") is None, reason="needs pyarrow")
def test_parquet_is_read_and_written(read):
    records = read(TABLE)
    (file,) = FORMAT.write(records, WriteOptions(values={"as": "parquet"}))
    again = read(file.data, file.name)
    assert [each.document for each in again] == [each.document for each in records]
    assert [each.date for each in again] == [each.date for each in records]
