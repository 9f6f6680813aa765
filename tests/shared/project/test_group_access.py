"""A project on a drive that several users share: who may read and write what."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from annotator.session import AnnotationSession
from shared.commands.main import main
from shared.errors import RequestError
from shared.formats.base import Record
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.files import make_folder, write_atomic
from shared.project.group_access import GroupAccess
from shared.project.project import Project
from tests.builders import phi

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are those of Unix")
RECORDS = [Record(Document("110-01", "110", "Kai Lee came.\n"))]


def create(root, **more):
    return Project.create(root, "p", I2B2_2014, RECORDS, ["ana", "ben"], 1, **more)


def mode(path):
    return path.stat().st_mode & 0o7777


def modes(project):
    """The modes of all folders, and those of all files."""
    every = [project.root, *project.root.rglob("*")]
    return {mode(each) for each in every if each.is_dir()}, {
        mode(each) for each in every if each.is_file()
    }


def work(project):
    with AnnotationSession(project, "ana", "110") as session:
        session.tag(Span(0, 7), phi("PATIENT"))
        session.finish()


@pytest.mark.parametrize("parent", [0o700, 0o755, 0o770, 0o777, 0o1777, 0o2750, 0o2755])
def test_a_project_is_its_owners_only_where_its_folder_was_not_given_to_a_group(tmp_path, parent):
    tmp_path.chmod(parent)
    project = create(tmp_path / "p")
    work(project)
    folders, files = modes(project)
    assert {each & 0o777 for each in folders} == {0o700}
    assert files == {0o600}


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o000])
def test_in_a_folder_given_to_a_group_all_is_open_to_it_and_to_nobody_else(tmp_path, mask):
    tmp_path.chmod(0o2770)
    before = os.umask(mask)
    try:
        project = create(tmp_path / "p")
        work(project)
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert modes(project) == ({0o2770}, {0o660})


def test_a_group_may_be_asked_for(tmp_path):
    tmp_path.chmod(0o700)
    project = create(tmp_path / "p", access=GroupAccess(is_asked_for=True))
    work(project)
    assert modes(project) == ({0o2770}, {0o660})


def test_a_group_that_is_none_is_said_and_nothing_made(tmp_path, capsys):
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / "110-01.txt").write_text("Kai Lee came.\n")
    words = [
        "new",
        str(tmp_path / "p"),
        "--records",
        str(tmp_path / "r"),
        "--annotators",
        "ana,ben",
    ]
    for option in ("--group", "--adjudicators"):
        assert main([*words, option, "no-such-group"]) == 2
        assert "the system has no group no-such-group" in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["r"]


def test_layers_that_are_private_are_not_made_by_somebody_else(tmp_path):
    import grp

    own = grp.getgrgid(os.getegid()).gr_name
    with pytest.raises(RequestError, match="have to be made by them"):
        create(tmp_path / "p", import_as="ana", access=GroupAccess(adjudicators=own))
    assert not (tmp_path / "p").exists()


def test_private_folders_have_modes_by_which_one_makes_ones_own(tmp_path):
    import grp

    own = grp.getgrgid(os.getegid()).gr_name
    project = create(tmp_path / "p", access=GroupAccess(adjudicators=own))
    work(project)
    assert mode(project.root) == 0o2770
    for name in ("layers", "journal", "notes", "dismissed", "models"):
        assert mode(project.root / name) == 0o3773
    assert mode(project.root / "layers" / "ana") == 0o2770
    assert mode(project.root / "journal" / "gold") == 0o2770


def test_folders_made_by_many_threads_leave_the_mask_as_it_was(tmp_path):
    from concurrent.futures import ThreadPoolExecutor

    tmp_path.chmod(0o2770)
    before = os.umask(0o022)
    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda n: make_folder(tmp_path / f"{n % 7}" / f"{n}"), range(200)))
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)
    assert {mode(each) for each in tmp_path.rglob("*")} == {0o2770}


# ---------------------------------------------------------------- real users, where this is root

LEAD, ANA, BEN, STRANGER = 61001, 61002, 61003, 61004
STUDY, ADJUDICATORS, USERS = 62001, 62002, 62003
GROUPS = {
    LEAD: [STUDY, ADJUDICATORS],
    ANA: [STUDY],
    BEN: [STUDY],
    STRANGER: [],
}
as_root = pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may")

_AS_USER = """
import os, sys
from pathlib import Path
from unittest.mock import patch
sys.path[:0] = {path!r}
from tests.shared.project.test_group_access import *
from tests.shared.project import test_group_access as here
os.umask(0o022)
scratch = Path({scratch!r})
here.warm_up(scratch)
os.setgroups(GROUPS[{uid}])
os.setgid(USERS)
os.setuid({uid})
root = Path({root!r})
{script}
"""


def warm_up(scratch):
    """Import all that is imported late: users may not reach where Python lies."""
    from adjudicator.session import AdjudicationSession
    from shared.project.notes import NoteBook

    project = create(scratch / str(os.getpid()), access=GroupAccess(is_asked_for=True))
    for name in project.annotators:
        with AnnotationSession(project, name, "110") as session:
            session.tag(Span(0, 7), phi("PATIENT"))
            session.finish()
    with AdjudicationSession(project, "110", "lead") as session:
        session.finish()
    NoteBook(project, "ana").refresh()
    with pytest.raises(RequestError):
        AnnotationSession(project, "nobody", "110")
    with pytest.raises(RequestError):
        create(scratch / "none", access=GroupAccess("no-such-group"))


def as_user(uid, script, root, tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir(exist_ok=True)
    program = _AS_USER.format(
        path=[each for each in sys.path if each], scratch=str(scratch), uid=uid, root=str(root),
        script=script,
    )  # fmt: skip
    here = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=here, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


CREATE = """
numbers = {"study": STUDY, "lead": ADJUDICATORS}
with patch("shared.project.group_access._number_of", numbers.__getitem__):
    print(create(root, access=GroupAccess(%s)).root.name)
