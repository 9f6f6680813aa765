"""Kills the program at random moments, opens again what is left, and says what is lost.

    python -m tests.end_to_end.kill_at_random --what annotation --kills 480 --seed 1
    python -m tests.end_to_end.kill_at_random --what surrogate --kills 72 --seed 1

`--what` is annotation, adjudication, one of the names in `killed_commands.COMMANDS`, or commands
for all of these. Two of three kills come after a time, spread evenly over that of an undisturbed
run; the third comes before a change of the disk, any of those that an undisturbed run makes.
Each happens to a copy of one prepared project. Ends with 1 where anything is lost, half made or
left behind; what is wrong is printed with the moment that repeats it.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from shared.commands.command_list import COMMANDS as ALL
from shared.commands.command_list import module_of
from tests.end_to_end import killed_commands as commands
from tests.end_to_end.killed_process import KILLED, Ended, Moment, run
from tests.end_to_end.killed_windows import (
    Shown,
    WindowScript,
    left_behind,
    reopen,
    unsaved_though_said,
    wrong_after_kill,
)

WINDOWS = {"annotation": "104", "adjudication": "103"}
"""Which patient of the prepared project each window has."""
_STEPS = 25
_KILLS_OF_A_SCRIPT = 40
_REOPENED = 8
"""One of so many is opened again in a window, which takes longer than a session; and wherever
something of a training was left, which is the window's to remove."""


class Kills:
    """Kills of one kind, counted."""

    def __init__(self, what: str, prepared: Path, draw: Random) -> None:
        self.what, self.phases = what, Counter[str]()
        self.repeated = self.reopened = 0
        self.wrong: list[str] = []
        self._prepared, self._draw = prepared, draw

    def __str__(self) -> str:
        phases = ", ".join(f"{number} {phase}" for phase, number in sorted(self.phases.items()))
        kills = self.phases.total()
        return (
            f"{self.what}: {kills} kills ({phases}), {len(self.wrong)} wrong, "
            f"{self.repeated} opened or run again, {self.reopened} of them in a window"
        )

    def moments(self, count: int, seconds: float, changes: int) -> Iterator[Moment]:
        """So many moments of a run that takes so long and changes the disk so often."""
        timed = [each for each in range(count) if each % 3 != 2]
        for number in range(count):
            if number % 3 != 2:
                at = (timed.index(number) + self._draw.random()) / len(timed)
                yield Moment(seconds=at * seconds)
            else:
                at = (number // 3 + self._draw.random()) / max(1, count // 3)
                yield Moment(change=1 + min(changes - 1, int(at * changes)))

    def copy(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="kill-"))
        shutil.copytree(self._prepared, folder, dirs_exist_ok=True)
        return folder

    def note(self, phase: str, moment: Moment, wrong: list[str], ended: Ended) -> None:
        self.phases[phase] += 1
        if ended.helpers_left:
            wrong = [*wrong, f"{ended.helpers_left} processes are left"]
        for each in wrong:
            self.wrong.append(f"{self.what}, killed at {moment} ({phase}): {each}")
            print(self.wrong[-1], flush=True)


def kill_window(kills: Kills, count: int, draw: Random) -> None:
    """Kill a window so often; a new script is drawn now and then."""
    done = 0
    while done < count:
        part = min(_KILLS_OF_A_SCRIPT, count - done)
        script = WindowScript(
            kills.what, WINDOWS[kills.what], _STEPS + draw.randrange(_STEPS), draw.randrange(10**6)
        )
        ended = [_undisturbed(kills, script) for _ in range(2)]
        course = [Shown.told(each) for each in ended[0].told]
        if [each.state for each in map(Shown.told, ended[1].told)] != [
            each.state for each in course
        ]:
            raise RuntimeError(f"{script} does not do the same twice")
        seconds, changes = (
            min(getattr(each, name) for each in ended) for name in ("seconds", "changes")
        )
        for moment in kills.moments(part, seconds, changes):
            _kill_once(kills, script, course, moment)
        done += part


def _undisturbed(kills: Kills, script: WindowScript) -> Ended:
    folder = kills.copy()
    ended = run(script.use, folder)
    shutil.rmtree(folder)
    if ended.status:
        raise RuntimeError(f"the window ends with {ended.status}: {ended.output}")
    return ended


