"""The commands that write, on a project so small that each takes about a second.

What a command leaves is told by the names and contents of all files, without times and hashes.
"""

import json
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from annotator.session import AnnotationSession
from shared.commands import demo_pipeline
from shared.commands.main import main
from shared.model import Patient, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.verifying import verify
from shared.synthetic import fabricate
from tests.end_to_end.killed_process import Doing, run

PASS = "--passphrase-file pass"  # noqa: S105
COMMANDS = {
    "new": "new made --records records --annotators ana,ben",
    "assign": "assign team --give cy 103",
    "hand-out": f"hand-out project --annotator ana --patients 104 --out out.tandem {PASS}",
    "open": f"open given.tandem opened {PASS}",
    "hand-in": f"hand-in elsewhere --out in.tandem {PASS}",
    "collect": f"collect project back.tandem {PASS}",
    "status": "status project --patients --json status.json",
    "check": "check project --json check.json --csv check.csv --html check.html",
    "check-again": "check project --json there.json --csv there.csv --html there.html",
    "check-dismiss": "check project --layer ana --dismiss {finding} --reason none",
    "agreement": "agreement project --out new-report --resamples 20",
    "agreement-again": "agreement project --out report --resamples 20 --seed 2",
    "verify": "verify project --json verify.json",
    "verify-rebuild": "verify broken --rebuild",
    "verify-seal": "verify project --seal",
    "score": "score project/gold truth --json score.json",
    "train": "train truth --out new-model --recognizer token --features word --cores 1",
    "train-again": "train truth --out model --recognizer token --features word --cores 1",
    "suggest": "suggest records --model rules --out suggested --cores 1",
    "import-suggestions": "import-suggestions project truth --name other",
    "evaluate": "evaluate rules truth --cores 1 --json evaluate.json",
    "surrogate": "surrogate project --out new-release --accept-unreviewed --seed 1 --cores 1",
    "surrogate-replace": "surrogate project --out release --replace --accept-unreviewed --seed 2 "
    "--cores 1",
    "surrogate-review": "surrogate project --review --seed 1 --cores 1",
    "surrogate-hold-back": "surrogate project --hold-back 101 --reason rare",
    "surrogate-keyed": "surrogate project --out keyed --mode keyed --keep-map new.map "
    f"--accept-unreviewed --seed 1 --cores 1 {PASS}",
    "risk": "risk project --model rules --to-judge judge.csv --json risk.json",
    "risk-release": "risk project --release release --json risk.json",
    "audit": "audit project --sample 2 --seed 1",
    "convert": "convert project/gold brat --to brat",
    "suggest-table": "suggest notes.csv --model rules --out notes.parquet --cores 1",
    "check-table": "check notes.csv --tags tags.parquet --out findings.parquet --cores 1",
    "surrogate-table": "surrogate notes.csv --tags tags.parquet --out new.parquet --doubtful mask "
    "--mode keyed --key pass --cores 1",
    "export": "adjudicate project --export-log log.jsonl",
    "export-discuss": "adjudicate project --export-discuss discuss.md --with-text",
}  # fmt: skip
"""Every way to write, by name; they are run in the folder that `prepare` makes."""
DONE_ONCE = {"assign": "cy has patient 103 already, to annotate"}
"""What a command says that was done already, but for the last line of the log."""
_MASKED = re.compile(
    rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:\d\d|Z)?"
    rb"|\b[0-9a-f]{8,64}\b|\"(seconds|took|pid|started)\": ?\"?[\d.]+"
)
_PROJECTS = {"project", "broken", "elsewhere", "team"}
_OWN = {"home", "tmp"}
Files = Mapping[str, bytes]


def prepare(folder: Path, *, outputs: bool = True) -> None:
    """Make a project of four patients: two adjudicated, one annotated, one untouched.

    With `outputs`, what was made of it is there too: a handed-out file, work done elsewhere, a
    report, a release, a model.
    """
    small = [_small(each) for each in fabricate(4, 3)]
    demo_pipeline.write_records(small, folder / "records", folder / "truth")
    project = demo_pipeline.make_project(folder / "records", folder / "project", 1)
    demo_pipeline.annotate_all(project, small[:3], 1)
    demo_pipeline.adjudicate_all(project, small[:2])
    if not outputs:
        return
    (folder / "pass").write_text("correct horse battery\n")
    (folder / "pass").chmod(0o600)
    for command in (
        "new team --records records --annotators ana,ben,cy",
        f"hand-out project --annotator ana --patients 104 --out given.tandem {PASS}",
        f"open given.tandem elsewhere {PASS}",
    ):
        _do(command, folder)
    with AnnotationSession(Project.open(folder / "elsewhere"), "ana", "104") as session:
        session.tag(Span(0, 4), next(iter(I2B2_2014.types())).phi_type)
    for command in (
        f"hand-in elsewhere --out back.tandem {PASS}",
        "convert records notes.csv --to table",
        "suggest notes.csv --model rules --out tags.parquet --cores 1",
        "check project --layer ana --json findings.json",
        "check project --json there.json --csv there.csv --html there.html --kinds initials",
        "agreement project --out report --resamples 20",
        "surrogate project --hold-back 103 --hold-back 104 --reason 'still to do'",
        "surrogate project --out release --accept-unreviewed --seed 1 --cores 1",
        "train truth --out model --recognizer token --features word --cores 1 --seed 5",
    ):
        _do(command, folder)
    shutil.copytree(folder / "project", folder / "broken")
    (folder / "broken/layers/ana/101-01.xml").unlink()
    (folder / "broken/gold/101-02.xml").write_text("<nothing/>")


