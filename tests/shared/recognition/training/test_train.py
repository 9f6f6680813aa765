import json
import os
import stat
import sys
from dataclasses import replace

import numpy as np
import pytest

from shared.errors import FileError, FileFormatError, NewerVersionError, RequestError, StorageError
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.schema import Schema, SchemaCategory, SchemaType
from shared.recognition.dictionaries import Dictionaries
from shared.recognition.evaluation import above, coverage, strict_scores
from shared.recognition.features import FEATURE_SETS, FeatureSet, extractor
from shared.recognition.model_card import CARD, read_card
from shared.recognition.model_folder import (
    CONFIDENCE_MODEL,
    DICTIONARIES,
    TERM_COUNTS,
    load_model,
    new_model_folder,
)
from shared.recognition.recognizer import Example
from shared.recognition.training import train as train_module
from shared.recognition.training.cross_validation import folds_of_patients
from shared.recognition.training.train import cross_validate, train
from shared.recognition.training_settings import (
    SETTINGS,
    CrfSettings,
    RecognizerSettings,
    named_settings,
    settings_for,
)
from tests.builders import document, layer, phi

QUICK = SETTINGS["token"]
STACKED = replace(QUICK, folds=3)


def trained(examples, settings, target, **more):
    with new_model_folder(target) as folder:
        return train(examples, settings, folder, **more)


def scores(model, unseen):
    found = model.suggest([example.document for example in unseen])
    return strict_scores(unseen, above(found, model.card.threshold))["all"]


@pytest.fixture(scope="module")
def folder(examples, tmp_path_factory):
    """A token CRF with its judge, trained."""
    target = tmp_path_factory.mktemp("models") / "first"
    trained(examples, STACKED, target)
    return target


def test_a_trained_model_knows_patients_that_it_has_not_seen(folder, unseen):
    assert scores(load_model(folder), unseen).f1 > 0.9


def test_the_ensemble_too(examples, unseen, tmp_path):
    trained(examples, replace(SETTINGS["ensemble"], folds=2), tmp_path / "m")

    assert scores(load_model(tmp_path / "m"), unseen).f1 > 0.9


def test_each_crf_of_a_recognizer_is_kept_from_other_words(examples, tmp_path):
    one = replace(QUICK.crfs[0], name="one", dropout=0.5, iterations=3)
    trained(examples, RecognizerSettings("both", (one, replace(one, name="two"))), tmp_path / "m")

    first, second = ((tmp_path / "m" / f"{name}.crfsuite").read_bytes() for name in ("one", "two"))
    assert first != second


def test_without_a_judge_the_mean_probability_is_the_confidence(examples, unseen, tmp_path):
    card = trained(examples, QUICK, tmp_path / "m")

    assert not card.has_confidence_model
    assert scores(load_model(tmp_path / "m"), unseen).f1 > 0.85


def test_the_same_examples_in_any_order_make_the_same_model(examples, folder, tmp_path):
    trained(examples[::-1], STACKED, tmp_path / "again", cores=2)

    for path in folder.iterdir():
        if path.name != CARD:
            assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name
    first, again = read_card(folder), read_card(tmp_path / "again")
    assert replace(first, trained="") == replace(again, trained="")


def test_suggestions_do_not_depend_on_order_or_company(folder, unseen):
    model = load_model(folder)
    documents = [example.document for example in unseen]
    together = dict(zip(documents, model.suggest(documents), strict=True))

    backwards = model.suggest(documents[::-1])
    assert [together[document] for document in documents[::-1]] == backwards


@pytest.mark.skipif(sys.platform == "win32", reason="no file modes there")
def test_a_model_is_readable_by_its_owner_only(folder):
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_a_model_is_the_card_what_it_knows_and_crfsuite_files(folder):
    assert {path.name for path in folder.iterdir()} == {
        CARD,
        TERM_COUNTS,
        DICTIONARIES,
        "quick.crfsuite",
        "confidence_model.json",
    }


