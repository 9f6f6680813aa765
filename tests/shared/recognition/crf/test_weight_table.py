import numpy as np
import pytest

from shared.recognition.crf import weight_table
from shared.recognition.crf.crfs import token_units
from shared.recognition.crf.crfsuite_file import Weights
from shared.recognition.crf.scorer import WindowScorer
from shared.recognition.crf.weight_table import RowCache, table_of
from shared.recognition.features import FEATURE_SETS, Extractor, TokenizedDocument

TEXT = "Médico: Ana Pérez\nCalle Mayor 12, 28001 Madrid.\nVisto por Ana Pérez el 3/4/2015."


def weights(names, labels, seed):
    """Random weights, of which most are nothing."""
    chance = np.random.default_rng(seed)
    states = chance.normal(0, 1, (len(names) + 1, labels)).astype(np.float32)
    states[chance.random(states.shape) < 0.7] = 0
    states[-1] = 0
    rows = {name: row for row, name in enumerate(names)}
    return Weights(tuple(map(str, range(labels))), rows, states, np.zeros((labels, labels)))


@pytest.fixture
def members():
    return [weights(["a", "b", "c"], 3, 1), weights(["c", "d"], 2, 2)]


def test_the_columns_are_those_of_one_crf_after_the_other(members):
    numbers, table = table_of(members)
    sums = np.zeros((2, table.width), np.float32)
    table.add_all(sums, [[numbers["a"], numbers["c"]], []])

    first, second = (each.states for each in members)
    np.testing.assert_allclose(sums[0], [*(first[0] + first[2]), *second[0]], rtol=1e-6)
    assert not sums[1].any()


@pytest.mark.parametrize("name", ["quick", "wide", "full", "general", "liu"])
def test_scores_are_the_sums_over_all_attributes(name):
    extractor = Extractor(FEATURE_SETS[name])
    tokenized_documents = [
        TokenizedDocument(TEXT),
        TokenizedDocument(""),
        TokenizedDocument("Dr. Ana Pérez\n" * 4),
    ]
    columns = [
        column for tokenized in tokenized_documents for column in extractor.attributes(tokenized)
    ]
    names = sorted({name for column in columns for name in column})
    members = [weights(names[::2], 4, 1), weights(names[1:], 3, 2)]
    scores = WindowScorer(members, extractor).scores(
        tokenized_documents,
        map(extractor.places, tokenized_documents),
        [token_units(each) for each in tokenized_documents],
    )

    for member, found in zip(members, scores, strict=True):
        rows = member.attributes
        expected = [
            sum((member.states[rows[name]] for name in column if name in rows), np.zeros(1))
            for column in columns
        ]
        np.testing.assert_allclose(found, expected, atol=1e-4)


def test_a_store_forgets_to_make_room_and_still_answers(monkeypatch):
    monkeypatch.setattr(weight_table, "MAX_CACHED_ROWS", 3)
    asked = []

    def sum_up(keys, sums):
        asked.extend(keys)
        sums[:] = [[len(key)] for key in keys]

    store = RowCache("", 1, sum_up)
    for words in (["a", "bb"], ["ccc", "a", "dddd"], ["a", "eeeee", "bb"]):
        rows = store.rows(words)
        assert store.sums[rows, 0].tolist() == [len(word) for word in words]

    assert asked == ["", "a", "bb", "ccc", "dddd", "", "a", "eeeee", "bb"]
    assert store.rows([""]).tolist() == [0]


def test_more_than_a_store_holds_at_a_time_is_taken_all_the_same():
    words = [str(number) for number in range(weight_table.MAX_CACHED_ROWS + 2000)]
    store = RowCache("", 1, lambda keys, sums: sums.fill(1))
    rows = store.rows(words)

    assert store.sums[rows, 0].sum() == len(words)
