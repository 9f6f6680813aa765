from random import Random

import numpy as np
import pytest

from shared.recognition.confidence.candidates import PhiCandidate
from shared.recognition.confidence.proposals import CRFS, PHRASES, PROPOSERS, PartCandidates
from shared.recognition.confidence.span_features import _NEAR, feature_count, span_features
from shared.recognition.confidence.tagged_words import LikeCandidates, TaggedWords
from shared.recognition.crf.marginals import LabelledSpan
from shared.recognition.features import TokenizedDocument

TEXT = "Seen by Dr. Ann Lee at Mercy General on 3/4/2068. " * 12
TYPES = ("DOCTOR", "HOSPITAL")
RIVALS = slice(5 + 2 * 2 + 5, 5 + 2 * 2 + 5 + 13)
"""The columns of what overlaps a candidate of two CRFs, behind those of votes."""


def part_of(places):
    chance = Random(4)
    found = [
        PhiCandidate(0, each, TEXT[each.start : each.end], (chance.random(), chance.random()), 2)
        for each in sorted(places)
    ]
    return PartCandidates(TokenizedDocument(TEXT), found, [CRFS | PHRASES] * len(found))


def rows_of(part):
    return span_features([part], TYPES, TaggedWords(), LikeCandidates())


@pytest.fixture
def part():
    """So many places that some rivals are too far away in the list to be known."""
    chance = Random(3)
    starts = [chance.randrange(len(TEXT) - 50) for _ in range(300)]
    return part_of(
        {
            LabelledSpan(start, start + chance.randrange(1, 40), chance.choice((*TYPES, "DATE")))
            for start in starts
        }
    )


def test_votes_are_told_crf_by_crf(part):
    row = rows_of(part)[7]
    first, second = part.found[7].probabilities
    assert row[:5].tolist() == [3.0, 1.0, 1.0, 0.0, 0.0]
    assert [1 / (1 + np.exp(-each)) for each in row[5:10]] == pytest.approx(
        [first, second, (first + second) / 2, min(first, second), max(first, second)]
    )
    assert row[10:14].tolist() == pytest.approx([abs(first - second) / 2, 1.0, 0.0, 1.0])
    assert len(PROPOSERS) == 4
    assert len(row) == feature_count(2)


def test_what_overlaps_a_candidate_is_summed_up_and_the_likeliest_told(part):
    found = part.found
    for at, row in enumerate(rows_of(part)[:, RIVALS].tolist()):
        mine = found[at].place
        near = [*found[max(0, at - _NEAR) : at], *found[at + 1 : at + _NEAR]]
        rivals = [each for each in near if each.overlaps(found[at])]

        def total(is_meant, rivals=rivals):
            return pytest.approx(sum(each.mean for each in rivals if is_meant(each.place)))

        assert row[9] == total(lambda its, mine=mine: its[:2] == mine[:2])
        assert row[10] == total(lambda its, mine=mine: its.phi_type == mine.phi_type)
        assert row[11] == total(lambda its, mine=mine: its.start == mine.start)
        assert row[12] == total(lambda its, mine=mine: its.end == mine.end)
        if rivals:
            best = max(rivals, key=lambda each: each.mean)
            assert 1 / (1 + np.exp(-row[0])) == pytest.approx(best.mean)
            assert row[3:9] == [
                TYPES.index(best.place.phi_type) if best.place.phi_type in TYPES else -1,
                best.place.phi_type == mine.phi_type,
                total(lambda _: True),
                1,
                best.place.start - mine.start,
                best.place.end - mine.end,
            ]


@pytest.mark.parametrize(
    ("other", "relation"), [((8, 19), 0), ((8, 22), 1), ((12, 15), 2), ((12, 22), 3)]
)
def test_how_a_rival_lies_is_told(other, relation):
    part = part_of([LabelledSpan(8, 19, "DOCTOR"), LabelledSpan(*other, "HOSPITAL")])
    mine = next(at for at, each in enumerate(part.found) if each.place.phi_type == "DOCTOR")
    assert rows_of(part)[mine, RIVALS][2] == relation


def test_who_has_no_rival_has_none():
    row = rows_of(part_of([LabelledSpan(8, 19, "DOCTOR")]))[0, RIVALS]
    assert np.isnan(row[[0, 1, 4]]).all()
    assert row[[2, 3]].tolist() == [-1.0, -1.0]
    assert not row[5:].any()
