import json
import math
from itertools import product

import numpy as np
import pytest

from shared.errors import FileFormatError, RequestError
from shared.recognition.ensemble_weights import CompanionRecognizers
from shared.recognition.evaluation import above, strict_scores
from shared.recognition.hmm.model import NameClassLattice, best_runs, learnt, posteriors
from shared.recognition.hmm.probabilities import END, START, UNKNOWN
from shared.recognition.hmm.words import FEATURES, WordLine, cut, feature, read_line
from shared.recognition.hmm_recognizer import train_hmm
from shared.recognition.model_folder import NAME_CLASS_MODEL, load_model, new_model_folder
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS
from tests.builders import document

IDENTIFINDER = SETTINGS["identifinder"]


@pytest.fixture(scope="module")
def folder(examples, tmp_path_factory):
    target = tmp_path_factory.mktemp("models") / "identifinder"
    with new_model_folder(target) as partial:
        train(examples, IDENTIFINDER, partial)
    return target


def opened(folder, **options):
    return open_recognizer(RecognizerSpec((str(folder),), **options))


def test_identifinder_finds_what_patients_it_never_saw_have(folder, unseen):
    found = opened(folder).suggest([each.document for each in unseen])

    assert strict_scores(unseen, above(found, 0.0))["all"].f1 > 0.8
    assert all(0 < each.confidence <= 1 for of_one in found for each in of_one)
    assert RecognizerSpec((str(folder),)).threshold == 0


def test_its_folder_has_no_pickle_and_does_not_depend_on_the_order(folder, examples, tmp_path):
    with new_model_folder(tmp_path / "m") as partial:
        train(examples[::-1], IDENTIFINDER, partial)

    name = NAME_CLASS_MODEL
    assert {each.name for each in folder.iterdir()} == {"card.json", name}
    assert (tmp_path / "m" / name).read_bytes() == (folder / name).read_bytes()
    assert (folder / name).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("text", ["", "\n\n", " \t", "\0\ud800", "x" * 50_000, "a 1 " * 12_000])
def test_any_text_is_read(folder, text):
    (found,) = opened(folder).suggest([document(text)])

    assert all(each.end <= len(text) for each in found)


@pytest.mark.parametrize(
    "damage",
    [
        {"classes": []},
        {"words": []},
        {"classes": ["O", "NAME:OTHER"]},
        {"classes": ["O", *map(str, range(1_000_000))]},
        {"known": {}},
        {"known": {"moves": "99 0 0 1", "firsts": "", "nexts": ""}},
        {"unknown": {"moves": "0 0 0 -1", "firsts": "", "nexts": ""}},
        {"unknown": {"moves": "0 0 0", "firsts": "", "nexts": ""}},
        {"unknown": {"moves": "0 0 zero 1", "firsts": "", "nexts": ""}},
    ],
)
def test_a_damaged_model_is_named(folder, tmp_path, damage):
    table = json.loads((folder / NAME_CLASS_MODEL).read_text())
    (tmp_path / "card.json").write_bytes((folder / "card.json").read_bytes())
    (tmp_path / NAME_CLASS_MODEL).write_text(json.dumps({**table, **damage}))

    with pytest.raises(FileFormatError, match="name_class_model"):
        opened(tmp_path)


def test_what_it_cannot_do_is_refused(folder, examples, tmp_path):
    with pytest.raises(RequestError, match="there are 300 types; IdentiFinder learns 299"):
        train_hmm(examples, [f"OTHER:{number}" for number in range(300)])
    with pytest.raises(RequestError, match="no recall mode"):
        opened(folder, recall=True)
    with pytest.raises(RequestError, match="identifinder has no CRFs"):
        load_model(folder)
    with pytest.raises(RequestError, match="weighs no recognizers"):
        train(examples, IDENTIFINDER, tmp_path, companions=CompanionRecognizers(()))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("90", 0),
        ("1990", 1),
        ("A8956-67", 2),
        ("09-96", 3),
        ("11/9/89", 4),
        ("23,000.00", 5),
        ("1.00", 6),
        ("456789", 7),
        ("BBN", 8),
        ("M", 9),
        ("Sally", 11),
        ("can", 12),
        (",", 13),
        ("iPad", 13),
    ],
)
def test_the_word_features_are_those_of_the_paper(word, expected):
    (_, end), *_ = cut(word)

    assert end == len(word)
    assert feature(word, "." if word == "M" else " ", is_first=False) == expected
    assert feature(word, " ", is_first=True) == (
        expected if word in {"BBN", ","} or word[-1].isdecimal() else 10
    )