"""
WORK = """
project = Project.open(root)
with AnnotationSession(project, %r, "110") as session:
    session.tag(Span(0, 7), phi("PATIENT"))
    session.finish()
print([str(each.state) for each in project.assignments() if each.annotator == %r][0])
"""
PEEK = """
found = []
for path in [%s]:
    try:
        found.append((root / path).read_bytes() and "read")
    except FileNotFoundError:
        found.append("none")
    except PermissionError:
        found.append("refused")
print(" ".join(found))
"""
OPEN = """
from shared.errors import StorageError
try:
    Project.open(root)
except StorageError as error:
    print(error)
"""
ADJUDICATE = """
from adjudicator.session import AdjudicationSession
project = Project.open(root)
with AdjudicationSession(project, "110", "lead") as session:
    session.finish()
print([str(each.state) for each in project.assignments()], project.is_adjudicated("110"))
"""
LAYERS = "'layers/ana/110-01.xml', 'layers/ben/110-01.xml', 'journal/ana/110.jsonl'"


@pytest.fixture
def drive(tmp_path_factory):
    """A folder that was given to the group of the study."""
    folder = tmp_path_factory.mktemp("drive")
    for each in (folder, *folder.parents):
        if each.stat().st_uid == 0 and each != each.parent and not each.stat().st_mode & 0o001:
            each.chmod(each.stat().st_mode | 0o011)  # pytest closes its folders
    given = folder / "study"
    given.mkdir()
    os.chown(given, LEAD, STUDY)
    given.chmod(0o2770)
    return given


@as_root
def test_two_users_work_in_one_project_and_the_adjudicator_reads_both(drive, tmp_path):
    root = drive / "p"
    assert as_user(LEAD, CREATE % "", root, tmp_path) == "p"
    for uid, name in ((ANA, "ana"), (BEN, "ben")):
        assert as_user(uid, WORK % (name, name), root, tmp_path) == "done"
    assert as_user(LEAD, ADJUDICATE, root, tmp_path) == "['done', 'done'] True"
    assert as_user(ANA, PEEK % LAYERS, root, tmp_path) == "read read read"
    assert as_user(STRANGER, PEEK % LAYERS, root, tmp_path) == "refused refused refused"


@as_root
def test_where_the_owner_wants_it_no_annotator_reads_what_another_does(drive, tmp_path):
    root = drive / "p"
    assert as_user(LEAD, CREATE % "adjudicators='lead'", root, tmp_path) == "p"
    for uid, name in ((ANA, "ana"), (BEN, "ben")):
        assert as_user(uid, WORK % (name, name), root, tmp_path) == "done"
    assert as_user(ANA, PEEK % LAYERS, root, tmp_path) == "read refused read"
    assert as_user(BEN, PEEK % LAYERS, root, tmp_path) == "refused read refused"
    assert as_user(LEAD, PEEK % LAYERS, root, tmp_path) == "read read read"
    assert as_user(LEAD, ADJUDICATE, root, tmp_path) == "['done', 'done'] True"
    gold = "'gold/110-01.xml', 'journal/gold/110.jsonl'"
    assert as_user(BEN, PEEK % gold, root, tmp_path) == "refused refused"
    more = (WORK % ("ana", "ana")).replace("Span(0, 7)", "Span(8, 12)")
    assert as_user(ANA, more, root, tmp_path) == "done"
    assert as_user(STRANGER, PEEK % LAYERS, root, tmp_path) == "refused refused refused"


@as_root
def test_who_is_not_in_the_group_cannot_open_a_project_to_it(tmp_path, drive):
    ask = CREATE.replace("print(create", "try:\n        create").replace(
        ").root.name)", ")\n    except RequestError as error:\n        print(error)"
    )
    said = as_user(ANA, ask % "adjudicators='lead'", drive / "p", tmp_path)
    assert said.startswith("only who is in the group")
    assert list(drive.iterdir()) == []


@as_root
def test_a_file_of_another_user_that_may_not_be_read_is_told_of(drive, tmp_path):
    root = drive / "p"
    as_user(LEAD, CREATE % "", root, tmp_path)
    write_atomic(
        root / "records" / "manifest.csv", (root / "records" / "manifest.csv").read_bytes()
    )
    (root / "records" / "manifest.csv").chmod(0o600)
    assert "ask its owner for access" in as_user(ANA, OPEN, root, tmp_path)
