"""`tandem score`: folders in, numbers and what entered none out."""

import json
from pathlib import Path

import pytest

from shared.commands.main import main
from shared.formats.i2b2_xml import format_record
from tests.builders import layer, marked_up

GOLD = "Seen by [Lee|DOCTOR] on [3/4|DATE]."
NEAR = "Seen by [Lee|PATIENT] on [3/4|DATE]."


def folder(root: Path, **records: str) -> Path:
    root.mkdir()
    for name, source in records.items():
        record_id = name.replace("r", "").replace("_", "-")
        data = format_record(marked_up(source)[0], layer(source, record_id))
        (root / f"{record_id}.xml").write_bytes(data)
    return root


def scored(capsys: pytest.CaptureFixture[str], *words: str | Path) -> tuple[int, dict[str, object]]:
    status = main(["score", *map(str, words), "--json", "-"])
    return status, json.loads(capsys.readouterr().out)


def test_a_folder_against_itself_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD, r110_02="Nothing here.")
    status, found = scored(capsys, gold, gold)
    assert (status, found["documents"], found["left_out"]) == (0, 2, [])
    for by_types in found["measures"].values():
        for scores in by_types.values():
            ratios = [scores[kind][each] for kind in ("micro", "macro") for each in RATIOS]
            assert ratios == [1.0] * 6


RATIOS = ("precision", "recall", "f1")


def test_the_numbers_of_two_folders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD, r110_02="By [Wu|DOCTOR].")
    near = folder(tmp_path / "near", r110_01=NEAR, r110_02="By [Wu|DOCTOR].")
    _, found = scored(capsys, near, gold)
    strict = found["measures"]["strict"]
    assert strict["all"]["micro"] == {
        "precision": pytest.approx(2 / 3),
        "recall": pytest.approx(2 / 3),
        "f1": pytest.approx(2 / 3),
        "tp": 2,
        "fp": 1,
        "fn": 1,
    }
    assert strict["all"]["macro"] == {"precision": 0.75, "recall": 0.75, "f1": 0.75}
    assert strict["hipaa"]["micro"]["tp"] == 1
    assert strict["hipaa"]["micro"]["fp"] == 1


def test_what_is_on_one_side_or_differs_is_left_out_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD, r110_02=GOLD, r110_03="One text.")
    near = folder(tmp_path / "near", r110_01=NEAR, r110_03="Another.", r110_04=NEAR)
    status = main(["score", str(near), str(gold), "--json", "-"])
    out, err = capsys.readouterr()
    assert (status, json.loads(out)["left_out"]) == (0, ["110-02", "110-03", "110-04"])
    assert err.splitlines() == [
        "tandem: left out because it is in the reference only: 110-02",
        "tandem: left out because the texts of the two sides differ: 110-03",
        "tandem: left out because it is in the candidate only: 110-04",
    ]


def test_a_broken_file_does_not_take_the_rest_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD, r110_02=GOLD)
    near = folder(tmp_path / "near", r110_01=GOLD, r110_02=GOLD)
    (near / "110-02.xml").write_text("<a>")
    status = main(["score", str(near), str(gold), "--json", "-"])
    out, err = capsys.readouterr()
    assert (status, json.loads(out)["left_out"]) == (2, ["110-02"])
    assert "110-02.xml: is not well-formed XML" in err


def test_two_files_are_compared_whatever_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD) / "110-01.xml"
    near = folder(tmp_path / "near", r110_09=NEAR) / "110-09.xml"
    status, found = scored(capsys, near, gold)
    assert (status, found["documents"]) == (0, 1)


