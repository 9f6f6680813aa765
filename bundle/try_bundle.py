"""Tries a frozen Tandem: help of every command, the whole pipeline; prints size and start times.

try_bundle.py FOLDER
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bundle.bill_of_materials import differences
from shared.commands.command_list import COMMANDS


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    size = sum(each.lstat().st_size for each in folder.rglob("*") if not each.is_symlink())
    print(f"{size / 1e6:.0f} MB in {folder}")
    failed = [name for name in COMMANDS if not tried(folder, name, "--help")]
    if not (folder / "_internal/manual/html/index.html").is_file():
        failed.append("manual")
    if sys.platform == "linux" and differences(folder):  # elsewhere none is made
        failed.append("the bill of materials")
    with tempfile.TemporaryDirectory() as place:
        demo = str(Path(place) / "demo")
        if not tried(folder, "demo", "--no-windows", demo, seconds=600):
            failed.append("the pipeline of the demo")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def tried(folder: Path, *words: str, seconds: int = 60) -> bool:
    """Whether a command ends well; it knows nothing of the Python that tries it."""
    known = {
        key: os.environ[key]
        for key in ("HOME", "LANG", "SYSTEMROOT", "TEMP", "TMPDIR")
        if key in os.environ
    }
    before = time.monotonic()
    try:
        run = subprocess.run(
            [folder / "tandem", *words],
            env={**known, "PATH": "/usr/bin:/bin", "QT_QPA_PLATFORM": "offscreen"},
            check=False,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        print(f"{words[0]}: not over after {seconds} s")
        return False
    print(f"{words[0]} {words[1]}: {run.returncode}, {time.monotonic() - before:.1f} s")
    if run.returncode:
        print(run.stderr[-2000:])
    return run.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