def _kill_once(kills: Kills, script: WindowScript, course: list[Shown], moment: Moment) -> None:
    folder = kills.copy()
    ended = run(script.use, folder, moment)
    told = [Shown.told(each) for each in ended.told]
    phase = told[-1].phase if told else "opening"
    if ended.status != KILLED:
        phase = "ended before"
    root = folder / "project"
    wrong = list(unsaved_though_said(script, root, course, told))
    wrong += wrong_after_kill(script, root, course, told)
    if any(left_behind(root / "models")) or kills.phases.total() % _REOPENED == 0:
        again = run(lambda _tell: reopen(script), folder)
        if again.status != 0:
            wrong.append(f"opened again, the window ends with {again.status}: {again.output}")
        kills.reopened += 1
        wrong += (f"tmp/{each.name} is left behind" for each in (folder / "tmp").iterdir())
    wrong += left_behind(root)
    kills.repeated += 1
    kills.note(phase, moment, wrong, ended)
    shutil.rmtree(folder)


def kill_command(kills: Kills, count: int) -> None:
    """Kill a command so often, and run it again each time."""
    do = commands.command_line(commands.COMMANDS[kills.what])
    before, whole, ended = undisturbed_command(kills)
    for moment in kills.moments(count, ended.seconds, ended.changes):
        folder = kills.copy()
        ended = run(do, folder, moment)
        phase, wrong = "ended before", list(whole.differences(commands.files_of(folder)))
        if ended.status == KILLED:
            phase, wrong = _phase(folder, before, whole), []
            wrong += commands.half_made(folder, before, whole)
            wrong += wrong_done_again(kills, folder, whole)
        wrong += commands.wrong_in_projects(folder)
        if kills.what in commands.DONE_ONCE:
            commands.open_team(folder)
        wrong += left_behind(folder)
        kills.note(phase, moment, wrong, ended)
        shutil.rmtree(folder)


def undisturbed_command(
    kills: Kills, moment: Moment | None = None
) -> tuple[commands.Files, commands.Undisturbed, Ended]:
    """The files before a command, what it leaves, and how it ends, where nothing disturbs it."""
    words = commands.COMMANDS[kills.what]
    ends: list[tuple[Ended, commands.Files]] = []
    for _ in range(3):  # the first is slower, and not counted
        folder = kills.copy()
        before = commands.files_of(folder)
        ended = run(commands.command_line(words), folder, moment)
        if ended.status not in (0, 1):
            raise RuntimeError(f"{words} ends with {ended.status}: {ended.output}")
        ends.append((ended, commands.files_of(folder)))
        shutil.rmtree(folder)
    whole = commands.Undisturbed.of(ended.status, ends[1][1], ends[2][1])
    return before, whole, min((each for each, _ in ends[1:]), key=lambda each: each.seconds)


def wrong_done_again(kills: Kills, folder: Path, whole: commands.Undisturbed) -> Iterator[str]:
    """Run a command once more, and say what it does not make as it would have been made."""
    there = commands.files_of(folder)
    shown = {name: data for name, data in there.items() if not commands.is_aside(name)}
    is_written = not any(whole.differences(shown))  # what is aside has to go all the same
    again = run(commands.command_line(commands.COMMANDS[kills.what]), folder)
    kills.repeated += 1
    done_once = commands.DONE_ONCE.get(kills.what)
    if again.status == 2 and done_once and done_once in again.output:
        return
    yield from whole.differences(commands.files_of(folder))
    if again.status != whole.status and not is_written:
        yield f"run again, it ends with {again.status}: {again.output.strip()}"


def _phase(folder: Path, before: commands.Files, whole: commands.Undisturbed) -> str:
    there = commands.files_of(folder)
    if not any(whole.differences(there)):
        return "written"
    own = {"home", "tmp"}
    return "nothing written" if {**there, **dict.fromkeys(own, b"folder")} == {
        **before, **dict.fromkeys(own, b"folder")
    } else "while writing"  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--what", required=True)
    parser.add_argument("--kills", type=int, default=72)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args(argv)
    for each in ALL:
        module_of(each)
    prepared = Path(tempfile.mkdtemp(prefix="kill-prepared-"))
    lost = 0
    try:
        commands.prepare(prepared, outputs=arguments.what not in WINDOWS)
        names = list(commands.COMMANDS) if arguments.what == "commands" else [arguments.what]
        for what in names:
            begun = time.monotonic()
            draw = Random(f"{what} {arguments.seed}")
            kills = Kills(what, prepared, draw)
            if what in WINDOWS:
                kill_window(kills, arguments.kills, draw)
            else:
                kill_command(kills, arguments.kills)
            lost += len(kills.wrong)
            print(f"{kills}, seed {arguments.seed}, {time.monotonic() - begun:.0f} s", flush=True)
    finally:
        shutil.rmtree(prepared, ignore_errors=True)
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
