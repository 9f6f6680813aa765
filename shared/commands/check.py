"""`tandem check`: text tagged in one place of a patient's records and not in another."""

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from shared.commands.output import print_problems, print_table, progress, write_json
from shared.consistency.exact import check_patient
from shared.consistency.findings import Finding
from shared.errors import FileError, StorageError
from shared.formats.record_folder import read_folder
from shared.model import Document, Layer
from shared.project.project import Project

PatientTags = tuple[list[Document], list[Layer]]

_DESCRIPTION = """
Lists every place that no tag touches although its text is tagged elsewhere in the records of the
same patient. WHERE is a project, or a folder of XML records named <patient>-<record>.xml. Ends
with status 1 where something was found. The text itself is shown only where you ask for it, and
in JSON.
"""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    parser = subparsers.add_parser(
        "check", help="the consistency check: tagged here, not there", description=_DESCRIPTION
    )
    parser.add_argument("where", type=Path, metavar="WHERE", help="a project or a folder of XML")
    parser.add_argument(
        "--layer", default="gold", metavar="NAME", help="gold (the default) or an annotator's name"
    )
    parser.add_argument("--json", metavar="FILE", help="write JSON to FILE, or - for the terminal")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a table to FILE")
    parser.add_argument("--with-text", action="store_true", help="show the text in the tables too")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the findings; 0 none, 1 some, 2 where a file could not be read."""
    problems: list[FileError] = []
    if (arguments.where / "tandem.toml").exists():
        patients = _in_project(arguments.where, arguments.layer, problems)
    else:
        patients = _in_folder(arguments.where, problems)
    findings = [
        finding
        for documents, layers in progress(patients, "checking patients")
        for finding in check_patient(documents, layers)
    ]
    print_problems(problems)
    _show(findings, arguments)
    return 2 if problems else bool(findings)


def _in_folder(folder: Path, problems: list[FileError]) -> list[PatientTags]:
    found = read_folder(folder)
    problems.extend(found.problems)
    patients: dict[str, PatientTags] = defaultdict(lambda: ([], []))
    for record in found.records:
        documents, layers = patients[record.document.patient_id]
        documents.append(record.document)
        layers.append(Layer.of(record.document.record_id, "", record.tags))
    return list(patients.values())


def _in_project(root: Path, annotator: str, problems: list[FileError]) -> list[PatientTags]:
    project = Project.open(root)
    patients: list[PatientTags] = []
    for patient_id in project.patient_ids:
        try:
            documents = list(project.patient(patient_id).documents)
            layers = [project.read_layer(annotator, each).layer for each in documents]
        except FileError as problem:
            problems.append(problem)
        else:
            patients.append((documents, layers))
    return patients


def _show(findings: Sequence[Finding], arguments: argparse.Namespace) -> None:
    if arguments.csv is not None:
        _write_csv(findings, arguments.csv, with_text=arguments.with_text)
    if arguments.json is not None:
        write_json({"findings": [_as_json(each) for each in findings]}, arguments.json)
    if arguments.json is None and arguments.csv is None:
        if findings:
            print_table(_rows(findings, with_text=arguments.with_text), _headers(arguments))
        print(f"{len(findings)} places are not tagged although their text is tagged elsewhere")


def _as_json(finding: Finding) -> dict[str, object]:
    return {
        "patient": finding.patient_id,
        "record": finding.record_id,
        "start": finding.span.start,
        "end": finding.span.end,
        "text": finding.text,
        "type": finding.phi_type.name,
        "category": finding.phi_type.category,
        "tagged_at": [
            {"record": place.record_id, "start": place.span.start, "end": place.span.end}
            for place in finding.tagged_at
        ],
    }


def _headers(arguments: argparse.Namespace) -> list[str]:
    text = ["text"] if arguments.with_text else []
    return ["patient", "record", "start", "end", "type", "tagged", "first at", *text]


def _rows(findings: Iterable[Finding], *, with_text: bool) -> Iterator[tuple[str, ...]]:
    for finding in findings:
        first = finding.tagged_at[0]
        yield (
            finding.patient_id,
            finding.record_id,
            str(finding.span.start),
            str(finding.span.end),
            str(finding.phi_type),
            f"{len(finding.tagged_at)} times",
            f"{first.record_id} {first.span.start}",
            *([" ".join(finding.text.split())] if with_text else []),
        )


def _write_csv(findings: Iterable[Finding], path: Path, *, with_text: bool) -> None:
    columns = ["patient", "record", "start", "end", "category", "type", "tagged_at"]
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(columns + ["text"] * with_text)
            for finding in findings:
                writer.writerow(_cells(finding) + [finding.text] * with_text)
    except OSError as error:
        raise StorageError.from_os(path, error) from error


def _cells(finding: Finding) -> list[str | int]:
    places = (f"{each.record_id}:{each.span.start}-{each.span.end}" for each in finding.tagged_at)
    return [
        finding.patient_id,
        finding.record_id,
        finding.span.start,
        finding.span.end,
        finding.phi_type.category,
        finding.phi_type.name,
        " ".join(places),
    ]
