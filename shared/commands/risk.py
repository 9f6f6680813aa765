"""`tandem risk`: what may be left in the records of a project after adjudication, and how sure."""

import argparse
import sys
from datetime import UTC, datetime
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import add_json, print_table, progress, report, write_text
from shared.commands.release_report import print_release, release_as_json
from shared.commands.tables import add_tables, refuse_options, run_tables
from shared.errors import RequestError
from shared.text.blocks import counted

if TYPE_CHECKING:
    from adjudicator.project_risk import ProjectRisk
    from adjudicator.release_risk import ReleaseRisk
    from shared.project.project import Project

_INTERVALS = "From and to are intervals of 95 %; a question mark says that none can be told."
_CHANGED = (
    "layers, states or audits were changed since the data card told of them; it will say all anew"
)
_DESCRIPTION = """
Estimates what may be left in the records after adjudication, from what each annotator found of the
gold standard: PHI that neither found, by type, with intervals of 95 %, the patients who have any,
and of how many patients each annotator found every identifier. With --model a recognizer reads the
records too, and the estimate allows for annotators who miss the same; it should not have been
trained on these records. An estimate is no proof: it knows nothing of PHI that no reader of this
kind would ever see. With --release a release is attacked as somebody would who looks for PHI that
was left in it, and copies of it in memory with misses planted on purpose, which tells how much such
an attack finds; and it is measured what the release is worth to recognizers, and whether the days
between dates are what they were. That takes minutes. Where no two annotators have read, only the
release is measured. With --gold the records are a table, which all readers have read to the end:
what is counted of them is written to --out, and adds up.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument(
        "project",
        type=Path,
        metavar="PROJECT",
        help="an adjudicated project, or a table of records",
    )
    parser.add_argument(
        "--model", action="append", default=[], metavar="MODEL",
        help="folder of a model, rules, dictionaries, or a TOML file of patterns, as third reader",
    )  # fmt: skip
    parser.add_argument(
        "--to-judge", metavar="FILE",
        help="write, as CSV without text, where the recognizer suggests what the gold standard has "
        "not; while nobody has looked, there is an interval and no estimate",
    )  # fmt: skip
    parser.add_argument(
        "--judged",
        action="store_true",
        help="somebody has looked at those places, and what is PHI is in the gold standard now",
    )
    parser.add_argument(
        "--release", type=Path, metavar="DIR",
        help="attack a release of this project and measure its use; its data card says anew all "
        "of what may be left, with the day, and a list of places that look left over stays in the "
        "project",
    )  # fmt: skip
    add_json(parser)
    for name, what in (
        ("--tags", "of a table of records: the tags of a reader; given twice"),
        ("--recognizer", "of a table of records: what a recognizer tagged, as third reader"),
        ("--gold", "of a table of records: the tags that they should have"),
    ):
        how = "append" if name == "--tags" else "store"
        parser.add_argument(name, type=Path, action=how, metavar="TABLE", help=what)
    parser.add_argument(
        "--out", type=Path, metavar="TABLE", help="of a table: where its counts are written"
    )
    add_tables(parser, cores_too=True)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the estimates; 0 done. Raises RequestError where nobody read twice."""
    return _of_tables(arguments) if arguments.gold is not None else _of_project(arguments)


def _of_tables(arguments: argparse.Namespace) -> int:
    """Estimate from tables of tags; 1 where records are left out."""
    from adjudicator.project_risk import risk_of

    refuse_options(arguments, "model", "to_judge", "release")
    if len(arguments.tags or ()) != 2:
        raise RequestError("give --tags twice, once for each of two readers")
    tables = dict(zip(("tags", "second"), arguments.tags, strict=True))
    tables |= {"notes": arguments.project, "reference": arguments.gold}
    if arguments.recognizer is not None:
        tables["recognizer"] = arguments.recognizer
    status = run_tables(arguments, "risk", tables, {})
    if arguments.json is None:
        from tandem.tables.risk_rows import BESIDE_CELLS, CELL_COLUMNS, counts_of_rows
        from tandem.tables.table_input import rows_of

        out: Path = arguments.out
        beside = {
            name: rows_of(out.with_name(f"{out.stem}.{name}{out.suffix}"), columns)
            for name, columns in BESIDE_CELLS.items()
        }
        counts = counts_of_rows(rows_of(out, CELL_COLUMNS), beside)
        if not counts.patients:
            raise RequestError("no record could be read; nothing can be told")
        has_recognizer = arguments.recognizer is not None
        found = risk_of(counts, has_recognizer=has_recognizer, is_judged=arguments.judged)
        _print(found, counts.patients)
    return status


