"""Processes that are killed: a function is done in a copy of this process, which SIGKILL ends.

The copy has read all modules already, so that nearly all of its time is the program's own.
"""

import atexit
import faulthandler
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tests.process_tree import running_in_session

KILLED = -signal.SIGKILL
Tell = Callable[[str], None]
Doing = Callable[[Tell], int]
_WRITING = os.O_WRONLY | os.O_RDWR
_CHANGES = {
    f"os.{each}"
    for each in ("rename", "remove", "mkdir", "rmdir", "link", "symlink", "chmod", "truncate")
}
_FAILING = {f"os.{each}" for each in ("rename", "mkdir", "link", "symlink", "truncate")}
"""What needs room; nothing that is removed or whose mode is changed does."""
_LONGEST = 120.0
"""Seconds after which a process that is not killed is said to hang."""
_PATIENCE = 30.0
"""Seconds until the helpers of a killed process have to be gone."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When a process is killed: after so many seconds, or before its n-th change of the disk.

    With an `error`, that change fails once instead. Only then each write and sync is one, too.
    """

    seconds: float | None = None
    change: int | None = None
    error: int | None = None

    def __str__(self) -> str:
        return f"change {self.change}" if self.seconds is None else f"{self.seconds:.3f} s"


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended: its exit status, that of `subprocess` for a signal, and what it told."""

    status: int
    told: list[str]
    seconds: float
    changes: int
    output: str
    helpers_left: int


def run(do: Doing, folder: Path, moment: Moment | None = None) -> Ended:
    """Do it in a process with `folder` as its own, killed at the moment where one is given.

    The folder's `home` and `tmp` are where that process keeps its settings and temporary files.
    """
    assert threading.active_count() == 1, "a copy of a process with threads may hang"
    moment = moment or Moment()
    for each in ("home", "tmp"):
        (folder / each).mkdir(exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix="killed-"))
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        _be_killed(do, folder, aside, moment)
    if moment.seconds is not None:
        time.sleep(max(0.0, begun + moment.seconds - time.monotonic()))
        os.kill(child, signal.SIGKILL)
    _, state = os.waitpid(child, 0)
    seconds = time.monotonic() - begun
    left = _helpers_left(child)
    files = {each.name: each.read_text("utf-8", "replace") for each in aside.iterdir()}
    shutil.rmtree(aside)
    told = files.get("told", "").split("\n")[:-1]  # the last line may have been cut
    changes = int(files.get("changes") or 0)  # empty where it was killed then
    status = os.waitstatus_to_exitcode(state)
    return Ended(status, told, seconds, changes, files.get("output", ""), left)


def _be_killed(do: Doing, folder: Path, aside: Path, moment: Moment) -> NoReturn:
    status = 70
    try:
        os.setsid()
        output = os.open(aside / "output", os.O_CREAT | os.O_WRONLY, 0o600)
        told = os.open(aside / "told", os.O_CREAT | os.O_WRONLY, 0o600)
        for descriptor in (1, 2):
            os.dup2(output, descriptor)
        sys.stdout = os.fdopen(1, "w", closefd=False)
        sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
        faulthandler.enable()
        faulthandler.dump_traceback_later(_LONGEST, exit=True)
        os.chdir(folder)
        for each in ("CONFIG", "DATA", "STATE", "CACHE"):
            os.environ[f"XDG_{each}_HOME"] = str(folder / "home" / each.lower())
        os.environ["TMPDIR"] = tempfile.tempdir = str(folder / "tmp")
        os.sync = lambda: None  # waits for every disk of the machine; only a power failure needs it
        count = _count_changes(moment, folder)
        status = do(lambda line: os.write(told, f"{line}\n".encode()) and None)
        sys.stdout.flush()
        threading._shutdown()  # as at the end of any program: threads first
        atexit._run_exitfuncs()
        (aside / "changes").write_text(str(count[0]))
    except BaseException:  # noqa: BLE001  told by the status, and read in the output
        traceback.print_exc()
    finally:
        os._exit(status)


def _count_changes(moment: Moment, folder: Path) -> list[int]:
    """Count what changes the disk; the process dies of the change of the moment, or it fails."""
    count, ours = [0], os.getpid()

    def change() -> None:
        if os.getpid() != ours:
            return
        count[0] += 1
        if count[0] == moment.change:
            if moment.error is None:
                os.kill(ours, signal.SIGKILL)
            raise OSError(moment.error, os.strerror(moment.error or 0))

    def note(event: str, arguments: tuple[object, ...]) -> None:
        fails = moment.error is not None
        if event in (_FAILING if fails else _CHANGES) or (
            event == "open" and _opens_to_write(arguments, fails=fails)
        ):
            change()

    sys.addaudithook(note)
    if moment.error is not None:
        os.write = _failing(os.write, change, folder)
        os.fsync = _failing(os.fsync, change, folder)
    return count


def _opens_to_write(arguments: tuple[object, ...], *, fails: bool) -> bool:
    """Whether a file is opened for that; a pipe to a helper is open already and cannot fail."""
    path, _, flags = arguments
    if path == os.devnull or (fails and isinstance(path, int)):
        return False
    return isinstance(flags, int) and bool(flags & _WRITING)


def _failing(call: Callable[..., int | None], change: Callable[[], None], folder: Path) -> Any:
    """The call, which is a change where its descriptor is of a file in the folder."""

    def changed(descriptor: int, *rest: object) -> int | None:
        if Path(f"/proc/self/fd/{descriptor}").readlink().is_relative_to(folder):
            change()
        return call(descriptor, *rest)

    return changed


def _helpers_left(session: int) -> int:
    """Wait until all helpers of a process are gone; end and count those that are not."""
    until = time.monotonic() + _PATIENCE
    while (left := running_in_session(session)) and time.monotonic() < until:
        time.sleep(0.02)
    for each in left:
        os.kill(each, signal.SIGKILL)
    return len(left)
