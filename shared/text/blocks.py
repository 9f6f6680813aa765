"""What people are told, block after block: as a page, or printed by `shared/commands`."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from shared.text.web_page import TABLE_STYLE, web_page


def counted(number: int, thing: str) -> str:
    """Return "1 record", "2 records", "1,304 records"."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


class Table(NamedTuple):
    """Cells under their headers, a row for each thing that is told of."""

    headers: Sequence[str]
    rows: Sequence[Sequence[object]]

    def transposed(self) -> "Table":
        """Return it with a row for each column; the cells of the first become the headers."""
        first, *others = zip(self.headers, *self.rows, strict=True)
        return Table(list(map(str, first)), others)


Block = Table | tuple[str, ...]
"""A table, or sentences."""


def page_of(title: str, about: str, problems: Sequence[str], blocks: Iterable[Block]) -> str:
    """Return blocks as a page that loads and runs nothing; what could not be read comes first."""
    head = f"<h1>{escape(title)}</h1>\n<p>{escape(about)}</p>"
    return web_page(title, TABLE_STYLE, (head, *html_of(problems, blocks)))


def html_of(problems: Sequence[str], blocks: Iterable[Block]) -> Iterator[str]:
    """Yield the lines of such a page but for its head."""
    if problems:
        yield "<p>Not all could be read; the figures leave out what these files hold:</p>\n<ul>"
        yield from (f"<li>{escape(each)}</li>" for each in problems)
        yield "</ul>"
    for block in blocks:
        if isinstance(block, Table):
            yield f"<table><thead>{_row('th', block.headers)}</thead>\n<tbody>"
            yield from (_row("td", each) for each in block.rows)
            yield "</tbody></table>"
        else:
            yield from (f"<p>{escape(each)}</p>" for each in block)


def _row(tag: str, cells: Sequence[object]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(str(each))}</{tag}>' for each in cells)}</tr>"
