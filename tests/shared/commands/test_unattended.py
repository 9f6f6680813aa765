"""`tandem surrogate` on tagged records without a project."""

import csv
import json
from pathlib import Path

import pytest

from shared.commands.main import main
from shared.formats.base import Record, WriteOptions
from shared.formats.registry import FORMATS
from tests.builders import document, marked_up
from tests.shared.commands.test_surrogate import LEAKY, SOURCES, UNTAGGED, make, surrogate


def folder(where: Path, sources: dict[str, str], form: str = "i2b2", *, bare: bool = True) -> Path:
    where.mkdir(parents=True)
    for name, source in sources.items():
        record = Record.of(document(source, name), marked_up(source)[1])
        for file in FORMATS[form].write([record], WriteOptions(bare=bare)):
            (where / file.name).write_bytes(file.data)
    return where


@pytest.fixture
def records(tmp_path: Path) -> Path:
    return folder(tmp_path / "in", SOURCES | {"112-01": LEAKY, "113-01": UNTAGGED})


def texts(out: Path) -> dict[str, str]:
    return {each.stem: each.read_text() for each in (out / "text").iterdir()}


def test_doubtful_records_are_held_back_and_listed(records, tmp_path, capsys):
    out = tmp_path / "out"
    assert surrogate(records, "--doubtful", "hold-back", "--out", str(out)) == 1
    assert set(texts(out)) == set(SOURCES)
    said = capsys.readouterr()
    assert "2 records held back" in said.out
    assert "2 doubtful places" in said.out
    assert "112-01" in said.out
    assert "Petty" not in said.out + said.err
    assert "Lee" not in said.out + said.err


def test_where_all_goes_out_with_masks_the_status_is_0(records, tmp_path, capsys):
    out = tmp_path / "out"
    assert surrogate(records, "--doubtful", "mask", "--out", str(out)) == 0
    assert len(texts(out)) == 5
    assert texts(out)["113-01"].endswith("and [DOCTOR].")
    assert "5 records released, 2 places masked" in capsys.readouterr().out


def test_what_cannot_be_read_ends_nothing_and_is_listed(records, tmp_path, capsys):
    (records / "114-01.xml").write_text("<x")
    (records / "115-01.txt").write_text("Ann Lee came; nobody has tagged this.")
    out = tmp_path / "out"
    assert surrogate(records, "--doubtful", "mask", "--out", str(out)) == 2
    said = capsys.readouterr()
    assert "1 record could not be read" in said.out
    assert "114-01" in said.out
    assert "1 file of" in said.err  # the text that is no tagged record
    assert "115-01" not in texts(out)
    assert len(texts(out)) == 5


def test_everything_is_told_as_json_too(records, tmp_path, capsys):
    (records / "114-01.xml").write_text("<x")
    words = ["--doubtful", "hold-back", "--out", str(tmp_path / "out"), "--json", "-"]
    assert surrogate(records, *words) == 2
    told = json.loads(capsys.readouterr().out)
    assert (told["records"], told["released"]) == (3, True)
    assert [each["record"] for each in told["held_back"]] == ["112-01", "113-01"]
    assert [each["record"] for each in told["failures"]] == ["114-01"]
    assert told["unattended"]["held_records"] == 2
    assert {each["record"] for each in told["doubts"]} == {"112-01", "113-01"}
    assert "Petty" not in json.dumps(told)


def test_doubts_are_reviewed_and_come_back_as_keep_list(records, tmp_path):
    doubts, out = tmp_path / "doubts.csv", tmp_path / "out"
    words = ["--doubtful", "hold-back", "--out", str(out), "--doubts", str(doubts)]
    assert surrogate(records, *words) == 1
    assert doubts.stat().st_mode & 0o077 == 0
    with doubts.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["record"] == "113-01"]
    with doubts.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["record", "start", "end", "type", "what"])
        writer.writeheader()
        writer.writerows(rows)
    words = ["--doubtful", "keep-list", "--keep-list", str(doubts), "--out", str(tmp_path / "b")]
    assert surrogate(records, *words) == 1
    assert set(texts(tmp_path / "b")) == {*SOURCES, "113-01"}
    assert texts(tmp_path / "b")["113-01"].endswith("and Petty.")


@pytest.mark.parametrize("form", ["i2b2", "mae", "conll"])
def test_records_of_every_tagged_format(tmp_path, form):
    where = folder(tmp_path / "in", {"112-01": UNTAGGED}, form)
    words = ["--from", form, "--schema", "auto", "--doubtful", "mask"]
    assert surrogate(where, *words, "--out", str(tmp_path / "out")) == 0
    assert "Petty" not in texts(tmp_path / "out")["112-01"]


