"""What a killed review left half written: names of patients, and what could undo a release."""

import pytest

from adjudicator.release.folder import ReleaseFolder
from tests.adjudicator.projects import make_project

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