def _of_project(arguments: argparse.Namespace) -> int:
    from adjudicator.release.card import is_outdated
    from adjudicator.release.released import read_made
    from shared.project.project import Project

    refuse_options(arguments, "tags", "recognizer", "out", "engine", given="--gold")
    project = Project.open(arguments.project)
    out: Path | None = arguments.release
    if out is not None:
        read_made(out)  # what is no release is told before all readers are asked
        if is_outdated(project, out):
            print(f"tandem: {_CHANGED}", file=sys.stderr)
    found = _estimates(project, arguments, is_needed=out is None)
    if found is not None and arguments.to_judge:
        write_text(_to_judge(found), arguments.to_judge)
    patients = len(project.patient_ids)
    measured = _measured(project, out, arguments, found) if out is not None else None
    data = _as_json(found, patients) if found else {}
    data |= {"release": release_as_json(*measured)} if measured else {}
    report(data, arguments, lambda: _show(found, patients, measured))
    return 0


def _estimates(
    project: "Project", arguments: argparse.Namespace, *, is_needed: bool
) -> "ProjectRisk | None":
    """What the readers tell. Where nobody read twice: None, or RequestError where it is needed."""
    from adjudicator.project_risk import project_risk

    try:
        return project_risk(
            project,
            arguments.model,
            lambda ids: progress(ids, "reading"),
            is_judged=arguments.judged,
        )
    except RequestError as problem:
        if is_needed:
            raise
        print(f"tandem: {problem}; what readers missed is not estimated", file=sys.stderr)
        return None


def _measured(
    project: "Project", out: Path, arguments: argparse.Namespace, found: "ProjectRisk | None"
) -> "tuple[ReleaseRisk, Path]":
    from adjudicator.release_measuring import measure_release

    return measure_release(
        project,
        out,
        datetime.now(UTC).date().isoformat(),
        lambda what, items: progress(list(items), what.lower()),
        arguments.model if found else (),
        is_judged=arguments.judged,
    )


def _to_judge(found: "ProjectRisk") -> str:
    """The places that a recognizer suggests outside the gold standard, one in a line."""
    lines = ["patient,record,start,end,category,type"]
    for document, tag in found.suggested:
        place = f"{document.patient_id},{document.record_id},{tag.start},{tag.end}"
        lines.append(f"{place},{tag.phi_type.category},{tag.phi_type.name}")
    return "".join(f"{line}\n" for line in lines)


def _show(
    found: "ProjectRisk | None", patients: int, measured: "tuple[ReleaseRisk, Path] | None"
) -> None:
    if found is not None:
        _print(found, patients)
    if measured is not None:
        print_release(*measured)


def _as_json(found: "ProjectRisk", patients: int) -> dict[str, object]:
    from adjudicator.risk_statements import missed_figures, missed_limits, whole_figures

    return {
        **missed_figures(found),
        "all_or_nothing": whole_figures(found),
        "limits": [_INTERVALS, *missed_limits(found, patients)],
    }


def _print(found: "ProjectRisk", patients: int) -> None:
    from adjudicator.risk_statements import missed_limits
    from shared.risk.bounds import interval

    print(f"PHI that no reader found, of {counted(found.patients, 'patient')}:")
    rows = [
        (
            name,
            each.found,
            found.added[name],
            *map(_written, each.ends),
            *map(_written, found.left[name].ends),
        )
        for name, each in found.missed.items()
    ]
    heads = ("type", "found", "added", "missed", "from", "to", "left", "from", "to")
    print_table(rows, heads)
    middle, least, most = map(_written, found.patients_with_any())
    print(f"Patients with any of it left: {middle} ({least} to {most}).")
    print("Patients of whom a reader found every identifier:")
    print_table(
        [
            (
                each.reader,
                each.identifier.value,
                f"{each.whole} of {each.patients}",
                *(f"{value:.3f}" for value in interval(each.whole, each.patients)),
            )
            for each in found.whole
        ],
        ("reader", "identifiers", "patients", "from", "to"),
    )
    for each in (_INTERVALS, *missed_limits(found, patients)):
        print(each)


def _written(value: float) -> str:
    return "?" if isinf(value) else f"{value:.1f}"
