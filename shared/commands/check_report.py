"""The findings of `tandem check` as a table, JSON, CSV and a page."""

import argparse
import csv
import html
import io
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from shared.commands.output import print_table, write_json, write_text
from shared.consistency.findings import Finding, FindingLocation
from shared.model import Document
from shared.text.blocks import counted
from shared.text.harmless import as_cell
from shared.text.web_page import TABLE_STYLE, web_page

_CONTEXT = 60


def show(
    findings: Sequence[Finding],
    documents: Mapping[str, Document],
    arguments: argparse.Namespace,
    left_out: str = "",
) -> None:
    """Write what is asked for, or print a table where nothing is; say what was left out.

    Raises StorageError.
    """
    if arguments.csv is not None:
        write_text(_csv(findings, with_text=arguments.with_text), arguments.csv)
    if arguments.html is not None:
        write_text(_page(findings, documents, with_text=arguments.with_text), arguments.html)
    if arguments.json is not None:
        write_json({"findings": [_as_json(each) for each in findings]}, arguments.json)
    if arguments.json is None and arguments.csv is None and arguments.html is None:
        if findings:
            print_table(_rows(findings, with_text=arguments.with_text), _headers(arguments))
        print("; ".join(filter(None, (_summary(findings), left_out))))
    elif left_out:
        print(f"tandem: left out: {left_out}", file=sys.stderr)


def _summary(findings: Sequence[Finding]) -> str:
    kinds = Counter(each.kind.value for each in findings)
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"{counted(len(findings), 'finding')}: {listed}" if findings else "0 findings"


def _as_json(finding: Finding) -> dict[str, object]:
    return {
        "patient": finding.patient_id,
        "record": finding.record_id,
        "start": finding.span.start,
        "end": finding.span.end,
        "text": finding.text,
        "type": finding.type_name or None,
        "category": finding.phi_type.category if finding.phi_type else None,
        "tagged_at": [
            {"record": place.record_id, "start": place.span.start, "end": place.span.end}
            for place in finding.tagged_at
        ],
        "kind": finding.kind.value,
        "why": finding.why,
        "certainty": round(finding.certainty, 3),
    }


def _headers(arguments: argparse.Namespace) -> list[str]:
    text = ["text"] if arguments.with_text else []
    return ["patient", "record", "start", "end", "type", "kind", "sure", "tagged", "why", *text]


def _rows(findings: Iterable[Finding], *, with_text: bool) -> Iterator[tuple[str, ...]]:
    for finding in findings:
        yield (
            finding.patient_id,
            finding.record_id,
            str(finding.span.start),
            str(finding.span.end),
            str(finding.phi_type or ""),
            finding.kind.value,
            f"{finding.certainty:.2f}",
            str(len(finding.tagged_at)),
            finding.why,
            *([" ".join(finding.text.split())] if with_text else []),
        )


def _csv(findings: Iterable[Finding], *, with_text: bool) -> str:
    columns = "patient record start end category type kind certainty why tagged_at".split()
    file = io.StringIO(newline="")
    writer = csv.writer(file)
    writer.writerow(columns + ["text"] * with_text)
    for finding in findings:
        writer.writerow(map(_harmless, [*_cells(finding), *([finding.text] * with_text)]))
    return file.getvalue()


def _harmless(cell: str | int) -> str | int:
    return as_cell(cell) if isinstance(cell, str) else cell


def _cells(finding: Finding) -> list[str | int]:
    return [
        finding.patient_id,
        finding.record_id,
        finding.span.start,
        finding.span.end,
        finding.phi_type.category if finding.phi_type else "",
        finding.type_name,
        finding.kind.value,
        f"{finding.certainty:.2f}",
        finding.why,
        " ".join(map(_place, finding.tagged_at)),
    ]


def _place(place: FindingLocation) -> str:
    return f"{place.record_id}:{place.span.start}-{place.span.end}"


def _page(
    findings: Sequence[Finding], documents: Mapping[str, Document], *, with_text: bool
) -> str:
    headers = ["Patient", "Place", "Type", "Kind", "Sure", "Why", "Tagged at"]
    if with_text:
        headers.append("Text")
    rows = (
        f"<tr>{''.join(f'<td>{cell}</td>' for cell in _page_row(each, documents, with_text))}</tr>"
        for each in findings
    )
    head = "".join(f"<th>{header}</th>" for header in headers)
    body = (
        f"<h1>Consistency check</h1>\n<p>{html.escape(_summary(findings))}</p>",
        f"<table><thead><tr>{head}</tr></thead>\n<tbody>",
        *rows,
        "</tbody></table>",
    )
    return web_page("Consistency check", TABLE_STYLE, body)


def _page_row(
    finding: Finding, documents: Mapping[str, Document], with_text: bool
) -> Iterator[str]:
    yield html.escape(finding.patient_id)
    yield html.escape(_place(finding.place))
    yield html.escape(str(finding.phi_type or ""))
    yield html.escape(finding.kind.value)
    yield f"{finding.certainty:.2f}"
    yield html.escape(finding.why)
    yield html.escape(" ".join(map(_place, finding.tagged_at[:5])))
    if with_text:
        yield _around(finding, documents[finding.record_id].text)


def _around(finding: Finding, text: str) -> str:
    start, end = finding.span.start, finding.span.end
    before = html.escape(text[max(0, start - _CONTEXT) : start])
    after = html.escape(text[end : end + _CONTEXT])
    hit = html.escape(text[start:end])
    return f'<span class="around">{before}<mark>{hit}</mark>{after}</span>'
