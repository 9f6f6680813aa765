from dataclasses import replace

import numpy as np
import pytest

from shared.recognition.confidence.confidence_model import GROUPS
from shared.recognition.confidence.span_features import feature_count, span_features
from shared.recognition.confidence.tagged_words import LikeCandidates, TaggedWords
from shared.recognition.crf_recognizer import batches, predict_by_patient
from shared.recognition.model_folder import load_model, new_model_folder
from shared.recognition.training.cross_validation import CountGroups
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS


@pytest.fixture(scope="module")
def model(examples, tmp_path_factory):
    target = tmp_path_factory.mktemp("models") / "m"
    with new_model_folder(target) as folder:
        train(examples, replace(SETTINGS["growing"], folds=3), folder)
    return load_model(target)


def judged(model, documents):
    """The candidates of each patient, part by part."""
    for batch in batches(documents):
        for parts, predictions in predict_by_patient(documents, batch, model.crfs):
            tokenized = [part.tokenized for part in parts]
            yield model.confidence_model.candidates(tokenized, predictions)


def test_there_are_as_many_features_as_files_are_held_to(model, unseen):
    for parts in judged(model, [each.document for each in unseen]):
        rows = span_features(parts, model.card.types, TaggedWords(), LikeCandidates())
        assert rows.shape == (sum(len(part.found) for part in parts), feature_count(2))


def test_candidates_are_in_order_and_each_there_once(model, unseen):
    for parts in judged(model, [each.document for each in unseen]):
        for part in parts:
            places = [each.place for each in part.found]
            assert places == sorted(set(places))


def test_sure_ones_are_mostly_right_and_unsure_ones_are_not(model, unseen):
    outcomes = []
    for example, found in zip(
        unseen, model.suggest([each.document for each in unseen]), strict=True
    ):
        right = {(tag.span, tag.phi_type) for tag in example.tags}
        outcomes += [(each.confidence, (each.span, each.phi_type) in right) for each in found]
    sure = [is_right for confidence, is_right in outcomes if confidence > 0.9]
    unsure = [is_right for confidence, is_right in outcomes if confidence < 0.4]
    assert np.mean(sure) > 0.95
    assert not unsure or np.mean(unsure) < 0.6


def test_a_patient_is_asked_about_by_what_others_tell(examples):
    one = replace(
        examples[0], document=replace(examples[0].document, text="Quetzalcoatl.", patient_id="zz")
    )
    one = replace(one, tags=(replace(examples[0].tags[0], span=type(one.tags[0].span)(0, 12)),))
    groups = CountGroups.of([*examples, one])
    own = groups.group_of["zz"]
    for group in range(GROUPS):
        knows = "quetzalcoatl" in groups.tagged[group].roles["phrase"]
        assert knows is (group != own)
