"""Projects made by real sessions, altered at random: is every alteration found, and none made up?

python -m tests.end_to_end.alter_at_random --alterations 1000 --healthy 1000 --seed 1

A project is fabricated by tagging, undoing, dismissing, noting, finishing, adjudicating, handing
out and in, collecting, exporting, and by processes that are killed in the middle. Each alteration
is made in a copy of its own, each healthy project is another one. Prints what was missed, with the
seed that repeats it.
"""

import argparse
import datetime as dt
import os
import random
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path

from adjudicator.audit_book import HIDDEN, AuditBook, adjudicated_records
from adjudicator.decisions import DecisionChoice
from adjudicator.release.held_back import HeldBack, keep_held_back
from adjudicator.session import AdjudicationSession
from annotator.session import AnnotationSession
from shared.consistency.dismissals import Dismissal, dismissal_key_at, dismissals_path
from shared.consistency.findings import FindingKind, FindingLocation
from shared.errors import CrossesRecordsError, RequestError
from shared.formats.base import Record
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project import patient_layer
from shared.project.collecting import collect
from shared.project.handed_work import hand_in, hand_out, open_handed_out
from shared.project.journal import append_to_journal
from shared.project.notes import NoteBook, NoteKind, NotePlace
from shared.project.project import Project
from shared.project.project_log import note_export
from shared.project.verifying import Verification, verify

TYPES = [each.phi_type for each in I2B2_2014.types()][:6]
PASSPHRASE = "correct horse battery"  # noqa: S105
SETTINGS = "tandem.toml"


