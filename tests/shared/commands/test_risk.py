"""`tandem risk`: estimates with what they rest on."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from shared.commands.main import main
from shared.formats.base import Record
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from tests.adjudicator.test_release_statements import RISK
from tests.builders import document, marked_up


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


def test_with_a_third_reader_whose_suggestions_nobody_has_judged_there_is_no_estimate(
    project, capsys
):
    assert main(["risk", str(project), "--model", "rules"]) == 0
    said = capsys.readouterr().out
    assert "there is no estimate between" in said
    assert "assumes that" not in said
    assert "lie where the gold standard has no tag" in said


def test_what_is_to_be_judged_is_listed_without_text_and_once_judged_there_is_an_estimate(
    project, tmp_path, capsys
):
    places = tmp_path / "places.csv"
    words = ["risk", str(project), "--model", "rules", "--json", "-"]
    assert main([*words, "--to-judge", str(places)]) == 0
    before = json.loads(capsys.readouterr().out)
    head, *rows = places.read_text().splitlines()
    assert head == "patient,record,start,end,category,type"
    assert len(rows) == before["suggestions_not_judged"] > 0
    assert before["missed"]["all"]["left"]["estimate"] is None
    assert main([*words, "--judged"]) == 0
    after = json.loads(capsys.readouterr().out)
    assert after["suggestions_not_judged"] == 0
    assert after["missed"]["all"]["left"]["estimate"] is not None
    assert any("somebody's word" in each for each in after["limits"])
    assert any("odds ratio" in each for each in after["limits"])


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


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    root = tmp_path_factory.mktemp("release")
    records = [
        Record.of(document(source, name), marked_up(source)[1])
        for number, who in enumerate(("Holcomb", "Petty", "Naylorby", "Quigley"), start=110)
        for name, source in [
            (
                f"{number}-01",
                f"Record date: [2007-05-{number - 100}|DATE]\nMr. [{who}|PATIENT] came.\n"
                f"Mr. [{who}|PATIENT] left on [2007-06-11|DATE].\n",
            )
        ]
    ]
    project = root / "project"
    Project.create(project, "P", I2B2_2014, records, ("ana", "ben"), 1, import_as="gold")
    words = ["--out", str(root / "out"), "--seed", "1", "--accept-unreviewed"]
    main(["surrogate", str(project), *words])
    return project, root / "out"


@pytest.fixture(autouse=True)
def few_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("adjudicator.release_risk.COPIES", 1)
    monkeypatch.setattr("adjudicator.release_risk.ROUNDS", 2)


def test_a_release_is_measured_where_nobody_read_twice(release, capsys):
    project, out = release
    assert main(["risk", str(project), "--release", str(out)]) == 0
    told = capsys.readouterr()
    assert "what readers missed is not estimated" in told.err
    assert "What somebody would find who looks for PHI that was left" in told.out
    kept = project / "surrogates" / "suspicious.csv"
    assert str(kept) in told.out
    assert kept.stat().st_mode & 0o077 == 0
    card = (out / "data_card.md").read_text()
    assert "### What somebody would find" in card
    assert "pairs of full dates" in card
    authentic = ("Holcomb", "Petty", "Naylorby", "Quigley")
    everything = "".join(each.read_text() for each in out.rglob("*") if each.is_file())
    assert not any(name in everything for name in authentic)


def test_the_card_says_all_of_it_anew_and_of_the_same_day(release):
    project, out = release
    card = out / "data_card.json"
    content = json.loads(card.read_text())
    for each in content["residual_risk"].values():
        each |= {"asked_on": "2001-01-01", "says": ["Old."]}
    content["residual_risk"]["other"] = content["residual_risk"]["missed"]
    card.write_text(json.dumps(content))
    assert main(["risk", str(project), "--release", str(out)]) == 0
    said = json.loads(card.read_text())["residual_risk"]
    keys = ["missed", "all_or_nothing", "audits", "attack", "utility"]
    assert len({said[key]["asked_on"] for key in keys}) == 1
    assert not any("Old." in said[key]["says"] for key in keys)
    assert said["other"]["asked_on"] == "2001-01-01"
    text = (out / "data_card.md").read_text()
    assert text.count(f"Asked on {said['missed']['asked_on']}.") == 5
    assert text.count("Asked on 2001-01-01.") == 1


def test_with_a_recognizer_the_card_has_what_it_told_of_what_was_released(
    release, project, tmp_path, monkeypatch
):
    attacked = replace(RISK, patient_ids=frozenset({"101", "102"}))  # of the three with two readers
    monkeypatch.setattr("adjudicator.release_measuring.release_risk", lambda *_: attacked)
    out = tmp_path / "out"
    shutil.copytree(release[1], out)
    said = ["risk", str(project), "--release", str(out), "--model", "rules", "--judged"]
    assert main(said) == 0
    missed = json.loads((out / "data_card.json").read_text())["residual_risk"]["missed"]
    assert "of all 2 patients" in missed["says"][0]
    assert any("somebody's word" in each for each in missed["limits"])


def test_json_has_the_measures_of_a_release(release, capsys):
    project, out = release
    assert main(["risk", str(project), "--release", str(out), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)["release"]
    assert [each["rate"] for each in found["attack"]["planted"]] == [0.01, 0.05]
    assert set(found["attack"]["planted"][0]["attackers"]) == {
        "with tags", "text alone", "counting names",
    }  # fmt: skip
    assert found["utility"]["pairs_of_dates"] == found["utility"]["same_interval"] == 4
    assert found["limits"]
    card = json.loads((out / "data_card.json").read_text())["residual_risk"]
    assert card["attack"]["figures"] == found["attack"]


def test_a_folder_that_is_no_release_is_told_at_once(release, tmp_path, capsys):
    project, _ = release
    assert main(["risk", str(project), "--release", str(tmp_path)]) == 2
    assert "is not a release" in capsys.readouterr().err


def test_a_release_of_other_records_is_refused_and_its_card_left(release, project, capsys):
    _, out = release
    before = (out / "data_card.json").read_bytes()
    assert main(["risk", str(project), "--release", str(out)]) == 2
    assert (
        "was not made from the gold standard that this project has now" in capsys.readouterr().err
    )
    assert (out / "data_card.json").read_bytes() == before
