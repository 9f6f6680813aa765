import csv
import json

import pytest

from shared.commands.main import main
from shared.formats.i2b2_xml import format_record, read_record
from tests.builders import document, layer

NOTE = (
    "PLAN\nThe knee is worse, the pain is not. We will see her again in May.\nThe pain is worse.\n"
)


@pytest.fixture
def gold(tmp_path):
    folder = tmp_path / "gold"
    folder.mkdir()
    for number, name in enumerate(["Ann Lee", "Bob Stone", "Eve Moss", "Tom Reed"]):
        source = f"Patient: [{name}|PATIENT]\nSeen on [{number + 1}/4/2071|DATE] for pain.\n"
        record = f"{110 + number}-01"
        xml = format_record(document(source, record).text, layer(source, record))
        (folder / f"{record}.xml").write_bytes(xml)
    return folder


@pytest.fixture
def notes(tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.txt").write_text(NOTE * 4)
    return folder


def reported(arguments, capsys):
    assert main(["reproduce", *arguments, "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_table_has_ours_beside_the_papers_figures_and_why_they_differ(capsys):
    assert main(["reproduce", "stat-deid", "--size", "4", "--tables", "13"]) == 0
    printed = capsys.readouterr().out
    assert "Uzuner, Sibanda, Luo and Szolovits (2008)" in printed
    assert "Table 13: Recall of the out-of-vocabulary PHI alone" in printed
    assert "other R  same R  paper R" in printed
    assert "96.49" in printed
    assert "by what stands beside it alone" in printed
    assert "CPU s" in printed


def test_the_report_as_json(capsys):
    data = reported(["he", "--size", "6", "--tables", "3,4"], capsys)
    assert data["paper"] == "he"
    assert data["records"] == {"training": 6, "other": 6, "same": 6}
    assert [table["number"] for table in data["tables"]] == [3, 4]
    first = data["tables"][0]["rows"][1]
    assert first["names"] == ["i2b2 strict"]
    assert first["paper"] == {"P": 95.61, "R": 89.25, "F": 92.32}
    assert set(first["ours"]) == {"other", "same"}
    assert data["tables"][0]["why"]


def test_the_same_seed_gives_the_same_tables(capsys):
    one, again, other = (
        reported(["stat-deid", "--size", "4", "--tables", "1,4", "--seed", seed], capsys)["tables"]
        for seed in "112"
    )
    assert one == again != other


def test_tagged_records_are_parted_by_patient_or_given_in_two_folders(gold, tmp_path, capsys):
    halves = reported(["he", "--corpus", str(gold), "--tables", "3"], capsys)
    assert halves["records"] == {"training": 2, "given": 2}
    test = tmp_path / "test"
    test.mkdir()
    for record in ("112-01.xml", "113-01.xml"):
        (gold / record).rename(test / record)
    two = reported(["liu", "--corpus", str(gold), str(test), "--tables", "3,4"], capsys)
    assert two["records"] == {"training": 2, "given": 2}
    strict = two["tables"][0]["rows"][1]["ours"]["given"]
    assert strict["F"] > 50
    assert strict == two["tables"][1]["rows"][-1]["ours"]["given"]


def test_notes_and_files_of_tables_and_corpora(notes, tmp_path, capsys):
    out = tmp_path / "out"
    command = ["reproduce", "stat-deid", "--corpus", str(notes), "--size", "3", "--tables", "13"]
    assert main([*command, "--out", str(out)]) == 0
    assert "training: 3 records, other: 3 records" in capsys.readouterr().out
    rows = list(csv.reader((out / "table-13.csv").read_text().splitlines()))
    assert rows[0] == ["", "other R", "same R", "paper R"]
    assert [row[0] for row in rows[1:]] == ["Stat De-id", "IFinder", "SNoW", "H+D", "CRFD"]
    folder = out / "out-of-vocabulary"
    assert sorted(path.name for path in folder.iterdir()) == ["other", "same", "training"]
    records = [read_record(path) for path in sorted((folder / "other").iterdir())]
    assert len(records) == 3
    assert any(record.tags for record in records)
    assert all("The pain is worse." in record.text for record in records)
    model = tmp_path / "model"  # what was written is as good as any tagged records
    train = ["train", str(folder / "training"), "--recognizer", "snow", "--out", str(model)]
    assert main(train) == 0
    assert main(["evaluate", str(model), str(folder / "other")]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["he", "--corpus", "{none}"], "none"),
        (["stat-deid", "--corpus", "{none}"], "none"),
        (["he", "--corpus", "{empty}"], "holds no records"),
        (["stat-deid", "--corpus", "{empty}"], "holds no records"),
        (["liu", "--corpus", "{notes}"], "holds no records, but 6 files of plain text"),
        (["liu", "--corpus", "{bare}"], "holds no records with tags"),
        (["stat-deid", "--corpus", "{gold}"], "hold tags"),
        (["he", "--corpus", "{gold}", "{gold}"], "twice"),
        (["he", "--corpus", "{gold}", "{notes}", "{empty}"], "no more"),
        (["he", "--tables", "99"], "there are 3, 4, 6"),
        (["he", "--tables", "x"], "numbers with commas"),
        (["he", "--size", "0"], "1 or more"),
        (["stubbs"], "invalid choice"),
        (["he", "--out", "{gold}"], "not empty"),
    ],
)
def test_a_wrong_request_is_one_line(gold, notes, tmp_path, capsys, arguments, said):
    for name in ("empty", "bare"):
        (tmp_path / name).mkdir()
    (tmp_path / "bare" / "1-1.xml").write_bytes(format_record("no tags", layer("no tags", "1-1")))
    places = {
        "gold": gold,
        "notes": notes,
        "empty": tmp_path / "empty",
        "bare": tmp_path / "bare",
        "none": tmp_path / "none",
    }
    words = [word.format(**places) for word in arguments]
    try:
        status = main(["reproduce", *words])
    except SystemExit as ended:
        status = ended.code
    assert status == 2
    assert said in capsys.readouterr().err


def test_nothing_is_left_of_a_request_that_fails(gold, tmp_path):
    out = tmp_path / "out"
    assert main(["reproduce", "he", "--corpus", str(tmp_path / "none"), "--out", str(out)]) == 2
    assert not out.exists()
    one = tmp_path / "one"
    one.mkdir()
    (gold / "110-01.xml").rename(one / "110-01.xml")
    assert main(["reproduce", "he", "--corpus", str(one), "--out", str(out)]) == 2
    assert not out.exists()