class FabricatedProject:
    """A project with its stages: copies of the folder as it was between sessions."""

    def __init__(self, folder: Path, chance: random.Random, *, stages: bool = False) -> None:
        self.root = folder / "project"
        self.stages: list[Path] = []
        self._folder = folder
        self._chance = chance
        self._keeps_stages = stages
        words = [f"word{number}" for number in range(12)]
        records = [
            Record(Document(f"{patient}-0{at}", str(patient), " ".join(words)))
            for patient in (1, 2)
            for at in range(1, chance.randrange(2, 4))
        ]
        self.project = Project.create(
            self.root, "Random", I2B2_2014, records, ["ana", "ben"], chance.randrange(99),
            import_as=chance.choice(["", "", "ana"]),
        )  # fmt: skip

    def work(self, sessions: int) -> None:
        self._keep_stage()
        pairs = [(name, each) for name in ("ana", "ben") for each in self.project.patient_ids]
        for pair in [
            each for each in pairs for _ in range(self._chance.randrange(1, 1 + sessions))
        ]:
            self._maybe_killed(partial(self._annotate, *pair))
            self._keep_stage()
        if self._chance.random() < 0.15:
            self._elsewhere(self._chance.choice(["ana", "ben"]))
            self._keep_stage()
        for pair in pairs:
            with AnnotationSession(self.project, *pair) as session:
                session.finish()
        self._keep_stage()
        for patient_id in self.project.patient_ids:
            self._maybe_killed(partial(self._adjudicate, patient_id))
            self._keep_stage()
        self._look_beyond()
        if self._chance.random() < 0.3:  # the last to be there is killed
            self._killed(partial(self._annotate, "ana", "1"))

    def _keep_stage(self) -> None:
        if self._keeps_stages:
            copy = self._folder / f"stage{len(self.stages)}"
            shutil.copytree(self.root, copy)
            self.stages.append(copy)

    def _maybe_killed(self, do: Callable[[], None]) -> None:
        if self._chance.random() < 0.15:
            self._killed(do)
        else:
            do()

    def _killed(self, do: Callable[[], None]) -> None:
        """Do it in a process that is killed, at some step or between two writes."""
        step = self._chance.randrange(1, 60)
        child = os.fork()
        if child == 0:
            for name in ("write", "replace", "fsync"):
                _kill_at(name, step, [0])
            try:
                do()
            finally:
                os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
        journals = sorted(self.root.glob("journal/*/*.jsonl"))
        if journals and self._chance.random() < 0.2:  # as a power failure leaves it
            with self._chance.choice(journals).open("ab") as file:
                file.write(b'{"at":"20')
        for lock in self.root.rglob("*.lock"):
            if not lock.stat().st_size:  # nobody's after ten seconds, for which nobody waits here
                os.utime(lock, (0, 0))

    def _annotate(self, name: str, patient_id: str) -> None:
        chance = self._chance
        with AnnotationSession(self.project, name, patient_id) as session:
            for _ in range(chance.randrange(1, 7)):
                _edit(session, chance)
            session.record_visible(Span(0, len(session.view.text)))
            if chance.random() < 0.5:
                session.finish()
        if chance.random() < 0.3:
            NoteBook(self.project, name).write(patient_id, NoteKind.NOTE, NotePlace(), "why?")
        if chance.random() < 0.2:
            self._dismiss(name, patient_id)

    def _dismiss(self, name: str, patient_id: str) -> None:
        patient = self.project.patient(patient_id)
        place = FindingLocation(patient.documents[0].record_id, Span(0, 4))
        key = dismissal_key_at(place, FindingKind.REPEAT, patient.documents[0])
        entry = Dismissal.now(key, name, name, "no").as_entry()
        append_to_journal(dismissals_path(self.root, name), [entry], name)

    def _adjudicate(self, patient_id: str) -> None:
        choices = [DecisionChoice.FIRST, DecisionChoice.SECOND, DecisionChoice.NEITHER]
        with AdjudicationSession(self.project, patient_id, "carol") as session:
            for each in list(session.queue):
                try:
                    session.queue.decide(each, self._chance.choice(choices))
                except RequestError:  # who was chosen has no tag there
                    session.queue.decide(each, DecisionChoice.NEITHER)
            if self._chance.random() < 0.3:
                session.undo()
            assert not session.left_out, session.notices
            if not session.queue.progress.left:
                session.finish()

    def _elsewhere(self, name: str) -> None:
        path = self._folder / "out.tandem"
        content = hand_out(self.project, name, [], PASSPHRASE)
        there = open_handed_out(content, path, PASSPHRASE, self._folder / "elsewhere")
        with AnnotationSession(there, name, "1") as session:
            session.tag(Span(0, 4), self._chance.choice(TYPES))
        assert not verify(there.root).discrepancies, verify(there.root).discrepancies
        collect(self.project, hand_in(there, PASSPHRASE), path, PASSPHRASE)
        shutil.rmtree(there.root)

    def _look_beyond(self) -> None:
        note_export(self.root, "agreement", "report")
        if self._chance.random() < 0.5:
            keep_held_back(self.root, [HeldBack.now(("2", ""), "why not")])
        archive = adjudicated_records(self.project)
        if archive:
            AuditBook(self.project).draw(archive, 1, "carol", HIDDEN, 1)


def _kill_at(name: str, step: int, count: list[int]) -> None:
    """Let the process be killed when it calls `os.name` for the n-th time."""
    call = getattr(os, name)

    def counted(*args: object, **more: object) -> object:
        count[0] += 1
        if count[0] >= step:
            os.kill(os.getpid(), signal.SIGKILL)
        return call(*args, **more)

    setattr(os, name, counted)


def _edit(session: AnnotationSession, chance: random.Random) -> None:
    tags = list(session.tags)
    match chance.randrange(7):
        case 0:
            session.undo()
        case 1:
            session.redo()
        case 2:
            session.save()
        case 3 if tags:
            session.remove([chance.choice(tags)])
        case _:
            start = chance.randrange(len(session.view.text) - 8)
            with suppress(CrossesRecordsError, RequestError):
                session.tag(Span(start, start + 5), chance.choice(TYPES))


