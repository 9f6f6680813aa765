from itertools import pairwise, product

import numpy as np
import pytest

from shared.recognition.crf.forward_backward import best_path, lattice, probable_path

LABELS = 3
OUTSIDE = 0


@pytest.fixture(params=range(8))
def chain(request):
    """Random scores of sequences of many lengths, and every path of each with its score."""
    chance = np.random.default_rng(request.param)
    lengths = chance.integers(1, 6, 7)
    ends = np.cumsum(lengths)
    sequences = [(int(end - n), int(end)) for n, end in zip(lengths, ends, strict=True)]
    scores = chance.normal(0, 2, (int(ends[-1]), LABELS))
    scores[:, OUTSIDE] += 15 * (chance.random(len(scores)) > 0.6)
    return scores, chance.normal(0, 1, (LABELS, LABELS)), sequences


def paths(scores, transitions, first, last):
    for path in product(range(LABELS), repeat=last - first):
        emitted = sum(scores[first + at, label] for at, label in enumerate(path))
        moved = sum(transitions[one, two] for one, two in pairwise(path))
        yield path, emitted + moved


def test_marginals_are_those_of_all_paths(chain):
    scores, transitions, sequences = chain
    marginals = lattice(*chain).marginals

    for first, last in sequences:
        expected = np.zeros((last - first, LABELS))
        for path, score in paths(scores, transitions, first, last):
            expected[np.arange(last - first), path] += np.exp(score)
        expected /= expected.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(marginals[first:last], expected, atol=1e-9)


@pytest.mark.parametrize("find", ["exact", "probable"])
def test_the_best_path_is_the_best_of_all(chain, find):
    scores, transitions, sequences = chain
    found = (
        best_path(*chain)
        if find == "exact"
        else probable_path(*chain, OUTSIDE, lattice(*chain).marginals[:, OUTSIDE])
    )

    for first, last in sequences:
        best, _ = max(paths(scores, transitions, first, last), key=lambda each: each[1])
        assert tuple(found[first:last]) == best


def test_a_run_has_the_probability_that_the_lattice_gives(chain):
    scores, transitions, sequences = chain
    found = lattice(*chain)
    first, last = max(sequences, key=lambda each: each[1] - each[0])
    total = inside = 0.0
    for path, score in paths(scores, transitions, first, last):
        total += np.exp(score)
        inside += np.exp(score) * (path[:2] == (1, 2))

    of_two = np.array([first]), np.array([2]), np.array([1, 2])
    run = found.runs(*of_two) * found.onward(np.array([first + 1]), np.array([2]))
    assert run.tolist() == [pytest.approx(inside / total)]
    all_first = np.arange(len(scores)), np.ones(len(scores), int), np.zeros(len(scores), int)
    alone = found.runs(*all_first) * found.onward(np.arange(len(scores)), all_first[2])
    assert alone == pytest.approx(found.chances(0))


def test_nothing_is_nothing():
    empty = np.zeros((0, LABELS))

    assert lattice(empty, np.zeros((LABELS, LABELS)), []).marginals.shape == (0, LABELS)
    assert best_path(empty, np.zeros((LABELS, LABELS)), []).shape == (0,)


def test_scores_far_apart_do_not_become_nothing():
    scores = np.array([[0.0, 9000.0], [9000.0, 0.0]])
    marginals = lattice(scores, np.zeros((2, 2)), [(0, 2)]).marginals

    np.testing.assert_allclose(marginals, [[0, 1], [1, 0]], atol=1e-9)
