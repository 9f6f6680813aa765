import json

import numpy as np
import pytest

from shared.recognition.local_context.linear_model import (
    linear_model_from,
    linear_table,
)
from shared.recognition.local_context.svm import train_svm
from shared.recognition.local_context.training_words import LabelledText, runs, training_words
from shared.recognition.local_context.winnow import train_winnow

NAMES = ("O", "NAME:DOCTOR", "DATE:DATE")
TRAINERS = pytest.mark.parametrize("train", [train_svm, train_winnow])


def words_of(*rows):
    """Words, each as its class and features."""
    columns = [features.split() for _, features in rows]
    text = LabelledText(columns, [own for own, _ in rows], [(0, len(rows))], 0)
    return training_words([text], NAMES)


@pytest.fixture(scope="module")
def small():
    return words_of(
        *[(1, "dr capital"), (2, "on digit"), (0, "dr small"), (0, "on small")] * 10,
        (0, "once capital"),
    )


@TRAINERS
def test_a_pattern_is_learnt(small, train):
    model = train(small, 1)
    asked = ["dr capital", "on digit", "on small", "dr small never"]
    classes, margins = model.classified([model.numbered(each.split()) for each in asked])

    assert classes.tolist() == [1, 2, 0, 0]
    assert (margins > 0).all()


@TRAINERS
def test_the_same_words_give_the_same_model_which_json_holds(small, train):
    model = train(small, 1)
    table = json.loads(json.dumps(linear_table(model)))

    assert linear_table(train(small, 1)) == linear_table(model)
    assert linear_table(linear_model_from(table)) == linear_table(model)
    asked = [model.numbered(["dr", "capital"]), []]
    read = linear_model_from(table).classified(asked)
    for one, other in zip(read, model.classified(asked), strict=True):
        assert one == pytest.approx(other, abs=1e-5)


@TRAINERS
def test_a_class_that_half_of_the_patients_do_not_have_is_none(train):
    model = train(words_of(*[(1, "dr capital"), (0, "small")] * 5), 1)
    classes, _ = model.classified([model.numbered(["dr", "capital"])])

    assert classes.tolist() == [1]
    assert model.classified([])[0].tolist() == []


def test_a_feature_that_is_seen_once_is_left_out(small):
    assert small.features == ("capital", "digit", "dr", "on", "small")


def test_a_promoted_feature_outweighs_the_threshold(small):
    model = train_winnow(small, 1)
    rows = dict(zip(model.features, np.split(model.weights.values, model.weights.starts[1:-1]),
                    strict=True))  # fmt: skip
    assert len(rows["digit"]) == 1  # no other class was ever linked to it
    assert all((values > 0).all() for values in rows.values())


@pytest.mark.parametrize(
    "damage",
    [
        {"classes": []},
        {"classes": ["O"]},
        {"classes": [*map(str, range(200))]},
        {"features": "one"},
        {"pairs": [[0, 0]]},
        {"biases": [1.0]},
        {"counts": "-1 1 1 1 1"},
        {"columns": "99"},
        {"values": "nan"},
        {"curve": []},
        {"values": None},
    ],
)
def test_what_cannot_have_been_written_is_refused(small, damage):
    table = json.loads(json.dumps(linear_table(train_svm(small, 1))))
    with pytest.raises((ValueError, AttributeError, LookupError)):
        linear_model_from({**table, **damage})


def test_runs_end_with_the_class_and_the_sentence():
    classes, sentences = np.array([0, 1, 1, 1, 2, 0]), np.array([0, 0, 0, 1, 1, 1])
    assert runs(classes, sentences) == [(1, 2, 1), (3, 3, 1), (4, 4, 2)]
    assert runs(classes[:0], sentences[:0]) == []