# ---------------------------------------------------------------- alterations


def alter(made: FabricatedProject, root: Path, chance: random.Random) -> str:
    """Alter a copy of a project; returns how, "" where there was nothing to alter so."""
    how = chance.choice([_drop, _change, _swap, _double, _replace, _remove, _restore, _set_back])
    return how(made, root, chance)


def _journal(root: Path, chance: random.Random, least: int) -> tuple[Path, list[bytes]]:
    """A journal of the project with so many whole lines, which are what one can alter."""
    paths = sorted(
        path for path in root.rglob("*.jsonl") if path.read_bytes().count(b"\n") >= least
    )
    path = chance.choice(paths)
    return path, path.read_bytes().splitlines(keepends=True)


def _drop(_: FabricatedProject, root: Path, chance: random.Random) -> str:
    path, lines = _journal(root, chance, 1)
    at = chance.choice([chance.randrange(len(lines)), len(lines) - 1])
    at = at if lines[at].endswith(b"\n") else 0  # what was cut off is no line
    path.write_bytes(b"".join(lines[:at] + lines[at + 1 :]))
    return f"dropped line {at + 1} of {len(lines)} of {path.relative_to(root)}"


def _change(_: FabricatedProject, root: Path, chance: random.Random) -> str:
    path, lines = _journal(root, chance, 1)
    whole = [at for at, line in enumerate(lines) if line.endswith(b"\n")]
    at = chance.choice(whole)
    place = chance.randrange(len(lines[at]) - 1)
    other = chance.choice([byte for byte in b"0123456789abcXYZ" if byte != lines[at][place]])
    line = bytearray(lines[at])
    line[place] = other
    path.write_bytes(b"".join([*lines[:at], bytes(line), *lines[at + 1 :]]))
    return f"changed byte {place} of line {at + 1} of {len(lines)} of {path.relative_to(root)}"


def _swap(_: FabricatedProject, root: Path, chance: random.Random) -> str:
    path, lines = _journal(root, chance, 2)
    whole = [at for at, line in enumerate(lines) if line.endswith(b"\n")]
    one, other = chance.sample(whole, 2)
    lines[one], lines[other] = lines[other], lines[one]
    path.write_bytes(b"".join(lines))
    return f"swapped lines {one + 1} and {other + 1} of {path.relative_to(root)}"


def _double(_: FabricatedProject, root: Path, chance: random.Random) -> str:
    path, lines = _journal(root, chance, 1)
    at = chance.choice([at for at, line in enumerate(lines) if line.endswith(b"\n")])
    path.write_bytes(b"".join([*lines[: at + 1], lines[at], *lines[at + 1 :]]))
    return f"doubled line {at + 1} of {len(lines)} of {path.relative_to(root)}"


def _covered(root: Path) -> list[Path]:
    """Every file of a project that is not a lock, aside, or half written."""
    files = [path for path in sorted(root.rglob("*")) if path.is_file()]
    return [each for each in files if not each.name.startswith(".") and each.suffix != ".lock"]


def _replace(_: FabricatedProject, root: Path, chance: random.Random) -> str:
    one, other = chance.sample(_covered(root), 2)
    if one.read_bytes() == other.read_bytes():
        return ""
    shutil.copyfile(other, one)
    return f"replaced {one.relative_to(root)} by {other.relative_to(root)}"


def _remove(_: FabricatedProject, root: Path, chance: random.Random) -> str:
    path = chance.choice([each for each in _covered(root) if not _is_empty_journal(each)])
    path.unlink()
    return f"removed {path.relative_to(root)}"


