"""Every file of a report has the same numbers, and says what it is."""

import csv
import io
import json
import re
import tempfile
import zipfile
from html.parser import HTMLParser

import pytest
from openpyxl import load_workbook

from shared.agreement.report.export import to_csv, to_json, to_markdown, to_xlsx
from shared.agreement.report.html_page import to_html
from shared.agreement.report.latex import to_latex
from shared.agreement.report.table import Column, Report, ReportTable, counts, ratios, text
from shared.text.harmless import as_cell

COLUMNS = (text("type", "the type"), *counts(("tags", "tags")), *ratios(("f1", "F1")))
ROWS = (
    ("A & B_1 <i>|", 1234, 2 / 3),
    ("nothing", 0, float("nan")),
    ("=SUM(A1)", -3, 1.0),
)


def report(*rows: tuple[str | int | float, ...]) -> Report:
    table = ReportTable.of("some", "Some figures", COLUMNS, rows or ROWS, note="A note.")
    about = (("made by", "Tandem 1.2.3"), ("data (SHA-256)", "ab12"))
    return Report("Agreement: X & Y", about, ("All is <well>.",), (table,), ("Counts first.",))


def test_json_has_full_precision_and_null() -> None:
    found = json.loads(to_json(report()))
    assert found["tables"]["some"]["rows"] == [
        {"type": "A & B_1 <i>|", "tags": 1234, "f1": 2 / 3},
        {"type": "nothing", "tags": 0, "f1": None},
        {"type": "=SUM(A1)", "tags": -3, "f1": 1.0},
    ]
    assert found["about"]["data (SHA-256)"] == "ab12"


def csv_rows(found: Report) -> list[dict[str, str]]:
    return list(csv.DictReader(to_csv(found.tables[0]).splitlines()))


def test_csv_has_full_precision_and_no_formulas() -> None:
    rows = csv_rows(report())
    assert [row["f1"] for row in rows] == [repr(2 / 3), "", "1.0"]
    assert rows[2]["type"] == "'=SUM(A1)"
    assert to_csv(report().tables[0]).splitlines()[0] == "type,tags,f1"


@pytest.mark.parametrize("cell", ["=A1", "+1", "-1", "@x", "\tx"])
def test_no_text_is_a_formula(cell: str) -> None:
    assert as_cell(cell) == f"'{cell}"


def test_markdown() -> None:
    lines = [re.sub(" +", " ", line) for line in to_markdown(report()).splitlines()]
    assert "| the type | tags | F1 |" in lines
    assert any(re.fullmatch(r"\|:-+\|-+:\|-+:\|", line) for line in lines)
    assert r"| A & B\_1 \<i\>\| | 1234 | 0.6667 |" in lines
    assert "| nothing | 0 | – |" in lines


def test_markdown_and_page_have_the_first_rows_of_a_long_list_and_say_so() -> None:
    found = report(*[("x", n, 0.5) for n in range(2001)])
    for written, cell in ((to_markdown(found), "0.5000 |"), (to_html(found), ">0.5000</td>")):
        assert written.count(cell) == 2000
        assert "The first 2,000 of 2,001 rows; all are in some.csv." in written
    assert len(csv_rows(found)) == 2001


def sheet(found: Report) -> str:
    with zipfile.ZipFile(io.BytesIO(to_xlsx(found))) as book:
        return book.read("xl/worksheets/sheet2.xml").decode()


def test_no_sheet_goes_through_a_temporary_file(monkeypatch):
    def refuse(*_: object, **__: object):
        raise AssertionError("a file outside the project, left there by a killed process")

    found = report()
    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    monkeypatch.setattr("openpyxl.worksheet._writer.NamedTemporaryFile", refuse)
    assert to_xlsx(found)


def xlsx_rows(found: Report) -> list[list[object]]:
    from openpyxl import load_workbook

    book = load_workbook(io.BytesIO(to_xlsx(found)))
    return [list(row) for row in book["some"].iter_rows(min_row=2, values_only=True)]


def test_a_workbook_has_numbers() -> None:
    rows = xlsx_rows(report())
    assert rows[0] == ["A & B_1 <i>|", 1234, 2 / 3]
    assert rows[1] == ["nothing", 0, None]
    assert rows[2][0] == "'=SUM(A1)"
    assert "<f>" not in sheet(report())


def test_titles_and_paragraphs_of_a_workbook_are_not_cut() -> None:
    titles = ratios(("share", "share of all that was found"))
    long = ReportTable.of("some", "Some", titles, [(0.5,)])
    paragraph = "word " * 100
    made = Report("T", (), (paragraph,), (long,), ())
    book = load_workbook(io.BytesIO(to_xlsx(made)))
    about, some = book.worksheets
    assert some.column_dimensions["A"].width > len("share of all that was found")
    lines = len(paragraph) / about.column_dimensions["B"].width
    assert about["B2"].alignment.wrap_text
    assert about.row_dimensions[2].height >= 15 * lines


def test_a_workbook_takes_control_characters() -> None:
    assert xlsx_rows(report(("a\x0bb", 1, 0.5)))[0][0] == "a\ufffdb"


class _Cells(HTMLParser):
    """The cells of all tables: text and exact value."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[tuple[str, str | None]] = []
        self.addresses: list[str] = []
        self._value: str | None = None
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag == "td"
        self._value = dict(attrs).get("data-value")
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]
        if self._inside:
            self.cells.append(("", self._value))

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.cells[-1] = (self.cells[-1][0] + data, self._value)

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "td"


def parsed(page: str) -> _Cells:
    cells = _Cells()
    cells.feed(page)
    return cells


def test_the_page_shows_four_decimals_and_keeps_them_all() -> None:
    cells = parsed(to_html(report())).cells
    assert cells[:3] == [("A & B_1 <i>|", None), ("1234", "1234"), ("0.6667", repr(2 / 3))]
    assert cells[5] == ("–", None)


def test_the_page_needs_nothing_beside_it() -> None:
    page = to_html(report())
    assert all(each.startswith("#") for each in parsed(page).addresses)
    assert not re.search(r"https?://|@import|url\(", page)


def test_the_page_shows_markup_as_text() -> None:
    page = to_html(report())
    assert "All is &lt;well&gt;." in page
    assert "<i>" not in page


def test_every_file_has_the_same_numbers() -> None:
    found = report(*[(f"type {n}", n * 7, n / 9) for n in range(10)])
    exact = [row["f1"] for row in json.loads(to_json(found))["tables"]["some"]["rows"]]
    shown = [f"{value:.4f}" for value in exact]
    assert [float(row["f1"]) for row in csv_rows(found)] == exact
    assert [row[2] for row in xlsx_rows(found)[:10]] == exact
    assert [float(value) for _, value in parsed(to_html(found)).cells[2::3] if value] == exact
    assert [words for words, _ in parsed(to_html(found)).cells[2::3]] == shown
    assert re.findall(r"& ([\d.]+) \\\\$", to_latex(found), re.MULTILINE) == [
        f"{value:.3f}" for value in exact
    ]
    assert re.findall(r"\| +([\d.]+) \|$", to_markdown(found), re.MULTILINE) == shown


@pytest.mark.parametrize(
    ("columns", "rows"), [((COLUMNS[0], COLUMNS[0]), ()), (COLUMNS, (("a", 1),))]
)
def test_a_table_whose_cells_do_not_fit_is_refused(
    columns: tuple[Column, ...], rows: tuple[tuple[str | int, ...], ...]
) -> None:
    with pytest.raises(ValueError, match="table t"):
        ReportTable.of("t", "T", columns, rows)
