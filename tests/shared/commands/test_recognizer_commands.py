import json

import pytest

from shared.commands.main import main
from shared.formats.i2b2_xml import format_record, read_record
from shared.model import Layer, PhiType, Span, Tag
from shared.project.lock import acquire_lock
from tests.builders import document, layer

NAMES = ["Ann Lee", "Bob Stone", "Eve Moss", "Tom Reed", "Mia Clay", "Sam Frost"]


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "gold"
    folder.mkdir()
    for number, name in enumerate(NAMES):
        source = f"Patient: [{name}|PATIENT]\nSeen on [{number + 1}/4/2071|DATE] for pain.\n"
        record = f"{110 + number}-01"
        xml = format_record(document(source, record).text, layer(source, record))
        (folder / f"{record}.xml").write_bytes(xml)
    return folder


@pytest.fixture
def model(corpus, tmp_path):
    target = tmp_path / "model"
    assert main(["train", str(corpus), "--out", str(target), "--recognizer", "token"]) == 0
    return target


def test_train_suggest_evaluate(corpus, model, tmp_path, capsys):
    out = tmp_path / "out"

    assert main(["suggest", str(corpus), "--model", str(model), "--out", str(out)]) == 0
    found = read_record(out / "110-01.xml").tags
    assert {tag.phi_type.name for tag in found} == {"PATIENT", "DATE"}
    assert main(["evaluate", str(model), str(corpus), "--json", "-"]) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed[printed.index("{") :])["strict"]["all"]["f1"] > 0.8


def test_rules_are_evaluated_by_the_types_that_the_records_have(tmp_path, capsys):
    text = "Fecha de ingreso: 12/03/2070.\nDr. Luis Sanz Gil"
    tags = [
        Tag(Span(18, 28), PhiType("DATE", "FECHAS")),
        Tag(Span(34, len(text)), PhiType("NAME", "NOMBRE_PERSONAL_SANITARIO")),
    ]
    (tmp_path / "S1-1.xml").write_bytes(format_record(text, Layer.of("S1-1", "gold", tags)))

    assert main(["evaluate", "rules", str(tmp_path), "--json", "-"]) == 0
    strict = json.loads(capsys.readouterr().out)["strict"]
    assert strict["all"]["f1"] == 1.0
    assert {*strict} == {"DATE:FECHAS", "NAME:NOMBRE_PERSONAL_SANITARIO", "all"}


