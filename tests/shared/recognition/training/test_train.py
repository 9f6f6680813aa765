import os
from dataclasses import replace

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold

from shared.errors import RequestError
from shared.model import Document
from shared.recognition.dictionaries import CLINIC
from shared.recognition.evaluation import above, coverage, strict_scores
from shared.recognition.features import FEATURE_SETS, FeatureSet
from shared.recognition.model_card import CARD, read_card
from shared.recognition.model_folder import (
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
    Units,
    named_settings,
    settings_for,
    settings_for_language,
)
from shared.synthetic.letters import fabricate_letters
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


def of_features(name):
    features = FEATURE_SETS[name]
    units = Units.WORDS if features.is_local else Units.TOKENS
    return CrfSettings(name, features, units=units, iterations=3)


@pytest.mark.parametrize("name", FEATURE_SETS)
def test_records_without_a_word_are_learnt_from_and_read(examples, tmp_path, name):
    empty = [Example(document(text, f"99-{n}"), ()) for n, text in enumerate(("", " \n\t\n"))]
    settings = RecognizerSettings("one", (of_features(name),), folds=2)
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


def test_folds_are_those_of_scikit_learn(examples):
    patients = [each.document.patient_id for each in examples]
    theirs = GroupKFold(5, shuffle=True, random_state=7).split(patients, groups=patients)
    expected = {patients[at]: fold for fold, (_, own) in enumerate(theirs) for at in own}

    assert folds_of_patients(examples, 5, 7) == expected


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
    settings = RecognizerSettings("one", (of_features(name),))
    trained(examples[:6], settings, tmp_path / "m")

    assert load_model(tmp_path / "m").suggest([examples[0].document])


def test_what_is_known_of_the_language_of_the_records_is_looked_up(tmp_path) -> None:
    letters = [
        Example(document, each.gold[document.record_id].tags)
        for each in fabricate_letters("de", 6, 1)
        for document in each.patient.documents
    ]
    (tmp_path / "m").mkdir()
    general = SETTINGS["general"]
    few = replace(general, crfs=tuple(replace(each, iterations=3) for each in general.crfs))
    card = train(letters, few, tmp_path / "m")
    assert card.settings.crfs[0].features.locales == ("de", CLINIC)
    assert "krankenhaus" in (tmp_path / "m" / "dictionaries.json").read_text("utf-8")


def test_settings_for_the_usual_languages_stay_as_they_are() -> None:
    assert settings_for_language(SETTINGS["broad"], ("en",)) is SETTINGS["broad"]
