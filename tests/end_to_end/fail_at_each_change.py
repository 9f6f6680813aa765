"""Lets each write, sync, rename and opening of a session fail once, and says what is lost.

    python -m tests.end_to_end.fail_at_each_change --what annotation --seed 1
    python -m tests.end_to_end.fail_at_each_change --what surrogate --most 20

`--what` is as for `kill_at_random`. One after the other each change of the disk fails with
`--error` (ENOSPC, no space left), each in a copy of one prepared project, or of
`--most` changes spread over all of them.
Then a window has to have kept all that it showed; a command has to say one sentence and leave each
file old or new, and does its work when it is run again. Ends with 1 where that is not so.
"""

import argparse
import errno
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from shared.commands.command_list import COMMANDS as ALL
from shared.commands.command_list import module_of
from tests.end_to_end import killed_commands as commands
from tests.end_to_end.kill_at_random import WINDOWS, Kills, undisturbed_command, wrong_done_again
from tests.end_to_end.killed_process import Ended, Moment, run
from tests.end_to_end.killed_windows import (
    REFUSED,
    Shown,
    WindowScript,
    left_behind,
    wrong_after_kill,
)

_LOGS = ("project/log.", "project/log/")
_NOT_STARTED = re.compile(
    r"Traceback[^\n]*\n(?:[ \t][^\n]*\n)*[^\n]*multiprocessing/spawn.py(?:[^\n]*\n[ \t])*[^\n]*\n"
    r"EOFError[^\n]*\n"
)
"""What Python's server of processes says of a helper that the window could not begin."""
_STEPS = 15
_LONGEST_SENTENCE = 300
_COUNTING = Moment(error=errno.ENOSPC)
"""No change fails; writes and syncs are counted."""


def _chosen(changes: int, most: int | None) -> Iterable[int]:
    if most is None or most >= changes:
        return range(1, changes + 1)
    return sorted({1 + round(each * (changes - 1) / (most - 1)) for each in range(most)})


def fail_window(failures: Kills, seed: int, most: int | None, error: int) -> None:
    """Let the changes of a scripted window fail."""
    script = WindowScript(failures.what, WINDOWS[failures.what], _STEPS, seed)
    folder = failures.copy()
    ended = run(script.use, folder, _COUNTING)
    shutil.rmtree(folder)
    course = [Shown.told(each) for each in ended.told]
    for change in _chosen(ended.changes, most):
        folder, moment = failures.copy(), Moment(change=change, error=error)
        ended = run(script.use, folder, moment)
        told = [Shown.told(each) for each in ended.told]
        wrong = list(wrong_after_kill(script, folder / "project", course, told))
        output = _NOT_STARTED.sub("", ended.output)
        if ended.status not in (0, REFUSED) or "Traceback" in output:
            wrong.append(f"the window ends with {ended.status}: {ended.output}")
        wrong += left_behind(folder / "project")
        failures.note("refused" if ended.status == REFUSED else "used", moment, wrong, ended)
        shutil.rmtree(folder)


def fail_command(failures: Kills, most: int | None, error: int) -> None:
    """Let the changes of a command fail, and run it again each time."""
    do = commands.command_line(commands.COMMANDS[failures.what])
    before, whole, ended = undisturbed_command(failures, _COUNTING)
    for change in _chosen(ended.changes, most):
        folder, moment = failures.copy(), Moment(change=change, error=error)
        ended = run(do, folder, moment)
        wrong = list(_wrong_said(ended))
        if ended.status == whole.status:
            phase = "done all the same"
            there = whole.differences(commands.files_of(folder))
            is_told = "the project's log could not be written" in ended.output
            wrong += [each for each in there if not (is_told and each.startswith(_LOGS))]
        else:
            phase = "refused"
            wrong += commands.half_made(folder, before, whole)
            wrong += wrong_done_again(failures, folder, whole)
        wrong += commands.wrong_in_projects(folder)
        if failures.what in commands.DONE_ONCE:
            commands.open_team(folder)
        wrong += left_behind(folder)
        failures.note(phase, moment, wrong, ended)
        shutil.rmtree(folder)


def _wrong_said(ended: Ended) -> Iterable[str]:
    if ended.status not in (0, 1, 2) or "Traceback" in ended.output:
        yield f"it ends with {ended.status}: {ended.output}"
    said = [each for each in ended.output.splitlines() if each.startswith("tandem: ")]
    if ended.status == 2 and (not said or max(map(len, said)) > _LONGEST_SENTENCE):
        yield f"it ends with 2 and says: {ended.output}"


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--what", required=True)
    parser.add_argument("--most", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--error", choices=("ENOSPC", "EIO", "EACCES"), default="ENOSPC")
    arguments = parser.parse_args(argv)
    for each in ALL:
        module_of(each)
    prepared = Path(tempfile.mkdtemp(prefix="fail-prepared-"))
    lost, error = 0, getattr(errno, arguments.error)
    try:
        commands.prepare(prepared, outputs=arguments.what not in WINDOWS)
        names = list(commands.COMMANDS) if arguments.what == "commands" else [arguments.what]
        for what in names:
            begun, failures = time.monotonic(), Kills(what, prepared, Random(0))
            if what in WINDOWS:
                fail_window(failures, arguments.seed, arguments.most, error)
            else:
                fail_command(failures, arguments.most, error)
            lost += len(failures.wrong)
            print(f"{failures}, {time.monotonic() - begun:.0f} s".replace("kills", "failures"))
    finally:
        shutil.rmtree(prepared, ignore_errors=True)
    return int(bool(lost))


if __name__ == "__main__":
    sys.exit(main())
