"""What a killed review left half written: names of patients, and what could undo a release."""

import pytest

from adjudicator.release.folder import ReleaseFolder
from shared.surrogates.release import MARKER
from tests.adjudicator.projects import make_project
from tests.adjudicator.release.sessions import again, out, reviewed, rows

TEXTS = ["[Kai Yamamoto|PATIENT] came."]


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, TEXTS, TEXTS)


def left(project, *names):
    """Hidden copies as a killed process leaves them."""
    folder = project.root / "surrogates"
    folder.mkdir(exist_ok=True)
    paths = [folder / f".{name}.0a1b2c3d.tmp" for name in names]
    for each in paths:
        each.write_bytes(b"half")
    return paths


def test_the_next_review_removes_it(project):
    paths = left(project, "draft.key", "review.csv")
    folder = ReleaseFolder(project)
    folder.keep_secret(folder.secret())
    folder.write_table([])
    assert [each.exists() for each in paths] == [False, False]


def test_what_could_undo_a_release_is_forgotten_with_the_copies_of_it(project):
    folder = ReleaseFolder(project)
    folder.keep_secret(folder.secret())
    left(project, "draft.key", "review.csv")
    folder.forget()
    there = [each.name for each in (project.root / "surrogates").iterdir()]
    assert not [each for each in there if "draft" in each or "review" in each]


class Killed(BaseException):
    """A process ends here, as it does when it is killed."""


def killed(*_):
    raise Killed


def released_but_killed(session, tmp_path, monkeypatch, where):
    """A reviewed release, killed there; what is left of the review."""
    session.edit(rows(session, "Petty")[0], "Naylorby")
    folder = ReleaseFolder(session.project)
    folder.write_table(session.draft.surrogates)
    monkeypatch.setattr(where, killed)
    with pytest.raises(Killed):
        reviewed(session).release(out(tmp_path))
    monkeypatch.undo()
    there = [session.project.root / "surrogates" / each for each in ("draft.key", "review.csv")]
    assert there[0].exists()
    return folder, there


def test_what_could_undo_a_release_is_forgotten_after_a_kill(session, tmp_path, monkeypatch):
    where = "adjudicator.release.folder.ReleaseFolder.forget"
    folder, there = released_but_killed(session, tmp_path, monkeypatch, where)
    assert (tmp_path / "out" / MARKER).exists()
    secret = bytes.fromhex(there[0].read_text())
    again(session)
    assert [each.exists() for each in there] == [False, False]
    assert folder.secret() != secret


def test_a_review_killed_before_its_release_is_there_stays(session, tmp_path, monkeypatch):
    _, there = released_but_killed(session, tmp_path, monkeypatch, "os.sync")
    assert not (tmp_path / "out").exists()
    secret = there[0].read_text()
    assert ReleaseFolder(session.project).secret().hex() == secret


def test_a_new_review_beside_its_earlier_release_stays(session, tmp_path):
    reviewed(session).release(out(tmp_path))
    following = again(session)
    following.edit(rows(following, "Petty")[0], "Osgoodby")
    secret = following.draft.secret
    assert again(session).draft.secret == secret
