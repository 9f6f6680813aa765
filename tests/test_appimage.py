"""The AppImage of a folder: behind its runtime lies what starts, the same bytes each time."""

import os
import shutil
import subprocess
import sys

import pytest

from bundle import make_appimage as module
from bundle.make_appimage import make_appimage

RUNTIME = b"stands for the runtime" * 64


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "dist"
    made.mkdir()
    (made / "tandem").write_text("#!/bin/sh\necho it starts\n")
    (made / "tandem").chmod(0o700)
    return made


@pytest.mark.skipif(shutil.which("mksquashfs") is None, reason="needs squashfs-tools")
def test_what_lies_behind_the_runtime_starts_and_is_the_same_made_twice(folder, tmp_path):
    made = make_appimage(folder, tmp_path, RUNTIME, 1_700_000_000)
    first = made.read_bytes()
    os.utime(folder / "tandem", (5, 5))
    assert make_appimage(folder, tmp_path, RUNTIME, 1_700_000_000).read_bytes() == first
    assert first.startswith(RUNTIME + b"hsqs")

    tree = tmp_path / "tree"
    words = ["unsquashfs", "-quiet", "-no-progress", "-o", str(len(RUNTIME)), "-d", tree, made]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    said = subprocess.run([tree / "AppRun"], capture_output=True, text=True, check=True)
    assert said.stdout == "it starts\n"
    assert "Exec=" in (tree / "tandem.desktop").read_text("utf-8")
    assert (tree / ".DirIcon").read_bytes().lstrip().startswith(b"<svg")


def test_another_runtime_than_the_one_that_is_named_is_refused(
    folder, tmp_path, monkeypatch, capsys
):
    other = tmp_path / "runtime-x86_64"
    other.write_bytes(RUNTIME)
    monkeypatch.setattr(sys, "argv", ["make_appimage.py", str(folder), str(tmp_path), str(other)])
    assert module.main() == 2
    assert "is not the runtime of https" in capsys.readouterr().err
    assert list(tmp_path.glob("*.AppImage")) == []
