"""Feeds every reader with spoilt files, and says which end in anything but a sentence.

    python -m tests.fuzz --minutes 10 [--seed 7] [--inputs 2000] [--only NUMBER]

Input NUMBER of a seed is always the same. A child process reads them, with 10 s of time and 1 GB of
memory for each, so that a bomb is a find and not the end of the run. The exit status is 1 where
anything was found; the files of a find are kept.
"""

import argparse
import gc
import io
import json
import os
import resource
import secrets
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import NoReturn

from shared.errors import LONGEST, TandemError
from shared.project.handed_work import IN, OUT
from shared.surrogates.key_map import FORMAT as MAP
from tests.fuzz.material import (
    MARKER,
    Files,
    Material,
    make_material,
    packed,
    unpacked,
    write_files,
)
from tests.fuzz.mutations import mutated
from tests.fuzz.readers import READERS

SECONDS, BYTES = 10, 1 << 30
STALLED = 60
"""Seconds of waiting, not of work, after which an input counts as never ending."""
_FORMS = {"out": OUT, "in": IN, "map": MAP}
_RARE = {"model": 0.1, "project sessions": 0.1, "project commands": 0.04, "language": 0.1,
         "project": 0.5, "handed out": 0.1}  # fmt: skip
"""How often what takes longer has its turn."""
_USUAL = 3.0


