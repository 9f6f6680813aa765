"""Starts both windows of a frozen Tandem on a display in memory, and tells after how long.

try_windows.py DEMO COMMAND...   DEMO: the folder of `tandem demo`; COMMAND: what starts tandem
"""

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

RUNS = 5
LONGEST_S = 60
_WIDTH, _HEIGHT = 1280, 1024
_ROW = _WIDTH * 4
_SEEN_ROWS = 0.1
"""The share of the screen's rows that hold a window before it counts as seen."""


def main() -> int:
    demo, command = Path(sys.argv[1]), sys.argv[2:]
    with display() as (name, screen):
        environment = known() | {"DISPLAY": name}
        for words in (["annotate", "--annotator", "ana"], ["adjudicate"]):
            started = [*command, words[0], str(demo / "project"), *words[1:]]
            runs = [seen_after(started, environment, screen) for _ in range(RUNS)]
            if None in runs:
                print(f"{words[0]}: no window after {LONGEST_S} s", file=sys.stderr)
                return 1
            medians = (statistics.median(each) for each in zip(*filter(None, runs), strict=True))
            wall, own, helped = medians
            worst = max(each[0] for each in filter(None, runs))
            print(
                f"window of {words[0]}: {wall:.1f} s (median of {RUNS}, at most {worst:.1f} s), "
                f"{own:.1f} s of a processor, and {helped:.1f} s of its helpers"
            )
    return 0


def known() -> dict[str, str]:
    """What a process is told of its surroundings: nothing of the Python that tries it."""
    names = ("HOME", "LANG", "SYSTEMROOT", "TEMP", "TMPDIR")
    return {key: os.environ[key] for key in names if key in os.environ} | {"PATH": "/usr/bin:/bin"}


@contextmanager
def display() -> Generator[tuple[str, Path]]:
    """An X display that nobody sees: its name, and the file that holds its screen."""
    with tempfile.TemporaryDirectory() as place:
        reading, writing = os.pipe()
        shape = f"{_WIDTH}x{_HEIGHT}x24"
        server = subprocess.Popen(
            ["Xvfb", "-ac", "-displayfd", str(writing), "-screen", "0", shape, "-fbdir", place],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        try:
            with os.fdopen(reading) as said:
                number = said.readline().strip()
            yield f":{number}", Path(place) / "Xvfb_screen0"
        finally:
            server.terminate()
            server.wait()


def seen_after(
    command: list[str], environment: dict[str, str], screen: Path
) -> tuple[float, float, float] | None:
    """Seconds until a window is seen: by the clock, of a processor, and of one by its helpers."""
    begin = time.monotonic()
    running = subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while not _holds_a_window(screen):
            if running.poll() is not None or time.monotonic() - begin > LONGEST_S:
                return None
            time.sleep(0.01)
        return time.monotonic() - begin, *_processor_seconds(running.pid)
    finally:
        _end(running)
        while _holds_a_window(screen):
            time.sleep(0.01)


def _holds_a_window(screen: Path) -> bool:
    with screen.open("rb") as file:
        file.seek(-_ROW * _HEIGHT, os.SEEK_END)
        rows = [file.read(_ROW) for _ in range(_HEIGHT)]
    return sum(len(set(row[::4])) > 1 for row in rows[:: _HEIGHT // 64]) > 64 * _SEEN_ROWS


def _processor_seconds(leader: int) -> tuple[float, float]:
    """What a process has used, and the others of its session."""
    ticks = [0, 0]
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8").rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[3]) == leader:
            ticks[path.parent.name != str(leader)] += int(fields[11]) + int(fields[12])
    own, helped = (each / os.sysconf("SC_CLK_TCK") for each in ticks)
    return own, helped


def _end(running: subprocess.Popen[bytes]) -> None:
    if running.poll() is not None:
        return
    os.killpg(running.pid, signal.SIGTERM)
    try:
        running.wait(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()


if __name__ == "__main__":
    sys.exit(main())
