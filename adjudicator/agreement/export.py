"""The agreement report of a project as a folder of files, made by window and command line alike."""

import contextlib
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from shared.agreement.report.export import to_csv, to_json, to_markdown, to_xlsx
from shared.agreement.report.html_page import to_html
from shared.agreement.report.latex import table_to_latex, to_latex
from shared.agreement.report.options import RESAMPLES, ReportOptions
from shared.agreement.report.plots import plots_of
from shared.agreement.report.report import Watch, make_report
from shared.agreement.report.table import Report
from shared.agreement.study import Study
from shared.errors import RequestError
from shared.project.creation import SETTINGS
from shared.project.files import is_there, make_folder, write_atomic
from shared.project.folders import bring_back, changed_folder_atomically, check_target
from shared.version import installed_version

PAGE = "agreement.html"
_TABLES, _PLOTS = "tables", "plots"
_WHO = "tandem agreement"
_LONGEST = 40
"""Letters of a name of a file that tell whose plot it is; its number tells them apart."""


def options_of_today(
    resamples: int = RESAMPLES,
    seed: int = 1,
    *,
    with_text: bool = False,
    change: date | None = None,
) -> ReportOptions:
    """Return options that name this version of Tandem and this day."""
    today = date.today()  # noqa: DTZ011  the day on the calendar of whoever asks
    return ReportOptions(installed_version(), today, resamples, seed, with_text, change)


def export(
    study: Study,
    options: ReportOptions,
    out: Path,
    watch: Watch = iter,
    note: Callable[[Path], object] = id,
) -> None:
    """Measure a study and write all files of its report to the folder `out`, or none.

    `note` is given `out` when all is measured, just before it is written.

    An earlier report there gives way to it. Raises RequestError where `out` holds something else,
    FileError, LockedError where another report is being written there, StorageError.
    """
    check_out(out)
    report = make_report(study, options, watch)
    note(out)
    write_report(report, out)


def check_out(out: Path) -> None:
    """Raise RequestError where a report cannot be written to a folder, for what is there."""
    bring_back(out)
    if is_there(out / SETTINGS):
        raise RequestError(f"{out} is a project; give the report a folder of its own")
    if not is_there(out / PAGE):
        check_target(out)


def write_report(report: Report, out: Path) -> None:
    """Write all files of a report in place of an earlier one, as open as the folder they are in.

    Raises as `export` does.
    """
    is_new = not is_there(out)
    make_folder(out)
    try:
        with changed_folder_atomically(out, _WHO) as folder:
            for name in (_TABLES, _PLOTS):
                shutil.rmtree(folder / name, ignore_errors=True)
            _fill(report, folder)
    except BaseException:
        if is_new:
            with contextlib.suppress(OSError):
                out.rmdir()
        raise


def _fill(report: Report, folder: Path) -> None:
    texts = {
        PAGE: to_html(report),
        "agreement.json": to_json(report),
        "agreement.md": to_markdown(report),
        "agreement.tex": to_latex(report),
        **{f"{_TABLES}/{table.name}.csv": to_csv(table) for table in report.tables},
        **{f"{_TABLES}/{table.name}.tex": table_to_latex(table) for table in report.tables},
        **dict(_plot_files(report)),
    }
    for name, text in texts.items():
        write_atomic(folder / name, text.encode("utf-8", "replace"))
    write_atomic(folder / "agreement.xlsx", to_xlsx(report))


def _plot_files(report: Report) -> Iterator[tuple[str, str]]:
    """Yield each plot, and beside it what it shows; names may hold what a file system dislikes."""
    for number, (sides, plots) in enumerate(plots_of(report).items(), start=1):
        names = re.sub(r"\W+", "_", sides)[:_LONGEST]
        for plot in plots:
            path = f"{_PLOTS}/{number:02}_{names}_{plot.data.name}"
            yield f"{path}.svg", plot.on_paper()
            yield f"{path}.csv", to_csv(plot.data)