def _is_empty_journal(path: Path) -> bool:
    """A journal without a line says as much as none, and its head with it."""
    journal = path.with_suffix(".jsonl") if path.suffix == ".head" else path
    return journal.suffix == ".jsonl" and b"\n" not in _content(journal)


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _restore(made: FabricatedProject, root: Path, chance: random.Random) -> str:
    """A file, or a journal with its head, or all files of a patient, from an earlier stage."""
    stage = chance.choice(made.stages)
    pattern = chance.choice(["", "", "journal/*/1.*", "journal/ana/*", "log/*", "layers/ana/*"])
    if pattern:
        names = [each.relative_to(stage) for each in stage.glob(pattern)]
    else:
        names = [chance.choice([each.relative_to(stage) for each in _covered(stage)])]
    names = [name for name in names if name.suffix != ".lock"]
    names = [name for name in names if _content(stage / name) != _content(root / name)]
    if all(_is_left_behind(stage / name, root / name) for name in names):
        return ""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(stage / name, root / name)
    return f"restored {', '.join(map(str, names))} from {stage.name}" if names else ""


def _is_left_behind(head: Path, now: Path) -> bool:
    """Whether an earlier head is no more than one line behind, as a kill leaves it."""
    if head.suffix != ".head":
        return False
    size = int(head.read_text().split()[0])
    return _content(now.with_suffix(".jsonl")).count(b"\n", size) < 2


def _set_back(_: FabricatedProject, root: Path, chance: random.Random) -> str:
    """Work while the clock tells an earlier time."""
    before = dt.datetime.now(dt.UTC) - dt.timedelta(hours=chance.randrange(1, 99))
    with _clock(before), AnnotationSession(Project.open(root), "ana", "1") as session:
        session.undo() or session.tag(Span(0, 4), TYPES[0])
    return f"set the clock back to {before:%Y-%m-%d %H:%M}"


@contextmanager
def _clock(now: dt.datetime) -> Iterator[None]:
    class Clock(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> dt.datetime:
            return now

    usual = patient_layer.datetime
    patient_layer.datetime = Clock
    try:
        yield
    finally:
        patient_layer.datetime = usual


def is_found(how: str, found: Verification) -> bool:
    return bool(found.remarks if how.startswith("set the clock") else found.discrepancies)


# ---------------------------------------------------------------- the run


def alterations(number: int, seed: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """Alter so many copies; returns how many of which kind, and those that were not found."""
    kinds: Counter[str] = Counter()
    missed: list[str] = []
    chance = random.Random(seed)
    made: FabricatedProject | None = None
    while kinds.total() < number:
        if made is None or kinds.total() % 25 == 0:
            shutil.rmtree(folder / "made", ignore_errors=True)
            made = FabricatedProject(folder / "made", chance, stages=True)
            made.work(2)
        copy = folder / "made" / "altered"
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(made.root, copy)
        how = alter(made, copy, chance)
        if not how:
            continue
        kinds[how.split()[0]] += 1
        if not is_found(how, verify(copy)):
            missed.append(f"alteration {kinds.total()} of seed {seed}: {how}")
            print("MISSED", missed[-1], flush=True)
    return kinds, missed


def healthy(number: int, seed: int, folder: Path) -> list[str]:
    """Make so many projects; returns what was said of them."""
    said: list[str] = []
    for at in range(number):
        shutil.rmtree(folder / "made", ignore_errors=True)
        made = FabricatedProject(folder / "made", random.Random(f"{seed} {at}"))
        made.work(2)
        found = verify(made.root)
        for each in (*found.discrepancies, *found.remarks):
            said.append(f"healthy {at} of seed {seed}: {each}")
            print("SAID", said[-1], flush=True)
    return said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alterations", type=int, default=1000)
    parser.add_argument("--healthy", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        kinds, missed = alterations(arguments.alterations, arguments.seed, Path(name))
        print(f"{kinds.total()} alterations {dict(kinds)}: {len(missed)} missed", flush=True)
        said = healthy(arguments.healthy, arguments.seed, Path(name))
    print(f"{arguments.healthy} healthy projects: {len(said)} sentences about them")
    return int(bool(missed or said))


if __name__ == "__main__":
    sys.exit(main())
