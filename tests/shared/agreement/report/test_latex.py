"""What a paper takes in: numbers as in the tables, nothing too wide, letters of every language."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from shared.agreement.report.latex import escaped, table_to_latex, to_latex
from shared.agreement.report.table import Cell, Report, ReportTable, counts, ratios, text

NAN = float("nan")
MEASURED = ratios(("f1", "F1"), ("f1_low", "F1 from"), ("f1_high", "to"))
COLUMNS = (text("type", "the type"), *counts(("tags", "tags")), *MEASURED)
ROWS = (
    ("A & B_1 <i>|", 1234, 2 / 3, 0.5, 0.75),
    ("nothing", 0, NAN, NAN, NAN),
    ("Nguyễn Ạ, Ðrøm, 王小明 \\input{x} $a^2~%#", -3, 1.0, 1.0, 1.0),
)


def table(*rows: tuple[Cell, ...]) -> ReportTable:
    return ReportTable.of("some", "Some figures", COLUMNS, rows or ROWS, note="A note & more.")


def report(*tables: ReportTable) -> Report:
    about = (("made by", "Tandem 1.2.3"), ("data (SHA-256)", "ab12" * 16))
    return Report("Agreement: X & Y", about, ("All is <well>.",), tables, ("Counts first.",))


def test_an_interval_stands_in_the_cell_of_its_figure() -> None:
    found = table_to_latex(table())
    assert (
        r"A \& B\_1 \textless{}i\textgreater{}\textbar{} & 1,234 & 0.667 (0.500--0.750) \\" in found
    )
    assert r"nothing & 0 & -- \\" in found
    assert r"\begin{tabular}{lrr}" in found
    assert r"A note \& more." in found


def test_the_two_sides_stand_above_their_rows() -> None:
    sides = (text("first", "first"), text("second", "second"), *COLUMNS)
    rows = [("ana", each, *ROWS[0]) for each in ("ben", "ben", "gold")]
    found = table_to_latex(ReportTable.of("some", "Some", sides, rows))
    assert re.findall(r"\\emph\{(.*?)\}", found) == ["ana / ben", "ana / gold"]
    assert found.count("1,234") == 3


def test_what_is_too_wide_goes_on_in_another_table() -> None:
    many = counts(*((f"n{at}", f"number {at}") for at in range(30)))
    rows = [("row", *range(1000, 1030))]
    found = table_to_latex(ReportTable.of("some", "Some", (text("type", "type"), *many), rows))
    parts = found.count(r"\begin{tabular}")
    assert parts > 1
    assert found.count("row &") == parts
    assert all(found.count(f"{number:,}") == 1 for number in range(1000, 1030))
    assert f"({parts} of {parts})" in found


def test_a_long_table_runs_over_pages() -> None:
    found = table_to_latex(table(*[("x", n, 0.5, 0.5, 0.5) for n in range(41)]))
    assert r"\begin{longtable}{lrr}" in found
    assert found.count(r"x & ") == 41


def test_the_first_rows_of_a_list_and_says_so() -> None:
    found = to_latex(report(table(*[("x", n, 0.5, 0.5, 0.5) for n in range(1304)])))
    assert found.count("x & ") == 200
    assert "The first 200 of 1,304 rows; all are in some.csv." in found


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("é", r"{\'{e}}"),
        ("ạ", r"{\d{a}}"),
        ("ễ", r"{\~{\^{e}}}"),
        ("ø", r"\o{}"),
        ("王", r"\unichar{738B}"),
        ("a\n b", "a b"),
        ("50 %", r"50 \%"),
        ("\x07", " "),
    ],
)
def test_letters(given: str, expected: str) -> None:
    assert escaped(given) == expected


@pytest.mark.parametrize("engine", ["pdflatex", "lualatex"])
def test_it_compiles_and_nothing_is_too_wide(engine: str, tmp_path: Path) -> None:
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    wide = ReportTable.of(
        "wide",
        "Wide",
        (text("type", "type"), *counts(*((f"n{at}", f"number {at}") for at in range(30)))),
        [("LOCATION:ORGANIZATION", *range(100_000, 100_030))] * 45,
    )
    tall = ReportTable.of("tall", "Tall", COLUMNS, [("x", n, 0.5, 0.5, 0.5) for n in range(40)])
    texts = ReportTable.of(
        "texts",
        "T",
        (text("a", "a"), text("b", "b")),
        [("w " * 60 + "(A:NAME_OF_A_TYPE_THAT_IS_LONGER_THAN_ITS_COLUMN)", "x" * 20)],
    )
    (tmp_path / "report.tex").write_text(to_latex(report(table(), tall, wide, texts)), "utf-8")
    ran = subprocess.run(
        [engine, "-interaction=nonstopmode", "-halt-on-error", "report.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        timeout=120,
    )
    assert ran.returncode == 0, ran.stdout[-2000:]
    assert "Overfull" not in ran.stdout
    labels = re.findall(
        r"newlabel\{tab:(\w+)\}\{\{\d+\}\{(\d+)\}", (tmp_path / "report.aux").read_text("utf-8")
    )
    pages = [int(page) for _, page in labels]
    assert [labels[0][0], labels[1][0], labels[-1][0]] == ["some", "tall", "texts"]
    assert pages == sorted(pages)