def test_the_card_tells_what_the_model_is(folder):
    card = read_card(folder)

    assert (card.records, card.patients) == (24, 12)
    assert "protected health information" in card.notice
    assert card.scores["all"]["f1"] > 0.9
    assert card.types == ("DATE:DATE", "ID:MEDICALRECORD", "NAME:DOCTOR", "NAME:PATIENT")


def test_recall_mode_leaves_less_uncovered(folder, unseen):
    model = load_model(folder)
    documents = [example.document for example in unseen]
    firm = coverage(unseen, above(model.suggest(documents), model.card.threshold))
    wide = coverage(unseen, replace(model, recall=True).suggest(documents))

    assert wide.uncovered <= firm.uncovered
    assert wide.token_precision > 0.8


def test_what_is_surely_found_once_is_looked_for_in_the_other_records(folder, unseen):
    name = next(tag for tag in unseen[0].tags if tag.phi_type == phi("PATIENT"))
    phrase = name.span.text_in(unseen[0].document.text)
    patient_id = unseen[0].document.patient_id
    bare = Document(f"{patient_id}-9", patient_id, f"yesterday {phrase} slept")
    first, last = load_model(folder).suggest([unseen[0].document, bare])

    assert any(each.span.text_in(bare.text) == phrase for each in last)
    assert first == load_model(folder).suggest([unseen[0].document])[0]


@pytest.mark.parametrize(
    "text", ["", "\n", " \t\n ", "…", "x" * 3000, "\0\ufffe\ud800", "é\u0301 🙂 ", "a " * 3000]
)
def test_odd_documents_are_read(folder, text):
    (found,) = load_model(folder).suggest([Document("9-1", "9", text)])

    assert all(0 <= each.start < each.end <= len(text) for each in found)
    (found,) = replace(load_model(folder), recall=True).suggest([Document("9-1", "9", text)])
    assert all(0 <= each.start < each.end <= len(text) for each in found)


def test_a_long_line_is_read_and_offsets_hold(folder, unseen):
    record = unseen[0].document.text
    text = "and so on " * 9000 + "\n" + record
    (found,) = load_model(folder).suggest([Document("9-1", "9", text)])
    start = len(text) - len(record)

    at_end = [each for each in found if each.start >= start and each.confidence > 0.5]
    assert {text[each.start : each.end] for each in at_end} >= {
        tag.span.text_in(record) for tag in unseen[0].tags[:2]
    }


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_records_without_a_word_are_learnt_from_and_read(examples, tmp_path, name):
    empty = [Example(document(text, f"99-{n}"), ()) for n, text in enumerate(("", " \n\t\n"))]
    settings = RecognizerSettings(
        "one", (CrfSettings(name, FEATURE_SETS[name], iterations=3),), folds=2
    )
    trained([*examples[:6], *empty], settings, tmp_path / "m")
    model = load_model(tmp_path / "m")

    assert model.suggest([each.document for each in empty]) == [(), ()]
    assert replace(model, recall=True).suggest([each.document for each in empty]) == [(), ()]


def test_no_documents_no_suggestions(folder):
    assert load_model(folder).suggest([]) == []


def test_a_type_with_a_single_example_does_no_harm(examples, tmp_path):
    source = "Calls his [barber|PROFESSION] now."
    more = [*examples, Example(document(source, "77-0"), layer(source, "77-0").tags)]
    card = trained(more, STACKED, tmp_path / "m")

    assert card.scores["PROFESSION:PROFESSION"]["recall"] == 0


@pytest.mark.parametrize("count", [1, 2])
def test_one_record_is_enough_to_begin(examples, tmp_path, count):
    trained(examples[:count], STACKED, tmp_path / "m")

    model = load_model(tmp_path / "m")
    assert model.suggest([examples[0].document])[0]


def test_records_without_tags_are_nothing_to_learn_from(examples, tmp_path):
    bare = [replace(example, tags=()) for example in examples]

    with pytest.raises(RequestError, match="nothing to train on"):
        trained(bare, STACKED, tmp_path / "m")
    assert list(tmp_path.iterdir()) == []


def test_cross_validation_scores_patients_left_out(examples, tmp_path):
    assert cross_validate(examples, STACKED, tmp_path)["all"]["f1"] > 0.9


