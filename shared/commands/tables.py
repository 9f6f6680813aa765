"""Commands over the tables of an archive: their options, and what is said of what came about."""

import argparse
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.commands.output import bar_of_stages, report
from shared.commands.recognizer_options import add_cores
from shared.errors import RequestError
from shared.text.blocks import counted

if TYPE_CHECKING:
    from tandem.tables.table_run import TableReport

_MB = 1 << 20
_LEFT_OUT = "left-out"


def add_tables(
    parser: argparse.ArgumentParser, *, cores_too: bool = False, largest_patient: int = 20
) -> None:
    """Add the options that are for tables of records; the largest patient is in megabytes."""
    if cores_too:
        add_cores(parser)
    group = parser.add_argument_group(
        "tables of Parquet or CSV, with the columns patient, record and text"
    )
    group.add_argument(
        "--engine", metavar="E",
        help="where parts are worked on: processes (the default), dask or dask=ADDRESS of a "
        "scheduler, spark or spark=MASTER",
    )  # fmt: skip
    group.add_argument(
        "--part-size", type=_megabytes, default=2 * _MB, metavar="MB",
        help="about how much text is worked on at a time, and done again where a worker ends (2)",
    )  # fmt: skip
    group.add_argument(
        "--largest-patient", type=_megabytes, default=largest_patient * _MB, metavar="MB",
        help=f"patients with more text are left out, and listed ({largest_patient})",
    )  # fmt: skip


def run_tables(
    arguments: argparse.Namespace,
    job: str,
    tables: Mapping[str, Path],
    options: Mapping[str, Any],
    files: tuple[Path, ...] = (),
) -> int:
    """Do a job over tables by name and say what came about; 0 all is done, 1 some are left out.

    Raises TandemError.
    """
    refuse_without_arrow()
    from shared.formats.base import ReadOptions
    from tandem.tables.table_input import tables_of
    from tandem.tables.table_run import TableRequest, run_table_job

    out: Path | None = arguments.out
    if out is None:
        raise RequestError("tables are written: give --out TABLE.parquet, or a folder")
    if out.suffix not in ("", ".parquet"):
        raise RequestError(f"{out}: tables are written as .parquet, or into a folder")
    inputs = tables_of(tables, ReadOptions(dict(getattr(arguments, "option", ()))))
    request = TableRequest(
        job, options, inputs, out, files, arguments.part_size, arguments.largest_patient
    )
    engine = arguments.engine or "processes"
    with bar_of_stages() as step:
        made = run_table_job(request, engine, cores=arguments.cores, watch=step)
    written = {name: request.target(name) for name in made.rows}
    data = {**made._asdict(), "out": {name: str(path) for name, path in written.items()}}
    report(data, arguments, lambda: _show(made, written))
    if made.left_out:
        left = counted(made.left_out, "record")
        print(f"tandem: {left} left out, see {written[_LEFT_OUT]}", file=sys.stderr)
    if made.astray:
        said = f"{counted(made.astray, 'row')} about patients without records were passed over"
        print(f"tandem: {said}", file=sys.stderr)
    return int(bool(made.left_out or made.astray))


def refuse_options(arguments: argparse.Namespace, *names: str, given: str = "") -> None:
    """Raise RequestError where an option is given that is not for tables, or only with `given`."""
    for each in names:
        if getattr(arguments, each):
            why = f"goes with {given} only" if given else "is not for tables; leave it out"
            raise RequestError(f"--{each.rstrip('_').replace('_', '-')} {why}")


def refuse_without_arrow() -> None:
    """Raises RequestError where what reads tables is not installed."""
    if find_spec("pyarrow") is None:
        raise RequestError("tables need the package pyarrow: pip install 'tandem-phi[parquet]'")


def _show(made: "TableReport", written: Mapping[str, Path]) -> None:
    rate = made.records / made.seconds if made.seconds else 0.0
    print(f"{counted(made.records, 'record')}, {rate:.0f} a second")
    for name, path in written.items():
        print(f"{path}: {counted(made.rows[name], 'row')}")


def _megabytes(said: str) -> int:
    try:
        number = float(said)
    except ValueError:
        number = 0.0
    if not 0 < number <= 10_000:
        raise argparse.ArgumentTypeError("needs a number of megabytes")
    return max(1, int(number * _MB))
