from pathlib import Path

import pytest

from shared.errors import FileFormatError
from shared.project.manifest import ManifestRow, from_csv, is_file_name, to_csv

PATH = Path("manifest.csv")
ROWS = (
    ManifestRow("110-01", "110", "ab" * 32, 17, "Windows-1252", "read as Windows-1252"),
    ManifestRow('odd, "name"-1', 'odd, "name"', "cd" * 32, 0),
)


def test_rows_come_back():
    assert from_csv(to_csv(ROWS), PATH) == ROWS


def test_a_list_that_a_spreadsheet_saved_is_read():
    saved = b"\xef\xbb\xbf" + to_csv(ROWS).replace(b"\n", b"\r\n")
    assert from_csv(saved, PATH) == ROWS


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"record,patient\n",
        to_csv(ROWS).replace(b",17,", b",x,"),
        to_csv(ROWS).replace(b",17,", b","),
        to_csv(ROWS) + b"\xff",
        to_csv(ROWS) + b"\n",
    ],
)
def test_a_broken_file_is_named(data):
    with pytest.raises(FileFormatError, match=r"manifest\.csv: is not a list of record"):
        from_csv(data, PATH)


@pytest.mark.parametrize("name", ["..", "../../etc/passwd", "a/b", "", "."])
def test_a_name_that_leads_out_of_the_project_is_refused(name):
    row = ManifestRow(name, "110", "", 0)
    with pytest.raises(FileFormatError, match="line 2 names no file of the project"):
        from_csv(to_csv([row]), PATH)
    assert not is_file_name(name)


def test_a_record_that_is_listed_twice_is_refused():
    with pytest.raises(FileFormatError, match="line 3 names a record again"):
        from_csv(to_csv([ROWS[0], ROWS[0]]), PATH)
