"""`tandem verify`: a project held against itself."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shared.commands.output import add_json, report
from shared.errors import FileError
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.project.verified_journals import Discrepancy
    from shared.project.verifying import Verification

_DESCRIPTION = """
Holds the journals of a project, the layers, the gold standard, the records, the manifest, the
decisions and the settings against each other and against the project's log, and tells what differs
and when it was last as it should be. Ends with status 1 where something differs. Who may write
every file and works out every hash anew is found only by --head: write the head down elsewhere.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("project", type=Path, metavar="PROJECT")
    parser.add_argument(
        "--rebuild",
        action="store_true",
        help="write layers and gold standard again as their journals have them, where they differ",
    )
    parser.add_argument(
        "--accept",
        default="",
        metavar="REASON",
        help="take what differs as it is; who did so, when and why stays in the log",
    )
    parser.add_argument(
        "--seal",
        action="store_true",
        help="note in the log how everything is, where nothing differs, and print its head",
    )
    parser.add_argument(
        "--head",
        metavar="HEAD",
        help="one that was printed before: say whether this is the same history gone on",
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print what differs; 0 nothing, 1 something, also where it was rebuilt or accepted."""
    from shared.project.creation import SETTINGS
    from shared.project.files import is_there
    from shared.project.project import Project
    from shared.project.project_log import PROJECT_LOG
    from shared.project.rebuilding import rebuild, seal

    root = arguments.project.resolve()
    if not is_there(root / PROJECT_LOG) and not is_there(root / SETTINGS):
        Project.open(root)  # says that it is none
    found = _verify(root, arguments.head)
    differed = bool(found.discrepancies)
    rebuilt: list[str] = []
    if arguments.rebuild and found.discrepancies:
        rebuilt = rebuild(found)
        found = _verify(root, arguments.head)
    if arguments.accept or arguments.seal:
        seal(found, arguments.accept)
        found = _verify(root, arguments.head)
    report(_as_json(found, rebuilt), arguments, lambda: _print(found, rebuilt))
    return int(differed or bool(found.discrepancies))


def _verify(root: Path, head: str | None) -> "Verification":
    from shared.project.verifying import verify

    found = verify(root, head)
    if not found.discrepancies:
        found.remarks += _loose_decisions(root)
    return found


def _loose_decisions(root: Path) -> "list[Discrepancy]":
    """The patients some of whose decisions the gold standard does not follow."""
    from adjudicator.decision_book import read_decisions
    from adjudicator.gold_layer import read_gold
    from shared.project.project import Project
    from shared.project.verified_journals import Discrepancy

    project, loose = Project.open(root), list[Discrepancy]()
    for patient_id in project.patient_ids:
        name = f"journal/gold/{patient_id}.jsonl"
        try:
            decided = [each for each in read_decisions(project, patient_id) if each.ids]
            gold = read_gold(project, patient_id) if decided else None
            count = sum(not gold.holds(each) for each in decided) if gold else 0
        except FileError as problem:
            loose.append(Discrepancy(name, f"could not be held against the decisions: {problem}"))
            continue
        if count:
            are = "decision is" if count == 1 else "decisions are"
            loose.append(Discrepancy(name, f"{count} {are} not what the gold standard has"))
    return loose


def _differ(number: int) -> str:
    return f"{counted(number, 'thing')} differ{'s' if number == 1 else ''}"


def _as_json(found: "Verification", rebuilt: list[str]) -> dict[str, Any]:
    from shared.project.verifying import fingerprint

    return {
        "project": str(found.root),
        "discrepancies": [
            {"file": each.file, "what": each.what, "since": each.since or None,
             "can_be_rebuilt": each.can_be_rebuilt}
            for each in found.discrepancies
        ],
        "remarks": [
            {"file": each.file, "what": each.what, "since": each.since or None}
            for each in found.remarks
        ],
        "checked": {
            "journals": len(found.journals),
            "lines": found.lines,
            "lines_before_the_chain": found.before_chain,
            "layers": found.layers,
            "records": found.records,
            "files": found.files,
        },
        "not_covered": found.not_covered,
        "rebuilt": rebuilt,
        "head": fingerprint(found.log) if found.log else None,
    }  # fmt: skip


def _print(found: "Verification", rebuilt: list[str]) -> None:
    from shared.project.verifying import fingerprint

    for name in rebuilt:
        print(f"rebuilt: {name}")
    for each in found.discrepancies:
        print(f"differs: {each}")
    for each in found.remarks:
        print(f"remark: {each}")
    differ = _differ(len(found.discrepancies))
    print(
        f"{counted(len(found.journals), 'journal')} with {counted(found.lines, 'line')}, "
        f"{counted(found.layers, 'layer')}, {counted(found.records, 'record')} and "
        f"{counted(found.files, 'other file')} were held against each other: {differ}"
    )
    if found.before_chain:
        are = "line was" if found.before_chain == 1 else "lines were"
        print(f"{found.before_chain} {are} written by an earlier version: no hash vouches for them")
    if found.not_covered:
        some = ", ".join(found.not_covered[:3]) + (" …" if found.not_covered[3:] else "")
        print(f"nothing vouches for {counted(len(found.not_covered), 'file')}: {some}")
    if found.log:
        print(f"head of the log: {fingerprint(found.log)}")
