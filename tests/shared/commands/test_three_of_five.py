"""Five annotators, three of them on each patient, one patient for all: from records to release."""

import csv
import json
from collections import Counter

import pytest

from shared.commands.demo_pipeline import adjudicate_all, annotate_all, write_records
from shared.commands.main import main
from shared.project.project import Project
from shared.synthetic import fabricate

NAMES = "ana,ben,cem,dov,eva"


@pytest.fixture(scope="module")
def fabricated():
    return list(fabricate(4, 3))


@pytest.fixture(scope="module")
def root(tmp_path_factory, fabricated):
    folder = tmp_path_factory.mktemp("five")
    write_records(fabricated, folder / "records", folder / "truth")
    words = ["--records", str(folder / "records"), "--annotators", NAMES]
    words += ["--per-patient", "3", "--all-on", "1", "--seed", "5"]
    assert main(["new", str(folder / "project"), *words]) == 0
    project = Project.open(folder / "project")
    annotate_all(project, fabricated, 3)
    adjudicate_all(project, fabricated)
    return folder / "project"


def told(capsys, *words):
    status = main([*map(str, words), "--json", "-"])
    return status, json.loads(capsys.readouterr().out)


def test_three_have_each_patient_and_all_have_one(root, capsys):
    status, found = told(capsys, "status", root)
    sizes = Counter(len(each["annotators"]) for each in found["patients"])
    assert (status, sizes) == (0, {3: 3, 5: 1})
    patients = [each["patients"] for each in found["annotators"]]
    assert max(patients) - min(patients) <= 1
    assert all(each["adjudicated"] for each in found["patients"])


def test_agreement_has_every_pair_and_each_with_the_gold_standard(root, capsys):
    status, found = told(capsys, "agreement", root)
    assert status == 0
    with (root / "assignments.csv").open(newline="") as file:
        shared = Counter(row["patient"] for row in csv.DictReader(file))
    assert sorted(shared.values()) == [3, 3, 3, 5]
    said = json.dumps(found)
    assert all(name in said for name in (*NAMES.split(","), "gold"))


def test_the_decision_log_has_what_every_one_said_and_fits_the_gold_standard(root, capsys):
    assert main(["adjudicate", str(root), "--export-log", "-"]) == 0
    entries = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
    assert {len(each["said"]) for each in entries} == {3, 5}


def test_the_gold_standard_is_released(root, tmp_path):
    assert main(["surrogate", str(root), "--out", str(tmp_path / "release")]) in (0, 1)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--per-patient", "6"], "6 annotators per patient cannot be drawn; there are 5"),
        (["--per-patient", "1"], "a patient needs 2 to 8"),
        (["--all-on", "99"], "99 patients cannot go to all; there are 4"),
    ],
)
def test_what_cannot_be_drawn_makes_no_project(root, tmp_path, capsys, words, said):
    records = str(root.parent / "records")
    made = tmp_path / "p"
    given = ["new", str(made), "--records", records, "--annotators", NAMES, *words]
    assert main(given) == 2
    assert said in capsys.readouterr().err
    assert not made.exists()
