"""Tries a frozen Tandem: help of every command, the whole pipeline, windows; prints size and times.

try_bundle.py FOLDER
"""

import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bundle.bill_of_materials import differences
from bundle.try_windows import known
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
        demo = Path(place) / "demo"
        failed += [words[0] for words in work(demo) if not tried(folder, *words, seconds=600)]
        if sys.platform == "linux" and shutil.which("Xvfb"):
            windows = Path(__file__).with_name("try_windows.py")
            if subprocess.run(
                [sys.executable, windows, demo, folder / "tandem"], check=False
            ).returncode:
                failed.append("the windows")
        else:
            print("no window is tried where there is no Xvfb")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def work(demo: Path) -> list[list[str]]:
    """Commands that bring in every library: the pipeline, then what the demo does not do."""
    project, truth, model = (str(demo / each) for each in ("project", "truth", "model"))
    return [
        ["demo", "--no-windows", str(demo)],
        ["verify", project],
        ["agreement", project, "--out", str(demo / "agreement")],
        ["train", truth, "--recognizer", "token", "--folds", "2", "--out", model],
        ["evaluate", model, truth],
        ["suggest", truth, "--model", model, "--out", str(demo / "suggested")],
        ["suggest", truth, "--model", "dictionaries", "--out", str(demo / "listed")],
        ["score", str(demo / "suggested"), truth],
        ["convert", truth, str(demo / "truth-xmi"), "--to", "xmi"],
        ["surrogate", truth, "--doubtful", "mask", "--out", str(demo / "released")],
    ]


def tried(folder: Path, *words: str, seconds: int = 60) -> bool:
    """Whether a command ends well; it knows nothing of the Python that tries it."""
    before = time.monotonic()
    try:
        run = subprocess.run(
            [folder / "tandem", *words],
            env=known() | {"QT_QPA_PLATFORM": "offscreen"},
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
