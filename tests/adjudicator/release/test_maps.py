"""A map is there with its release or not at all, wherever the process that writes both ends."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from adjudicator.release.maps import map_of_a_release, remove_orphaned_map
from shared.commands import main as main_module
from shared.commands.main import main
from shared.errors import ChangedOnDiskError
from shared.project.files import digest_of
from shared.surrogates.release import MARKER
from tests.adjudicator.release.sessions import SOURCES, make

KILLED = """
import os, signal, sys
def die(*names):
    if os.path.basename(names[1]) == {last!r}:
        {after}
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*names)
real, os.{call} = os.{call}, die
from shared.commands.main import main
raise SystemExit(main(sys.argv[1:]))
"""


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """The words that make a release with pseudonyms, and the map of it."""
    project = make(tmp_path, {"110-01": SOURCES["110-01"]})
    (tmp_path / "secret").write_text("a long passphrase of some words\n")
    out, kept = str(tmp_path / "keyed"), str(tmp_path / "new.map")
    return [
        "surrogate", str(project.root), "--out", out, "--mode", "keyed", "--keep-map", kept,
        "--passphrase-file", str(tmp_path / "secret"), "--accept-unreviewed", "--cores", "1",
    ]  # fmt: skip


def killed(words: list[str], script: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(main_module.__file__).parents[2])}
    done = subprocess.run([sys.executable, "-c", script, *words], env=environment, check=False)
    assert done.returncode == -signal.SIGKILL


def beside(tmp_path: Path) -> set[str]:
    return {each.name for each in tmp_path.iterdir()}


def exported(tmp_path: Path) -> list[dict[str, object]]:
    (log,) = tmp_path.rglob("log/gold.jsonl")
    lines = map(json.loads, log.read_text("utf-8").splitlines())
    return [each for each in lines if each["op"] == "release"]


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("replace", [False, True])
def test_a_map_whose_release_never_came_gives_way(words, tmp_path, replace):
    before = beside(tmp_path) | {"keyed", "new.map"}
    if replace:
        assert main([each for each in words if each != "--replace"]) in (0, 1)
        (tmp_path / "new.map").rename(tmp_path / "old.map")
        words, before = [*words, "--replace"], before | {"old.map"}
    script = KILLED.format(last="new.map", after="real(*names)", call="replace")
    killed(words, script)  # the map is written, its release is not yet there
    assert (tmp_path / "new.map").exists()
    assert not (tmp_path / "keyed").exists()
    assert len(exported(tmp_path)) == 1 + replace  # so that the log knows of the map
    assert main(words) in (0, 1)
    assert beside(tmp_path) == before
    back = ["--open-map", words[7], "--restore", words[3], str(tmp_path / "back"), *words[8:10]]
    assert main(["surrogate", words[1], *back]) == 0


def finished(tmp_path: Path, *, note: bool) -> tuple[Path, Path]:
    """A release and its map, and what says that they belong together where that was left."""
    out, kept = tmp_path / "out", tmp_path / "map"
    out.mkdir()
    (out / MARKER).write_text("{}")
    kept.write_bytes(b"key")
    said = {"map": str(kept), "digest": digest_of(b"key"), "release": digest_of(b"{}")}
    if note:
        (tmp_path / ".out.map").write_text(json.dumps(said))
    return out, kept


def unfinished_as(tmp_path: Path, marker: str) -> None:
    (tmp_path / ".out.unfinished").mkdir()
    (tmp_path / ".out.unfinished" / MARKER).write_text(marker)


@pytest.mark.parametrize("what", ["whole", "card", "other", "changed", "half"])
def test_any_other_map_stays(tmp_path, what):
    out, kept = finished(tmp_path, note=True)
    if what == "card":  # which is said anew in a copy of the release
        unfinished_as(tmp_path, "{}")
    elif what != "whole":
        (out / MARKER).unlink()
        unfinished_as(tmp_path, "[]" if what == "other" else "{}")
    if what == "changed":
        kept.write_bytes(b"another key")
    elif what == "half":
        (tmp_path / ".out.map").write_text('{"map": "')
    there = kept.read_bytes()
    remove_orphaned_map(out)
    assert kept.read_bytes() == there
    assert not (tmp_path / ".out.map").exists()


@pytest.mark.parametrize("is_there", [False, True])
def test_what_fails_takes_the_map_along_unless_the_release_is_there(tmp_path, is_there):
    out, kept = finished(tmp_path, note=False)
    kept.unlink()
    unfinished_as(tmp_path, "{}")
    if not is_there:
        (out / MARKER).unlink()

    def write_and_fail() -> None:
        with map_of_a_release(out) as keep:
            keep(kept, b"key", tmp_path / ".out.unfinished")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_and_fail()
    assert kept.exists() is is_there
    assert not (tmp_path / ".out.map").exists()


def test_a_file_that_came_meanwhile_stays(tmp_path):
    out, kept = finished(tmp_path, note=False)
    kept.write_bytes(b"somebody else's")
    unfinished_as(tmp_path, "[]")

    def write() -> None:
        with map_of_a_release(out) as keep:
            keep(kept, b"key", tmp_path / ".out.unfinished")

    with pytest.raises(ChangedOnDiskError):
        write()
    assert kept.read_bytes() == b"somebody else's"
