"""What a command tells people, block after block: printed, or as a page."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import NamedTuple

from shared.commands.output import print_table
from shared.text.web_page import TABLE_STYLE, web_page


class Table(NamedTuple):
    """Cells under their headers, a row for each thing that is told of."""

    headers: Sequence[str]
    rows: Sequence[Sequence[object]]


Block = Table | tuple[str, ...]
"""A table, or sentences."""


def print_blocks(blocks: Iterable[Block]) -> None:
    """Print blocks with an empty line between them."""
    for number, block in enumerate(blocks):
        if number:
            print()
        if isinstance(block, Table):
            print_table(block.rows, block.headers)
        else:
            print("\n".join(block))


def page_of(title: str, about: str, problems: Sequence[str], blocks: Iterable[Block]) -> str:
    """Return blocks as a page that loads and runs nothing; what could not be read comes first."""
    return web_page(title, TABLE_STYLE, _lines(title, about, problems, blocks))


def _lines(
    title: str, about: str, problems: Sequence[str], blocks: Iterable[Block]
) -> Iterator[str]:
    yield f"<h1>{escape(title)}</h1>\n<p>{escape(about)}</p>"
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
