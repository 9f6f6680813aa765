"""What a CRF finds probable, held against all paths that there are."""

from itertools import pairwise, product

import numpy as np
import pytest

from shared.recognition.crf.crfs import Crf
from shared.recognition.crf.marginals import LabelledSpan

LINES = [(0, 4), (4, 5)]
UNITS = 5


@pytest.fixture(params=["O B-A I-A B-B I-B", "O B-A I-A E-A S-A B-B E-B S-B"])
def crf(request):
    labels = request.param.split()
    chance = np.random.default_rng(2)
    scores = chance.normal(size=(UNITS, len(labels))).astype(np.float32)
    return labels, scores, chance.normal(size=(len(labels), len(labels)))


def marked(labels, names, first, last, phi_type):
    """Whether a path marks the units from first to last as a tag, no more and no less."""
    begin, inside, end, single = (f"{kind}-{phi_type}" for kind in "BIES")
    if single not in labels:  # BIO: the tag goes on as long as there are I
        goes_on = last < len(names) and names[last] == inside
        return names[first:last] == [begin, *[inside] * (last - first - 1)] and not goes_on
    wanted = [begin, *[inside] * (last - first - 2), end] if last - first > 1 else [single]
    return names[first:last] == wanted


def chance_of(crf, line, first, last, phi_type):
    """Summed up over all paths of a line."""
    labels, scores, transitions = crf
    right = total = 0.0
    for path in product(range(len(labels)), repeat=line[1] - line[0]):
        score = sum(float(scores[line[0] + at, label]) for at, label in enumerate(path))
        score += sum(transitions[one, two] for one, two in pairwise(path))
        names = [labels[each] for each in path]
        total += np.exp(score)
        if marked(labels, names, first - line[0], last - line[0], phi_type):
            right += np.exp(score)
    return right / total


def test_a_place_is_as_probable_as_all_paths_on_which_it_is_a_tag(crf):
    labels, scores, transitions = crf
    (read,) = Crf(labels, transitions).read([(range(UNITS), range(1, UNITS + 1), LINES)], scores)
    places = [
        (line, LabelledSpan(first, last, phi_type))
        for line in LINES
        for first in range(*line)
        for last in range(first + 1, line[1] + 1)
        for phi_type in "AB"
    ]
    found = read.probabilities([place for _, place in places])
    assert found == pytest.approx([chance_of(crf, line, *place) for line, place in places])
    assert sum(each > 0 for each in found) > UNITS


def test_what_crosses_a_line_or_is_of_no_known_type_is_impossible(crf):
    labels, scores, transitions = crf
    (read,) = Crf(labels, transitions).read([(range(UNITS), range(1, UNITS + 1), LINES)], scores)
    places = [LabelledSpan(3, 5, "A"), LabelledSpan(0, 1, "C"), LabelledSpan(2, 2, "A")]
    known = LabelledSpan(4, 5, "A")
    assert read.probabilities(places) == [0.0, 0.0, 0.0]
    assert read.probabilities([*places, known])[3] == read.probabilities([known])[0] > 0
    assert read.probabilities([]) == []