def test_cross_validation_needs_two_patients(examples, tmp_path):
    with pytest.raises(RequestError, match="two patients"):
        cross_validate(examples[:2], STACKED, tmp_path)


def test_a_patient_is_in_one_fold(examples):
    fold_of = folds_of_patients(examples, STACKED.folds, STACKED.seed)

    assert set(fold_of) == {example.document.patient_id for example in examples}
    assert np.bincount(list(fold_of.values())).tolist() == [4, 4, 4]


def test_progress_is_told(examples, tmp_path):
    told = []
    trained(
        examples,
        STACKED,
        tmp_path / "m",
        on_progress=lambda done, what: told.append(done),
    )

    assert told == sorted(told)
    assert 0 < told[0] < told[-1] <= 1


def dying(*_):
    os._exit(1)


def test_where_a_process_that_trains_dies_that_is_said(examples, tmp_path, monkeypatch):
    monkeypatch.setattr(train_module, "_do", dying)

    with pytest.raises(RequestError, match="want of memory; try again"):
        trained(examples, STACKED, tmp_path / "m", cores=2)
    assert not list(tmp_path.iterdir())


def test_a_model_is_replaced_by_a_newer_one_only_when_that_is_whole(examples, folder, tmp_path):
    target = tmp_path / "m"
    trained(examples, QUICK, target)
    before = (target / CARD).read_bytes()

    with pytest.raises(RequestError):
        trained([replace(examples[0], tags=())], QUICK, target)
    assert (target / CARD).read_bytes() == before
    trained(examples, STACKED, target)
    assert read_card(target).has_confidence_model
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_what_is_no_model_is_not_replaced(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "thesis.txt").write_text("years of work")

    with pytest.raises(FileError, match="is not a model"), new_model_folder(tmp_path / "m"):
        pass
    assert (tmp_path / "m" / "thesis.txt").read_text() == "years of work"


def damaged(folder, target, name, content):
    target.mkdir()
    for path in folder.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    if content is None:
        (target / name).unlink()
    else:
        (target / name).write_bytes(content)
    return target


@pytest.mark.parametrize(
    "name", [CARD, TERM_COUNTS, DICTIONARIES, "quick.crfsuite", "confidence_model.json"]
)
@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[" * 100_000, b"lCRF" + b"\xff" * 60, b"null"], ids=range(5)
)
def test_a_damaged_model_is_named(folder, tmp_path, name, content):
    with pytest.raises(FileFormatError, match=name.replace(".", r"\.")):
        load_model(damaged(folder, tmp_path / "m", name, content))


def test_a_folder_without_a_card_holds_no_model(folder, tmp_path):
    (tmp_path / "note.txt").write_text("a note")
    for path in (tmp_path, tmp_path / "note.txt", damaged(folder, tmp_path / "m", CARD, None)):
        with pytest.raises(StorageError, match=f"{path}: holds no model; give a folder"):
            load_model(path)


@pytest.mark.parametrize("name", [TERM_COUNTS, "quick.crfsuite", "confidence_model.json"])
def test_a_missing_part_is_named(folder, tmp_path, name):
    with pytest.raises(StorageError, match=name.replace(".", r"\.")):
        load_model(damaged(folder, tmp_path / "m", name, None))


def test_a_model_looks_up_what_it_did_when_it_learnt(folder, unseen, tmp_path, monkeypatch):
    documents = [example.document for example in unseen]
    expected = load_model(folder).suggest(documents)
    without = damaged(folder, tmp_path / "m", DICTIONARIES, None)

    monkeypatch.setattr(extractor, "dictionaries_of", lambda _: Dictionaries())
    assert load_model(folder).suggest(documents) == expected
    assert load_model(without).suggest(documents) != expected
    monkeypatch.undo()
    assert load_model(without).suggest(documents) == expected


