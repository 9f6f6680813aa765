"""`tandem demo`: take fabricated patients through the whole pipeline, then open both windows.

DIR/records/   the records as text, as a hospital would hand them over
DIR/truth/     the PHI in them as they were made
DIR/project/   the project made from the records, with its reports
DIR/*.png      pictures of the windows, where there is no display
DIR/demo.json  says that the folder is a demo, so that the next one may replace it
"""

import argparse
import contextlib
import io
import json
import shutil
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from shared.errors import FileError, RequestError, StorageError

if TYPE_CHECKING:
    from shared.commands.demo_pipeline import AdjudicationCounts
    from shared.project.project import Project
    from shared.synthetic import FabricatedPatient

_MARKER = "demo.json"
_PATIENTS = 5
_SEED = 1
_OWN = ("records", "truth", "project", "annotation-window.png", "adjudication-window.png", _MARKER)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Fabricates patients, lets two simulated annotators mark them and disagree, "
        "adjudicates, checks, measures, and opens both windows; where there is no display it "
        "saves pictures of them. An earlier demo in the same folder is replaced."
    )
    parser.add_argument("folder", type=Path, nargs="?", default=Path("tandem-demo"), metavar="DIR")
    parser.add_argument(
        "--patients",
        type=int,
        default=_PATIENTS,
        metavar="N",
        help=f"3 or more; default {_PATIENTS}",
    )
    parser.add_argument("--seed", type=int, default=_SEED, metavar="N", help="seed of the patients")
    parser.add_argument(
        "--no-windows", action="store_true", help="save pictures of the windows only"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the demo; 0 when done, and both windows closed again."""
    from shared.commands import demo_pipeline as pipeline
    from shared.synthetic import fabricate

    if arguments.patients < pipeline.FEWEST_PATIENTS:
        raise RequestError(f"the demo needs {pipeline.FEWEST_PATIENTS} patients or more")
    folder: Path = arguments.folder
    _make_room(folder)
    patients = list(fabricate(arguments.patients, arguments.seed))
    pipeline.write_records(patients, folder / "records", folder / "truth")
    _print_fabricated(patients, arguments.seed, folder)
    project = pipeline.make_project(folder / "records", folder / "project", arguments.seed)
    *annotated, untouched = patients
    made = pipeline.annotate_all(project, annotated, arguments.seed)
    _print_annotated(made, len(annotated))
    counts = pipeline.adjudicate_all(project, annotated[:-1])
    _print_adjudicated(counts)
    _report(project)
    _print_results(folder, annotated[-1].patient.id, untouched.patient.id)
    return _show(arguments, project, annotated[-1].patient.id, untouched.patient.id)


def make(folder: Path) -> Path:
    """Make the usual demo in a folder without a word, and return its project.

    Raises FileError where there is something else, LockedError where a window has it open.
    """
    from shared.commands import demo_pipeline as pipeline
    from shared.synthetic import fabricate

    _make_room(folder)
    patients = list(fabricate(_PATIENTS, _SEED))
    pipeline.write_records(patients, folder / "records", folder / "truth")
    project = pipeline.make_project(folder / "records", folder / "project", _SEED)
    pipeline.annotate_all(project, patients[:-1], _SEED)
    pipeline.adjudicate_all(project, patients[:-2])
    return project.root


def _make_room(folder: Path) -> None:
    """Make the folder, without what an earlier demo left there.

    Raises FileError where there is something else, LockedError where a window has it open.
    """
    from shared.project.files import make_folder, write_new
    from shared.project.lock import acquire_lock

    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            _refuse_others(folder)
            for lock in (folder / "project" / "journal").glob("**/*.lock"):
                acquire_lock(lock, "tandem demo").release()
            for name in _OWN:
                _remove(folder / name)
    except OSError as error:
        raise StorageError.from_os(error.filename or folder, error) from error
    make_folder(folder)
    write_new(folder / _MARKER, json.dumps({"made_by": "tandem demo"}).encode())


def _refuse_others(folder: Path) -> None:
    marker = folder / _MARKER
    with contextlib.suppress(OSError, ValueError):
        if json.loads(marker.read_bytes()) == {"made_by": "tandem demo"}:
            return
    raise FileError(folder, "already exists and is not an earlier demo; give another folder")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _print_fabricated(patients: "list[FabricatedPatient]", seed: int, folder: Path) -> None:
    documents = [document for each in patients for document in each.patient.documents]
    words = sum(len(document.text.split()) for document in documents)
    tags = sum(len(layer.tags) for each in patients for layer in each.gold.values())
    print(
        f"Fabricated {len(patients)} patients with {len(documents)} records, {words:,} words and "
        f"{tags} PHI (seed {seed}); nobody in them is real. The texts are in {folder / 'records'}."
    )


def _print_annotated(made: "Counter[str]", patients: int) -> None:
    each = ", ".join(f"{name} made {count} tags" for name, count in made.items())
    print(
        f"Made a project of them and let two simulated annotators mark {patients} patients, "
        f"neither seeing the other's work: {each}."
    )


def _print_adjudicated(counts: "AdjudicationCounts") -> None:
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts.kinds.most_common())
    choices = ", ".join(f"{choice} {count}" for choice, count in counts.choices.most_common())
    print(
        f"Adjudicated {counts.patients} patients: {counts.choices.total()} disagreements "
        f"({kinds}), decided as {choices}."
    )
    print(
        f"The consistency check then found {counts.found_by_check} PHI that both had missed and "
        f"gave {counts.false_alarms} false alarms; reading through found {counts.found_by_reading} "
        f"more, and {counts.taken_back} tags that both had wrong."
    )


def _report(project: "Project") -> None:
    """Write what `tandem agreement` and `tandem check` say, as tables and as JSON, and show it."""
    from shared.project.files import make_folder, write_atomic

    reports = project.root / "reports"
    make_folder(reports)
    for command in ("agreement", "check", "status"):
        write_atomic(reports / f"{command}.txt", _output_of(command, project.root).encode())
        if command != "status":
            _output_of(command, project.root, "--json", str(reports / f"{command}.json"))
    print()
    print(_output_of("status", project.root).rstrip())
    print()
    print(_averages(json.loads((reports / "agreement.json").read_bytes())))


def _output_of(command: str, *arguments: object) -> str:
    from shared.commands.main import main

    spoken, aside = io.StringIO(), io.StringIO()  # aside: what is left out, as a demo leaves it
    with contextlib.redirect_stdout(spoken), contextlib.redirect_stderr(aside):
        status = main([command, *map(str, arguments)])
    if status == 2:
        sys.stderr.write(aside.getvalue())
        raise RequestError(f"the demo ended early, tandem {command} could not read its project")
    return spoken.getvalue()


def _averages(
    report: "dict[str, dict[str, dict[str, dict[str, dict[str, dict[str, float]]]]]]",
) -> str:
    measures = report["with_gold_average"]["measures"]
    lines = ["Annotators against the gold standard (mean of both, micro):"]
    for name in ("strict", "token"):
        micro = measures[name]["all"]["micro"]
        lines.append(
            f"  {name:7} precision {micro['precision']:.3f}  recall {micro['recall']:.3f}  "
            f"F1 {micro['f1']:.3f}"
        )
    return "\n".join(lines)


def _print_results(folder: Path, to_adjudicate: str, to_annotate: str) -> None:
    project = folder / "project"
    print(
        f"\nGold standard: {project / 'gold'}\nReports: {project / 'reports'}\n"
        f"Left for you: patient {to_annotate} to annotate, patient {to_adjudicate} to adjudicate:\n"
        f"  tandem annotate {project} --annotator ana --patient {to_annotate}\n"
        f"  tandem adjudicate {project} --patient {to_adjudicate}"
    )


def _show(
    arguments: argparse.Namespace, project: "Project", to_adjudicate: str, to_annotate: str
) -> int:
    from shared.commands.display import has_display

    try:
        from shared.commands import demo_windows as windows
    except ImportError as error:
        raise RequestError(
            f"all is done but the windows, since Qt cannot be loaded ({error}); "
            "make demo installs what it needs"
        ) from error
    if has_display() and not arguments.no_windows:
        print("Opening both windows; close them to end the demo.", flush=True)
        return windows.open_windows(project, ("ana", to_annotate), to_adjudicate)
    pictures = windows.save_pictures(project, "ana", to_adjudicate, arguments.folder)
    print("Pictures of the windows: " + ", ".join(map(str, pictures)))
    return 0