class Fuzzer:
    """One run: the healthy files, where it works, and what was found."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.seed, self.folder = seed, folder
        (folder / "made").mkdir()
        self.material: Material = make_material(folder / "made", 1)
        self.counts, self.finds = Counter[str](), Counter[str]()
        self.seconds: dict[str, float] = defaultdict(float)

    def run(self, until: float, inputs: int, start: int = 0) -> None:
        """Read inputs until it is time, in one child after the other."""
        log = self.folder / "log"
        while start < inputs and time.monotonic() < until:
            log.unlink(missing_ok=True)
            child = os.fork()
            if child == 0:
                try:
                    self._child(log, start, inputs, until)
                finally:  # of the fuzzer's own making; the parent says which input it was
                    traceback.print_exc()
                    os._exit(1)
            _, status = os.waitpid(child, 0)
            number, name = start, "the fuzzer itself"
            for line in log.read_text().splitlines():
                number, name, found = json.loads(line)
                start = number + 1
                if isinstance(found, float):
                    self.counts[name] += 1
                    self.seconds[name] += found
                elif found != "begun":
                    self._found(number, name, found)
            if os.WIFSIGNALED(status):
                self._found(number, name, f"was killed by signal {os.WTERMSIG(status)}")
            elif status:
                self._found(number, name, "ended the process")
                start = max(start, number + 1)

    def _found(self, number: int, name: str, what: str) -> None:
        self.finds[f"{name}: {what}"] += 1
        if self.finds[f"{name}: {what}"] == 1:
            kept = self.folder / "finds" / str(number)
            if not kept.exists() and (self.folder / "work").exists():
                shutil.copytree(self.folder / "work", kept, symlinks=True)
            print(f"FOUND in {name}, input {number}, {kept}: {what}", flush=True)

    def _child(self, log: Path, start: int, inputs: int, until: float) -> NoReturn:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
        grown = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (grown + BYTES, grown + BYTES))
        warnings.simplefilter("ignore")
        sys.stdout.flush()
        with log.open("w", buffering=1) as told:
            for number in range(start, inputs):
                if time.monotonic() >= until:
                    break
                began = time.thread_time()
                name = self._one(number, told)
                told.write(f"{json.dumps([number, name, time.thread_time() - began])}\n")
        os._exit(0)

    def _one(self, number: int, told: io.TextIOWrapper) -> str:
        chance = Random(f"{self.seed} {number}")
        names = list(READERS)
        name = chance.choices(names, [_RARE.get(each, _USUAL) for each in names])[0]
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        home = "project" if name.startswith("project") else name
        files = self._spoilt(home, chance)
        write_files(files, work / "in")
        if name == "handed out":
            write_files(self.material.sets["project"][0], work / "home")
        told.write(f"{json.dumps([number, name, 'begun'])}\n")

        def said(error: BaseException) -> None:
            problem = _wrong_with(error)
            if problem:
                kept = self.folder / "finds" / str(number)
                shutil.copytree(work, kept, symlinks=True, dirs_exist_ok=True)
                told.write(f"{json.dumps([number, name, problem])}\n")

        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        signal.alarm(STALLED)
        try:
            READERS[name](work / "in", said)
        except Exception as error:  # noqa: BLE001  that is what is looked for
            said(error)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.alarm(0)
        if number % 50 == 0:
            gc.collect()
        return name

    def _spoilt(self, name: str, chance: Random) -> Files:
        """One of the sets of files of a kind, with one of them changed."""
        sets = self.material.sets[name]
        files, other = dict(chance.choice(sets)), chance.choice(sets)
        which = chance.choice(_worth_it(files, name))
        data, more = files[which], chance.choice([*other.values()])
        if which in _FORMS and chance.random() < 0.8:
            files[which] = self._repacked(data, _FORMS[which], more, chance)
        else:
            files[which] = mutated(data, more, chance)
        return files

    @staticmethod
    def _repacked(data: bytes, form: str, other: bytes, chance: Random) -> bytes:
        """What is encrypted is changed inside, and in a part of an archive too."""
        plain = unpacked(data, form)
        if form == MAP or chance.random() < 0.3:
            return packed(mutated(plain, other, chance), form)
        made = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(plain)) as old, zipfile.ZipFile(made, "w") as new:
            names = old.namelist()
            which = chance.choice(names)
            for each in names:
                content = old.read(each)
                content = mutated(content, other, chance) if each == which else content
                renamed = each == which and chance.random() < 0.1
                new.writestr(f"../{each}" if renamed else each, content)
        return packed(made.getvalue(), form)


def _worth_it(files: Files, name: str) -> list[str]:
    """The files of a set that are to be changed; of a project, journals as often as all others."""
    if name != "project":
        return [*files]
    journals = [each for each in files if each.endswith(".jsonl")]
    return journals if len(files) % 2 else [*files, *journals]


def _wrong_with(error: BaseException) -> str:
    """What is wrong with what a reader says, "" where nothing is."""
    if not isinstance(error, TandemError):
        frames = traceback.extract_tb(error.__traceback__)
        ours = [each for each in frames if "/shared/" in each.filename or "/a" in each.filename]
        last = (ours or frames)[-1]
        return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno} {last.name}"
    sentence = str(error)
    if len(sentence) > LONGEST or "\n" in sentence:
        return f"{type(error).__name__} says more than a sentence"
    return f"{type(error).__name__} says what stands in a record" if MARKER in sentence else ""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--inputs", type=int, default=1 << 40, help="at most so many")
    parser.add_argument("--only", type=int, default=None, help="one input, by its number")
    arguments = parser.parse_args()
    seed = secrets.randbelow(1 << 31) if arguments.seed is None else arguments.seed
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    folder = Path(tempfile.mkdtemp(prefix="tandem-fuzz-"))
    print(f"seed {seed}, in {folder}", flush=True)
    fuzzer = Fuzzer(seed, folder)
    start = 0 if arguments.only is None else arguments.only
    inputs = arguments.inputs if arguments.only is None else start + 1
    fuzzer.run(time.monotonic() + arguments.minutes * 60, inputs, start)
    for name, count in sorted(fuzzer.counts.items()):
        print(f"{count:8,} {name}, {fuzzer.seconds[name] / count * 1000:.1f} ms each")
    print(f"{fuzzer.counts.total():8,} inputs, seed {seed}, {len(fuzzer.finds)} finds")
    for what, count in fuzzer.finds.most_common():
        print(f"{count:8,} times {what}")
    if not fuzzer.finds:
        shutil.rmtree(folder)
    return 1 if fuzzer.finds else 0


if __name__ == "__main__":
    sys.exit(main())
