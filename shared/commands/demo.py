"""`tandem demo`: take fabricated patients through the whole pipeline, then open both windows."""

import argparse
import contextlib
import io
import json
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from shared.commands.demo_folder import PATIENTS, SEED, make_room
from shared.commands.output import add_json, write_json
from shared.errors import RequestError

if TYPE_CHECKING:
    from shared.commands.demo_pipeline import AdjudicationCounts
    from shared.project.project import Project
    from shared.synthetic import FabricatedPatient


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
        default=PATIENTS,
        metavar="N",
        help=f"3 or more; default {PATIENTS}",
    )
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help="seed of the patients")
    parser.add_argument(
        "--no-windows", action="store_true", help="save pictures of the windows only"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the demo; 0 when done, and both windows closed again."""
    from shared.commands import demo_pipeline as pipeline

    if arguments.patients < pipeline.FEWEST_PATIENTS:
        raise RequestError(f"the demo needs {pipeline.FEWEST_PATIENTS} patients or more")
    aside = sys.stderr if arguments.json == "-" else sys.stdout
    with contextlib.redirect_stdout(aside):
        project, data = _make(arguments)
    if arguments.json is not None:  # while the windows are still to come
        write_json(data, arguments.json)
    with contextlib.redirect_stdout(aside):
        return _show(arguments, project, data["to_adjudicate"], data["to_annotate"])


def _make(arguments: argparse.Namespace) -> "tuple[Project, dict[str, Any]]":
    """Fabricate, annotate, adjudicate and report; return the project and what --json says."""
    from shared.commands import demo_pipeline as pipeline
    from shared.synthetic import fabricate

    folder: Path = arguments.folder
    make_room(folder)
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
    to_annotate, to_adjudicate = untouched.patient.id, annotated[-1].patient.id
    _print_results(folder, to_adjudicate, to_annotate)
    return project, {
        "project": str(project.root),
        "patients": len(patients),
        "records": sum(len(each.patient.documents) for each in patients),
        "tags": dict(made),
        "decisions": dict(counts.choices),
        "to_annotate": to_annotate,
        "to_adjudicate": to_adjudicate,
    }


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
    from shared.commands import agreement, check, status
    from shared.project.files import make_folder, write_atomic

    reports, root = project.root / "reports", project.root
    make_folder(reports)
    for name, command in (("agreement", agreement), ("check", check)):
        write_atomic(reports / f"{name}.txt", _output_of(command, root).encode())
        _output_of(command, root, "--json", reports / f"{name}.json")
    so_far = _output_of(status, root)
    write_atomic(reports / "status.txt", so_far.encode())
    print()
    print(so_far.rstrip())
    print()
    print(_averages(json.loads((reports / "agreement.json").read_bytes())))


def _output_of(command: ModuleType, *words: object) -> str:
    """What a command says on standard output, without what it says of patients left out."""
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    spoken, aside = io.StringIO(), io.StringIO()  # aside: what is left out, as a demo leaves it
    with contextlib.redirect_stdout(spoken), contextlib.redirect_stderr(aside):
        status = command.run(parser.parse_args([*map(str, words)]))
    if status == 2:
        sys.stderr.write(aside.getvalue())
        raise RequestError("the demo ended early, its project could not be read again")
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
