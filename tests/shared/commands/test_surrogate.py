"""`tandem surrogate`: a project in, a release out, or a list and none."""

import csv
import json
import os
from pathlib import Path

import pytest

from shared.commands.main import main
from shared.formats.base import Record
from shared.formats.corpus import read_corpus
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from tests.builders import document, marked_up

SOURCES = {
    "110-01": "Record date: [2007-05-09|DATE]\n[Dennis Holcomb|PATIENT], [53|AGE], "
    "seen by Dr. [Petty|DOCTOR] at [Green Hospital|HOSPITAL].\n53 mg. Back on [5/20|DATE].",
    "110-02": "Record date: [2007-06-09|DATE]\nMr. [Holcomb|PATIENT] sings in a choir.",
    "111-01": "Record date: [2007-06-09|DATE]\n[Ann Lee|PATIENT], [Room 12|ROOM].",
}
LEAKY = "Record date: [2007-06-09|DATE]\n[Ann Lee|PATIENT], then LEE."
UNTAGGED = "[Petty|DOCTOR] and Petty."


def make(root: Path, sources: dict[str, str], *, import_as: str = "gold") -> Path:
    records = [
        Record.of(document(source, name), marked_up(source)[1]) for name, source in sources.items()
    ]
    Project.create(root, "P", I2B2_2014, records, ("ana", "ben"), 1, import_as=import_as)
    return root


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make(tmp_path / "project", SOURCES)


def surrogate(project: Path, *words: str) -> int:
    return main(["surrogate", str(project), *words])


def test_a_release(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out), "--unmark", "ROOM") == 0
    records = read_corpus(out / "xml").records
    assert [each.document.record_id for each in records] == list(SOURCES)
    assert "Holcomb" not in "".join(each.document.text for each in records)
    assert {tag.phi_type.name for tag in records[2].tags} == {"DATE", "PATIENT"}
    assert (out / "text" / "110-01.txt").read_text() == records[0].document.text


def test_two_releases_differ_and_two_of_a_seed_do_not(project: Path, tmp_path: Path) -> None:
    for name, words in (("a", []), ("b", []), ("c", ["--seed", "5"]), ("d", ["--seed", "5"])):
        assert surrogate(project, "--out", str(tmp_path / name), *words) == 0
    a, b, c, d = ((tmp_path / name / "text" / "110-01.txt").read_text() for name in "abcd")
    assert a != b
    assert c == d


def test_the_project_holds_nothing_that_undoes_a_release(project: Path, tmp_path: Path) -> None:
    assert surrogate(project, "--review") == 0
    (secret,) = (project / "surrogates").glob("*key*")
    kept = secret.read_text().strip()
    assert surrogate(project, "--out", str(tmp_path / "out")) == 0
    (cards,) = (project / "surrogates").iterdir()
    (told,) = json.loads(cards.read_text()).values()
    assert set(told) == {"patients", "work", "out", "draft"}
    assert kept not in cards.read_text()


def test_what_was_reviewed_is_what_is_released(project: Path, tmp_path: Path) -> None:
    assert surrogate(project, "--review") == 0
    table = project / "surrogates" / "review.csv"
    assert table.stat().st_mode & 0o077 == 0

    def write(original: str, surrogate: str) -> list[dict[str, str]]:
        with table.open(newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            if row["original"] == original:
                row["edit"] = surrogate
        with table.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys())
            writer.writeheader()
            writer.writerows(rows)
        return rows

    rows = write("Petty", "Naylorby")
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out)) == 0
    text = (out / "text" / "110-01.txt").read_text()
    assert "Dr. Naylorby" in text
    name = next(row["surrogate"] for row in rows if row["original"] == "Dennis Holcomb")
    assert name in text
    assert surrogate(project, "--out", str(tmp_path / "again")) == 1
    assert surrogate(project, "--review") == 1  # what was written stood beside other dates
    write("Petty", "Naylorby")
    assert surrogate(project, "--out", str(tmp_path / "again")) == 0
    assert "Dr. Naylorby" in (tmp_path / "again" / "text" / "110-01.txt").read_text()


