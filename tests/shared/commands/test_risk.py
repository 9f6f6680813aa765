"""`tandem risk`: estimates with what they rest on."""

import json
from pathlib import Path

import pytest

from shared.commands.main import main


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("risk") / "demo"
    assert main(["demo", "--no-windows", str(root)]) == 0
    return root / "project"


def test_the_estimates_are_printed_with_their_limits(project, capsys):
    assert main(["risk", str(project)]) == 0
    said = capsys.readouterr().out
    assert "PHI that no reader found, of 3 patients" in said
    assert "assumes that the annotators miss independently" in said
    assert "in none of these figures" in said


def test_a_third_reader_says_how_alike_the_annotators_are(project, capsys):
    assert main(["risk", str(project), "--model", "rules"]) == 0
    said = capsys.readouterr().out
    assert "odds ratio" in said
    assert "assumes that" not in said
    assert "lie where the gold standard has no tag" in said


def test_json_has_the_same(project, capsys):
    assert main(["risk", str(project), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["patients"] == 3
    every = found["missed"]["all"]
    assert every["low"] <= every["missed"] <= every["high"]
    assert every["found"] == sum(
        each["found"] for name, each in found["missed"].items() if name != "all"
    )
    assert {each["reader"] for each in found["all_or_nothing"]} == {"ana", "ben"}


def test_where_nobody_read_twice_it_says_so(tmp_path, capsys):
    records = tmp_path / "records"
    records.mkdir()
    (records / "110-01.txt").write_text("nothing")
    project = tmp_path / "project"
    assert main(["new", str(project), "--records", str(records), "--annotators", "ana,ben"]) == 0
    capsys.readouterr()
    assert main(["risk", str(project)]) == 2
    assert "no patient is adjudicated yet" in capsys.readouterr().err
