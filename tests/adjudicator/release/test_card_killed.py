"""A process that is killed while it says a data card anew, wherever it is then."""

import json
import subprocess
import sys

import pytest

from adjudicator.release.card import rewrite_card
from shared.project.folders import bring_back
from shared.surrogates.residual_risk import risk_as_markdown, risk_from_json
from tests.adjudicator.release.sessions import out, reviewed
from tests.adjudicator.release.test_card import DAY, SAID
from tests.process_tree import CAN_TELL

pytestmark = pytest.mark.skipif(not CAN_TELL, reason="processes are not copied here")

KILLED = f"""
import itertools, os, shutil, sys
from pathlib import Path
from adjudicator.release.card import rewrite_card
from shared.surrogates.residual_risk import RiskStatement

CHANGES = {{"os.rename", "os.link", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree"}}
release, copies = map(Path, sys.argv[1:])


def rewrite(out, last):
    seen = 0

    def watch(event, args):
        nonlocal seen
        if event in CHANGES or (event == "open" and args[2] & (os.O_WRONLY | os.O_CREAT)):
            seen += 1
            if seen == last:
                os._exit(9)

    sys.addaudithook(watch)
    rewrite_card(out, [RiskStatement("attack", "An attack", ("Nothing was found.",))], "{DAY}")
    os._exit(0)


for last in itertools.count(1):
    out = copies / str(last) / "out"
    shutil.copytree(release, out)
    child = os.fork()
    if not child:
        rewrite(out, last)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
        break
"""


def contents(folder):
    return {
        str(each.relative_to(folder)): each.read_bytes()
        for each in folder.rglob("*")
        if each.is_file()
    }


def agree(folder):
    kept = json.loads((folder / "data_card.json").read_text())["residual_risk"]
    return risk_as_markdown(risk_from_json(kept)) in (folder / "data_card.md").read_text()


@pytest.fixture
def release(session, tmp_path):
    reviewed(session).release(out(tmp_path))
    (tmp_path / "out" / "README.txt").write_text("Ours.")
    return tmp_path / "out"


def test_both_files_are_old_or_both_are_new(release, tmp_path):
    copies = tmp_path / "copies"
    subprocess.run([sys.executable, "-c", KILLED, str(release), str(copies)], check=True)
    old = contents(release)
    rewrite_card(release, [SAID], DAY)
    new = contents(release)
    assert old != new
    found = [each / "out" for each in copies.iterdir()]
    assert len(found) > 15
    came_back = 0
    for each in found:
        if each.exists():
            assert contents(each) in (old, new)  # as it was found
        else:
            came_back += 1
        bring_back(each)
        assert contents(each) in (old, new)
        assert agree(each)
        rewrite_card(each, [SAID], DAY)  # and goes on
        assert contents(each) == new
        assert sorted(one.name for one in each.parent.iterdir()) == ["out"]
    assert came_back <= 1  # between two renames


def test_all_that_is_in_the_folder_stays_as_it_is(release):
    (release / "text").chmod(0o750)
    (release / "data_card.md").chmod(0o640)
    rewrite_card(release, [SAID], DAY)
    assert (release / "README.txt").read_text() == "Ours."
    assert (release / "text").stat().st_mode & 0o777 == 0o750
    assert (release / "data_card.md").stat().st_mode & 0o777 == 0o640
    assert agree(release)


def test_where_files_cannot_be_shared_they_are_copied(release, monkeypatch):
    def refused(*_args, **_how):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr("os.link", refused)
    before = contents(release)
    rewrite_card(release, [SAID], DAY)
    after = contents(release)
    assert {name for name in after if after[name] != before[name]} == {
        "data_card.json",
        "data_card.md",
    }