@pytest.mark.parametrize(
    ("source", "key"), [(LEAKY, "leaks"), (UNTAGGED, "findings")], ids=["leak", "finding"]
)
def test_no_release_where_something_is_left(
    tmp_path: Path, source: str, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make(tmp_path / "p", SOURCES | {"112-01": source})
    assert surrogate(project, "--out", str(tmp_path / "out"), "--json", "-") == 1
    assert not (tmp_path / "out").exists()
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert [each["record"] for each in found[key]] == ["112-01"]
    assert "Petty" not in captured.out + captured.err
    assert "nothing was released" in captured.err


def test_a_place_that_a_person_cleared_is_no_obstacle(tmp_path: Path) -> None:
    project = make(tmp_path / "p", {"112-01": UNTAGGED})
    places = tmp_path / "checked.csv"
    assert main(["check", str(project), "--csv", str(places)]) == 1
    assert surrogate(project, "--out", str(tmp_path / "out"), "--not-phi", str(places)) == 0


def test_a_patient_without_gold_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = make(tmp_path / "p", SOURCES, import_as="")
    assert surrogate(project, "--out", str(tmp_path / "out")) == 2
    assert "110, 111; adjudicate them first" in capsys.readouterr().err


def test_an_earlier_release_is_replaced_only_where_it_is_asked_for(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out)) == 0
    before = (out / "text" / "110-01.txt").read_text()
    assert surrogate(project, "--out", str(out)) == 2
    assert "earlier release" in capsys.readouterr().err
    assert surrogate(project, "--out", str(out), "--replace") == 0
    assert (out / "text" / "110-01.txt").read_text() != before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out", "project"]


def test_a_folder_that_is_no_release_is_never_replaced(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "letter.txt").write_text("mine")
    assert surrogate(project, "--out", str(out), "--replace") == 2
    assert (out / "letter.txt").read_text() == "mine"


def test_a_full_disk_leaves_no_release_and_the_earlier_one(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out)) == 0
    before = (out / "text" / "110-01.txt").read_text()
    left = [3]
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", full)
    assert surrogate(project, "--out", str(out), "--replace") == 2
    monkeypatch.undo()
    assert (out / "text" / "110-01.txt").read_text() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["out", "project"]


def test_the_map_is_written_only_where_it_is_asked_for(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret, kept = tmp_path / "secret", tmp_path / "map"
    secret.write_text("a long passphrase\n")
    words = ["--keep-map", str(kept), "--passphrase-file", str(secret)]
    assert surrogate(project, "--out", str(tmp_path / "out"), *words) == 0
    assert b"Holcomb" not in kept.read_bytes()
    capsys.readouterr()
    assert surrogate(project, "--open-map", str(kept), "--passphrase-file", str(secret)) == 0
    rows = json.loads(capsys.readouterr().out)
    assert "Dennis Holcomb" in {row["original"] for row in rows}


@pytest.mark.parametrize(
    "words",
    [
        ["--unmark", "NOTHING"],
        ["--kinds", "none.toml"],
        ["--not-phi", "none.csv"],
        ["--test", "95"],
        ["--keep-map", "map", "--passphrase-file", "none"],
    ],
)
def test_wrong_requests(project: Path, tmp_path: Path, words: list[str]) -> None:
    assert surrogate(project, "--out", str(tmp_path / "out"), *words) == 2
    assert not (tmp_path / "out").exists()


def test_parts_and_new_names(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out), "--test", "40", "--new-ids") == 0
    names = sorted(path.name for path in out.rglob("*.txt"))
    assert names in (
        ["11-01.txt", "11-02.txt", "12-01.txt"],
        ["11-01.txt", "12-01.txt", "12-02.txt"],
    )
    assert (out / "train").is_dir()


def test_a_broken_gold_file_is_told(project: Path, tmp_path: Path) -> None:
    (project / "gold" / "110-01.xml").write_bytes(b"<x")
    assert surrogate(project, "--out", str(tmp_path / "out")) == 2


def test_a_released_corpus_goes_round_again(project: Path, tmp_path: Path) -> None:
    assert surrogate(project, "--out", str(tmp_path / "out")) == 0
    released = read_corpus(tmp_path / "out" / "xml").records
    Project.create(tmp_path / "p2", "P", I2B2_2014, released, ("a", "b"), 1, import_as="gold")
    assert surrogate(tmp_path / "p2", "--out", str(tmp_path / "again")) == 0
    text = (tmp_path / "again" / "text" / "110-01.txt").read_text()
    assert text != (tmp_path / "out" / "text" / "110-01.txt").read_text()