def tagged(text, *mentions):
    """A line in which the words of each mention are of class 1."""
    line = read_line(text, cut(text))
    own = [int(any(first <= at <= last for first, last in mentions)) for at in range(len(line[0]))]
    begins = [any(at == first for first, _ in mentions) for at in range(len(own))]
    return line._replace(classes=own, begins=begins)


@pytest.fixture(scope="module")
def small():
    """A model of four lines in which `dr lee` is of class 1, and `stone` of both."""
    texts = ["saw dr Lee today", "a stone was seen", "dr Stone saw a stone", "dr Lee left"]
    places = [(2, 2)], [], [(1, 1)], [(1, 1)]
    lines = [tagged(text, *each) for text, each in zip(texts, places, strict=True)]
    return learnt([(line, at % 2 == 1) for at, line in enumerate(lines)], ("O", "NAME:DOCTOR"))


def test_the_chances_of_every_history_sum_to_one(small):
    tokens = list(product(range(len(small.words)), range(FEATURES)))
    for chances in small._probabilities:
        for last in (*tokens[:: FEATURES + 1], (UNKNOWN, 12), (END, 13)):
            assert sum(chances.next(last, token) for token in tokens) == pytest.approx(1)
        assert sum(chances.first(token) for token in tokens) == pytest.approx(np.ones((3, 2)))
        for word in range(len(small.words)):
            assert chances.move(word).sum(axis=1) == pytest.approx(1)


def test_a_history_weighs_as_often_as_it_was_seen_against_its_outcomes(small):
    known = small._probabilities[0]
    dr, lower = small.words.index("dr"), 12
    base, _ = known._moves

    # `dr` was seen twice in class 0 and inside the line, once at its beginning as another token
    assert known.move(dr)[0] == pytest.approx(3 / 4 * np.array([0, 1, 0]) + base[0] / 4)
    assert known.move(START)[2] == pytest.approx(4 / 5 * np.array([1, 0, 0]) + base[2] / 5)
    assert known.next((dr, lower), (END, 13))[0] > known.alone((END, 13))[0]


def test_an_unknown_name_is_known_by_what_stands_before_it(small):
    line = read_line("saw dr Nwnrgo today", cut("saw dr Nwnrgo today"))

    assert [each[:3] for each in small.mentions(line)] == [(2, 2, 1)]
    assert small.mentions(WordLine([], [], [], [])) == []


def paths(lattice):
    """Every way to cut a line into mentions of classes, with its chance."""
    begin, inside, closing = lattice
    units, count = inside.shape
    for choice in product(range(2 * count), repeat=units):
        before, chance, runs = count, 1.0, []
        for at, (own, goes_on) in enumerate((each % count, each >= count) for each in choice):
            if goes_on:
                chance *= inside[at, own] if own == before else 0.0
                runs and runs.append((runs.pop()[0], at, own))
            else:
                chance *= begin[at, before, own]
                runs.append((at, at, own))
            before = own
        if chance:
            yield runs, chance * closing[before]


def test_the_best_path_and_all_chances_are_those_of_an_enumeration():
    random = np.random.default_rng(7)
    units, count = 4, 3
    begin, inside = random.random((units, count + 1, count)), random.random((units, count))
    begin[0, :count], begin[1:, count], inside[0] = 0, 0, 0
    lattice = NameClassLattice(begin, inside, random.random(count))
    every = list(paths(lattice))
    total = math.fsum(chance for _, chance in every)
    entered, left, on = posteriors(lattice)

    assert best_runs(lattice) == max(every, key=lambda each: each[1])[0]
    for run in {run for runs, _ in every for run in runs}:
        first, last, own = run
        expected = math.fsum(chance for runs, chance in every if run in runs) / total
        told = entered[first, own] * on[first + 1 : last + 1, own].prod() * left[last, own]
        assert told == pytest.approx(expected)