def test_identifinder_is_trained_and_evaluated(corpus, tmp_path, capsys):
    target = tmp_path / "m"
    command = ["train", str(corpus), "--out", str(target), "--recognizer", "identifinder"]

    assert main([*command, "--features", "word"]) == 2
    assert "identifinder has no feature sets" in capsys.readouterr().err
    assert main([*command, "--ablate"]) == 2
    assert "identifinder has no feature sets; leave out --ablate" in capsys.readouterr().err
    assert not target.exists()
    assert main([*command, "--folds", "2"]) == 0
    capsys.readouterr()
    assert main(["evaluate", str(target), str(corpus), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["strict"]["all"]["f1"] > 0.8


def test_stat_deid_is_trained_on_groups_of_its_features(corpus, tmp_path, capsys):
    target = tmp_path / "m"
    command = ["train", str(corpus), "--out", str(target), "--recognizer", "stat-deid"]

    assert main([*command, "--features", "word"]) == 2
    assert "stat-deid has other features: target, lexical-bigrams," in capsys.readouterr().err
    assert main([*command, "--features", "target,lexical-bigrams"]) == 0
    card = json.loads((target / "card.json").read_text())
    assert card["settings"]["features"]["groups"] == ["target", "lexical-bigrams"]
    assert main(["suggest", str(corpus), "--model", str(target), "--out", str(tmp_path / "o")]) == 0


@pytest.mark.parametrize("name", ["stat-deid", "snow"])
def test_linear_models_are_scored_without_each_group_of_features(corpus, tmp_path, capsys, name):
    command = ["train", str(corpus), "--out", str(tmp_path / "m"), "--recognizer", name]

    assert main([*command, "--features", "target,lexical-bigrams", "--ablate"]) == 0
    printed = capsys.readouterr().out
    assert "cross-validation by patient in 3 parts" in printed
    assert [line.split()[0] for line in printed.splitlines()[-3:]] == [
        "nothing",
        "target",
        "lexical-bigrams",
    ]
    assert not list(tmp_path.glob(".ablation*"))


def test_cross_validation_and_ablation_are_printed(corpus, tmp_path, capsys):
    command = ["train", str(corpus), "--out", str(tmp_path / "m"), "--recognizer", "token"]

    assert main([*command, "--features", "word,orthography", "--folds", "2", "--ablate"]) == 0
    printed = capsys.readouterr().out
    assert "cross-validation by patient in 2 parts" in printed
    assert "orthography" in printed


def test_what_a_killed_training_left_behind_is_cleared_away(corpus, model, tmp_path):
    (tmp_path / ".model.4711.partial").mkdir()
    again = ["train", str(corpus), "--out", str(model), "--recognizer", "token"]

    assert main(again) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"gold", "model"}


def test_two_trainings_of_one_model_do_not_meet(corpus, model, tmp_path, capsys):
    with acquire_lock(tmp_path / ".model.lock", "ana"):
        again = main(["train", str(corpus), "--out", str(model), "--recognizer", "token"])

    assert again == 2
    assert "ana" in capsys.readouterr().err


def test_tags_of_the_input_are_not_looked_at(corpus, model, tmp_path):
    bare = tmp_path / "bare"
    bare.mkdir()
    for path in corpus.iterdir():
        (bare / f"{path.stem}.txt").write_text(read_record(path).text)
    for source, out in ((corpus, "a"), (bare, "b")):
        main(["suggest", str(source), "--model", str(model), "--out", str(tmp_path / out)])

    for path in (tmp_path / "a").iterdir():
        assert path.read_bytes() == (tmp_path / "b" / path.name).read_bytes()


def test_rules_need_no_model(corpus, tmp_path):
    out = tmp_path / "out"

    assert main(["suggest", str(corpus), "--model", "rules", "--out", str(out), "--bare"]) == 0
    assert b"confidence" not in (out / "110-01.xml").read_bytes()
    found = [tag.phi_type.name for tag in read_record(out / "110-01.xml").tags]
    assert found == ["PATIENT", "DATE"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["suggest", "{gold}", "--model", "{gold}", "--out", "{out}"], "holds no model"),
        (["suggest", "{gold}", "--model", "none", "--out", "{out}"], "is not a recognizer"),
        (["suggest", "{gold}", "--model", "rules", "--out", "{gold}"], "not empty"),
        (["suggest", "{gold}", "--model", "rules", "--out", "{out}", "--threshold", "7"], "0 to 1"),
        (["suggest", "{gold}", "--model", "rules", "--out", "{out}", "--cores", "-2"], "1 or more"),
        (["evaluate", "rules", "{gold}", "--cores", "0"], "1 or more"),
        (["train", "{gold}", "--out", "{out}", "--cores", "-1"], "1 or more"),
        (["train", "{gold}", "--out", "{gold}"], "is not a model"),
        (["train", "{gold}", "{gold}", "--out", "{out}"], "twice"),
        (["train", "{gold}", "--out", "{out}", "--features", "sound"], "no feature group"),
        (["train", "{gold}", "--out", "{out}", "--ablate", "--folds", "0"], "--folds 2"),
        (["evaluate", "{gold}", "{gold}"], "holds no model"),
    ],
)
def test_a_wrong_request_is_one_line(corpus, tmp_path, capsys, arguments, said):
    places = {"gold": corpus, "out": tmp_path / "out"}
    words = [word.format(**places) for word in arguments]

    assert main(words) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_broken_record_is_named_and_nothing_is_learnt(corpus, tmp_path, capsys):
    (corpus / "110-01.xml").write_bytes(b"<broken")

    assert main(["train", str(corpus), "--out", str(tmp_path / "m")]) == 2
    assert "110-01.xml" in capsys.readouterr().err
    assert not (tmp_path / "m").exists()


def test_a_model_learns_from_fabricated_patients(corpus, tmp_path, capsys):
    target = tmp_path / "m"
    command = ["train", "--fabricated", "3", "--recognizer", "token", "--out", str(target)]

    assert main(command) == 0
    assert "of 3 patients" in capsys.readouterr().out
    assert main([*command, str(corpus)]) == 0
    assert "of 9 patients" in capsys.readouterr().out


def test_nothing_to_learn_from_is_said(tmp_path, capsys):
    assert main(["train", "--out", str(tmp_path / "m")]) == 2
    assert "give RECORDS, or --fabricated N" in capsys.readouterr().err
