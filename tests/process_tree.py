"""Which processes run, as the system tells."""

import os
import time
from collections.abc import Callable
from pathlib import Path

CAN_TELL = Path("/proc/self/stat").exists()


def _fields() -> dict[int, list[str]]:
    """State, parent, group and session of every process."""
    found: dict[int, list[str]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            found[int(folder.name)] = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
    return found


def running_below() -> set[int]:
    """The processes that this one has begun, and those that they have."""
    fields, below = _fields(), {os.getpid()}
    while more := {each for each, (_, above, *_) in fields.items() if int(above) in below} - below:
        below |= more
    return {each for each in below - {os.getpid()} if fields[each][0] != "Z"}


def running_in_session(session: int) -> set[int]:
    """The processes of a session, whoever their parents are by now."""
    return {
        pid
        for pid, (state, _, _, of, *_) in _fields().items()
        if int(of) == session and state != "Z"
    }


def is_running(pid: int | str) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_for(is_so: Callable[[], bool], seconds: float = 60) -> None:
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.05)