def _small(fabricated):
    """Two records of a fabricated patient."""
    patient = fabricated.patient
    few = patient.documents[:2]
    gold = {each.record_id: fabricated.gold[each.record_id] for each in few}
    return replace(fabricated, patient=Patient(patient.id, few), gold=gold)


def _do(command: str, folder: Path) -> None:
    ended = run(command_line(command), folder)
    if ended.status not in (0, 1):
        raise RuntimeError(f"{command} ends with {ended.status}: {ended.output}")


def command_line(command: str) -> Doing:
    """The program `tandem` with these words, `{finding}` being one of those in `findings.json`."""

    def do(_tell: object) -> int:
        words = command
        if "{finding}" in words:
            one = json.loads(Path("findings.json").read_text("utf-8"))["findings"][0]
            words = words.replace("{finding}", f"{one['record']}:{one['start']}-{one['end']}")
        return main(shlex.split(words))

    return do


def files_of(folder: Path) -> Files:
    """All files and folders below, hidden ones too, each with its content without times."""
    return {
        each.relative_to(folder).as_posix(): _MASKED.sub(b"#", each.read_bytes())
        if each.is_file()
        else b"folder"
        for each in folder.rglob("*")
    }


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """What a command leaves, as two runs of it say."""

    status: int
    files: Files
    uncertain: frozenset[str]
    """Files that two undisturbed runs write differently, such as encrypted ones."""

    @classmethod
    def of(cls, status: int, first: Files, second: Files) -> "Undisturbed":
        names = {each for each in first if first[each] != second.get(each)}
        return cls(status, first, frozenset(names))

    def differences(self, files: Files) -> Iterator[str]:
        """What is lost, what is left behind, and what is another."""
        for name in sorted(self.files.keys() - files.keys()):
            yield f"{name} is not there"
        for name in sorted(files.keys() - self.files.keys()):
            if not name.endswith(".lock"):  # which `left_behind` sees to
                yield f"{name} is left behind"
        for name in sorted(self.files.keys() & files.keys() - self.uncertain):
            if not _is_as(name, files[name], self.files[name]):
                yield f"{name} is another"


def _is_as(name: str, there: bytes, expected: bytes) -> bool:
    """Whether a file is what it should be; a log may tell more, and its hashes go on from that."""
    if not name.endswith(".jsonl") or name.split("/", maxsplit=1)[0] not in _PROJECTS:
        return there == expected or name.endswith(".head")
    return set(expected.splitlines()) <= set(there.splitlines())


def open_team(folder: Path) -> None:
    """Open a patient, as somebody does some day: what a killed `assign` left is removed then."""
    project = Project.open(folder / "team")
    for each in project.assignments():
        if (each.annotator, each.patient_id) == ("cy", "103"):
            AnnotationSession(project, "cy", "103").close()


def wrong_in_projects(folder: Path) -> Iterator[str]:
    """What `tandem verify` finds in all projects but the one that is broken on purpose."""
    for settings in sorted(folder.glob("*/tandem.toml")):
        root = settings.parent
        if root.name != "broken":
            for each in verify(root).discrepancies:
                yield f"{root.name}: {each}"


def half_made(folder: Path, before: Files, done: Undisturbed) -> Iterator[str]:
    """What is neither as before nor as it is to become, right after a kill.

    Within a project each file counts for itself, of anything else all files together.
    """
    now = {name: each for name, each in files_of(folder).items() if not is_aside(name)}
    for top in sorted({name.split("/")[0] for name in (*before, *done.files, *now)} - _OWN):
        there = _below(now, top)
        wanted = [_below(before, top), _below(done.files, top)]
        begun = {each for each in there if each.endswith(".jsonl") and each not in before}
        there = {each: data for each, data in there.items() if data or each not in begun}
        units = [[name] for name in there] if top in _PROJECTS else [list(there)] if there else []
        for names in units:
            if not any(_are_as(names, there, each, done) for each in wanted):
                yield f"{names[0] if len(names) == 1 else top} is neither old nor new"
        if wanted[0] and not there and not any(folder.glob(f".{top}.*")):
            yield f"{top} is gone"


def _are_as(names: list[str], there: Files, wanted: Files, done: Undisturbed) -> bool:
    if not names[1:] and there[names[0]] == b"folder":  # made to be filled
        return True
    if len(names) > 1 and names != list(wanted):
        return False
    return all(
        name in wanted and (name in done.uncertain or _is_as(name, there[name], wanted[name]))
        for name in names
    )


def _below(files: Files, top: str) -> Files:
    return {name: files[name] for name in sorted(files) if name.split("/")[0] == top}


def is_aside(name: str) -> bool:
    """Whether a file or folder is hidden or a lock: nothing that a user looks at."""
    return any(part.startswith(".") for part in name.split("/")) or name.endswith(".lock")
