"""What is asked of the system in another way on each: when a process began, and core dumps."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

_PROC = Path("/proc")
_PS_SECONDS = 5
_MAY_ASK_WHEN = 0x1000
"""PROCESS_QUERY_LIMITED_INFORMATION of Windows."""
_NO_SUCH_PROCESS = 87
"""ERROR_INVALID_PARAMETER of Windows, which says so for the number of a process."""
_STILL_RUNS = 259


def process_start(pid: int) -> str | None:
    """Return what tells a process of this computer from later ones of its number: when it began.

    None where none of that number runs, "" where that cannot be told.
    """
    if pid <= 0:
        return None
    if sys.platform == "win32":
        return _start_on_windows(pid)
    return _start_in_proc(pid) if (_PROC / "self" / "stat").exists() else _start_by_ps(pid)


def _start_in_proc(pid: int) -> str | None:
    """In clock ticks since the computer started."""
    try:
        stat = (_PROC / str(pid) / "stat").read_text("utf-8", "replace")
    except OSError:
        return None
    fields = stat.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else fields[19]


def _start_by_ps(pid: int) -> str | None:
    """As a date and time in UTC, which is the same for every locale and season."""
    words = ["ps", "-o", "stat=,lstart=", "-p", str(pid)]
    there = os.environ | {"LC_ALL": "C", "TZ": "UTC"}
    try:
        said = subprocess.run(  # noqa: S603  the system's own, and a number
            words, env=there, capture_output=True, timeout=_PS_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "" if _takes_signals(pid) else None
    state, *began = said.stdout.decode("ascii", "replace").split()[:6] or ["Z"]
    return None if state[0] in "ZX" else " ".join(began)


def _takes_signals(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's, and there
        return True
    return True


def _start_on_windows(pid: int) -> str | None:
    """In steps of 100 ns since 1601."""
    of_windows: Any = ctypes
    system = of_windows.WinDLL("kernel32", use_last_error=True)
    system.OpenProcess.restype = ctypes.c_void_p
    handle = system.OpenProcess(_MAY_ASK_WHEN, False, pid)
    if not handle:
        return None if of_windows.get_last_error() == _NO_SUCH_PROCESS else ""
    handle = ctypes.c_void_p(handle)
    try:
        status = ctypes.c_ulong(_STILL_RUNS)
        if system.GetExitCodeProcess(handle, ctypes.byref(status)) and status.value != _STILL_RUNS:
            return None
        times = [ctypes.c_uint64() for _ in range(4)]  # begun, ended, in the kernel, in user mode
        if not system.GetProcessTimes(handle, *map(ctypes.byref, times)):
            return ""
        return str(times[0].value)
    finally:
        system.CloseHandle(handle)


def forbid_core_dumps() -> None:
    """Let this process and those that it begins leave no picture of their memory when they crash.

    Where the system makes none by this limit (Windows), nothing is done.
    """
    try:
        import resource
    except ImportError:
        return
    # 0 keeps Linux from writing a file, and not from giving the memory to a crash reporter; 1 both
    limit = 1 if sys.platform == "linux" else 0
    _, hardest = resource.getrlimit(resource.RLIMIT_CORE)
    if hardest != resource.RLIM_INFINITY:
        limit = min(limit, hardest)
    resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
