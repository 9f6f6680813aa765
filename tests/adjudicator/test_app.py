import pytest

from adjudicator import app
from adjudicator.worklist import OpenOptions
from shared.commands.main import main
from shared.project.current_user import current_user
from tests.adjudicator.projects import make_project


@pytest.fixture
def asked(monkeypatch):
    """What the command asks the window for."""
    calls = []

    def run(project, patient_id, options):
        calls.append((project.title, patient_id, options))
        return 0

    monkeypatch.setattr(app, "run", run)
    return calls


@pytest.mark.parametrize(
    ("arguments", "patient", "options"),
    [
        ([], None, OpenOptions()),
        (["--patient", "110"], "110", OpenOptions()),
        (["--force"], None, OpenOptions(force=True)),
        (["--review-agreements"], None, OpenOptions(review_agreements=True)),
    ],
)
def test_the_command_opens_the_window(tmp_path, asked, arguments, patient, options):
    make_project(tmp_path)
    assert main(["adjudicate", str(tmp_path / "project"), *arguments]) == 0
    assert asked == [("Test", patient, options)]


def test_a_folder_that_is_no_project_is_one_sentence(tmp_path, asked, capsys):
    assert main(["adjudicate", str(tmp_path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_decisions_are_signed_with_somebodys_name(monkeypatch):
    monkeypatch.setenv("LOGNAME", "carol")
    assert current_user() == "carol"


def test_a_user_without_a_name_signs_all_the_same(monkeypatch):
    def nameless() -> str:
        raise KeyError("uid")

    monkeypatch.setattr("getpass.getuser", nameless)
    assert current_user()