@pytest.mark.parametrize(
    ("candidate", "sentence"),
    [
        ("none", "does not exist; give a folder of records"),
        ("empty", "holds no records"),
        ("other", "have no record in common"),
        ("unequal", "have different texts"),
    ],
)
def test_nothing_to_compare_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], candidate: str, sentence: str
) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD)
    folder(tmp_path / "other", r110_02=GOLD)
    folder(tmp_path / "unequal", r110_01="Another text.")
    (tmp_path / "empty").mkdir()
    assert main(["score", str(tmp_path / candidate), str(gold)]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert sentence in err


def test_the_table_shows_every_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD)
    assert main(["score", str(gold), str(gold)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1 record compared, 0 left out"
    assert len([line for line in lines if line.startswith("binary token")]) == 2


@pytest.mark.parametrize(
    ("official", "first", "key"),
    [
        ("i2b2-2014", "Token (1)                Measure", "blocks"),
        ("meddocan", "File 'freeling/sentence_splitted/110-01.ann' not found.", "spans_merged"),
    ],
)
def test_the_official_evaluators(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], official: str, first: str, key: str
) -> None:
    gold = folder(tmp_path / "gold", r110_01="[3/4|DATE]", r110_02=GOLD)
    near = folder(tmp_path / "near", r110_01="[3/4|DATE]")
    if official == "meddocan":
        for path in (gold / "110-01.xml", near / "110-01.xml", gold / "110-02.xml"):
            path.write_text(
                path.read_text().replace('"DATE"', '"FECHAS"').replace("DOCTOR", "PAIS")
            )
    words = ["score", str(near), str(gold), "--official", official]
    assert main(words) == 0
    out, err = capsys.readouterr()
    lines = [line for line in out.splitlines() if not line.startswith("WARNING")]
    assert lines[0].startswith(first)
    assert "110-02" in err
    assert main([*words, "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["documents"], found["left_out"]["gold"]) == (1, ["110-02"])
    assert key in found


def test_a_subtrack_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = folder(tmp_path / "gold", r110_01="[3/4|DATE]")
    main(["score", str(gold), str(gold), "--official", "meddocan", "--subtrack", "spans"])
    assert "[NER]" not in capsys.readouterr().out


def test_every_document_is_for_the_official_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD)
    assert main(["score", str(gold), str(gold), "-v"]) == 2
    assert "belong to --official" in capsys.readouterr().err


@pytest.mark.parametrize("official", ["i2b2-2014", "meddocan"])
def test_an_empty_system_prints_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], official: str
) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD)
    (tmp_path / "none").mkdir()
    words = ["score", str(tmp_path / "none"), str(gold), "--official", official]
    assert main(words) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "none holds no file whose name ends in" in told.err
    assert main([*words, "--json", "-"]) == 2


def test_several_systems_in_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = folder(tmp_path / "gold", r110_01=GOLD)
    near = folder(tmp_path / "near", r110_01a=NEAR, r110_01b=GOLD)
    assert main(["score", str(near), str(gold), "--official", "i2b2-2014", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"].keys() == {"a", "b"}


def test_another_candidate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = {f"r11{n}_01": GOLD for n in range(8)}
    gold = folder(tmp_path / "gold", **sources)
    near = folder(tmp_path / "near", **dict.fromkeys(sources, NEAR))
    words = ["score", str(gold), str(gold), "--against", str(near)]
    assert main([*words, "--json", "-"]) == 0
    strict = json.loads(capsys.readouterr().out)["against"]["strict"]
    assert (strict["documents"], strict["f1"], strict["other_f1"]) == (8, 1.0, 0.5)
    assert strict["p"] == pytest.approx(2 / 2**8, abs=0.003)
    assert strict["z_p"] < 0.01
    assert main(words) == 0
    assert "on the 8 records that both have" in capsys.readouterr().out


def test_text_alone_is_not_taken_for_records_without_a_tag(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = folder(tmp_path / "gold", r110_01="Nothing here.")
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "110-01.txt").write_text("Nothing here.")
    assert main(["score", str(tmp_path / "text"), str(gold)]) == 2
    assert "holds text alone and no tags" in capsys.readouterr().err
    assert scored(capsys, gold, gold)[0] == 0


def test_the_form_of_the_records_can_be_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, field in (("gold", "PHI"), ("mine", "PHI")):
        (tmp_path / name).mkdir()
        entry = {
            "text": "By Łęcki.",
            "id": "1-1",
            field: [[3, 8, "DOCTOR"]],
            "label": [[0, 2, "X"]],
        }
        line = json.dumps(entry, ensure_ascii=False).encode("iso8859-2")
        (tmp_path / name / "all.jsonl").write_bytes(line)
    words = [str(tmp_path / "mine"), str(tmp_path / "gold"), "--from", "jsonl"]
    words += ["--option", "tags=PHI", "--encoding", "iso8859-2"]
    status, found = scored(capsys, *words)
    assert status == 0
    assert "hipaa" not in found["measures"]["strict"]  # no type is HIPAA's
    assert found["measures"]["strict"]["all"]["micro"]["tp"] == 1
    (tmp_path / "gold" / "1-2.xml").write_text("<a><TEXT>x</TEXT><TAGS/></a>")
    assert scored(capsys, *words)[0] == 2  # what lies there was not read
    assert main(["score", *words, "--option", "colour=red"]) == 2
    assert "there is no option colour here" in capsys.readouterr().err
    assert main(["score", *words, "--official", "meddocan"]) == 2
    assert main(["score", *words[:2], "--from", "text"]) == 2


def test_another_candidate_is_not_for_the_official_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = str(folder(tmp_path / "gold", r110_01=GOLD))
    assert main(["score", gold, gold, "--against", gold, "--official", "meddocan"]) == 2
    assert "does not go with --official" in capsys.readouterr().err
