from dataclasses import replace

import pytest

from shared.model import Span
from shared.recognition.combination import FirstMatchRecognizer
from shared.recognition.evaluation import above, strict_scores
from shared.recognition.model_folder import load_model, new_model_folder
from shared.recognition.recognizer import Suggestion, keep_most_confident
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS, CombinationMethod
from tests.builders import document, phi


class Fixed:
    """A recognizer that suggests the same in every document."""

    def __init__(self, name, *spans):
        self.name = name
        self._found = tuple(Suggestion(Span(*span), phi("DATE"), 0.5, name) for span in spans)

    def suggest(self, documents):
        return [self._found for _ in documents]


def test_where_recognizers_overlap_the_first_wins():
    merged = FirstMatchRecognizer([Fixed("rules", (0, 4)), Fixed("crf", (2, 6), (8, 9))])
    (found,) = merged.suggest([document("0123456789")])

    assert [(each.start, each.end, each.recognizer) for each in found] == [
        (0, 4, "rules"),
        (8, 9, "crf"),
    ]
    assert merged.name == "rules+crf"


def suggestion(start, end, confidence):
    return Suggestion(Span(start, end), phi("DATE"), confidence, "")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ([(0, 4, 0.6), (2, 6, 0.9)], [(2, 6)]),
        ([(0, 4, 0.9), (2, 9, 0.9)], [(2, 9)]),
        ([(0, 4, 0.9), (4, 6, 0.2)], [(0, 4), (4, 6)]),
        ([], []),
    ],
)
def test_of_suggestions_that_overlap_the_surer_stays_then_the_longer(given, kept):
    chosen = keep_most_confident(suggestion(*each) for each in given)

    assert [(each.start, each.end) for each in chosen] == kept


@pytest.mark.parametrize("combination", CombinationMethod)
def test_every_merging_finds_what_there_is(examples, unseen, tmp_path, combination):
    settings = replace(SETTINGS["ensemble"], folds=0, combination=combination)
    with new_model_folder(tmp_path / "m") as folder:
        train(examples, settings, folder)
    model = load_model(tmp_path / "m")
    found = above(model.suggest([each.document for each in unseen]), model.card.threshold)

    assert strict_scores(unseen, found)["all"].f1 > 0.85


@pytest.mark.parametrize("name", ["character", "liu", "averaged", "he"])
def test_recognizers_of_the_papers_train_and_suggest(examples, unseen, tmp_path, name):
    with new_model_folder(tmp_path / "m") as folder:
        train(examples, SETTINGS[name], folder)
    model = load_model(tmp_path / "m")
    found = above(model.suggest([each.document for each in unseen]), model.card.threshold)

    assert strict_scores(unseen, found)["all"].f1 > 0.8


def test_characters_and_tokens_are_judged_together(examples, unseen, tmp_path):
    settings = replace(SETTINGS["liu"], folds=2, combination=CombinationMethod.STACKED)
    with new_model_folder(tmp_path / "m") as folder:
        assert train(examples, settings, folder).has_confidence_model
    model = load_model(tmp_path / "m")
    wide = replace(model, recall=True).suggest([each.document for each in unseen])

    assert all(len(of_document) > 0 for of_document in wide)
