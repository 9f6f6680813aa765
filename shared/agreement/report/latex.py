r"""A report in LaTeX: a document of its own, and each table for `\input` in a paper.

Nothing is wider than a page of A4 with margins of 2 cm: an interval stands in the cell of its
figure, the two sides above their rows, and a table with too many columns goes on in another.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from shared.agreement.report.table import Cell, Column, ColumnKind, Report, ReportTable, TableRow

_LONG = 40
"""From so many rows on a table runs over pages."""
_MOST_ROWS = 200
_WIDEST = 110
"""How many letters of \\footnotesize fit beside each other on the page."""
_BETWEEN = 3
"""What the gap between two columns takes, in letters."""
_LONGEST_CELL = 40
"""Longer texts are set in lines."""

_SPECIAL = {
    **{char: f"\\{char}" for char in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "–": "--",
    "—": "---",
    "’": "'",
    "‘": "`",
    "“": "``",
    "”": "''",
    "…": r"\dots{}",
    "·": r"\textperiodcentered{}",
    "°": r"\textdegree{}",
    "ß": r"\ss{}",
    "æ": r"\ae{}",
    "Æ": r"\AE{}",
    "ø": r"\o{}",
    "Ø": r"\O{}",
    "œ": r"\oe{}",
    "Œ": r"\OE{}",
    "ł": r"\l{}",
    "Ł": r"\L{}",
    "ı": r"\i{}",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0323": "d",
    "\u0327": "c",
    "\u0328": "k",
    "\u0331": "b",
}

_ENCODING = r"\ifdefined\directlua\else\usepackage[T1]{fontenc}\fi"
_UNICHAR = r"""\providecommand{\unichar}[1]{%
\ifdefined\directlua\iffontchar\font"#1 \char"#1\else{\scriptsize[U+#1]}\fi
\else{\scriptsize[U+#1]}\fi}"""
"""Sets a letter that has no accent in LaTeX: as it is where the font has it, else its number."""

# tables stay in their order: those that float would come behind the long ones
_PREAMBLE = rf"""\documentclass[10pt,a4paper]{{article}}
\usepackage[margin=2cm]{{geometry}}
{_ENCODING}
\usepackage{{textcomp,lmodern,booktabs,longtable,array,float}}
\floatplacement{{table}}{{H}}
\emergencystretch=3em
\setlength{{\tabcolsep}}{{4pt}}
{_UNICHAR}
\begin{{document}}"""


def to_latex(report: Report) -> str:
    """Return a document with all that the report says, for pdflatex and lualatex.

    Of a table of more than 200 rows, such as the list of disagreements, it has the first ones.
    """
    return "\n".join(_document(report)) + "\n"


def table_to_latex(table: ReportTable) -> str:
    r"""Return one table for `\input`, set with booktabs and, where it is long, longtable."""
    needed = r"\usepackage{textcomp,lmodern,booktabs,longtable,array}"
    return f"% {_ENCODING}\n% {needed}\n{_UNICHAR}\n{_table(table)}\n"


def _document(report: Report) -> Iterator[str]:
    yield _PREAMBLE
    yield rf"\section*{{{escaped(report.title)}}}"
    yield r"{\footnotesize\raggedright"
    yield from (rf"{escaped(name)}: {_breakable(value)}\\" for name, value in report.about)
    yield r"\par\medskip}"
    for paragraph in report.summary:
        yield from ("", escaped(paragraph))
    for table in report.tables:
        yield from ("", _table(table))
    yield from ("", r"\subsection*{Conventions}")
    yield from (f"{escaped(sentence)}\n" for sentence in report.conventions)
    yield r"\end{document}"


def _breakable(value: str) -> str:
    """Return a value that may be broken anywhere, as a digest must be."""
    return r"\allowbreak ".join(escaped(value[at : at + 16]) for at in range(0, len(value), 16))


# ---------------------------------------------------------------- one table


@dataclass(frozen=True, slots=True)
class _SetColumn:
    """A column as it is set, the interval of a figure with it; `cells` are escaped already."""

    head: str
    cells: Sequence[str]
    is_text: bool
    letters: int

    @property
    def is_long(self) -> bool:
        return self.letters > _LONGEST_CELL

    @property
    def width(self) -> int:
        return min(self.letters, _LONGEST_CELL) + _BETWEEN

    @property
    def alignment(self) -> str:
        if self.is_long:
            return r">{\raggedright\arraybackslash}p{0.32\linewidth}"
        return "l" if self.is_text else "r"


def _table(table: ReportTable) -> str:
    shown = table.head(_MOST_ROWS)
    rows = shown.rows()
    has_sides = [column.name for column in shown.columns[:2]] == ["first", "second"]
    groups = [_sides(row) if has_sides else "" for row in rows]
    parts = list(_parts(list(_set_columns(shown.columns[2 if has_sides else 0 :], rows))))
    return "\n\n".join(
        _part(shown, columns, groups, f" ({number} of {len(parts)})" if len(parts) > 1 else "")
        for number, columns in enumerate(parts, start=1)
    )


def _sides(row: TableRow) -> str:
    return f"{row.cells['first']} / {row.cells['second']}"


def _set_columns(columns: Sequence[Column], rows: Sequence[TableRow]) -> Iterator[_SetColumn]:
    names = {column.name for column in columns}
    bounds = {f"{name}{end}" for name in names for end in ("_low", "_high")} & names
    for column in columns:
        if column.name in bounds:
            continue
        cells = [_text(row.cells[column.name], column.kind) for row in rows]
        if f"{column.name}_low" in bounds:
            cells = [
                cell + _interval(row.cells[f"{column.name}_low"], row.cells[f"{column.name}_high"])
                for cell, row in zip(cells, rows, strict=True)
            ]
        head = _head(column)
        longest = max(map(_letters, [*cells, *head]))
        written = [escaped(each) for each in cells]
        if longest > _LONGEST_CELL:  # and set in lines, in which a long name may be broken too
            written = [each.replace(r"\_", r"\_\allowbreak{}") for each in written]
        stacked = r"\\".join(map(escaped, head))
        place = "l" if column.is_text else "r"
        yield _SetColumn(
            rf"\shortstack[{place}]{{{stacked}}}" if len(head) > 1 else stacked,
            written,
            column.is_text,
            longest,
        )


def _letters(text: str) -> int:
    """How wide a text is, in small letters."""
    return len(text) + sum(map(str.isupper, text)) // 4


def _head(column: Column) -> list[str]:
    """Return the title in two lines where it has several words, so that it is no wider."""
    first, _, rest = column.title.partition(" ")
    return [first, rest] if rest and not column.is_text else [column.title]


def _text(cell: Cell, kind: ColumnKind) -> str:
    if cell is None:
        return "–"
    if kind is ColumnKind.RATIO and isinstance(cell, float):
        return f"{cell:,.3f}"
    return f"{cell:,}" if kind is ColumnKind.COUNT else _one_line(str(cell))


def _interval(low: Cell, high: Cell) -> str:
    if not isinstance(low, float) or not isinstance(high, float):
        return ""
    return f" ({low:.3f}–{high:.3f})"


def _parts(columns: Sequence[_SetColumn]) -> Iterator[list[_SetColumn]]:
    """Yield columns that fit beside each other; the texts that rows begin with stand in each."""
    keys = [
        each for at, each in enumerate(columns) if all(one.is_text for one in columns[: at + 1])
    ]
    rest = columns[len(keys) :]
    taken = sum(each.width for each in keys)
    part, width = list(keys), taken
    for column in rest:
        if width + column.width > _WIDEST and len(part) > len(keys):
            yield part
            part, width = list(keys), taken
        part.append(column)
        width += column.width
    yield part


def _part(
    table: ReportTable, columns: Sequence[_SetColumn], groups: Sequence[str], which: str
) -> str:
    alignment = "".join(each.alignment for each in columns)
    caption = rf"\caption{{{escaped(table.title)}{which}}}"
    label = rf"\label{{tab:{table.name}{which.strip(' ()').partition(' ')[0]}}}"
    head = rf"{' & '.join(each.head for each in columns)} \\"
    body = "\n".join(_body(columns, groups))
    note = escaped(table.note)
    if table.row_count <= _LONG:
        lines = [r"\begin{table}", r"\centering\footnotesize", caption, label]
        lines += [rf"\begin{{tabular}}{{{alignment}}}", r"\toprule", head, r"\midrule", body]
        lines += [r"\bottomrule", r"\end{tabular}"]
        lines += [rf"\par\smallskip\parbox{{\linewidth}}{{{note}}}"] if note else []
        return "\n".join([*lines, r"\end{table}"])
    lines = [r"{\footnotesize", rf"\begin{{longtable}}{{{alignment}}}", rf"{caption}{label}\\"]
    lines += [r"\toprule", head, r"\midrule", r"\endfirsthead", r"\toprule", head, r"\midrule"]
    lines += [r"\endhead", r"\bottomrule", r"\endfoot", body, r"\end{longtable}"]
    return "\n".join([*lines, *([rf"\noindent {note}\par"] if note else []), "}"])


def _body(columns: Sequence[_SetColumn], groups: Sequence[str]) -> Iterator[str]:
    before = ""
    for at, group in enumerate(groups):
        if group and group != before:
            yield from [r"\addlinespace"] if before else []
            yield rf"\multicolumn{{{len(columns)}}}{{l}}{{\emph{{{escaped(group)}}}}} \\*"
            before = group
        yield rf"{' & '.join(each.cells[at] for each in columns)} \\"


# ---------------------------------------------------------------- letters


def escaped(text: str) -> str:
    """Return text that LaTeX sets as it is, letters with accents too."""
    return "".join(_letter(char) for char in unicodedata.normalize("NFC", _one_line(text)))


def _letter(char: str) -> str:
    if char in _SPECIAL:
        return _SPECIAL[char]
    if char.isascii():
        return char if char.isprintable() else " "
    base, *marks = unicodedata.normalize("NFD", char)
    if base.isascii() and marks and all(mark in _ACCENTS for mark in marks):
        for mark in marks:
            base = rf"\{_ACCENTS[mark]}{{{base}}}"
        return f"{{{base}}}"
    return rf"\unichar{{{ord(char):04X}}}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