def test_an_earlier_release_that_a_killed_run_left_aside_comes_back(
    project: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out)) == 0
    before = (out / "text" / "110-01.txt").read_text()
    out.rename(tmp_path / ".out.earlier")
    assert surrogate(project, "--out", str(out)) == 2
    assert (out / "text" / "110-01.txt").read_text() == before


def test_placeholders_instead_of_surrogates(project: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out), "--mode", "tags") == 0
    records = read_corpus(out / "xml").records
    text = records[0].document.text
    assert text.startswith("Record date: [DATE-1]\n[PATIENT-1], [AGE-1], seen by Dr. [DOCTOR-1]")
    spans = [tag.span.text_in(text) for tag in records[0].tags]
    assert spans[:2] == ["[DATE-1]", "[PATIENT-1]"]
    card = (out / "data_card.md").read_text()
    assert "Mode: tags." in card
    assert "Surrogates stand for" not in card
    assert "cannot promise" in card
    assert json.loads((out / "data_card.json").read_text())["mode"] == "tags"


def test_a_leak_holds_placeholders_up_as_it_does_surrogates(tmp_path: Path) -> None:
    project = make(tmp_path / "project", {"111-01": LEAKY})
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out), "--mode", "tags", "--accept-unreviewed") == 1
    assert not out.exists()


def test_the_review_of_one_mode_is_none_of_another(project: Path, tmp_path: Path) -> None:
    assert surrogate(project, "--review", "--mode", "tags") == 0
    table = project / "surrogates" / "review-tags.csv"
    rows = list(csv.DictReader(table.read_text().splitlines()))
    rows[0]["edit"] = "WRITTEN"
    with table.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    for name, words in (("a", ()), ("b", ("--mode", "tags"))):
        assert surrogate(project, "--out", str(tmp_path / name), *words) == 0
    texts = {
        name: "".join(each.read_text() for each in (tmp_path / name / "text").iterdir())
        for name in "ab"
    }
    assert "WRITTEN" not in texts["a"]
    assert "WRITTEN" in texts["b"]
    assert not table.exists()


def test_safe_harbor(tmp_path: Path) -> None:
    sources = {"110-01": "Seen on [May 9, 2007|DATE], [Ann Lee|PATIENT] of [MA|STATE], [93|AGE]."}
    project, out = make(tmp_path / "project", sources), tmp_path / "out"
    assert surrogate(project, "--out", str(out), "--mode", "safe-harbor") == 0
    released = (out / "text" / "110-01.txt").read_text()
    assert released == "Seen in 2007, [PATIENT-1] of MA, 90+."
    assert "164.514(b)(2)" in (out / "data_card.md").read_text()


def test_what_the_check_of_safe_harbor_finds_is_never_accepted_unreviewed(tmp_path: Path) -> None:
    sources = {"110-01": "Seen on [May 9, 2007|DATE], fingerprint no. 20-4411."}
    project, out = make(tmp_path / "project", sources), tmp_path / "out"
    words = ("--mode", "safe-harbor", "--accept-unreviewed")
    assert surrogate(project, "--out", str(out), *words) == 1
    assert not out.exists()


def test_resampled_names_are_told_by_the_card(project: Path, tmp_path: Path) -> None:
    for name, said in (("a", "consistent"), ("b", "resample"), ("c", "resample=.25")):
        assert surrogate(project, "--out", str(tmp_path / name), "--names", said) == 0
    cards = [json.loads((tmp_path / name / "data_card.json").read_text()) for name in "abc"]
    assert [each["names"] for each in cards] == ["consistent", "resample=0.5", "resample=0.25"]
    assert "probability of 0.25" in (tmp_path / "c" / "data_card.md").read_text()
    assert "may be told to be authentic" not in (tmp_path / "c" / "data_card.md").read_text()


@pytest.mark.parametrize(
    "said", ["often", "resample=0", "resample=2", "resample=x", "consistent=1"]
)
def test_a_probability_is_one(project: Path, tmp_path: Path, said: str) -> None:
    assert surrogate(project, "--out", str(tmp_path / "out"), "--names", said) == 2


def test_names_are_resampled_among_surrogates_only(project: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    assert surrogate(project, "--out", out, "--mode", "tags", "--names", "resample") == 2


def test_a_leak_holds_resampled_names_up(tmp_path: Path) -> None:
    project = make(tmp_path / "project", {"111-01": LEAKY})
    words = ("--names", "resample=1", "--accept-unreviewed")
    assert surrogate(project, "--out", str(tmp_path / "out"), *words) == 1
    assert not (tmp_path / "out").exists()