def test_what_a_recognizer_suggests_is_released_end_to_end(tmp_path, capsys):
    sources = {
        name: source.replace("[", "").replace("|", "").replace("]", "")
        for name, source in (("110-01", "Seen on 2007-05-09, phone 617-555-0143."),)
    }
    where = folder(tmp_path / "in", sources)
    tagged = tmp_path / "tagged"
    assert main(["suggest", str(where), "--model", "rules", "--out", str(tagged)]) == 0
    out = tmp_path / "out"
    words = ["--doubtful", "hold-back", "--confidence", "0.5", "--out", str(out)]
    assert surrogate(tagged, *words) == 0
    assert "2007-05-09" not in texts(out)["110-01"]
    assert "617-555" not in texts(out)["110-01"]
    assert "less than 50 % sure" in (out / "data_card.md").read_text()


def test_where_nothing_can_go_out_there_is_no_release(tmp_path, capsys):
    where = folder(tmp_path / "in", {"112-01": LEAKY})
    out = tmp_path / "out"
    assert surrogate(where, "--doubtful", "hold-back", "--out", str(out)) == 1
    assert not out.exists()
    assert "nothing was released" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "say what to do with what is doubtful"),
        (["--doubtful", "keep-list"], "go together"),
        (["--doubtful", "mask", "--keep-list", "x.csv"], "go together"),
        (["--doubtful", "mask", "--accept-unreviewed"], "--accept-unreviewed is for projects"),
        (["--doubtful", "mask", "--confidence", "0.5"], "no tag says how sure"),
        (["--doubtful", "mask", "--unmark", "WARD"], "no type WARD"),
    ],
)
def test_contradictions_are_refused_and_nothing_is_written(records, tmp_path, words, said, capsys):
    out = tmp_path / "out"
    assert surrogate(records, *words, "--out", str(out)) == 2
    assert said in capsys.readouterr().err
    assert not out.exists()


def test_the_table_of_doubts_does_not_go_into_the_release(records, tmp_path, capsys):
    out = tmp_path / "out"
    words = ["--doubtful", "mask", "--out", str(out), "--doubts", str(out / "doubts.csv")]
    assert surrogate(records, *words) == 2
    assert "outside the release" in capsys.readouterr().err
    assert not out.exists()


def test_it_is_said_how_the_records_were_grouped(records, tmp_path, capsys):
    surrogate(records, "--doubtful", "mask", "--out", str(tmp_path / "out"))
    assert "records of each patient: 1 to 2" in capsys.readouterr().err


def test_in_a_project_people_settle_what_is_doubtful(tmp_path, capsys):
    project = make(tmp_path / "p", SOURCES)
    words = ["--doubtful", "mask", "--out", str(tmp_path / "out")]
    assert surrogate(project, *words) == 2
    assert "in a project people settle" in capsys.readouterr().err


def test_an_earlier_release_is_replaced_only_where_it_is_said(records, tmp_path, capsys):
    words = ["--doubtful", "mask", "--out", str(tmp_path / "out")]
    assert surrogate(records, *words) == 0
    assert surrogate(records, *words) == 2
    assert "earlier release" in capsys.readouterr().err
    assert surrogate(records, *words, "--replace") == 0


def test_a_keyed_release_with_masks_leads_back_to_the_records(records, tmp_path, capsys):
    (tmp_path / "pass").write_text("a long passphrase\n")
    kept, out, back = tmp_path / "map", tmp_path / "out", tmp_path / "back"
    passphrase = ["--passphrase-file", str(tmp_path / "pass")]
    words = ["--doubtful", "mask", "--mode", "keyed", "--out", str(out)]
    assert surrogate(records, *words) == 2
    assert "--keep-map" in capsys.readouterr().err
    assert surrogate(records, *words, "--keep-map", str(kept), *passphrase) == 0
    assert texts(out)["113-01"].endswith("and [DOCTOR].")
    opened = ["--open-map", str(kept), *passphrase, "--restore", str(out), str(back)]
    assert main(["surrogate", "x", *opened]) == 0
    restored = {each.stem: each.read_text() for each in back.rglob("*.txt")}
    assert restored["113-01"] == document(UNTAGGED).text


def test_a_map_of_what_went_out_is_kept_on_wish(records, tmp_path, capsys):
    (tmp_path / "pass").write_text("a long passphrase\n")
    kept = tmp_path / "map"
    words = ["--keep-map", str(kept), "--passphrase-file", str(tmp_path / "pass")]
    out = str(tmp_path / "out")
    assert surrogate(records, "--doubtful", "hold-back", "--out", out, *words) == 1
    capsys.readouterr()
    assert main(["surrogate", "x", "--open-map", str(kept), *words[2:], "--json", "-"]) == 0
    told = capsys.readouterr().out
    assert "110-01" in told
    assert "112-01" not in told