@pytest.mark.parametrize("name", ["he", "liu", "character"])
def test_what_looks_nothing_up_keeps_no_dictionaries(examples, tmp_path, name):
    brief = tuple(replace(crf, iterations=2) for crf in SETTINGS[name].crfs)
    trained(examples[:4], replace(SETTINGS[name], crfs=brief), tmp_path / "m")

    assert not (tmp_path / "m" / DICTIONARIES).exists()


def test_a_model_of_a_later_tandem_is_refused(folder, tmp_path):
    card = json.loads((folder / CARD).read_text())
    content = json.dumps({**card, "tandem_model": 99}).encode()

    with pytest.raises(NewerVersionError, match="update Tandem"):
        load_model(damaged(folder, tmp_path / "m", CARD, content))


def test_a_model_of_an_earlier_version_is_to_be_trained_again(folder, tmp_path):
    card = json.loads((folder / CARD).read_text())
    content = json.dumps({**card, "tandem_model": 1}).encode()

    with pytest.raises(FileFormatError, match="older version of models; train it again"):
        load_model(damaged(folder, tmp_path / "m", CARD, content))


def test_a_pass_that_there_is_not_is_refused(folder, tmp_path):
    card = json.loads((folder / CARD).read_text())
    card["settings"]["postprocessing"] = ["years"]

    with pytest.raises(RequestError, match="no pass years"):
        load_model(damaged(folder, tmp_path / "m", CARD, json.dumps(card).encode()))


def test_the_confidence_model_is_names_and_weights_in_json(folder):
    table = json.loads((folder / CONFIDENCE_MODEL).read_text())

    assert set(table) == {"intercept", "weights"}
    assert all(isinstance(weight, float) for weight in table["weights"].values())


@pytest.mark.parametrize("weight", ["NaN", "1e999", '"one"', "null"])
def test_weights_are_numbers(folder, tmp_path, weight):
    content = f'{{"intercept": 0.0, "weights": {{"mean": {weight}}}}}'.encode()

    with pytest.raises(FileFormatError, match=r"confidence_model\.json"):
        load_model(damaged(folder, tmp_path / "m", CONFIDENCE_MODEL, content))


def test_nothing_of_scikit_learn_is_needed_to_suggest(folder, unseen, monkeypatch):
    for name in ("sklearn", "sklearn.linear_model", "sklearn.feature_extraction"):
        monkeypatch.setitem(sys.modules, name, None)

    assert any(load_model(folder).suggest([each.document for each in unseen]))


def test_a_crf_file_cannot_lead_out_of_the_folder(folder, tmp_path):
    card = json.loads((folder / CARD).read_text())
    card["settings"]["crfs"][0]["name"] = "../first/quick"
    content = json.dumps(card).encode()

    with pytest.raises(FileFormatError, match=r"card\.json"):
        load_model(damaged(folder, tmp_path / "m", CARD, content))


def test_a_model_fits_the_schema_that_it_was_trained_for(folder):
    assert load_model(folder, I2B2_2014).name == "token"


def test_a_model_of_another_schema_is_refused(folder):
    dates = Schema("dates", (SchemaCategory("DATE", (SchemaType(phi("DATE")),)),))

    with pytest.raises(RequestError, match="another schema"):
        load_model(folder, dates)


@pytest.mark.parametrize(
    ("records", "name", "iterations"),
    [(5, "growing", {40}), (29, "growing", {40}), (50, "token", {40}), (5000, "ensemble", {60})],
)
def test_few_records_are_learnt_quickly_and_many_well(records, name, iterations):
    settings = settings_for(records)

    assert settings.name == name
    assert {crf.iterations for crf in settings.crfs} == iterations


def test_an_unknown_recognizer_is_named():
    with pytest.raises(RequestError, match="there is no recognizer oracle"):
        named_settings("oracle")


def test_an_unknown_feature_group_is_named():
    with pytest.raises(RequestError, match="there is no feature group sound"):
        FeatureSet(("word", "sound"))


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_every_feature_set_trains(examples, tmp_path, name):
    settings = RecognizerSettings("one", (CrfSettings(name, FEATURE_SETS[name], iterations=3),))
    trained(examples[:6], settings, tmp_path / "m")

    assert load_model(tmp_path / "m").suggest([examples[0].document])
