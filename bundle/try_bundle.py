"""Tries a frozen Tandem: help of every command, the whole pipeline, windows; prints size and times.

try_bundle.py FOLDER
"""

import os
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

_SILENT = """
class Silent:
    def __init__(self, spec):
        pass

    def suggest(self, documents):
        return [() for _ in documents]
"""


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
        if not takes_a_plug_in(folder, demo / "truth"):
            failed.append("a recognizer that was put beside it")
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


def takes_a_plug_in(folder: Path, records: Path) -> bool:
    """Whether a package that is put into a copy of the bundle is found, and nowhere else."""
    with tempfile.TemporaryDirectory(dir=folder.parent) as place:
        copy = Path(place) / "tandem"
        shutil.copytree(folder, copy, symlinks=True, copy_function=os.link)
        about = copy / "_internal/silent-1.dist-info"
        about.mkdir()
        (about / "METADATA").write_text("Metadata-Version: 2.1\nName: silent\nVersion: 1\n")
        (about / "entry_points.txt").write_text("[tandem.recognizers]\nsilent = silent:Silent\n")
        (copy / "_internal/silent.py").write_text(_SILENT)
        words = ["suggest", str(records), "--model", "silent", "--out"]
        here, beside = (str(Path(place) / each) for each in ("here", "beside"))
        return tried(copy, *words, here) and not tried(folder, *words, beside)


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
