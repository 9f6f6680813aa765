"""The AppImage of a folder: it starts, leaves nothing behind, and is the same bytes each time."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bundle import make_appimage as module
from bundle.make_appimage import can_be_made, make_appimage

CHANGED = 1_700_000_000
PROGRAM = """#!/bin/sh
echo "in $APPDIR of $APPIMAGE: $*"
cat "$APPDIR/usr/lib/tandem/data/numbers"
if [ "$1" = wait ]; then touch "$2"; exec sleep 60; fi
exit 7
"""
RUN = ("mounted", "unpacked")

needs_compiler = pytest.mark.skipif(not can_be_made(), reason=f"needs {' '.join(module.PACKAGES)}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("frozen") / "dist"
    (made / "data").mkdir(parents=True)
    (made / "tandem").write_text(PROGRAM)
    (made / "tandem").chmod(0o700)
    (made / "data/numbers").write_text("12345\n")
    (made / "data/large").write_bytes(os.urandom(3_000_001))
    (made / "data/none").touch()
    return made


@pytest.fixture(scope="module")
def appimage(folder, tmp_path_factory):
    return make_appimage(folder, tmp_path_factory.mktemp("made"), CHANGED)


@pytest.fixture
def started(appimage, tmp_path):
    """Start it with its folder in `tmp_path`; `unpacked` where the computer cannot mount."""
    running = []

    def start(how, *words, **others):
        variables = os.environ | {"TMPDIR": str(tmp_path)}
        if how == "unpacked":
            variables["APPIMAGE_EXTRACT_AND_RUN"] = "1"
        piped = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        running.append(subprocess.Popen([appimage, *words], env=variables, **piped, **others))
        return running[-1]

    yield start
    for each in running:
        each.kill()
        each.communicate()


def folders(place):
    return list(place.glob(".tandem-*"))


def is_gone(place):
    for _ in range(200):
        if not folders(place):
            return True
        time.sleep(0.05)
    return False


@needs_compiler
@pytest.mark.parametrize("how", RUN)
def test_it_runs_what_lies_behind_it_and_leaves_nothing(appimage, started, tmp_path, how):
    run = started(how, "demo", "two words")
    said, errors = run.communicate(timeout=60)
    assert (run.returncode, errors) == (7, "")
    first, second = said.splitlines()
    assert re.fullmatch(rf"in {tmp_path}/\.tandem-\w+ of {appimage}: demo two words", first)
    assert second == "12345"
    assert is_gone(tmp_path)


@needs_compiler
@pytest.mark.parametrize("how", RUN)
@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_whatever_ends_the_program_its_folder_is_removed(started, tmp_path, how, sign):
    run = started(how, "wait", tmp_path / "begun", start_new_session=True)
    while not (tmp_path / "begun").exists():
        time.sleep(0.02)
    assert len(folders(tmp_path)) == 1
    os.killpg(run.pid, sign)  # as Ctrl+C does
    run.communicate(timeout=60)
    assert run.returncode == -sign
    assert is_gone(tmp_path)


@needs_compiler
def test_where_nothing_can_be_mounted_it_is_unpacked(appimage, tmp_path):
    """As in a container, where there is no /dev/fuse."""
    hidden = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c"]
    script = 'mount --bind /dev/null /dev/fuse || exit 99; exec "$0" demo'
    variables = os.environ | {"TMPDIR": str(tmp_path)}
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare")
    run = subprocess.run(
        [*hidden, script, appimage], env=variables, capture_output=True, text=True, check=False
    )
    if run.returncode == 99 or "unshare" in run.stderr:
        pytest.skip("the system lets nobody hide /dev/fuse")
    assert (run.returncode, run.stderr) == (7, "")
    assert "12345" in run.stdout
    assert is_gone(tmp_path)


@needs_compiler
def test_a_full_disk_is_one_sentence_and_leaves_nothing(started, tmp_path):

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))

    run = started("unpacked", "demo", preexec_fn=limit)
    said, errors = run.communicate(timeout=60)
    assert (run.returncode, said) == (126, "")
    assert re.fullmatch(r"tandem: cannot unpack into \S+: File too large\n", errors)
    assert is_gone(tmp_path)


@needs_compiler
def test_it_unpacks_what_was_packed_the_same_bytes_each_time(folder, appimage, tmp_path):
    os.utime(folder / "tandem", (5, 5))
    assert make_appimage(folder, tmp_path, CHANGED).read_bytes() == appimage.read_bytes()
    assert appimage.read_bytes()[8:11] == b"AI\x02"

    subprocess.run([appimage, "--appimage-extract"], cwd=tmp_path, check=True)
    tree = tmp_path / "squashfs-root"
    assert (tree / "AppRun").readlink() == Path("usr/bin/tandem")
    for each in (each for each in folder.rglob("*") if each.is_file()):
        unpacked = tree / "usr/lib/tandem" / each.relative_to(folder)
        assert unpacked.read_bytes() == each.read_bytes()
        assert unpacked.stat().st_mode & 0o100 == each.stat().st_mode & 0o100
    assert "Exec=" in (tree / "tandem.desktop").read_text("utf-8")
    assert (tree / ".DirIcon").read_bytes().lstrip().startswith(b"<svg")
    assert "squashfuse" in (tree / "usr/share/doc/tandem/runtime-copyright").read_text("utf-8")
    again = subprocess.run(
        [appimage, "--appimage-extract"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert again.returncode == 126
    assert again.stderr == "tandem: cannot unpack into squashfs-root: File exists\n"


@needs_compiler
def test_it_tells_where_the_packed_folder_begins(appimage):
    at = int(subprocess.check_output([appimage, "--appimage-offset"]))
    assert appimage.read_bytes()[at : at + 4] == b"hsqs"
    run = subprocess.run([appimage, "--appimage-x"], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "--appimage-x is not known" in run.stderr


@needs_compiler
def test_of_a_file_that_was_cut_off_it_says_so(appimage, tmp_path):
    cut = tmp_path / "cut.AppImage"
    cut.write_bytes(appimage.read_bytes()[:-1_000_000])
    cut.chmod(0o755)
    run = subprocess.run(
        [cut], env=os.environ | {"TMPDIR": str(tmp_path)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert run.returncode == 126
    assert re.fullmatch(r"tandem: cannot unpack into \S+: Input/output error\n", run.stderr)
    assert is_gone(tmp_path)


def test_without_what_compiles_it_none_is_made(folder, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(sys, "argv", ["make_appimage.py", str(folder), str(tmp_path)])
    assert module.main() == 0
    assert "no AppImage is made: it needs gcc, squashfs-tools" in capsys.readouterr().out
    assert list(tmp_path.glob("*.AppImage")) == []
