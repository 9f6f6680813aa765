"""`tandem surrogate --hold-back`, `--let-in` and `--held-back`."""

import json
from pathlib import Path

import pytest

from shared.commands.main import main
from tests.shared.commands.test_surrogate import LEAKY, SOURCES, make, surrogate

FURTHER = ["--hold-back", "110-02"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make(tmp_path / "project", SOURCES | {"112-01": LEAKY})


def listed(project: Path, capsys: pytest.CaptureFixture[str]) -> list[dict[str, str]]:
    capsys.readouterr()
    assert surrogate(project, "--held-back", "--json", "-") == 0
    return json.loads(capsys.readouterr().out)["held_back"]


def test_what_stands_in_the_way_is_held_back_and_the_rest_is_released(project, tmp_path, capsys):
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out)) == 1
    assert surrogate(project, "--hold-back", "112", *FURTHER, "--reason", "asked for it") == 0
    assert [(each["patient"], each["record"]) for each in listed(project, capsys)] == [
        ("112", ""),
        ("110", "110-02"),
    ]
    assert surrogate(project, "--out", str(out)) == 0
    assert "2 records held back" in capsys.readouterr().err
    assert sorted(each.name for each in (out / "text").iterdir()) == ["110-01.txt", "111-01.txt"]
    assert "asked" not in (out / "data_card.md").read_text()


def test_the_project_may_stand_behind_the_patient(project, capsys):
    words = ["surrogate", "--hold-back", "112", str(project), "--reason", "asked for it"]
    assert main(words) == 0
    assert [each["patient"] for each in listed(project, capsys)] == ["112"]
    assert main(["surrogate", "--let-in", "112", str(project)]) == 0
    assert listed(project, capsys) == []


def test_a_patient_that_is_let_in_again_holds_the_release_up_again(project, tmp_path, capsys):
    surrogate(project, "--hold-back", "112", "--reason", "asked for it")
    assert surrogate(project, "--let-in", "112") == 0
    assert listed(project, capsys) == []
    assert surrogate(project, "--out", str(tmp_path / "out")) == 1


def test_a_project_that_is_not_wholly_adjudicated_releases_the_rest(project, tmp_path, capsys):
    (project / "gold" / "112-01.xml").unlink()
    assert surrogate(project, "--out", str(tmp_path / "out")) == 2
    assert "adjudicate them first, or hold them back" in capsys.readouterr().err
    surrogate(project, "--hold-back", "112", "--reason", "not adjudicated")
    capsys.readouterr()
    assert surrogate(project, "--out", str(tmp_path / "out"), "--json", "-") == 0
    assert json.loads(capsys.readouterr().out)["held_back"] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--hold-back", "112"], "say why"),
        (
            ["--hold-back", "112", "--hold-back", "nobody", "--reason", "asked"],
            "no patient and no record nobody",
        ),
        (["--let-in", "110-01"], "record 110-01 is not held back"),
        (["--hold-back", "112", "110-02", "--reason", "asked"], "unrecognized arguments: 110-02"),
        (["--hold-back", "112", "--out", "x", "--reason", "a"], "not allowed with"),
    ],
)
def test_what_cannot_be_done_changes_nothing(project, words, said, capsys):
    try:
        status = surrogate(project, *words)
    except SystemExit as end:
        status = end.code
    assert status != 0
    assert said in capsys.readouterr().err
    assert listed(project, capsys) == []


def test_status_and_check_go_on_as_before(project):
    surrogate(project, "--hold-back", "112", "--reason", "asked")
    assert main(["status", str(project)]) == 0
