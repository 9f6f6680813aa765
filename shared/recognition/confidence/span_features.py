"""What speaks for and against a candidate, as a row of numbers for `BoostedTrees`.

NaN stands for what there is not. Types are numbers, in the order of the model's.
"""

import math
import re
from collections.abc import Sequence

import numpy as np

from shared.recognition.confidence.candidates import PhiCandidate
from shared.recognition.confidence.proposals import PROPOSERS, PartCandidates
from shared.recognition.confidence.tagged_words import (
    BEGIN,
    END,
    LikeCandidates,
    TaggedWords,
    tokens_of,
)
from shared.recognition.crf.forward_backward import Floats, Integers

NONE = math.nan
_LEAST, _MOST = 1e-7, 1 - 1e-5
_NEAR = 60
"""Rivals and neighbours are sought among so many candidates to each side."""
_FAR = 999.0
_MOST_COUNTED = 50
_PUNCTUATION = ".,:;()-/"
_RUN = re.compile(r"(.)\1+")


def candidate_keys(part: PartCandidates) -> list[list[str]]:
    """Return, for each candidate, the keys under which `LikeCandidates` counts those like it."""
    words, text = part.tokenized.lowers, part.tokenized.text
    keys: list[list[str]] = []
    for candidate in part.found:
        place = candidate.place
        first, last = tokens_of(part.tokenized, place.start, place.end)
        phrase = " ".join(words[first:last])
        before, two = _at(words, first - 1), _at(words, first - 2)
        after, then = _at(words, last), _at(words, last + 1)
        shape = _shape(text[place.start : place.end])[:14]
        kind = place.phi_type
        keys.append(
            [
                f"0 {kind} {phrase}",
                f"1 {kind} {before} {phrase}",
                f"2 {kind} {two} {before}",
                f"3 {kind} {after} {then}",
                f"4 {kind} {before} {shape}",
                f"5 {kind} {shape} {after}",
                f"6 {kind} {two} {before} {phrase}",
            ]
        )
    return keys


def _at(words: Sequence[str], number: int) -> str:
    if number < 0:
        return BEGIN
    return words[number] if number < len(words) else END


def _shape(text: str) -> str:
    kinds = (
        "A" if one.isupper() else "a" if one.islower() else "0" if one.isdigit() else one
        for one in text
    )
    return _RUN.sub(r"\1", "".join(kinds))


def feature_count(crfs: int) -> int:
    """How many features a candidate of so many CRFs has."""
    return 73 + 2 * crfs


def span_features(
    parts: Sequence[PartCandidates],
    types: Sequence[str],
    tagged: TaggedWords,
    like: LikeCandidates,
) -> Floats:
    """Return the features of all candidates of a patient, a row each, part by part."""
    numbers = {name: float(number) for number, name in enumerate(types)}
    rows = [_PartFeatures(each, numbers, tagged, like).rows() for each in parts if each.found]
    return np.concatenate(rows) if rows else np.zeros((0, 0))


def _logits(probabilities: Floats) -> Floats:
    clipped = np.clip(probabilities, _LEAST, _MOST)
    return np.log(clipped / (1 - clipped))


class _PartFeatures:
    """The rows of one part's candidates, of which there are some."""

    def __init__(
        self,
        part: PartCandidates,
        types: dict[str, float],
        tagged: TaggedWords,
        like: LikeCandidates,
    ) -> None:
        self._part = part
        self._types = types
        self._tagged = tagged
        self._like = like
        self._means = [each.mean for each in part.found]
        self._keys = candidate_keys(part)

    def rows(self) -> Floats:
        rows: list[list[float]] = []
        for at, candidate in enumerate(self._part.found):
            place = candidate.place
            first, last = tokens_of(self._part.tokenized, place.start, place.end)
            rows.append(
                [
                    *self._of_text(candidate, last - first),
                    *self._of_tagged_words(first, last, place.phi_type),
                    *self._of_like(at),
                    *self._of_neighbours(at, candidate),
                ]
            )
        return np.concatenate([self._of_votes(), self._of_rivals(), np.array(rows)], axis=1)

    def _of_votes(self) -> Floats:
        found = self._part.found
        probabilities = np.array([each.probabilities for each in found])
        proposers = np.array(self._part.proposers)[:, None]
        of_crfs = np.array([_bits(each.best_of, len(each.probabilities)) for each in found])
        columns = (
            proposers,
            proposers & PROPOSERS > 0,
            _logits(probabilities),
            _logits(
                np.stack([self._means, probabilities.min(axis=1), probabilities.max(axis=1)], 1)
            ),
            probabilities.std(axis=1)[:, None],
            np.add.reduce(of_crfs, axis=1)[:, None],
            of_crfs,
        )
        return np.concatenate(columns, axis=1, dtype=np.float64)

    def _of_rivals(self) -> Floats:
        found, means = self._part.found, np.array(self._means)
        places = np.array([each.place[:2] for each in found])
        names = [each.place.phi_type for each in found]
        types = np.array(list(map(self._type, names)))
        kinds = np.unique(names, return_inverse=True)[1]
        votes = np.array([float(each.best_of.bit_count()) for each in found])
        mine, its = _rivals(places)
        rows = np.tile(np.array([NONE, NONE, -1.0, -1.0, NONE, *[0.0] * 8]), (len(found), 1))
        order = np.lexsort((its, means[its], mine))  # the best rival of each comes last
        best = order[np.flatnonzero(np.diff(mine[order], append=-1))]
        one, other = mine[best], its[best]
        logits = _logits(means)
        apart = places[other] - places[one]
        rows[one, :9] = np.stack(
            [
                logits[other],
                logits[one] - logits[other],
                _relations(places[other], places[one]),
                types[other],
                kinds[other] == kinds[one],
                _sums(mine, means[its], len(found))[one],
                votes[other],
                *apart.T,
            ],
            axis=1,
        )
        same = places[its] == places[mine]
        is_counted = (same.all(axis=1), kinds[its] == kinds[mine], *same.T)
        for column, each in enumerate(is_counted, start=9):
            rows[:, column] = _sums(mine[each], means[its[each]], len(found))
        return rows

    def _of_text(self, candidate: PhiCandidate, tokens: int) -> list[float]:
        text, place, whole = candidate.text, candidate.place, self._part.tokenized.text
        before = whole[place.start - 1] if place.start else "\n"
        after = whole[place.end] if place.end < len(whole) else "\n"
        return [
            self._type(place.phi_type),
            float(len(text)),
            float(tokens),
            float(sum(map(str.isdigit, text))),
            float(sum(map(str.isupper, text))),
            float(text[:1].isupper()),
            float(text.count("(") - text.count(")")),
            float(not text[-1:].isalnum()),
            float(text.count(",")),
            float(text.count(".")),
            _kind(before),
            _kind(after),
        ]

    def _of_tagged_words(self, first: int, last: int, phi_type: str) -> list[float]:
        words, tagged = self._part.tokenized.lowers, self._tagged
        phrase = " ".join(words[first:last])
        row: list[float] = []
        for role, text in (
            ("phrase", phrase),
            ("first", _at(words, first)),
            ("last", _at(words, last - 1)),
            ("before", _at(words, first - 1)),
            ("after", _at(words, last)),
        ):
            own, of_all = tagged.of(role, text, phi_type)
            share = own / of_all if of_all else NONE
            row += [float(min(own, _MOST_COUNTED)), float(min(of_all, _MOST_COUNTED)), share]
        for word in (_at(words, last), _at(words, first - 1)):
            row.append(tagged.of("inside", word, phi_type)[0] / max(1, tagged.seen.get(word, 0)))
        own, seen = tagged.of("phrase", phrase, phi_type)[0], tagged.seen.get(phrase, 0)
        return [*row, float(own), float(seen), own / seen if seen else NONE]

    def _of_like(self, at: int) -> list[float]:
        row: list[float] = []
        for key in self._keys[at]:
            row += self._like.of(key)
        return row

    def _of_neighbours(self, at: int, candidate: PhiCandidate) -> list[float]:
        found, place, row = self._part.found, candidate.place, [-1.0, _FAR, -1.0, _FAR]
        for other in range(at - 1, max(-1, at - _NEAR - 1), -1):
            its = found[other].place
            if self._means[other] > 0.5 and its.end <= place.start:
                row[:2] = self._type(its.phi_type), float(place.start - its.end)
                break
        for other in range(at + 1, min(len(found), at + _NEAR + 1)):
            its = found[other].place
            if self._means[other] > 0.5 and its.start >= place.end:
                row[2:] = self._type(its.phi_type), float(its.start - place.end)
                break
        return row

    def _type(self, phi_type: str) -> float:
        return self._types.get(phi_type, -1.0)


def _bits(votes: int, count: int) -> list[float]:
    return [float(votes >> number & 1) for number in range(count)]


def _rivals(places: Integers) -> tuple[Integers, Integers]:
    """Return the numbers of candidates, in order, and of others near which overlap them."""
    count = len(places)
    own = np.arange(count)[:, None]
    near = own + np.arange(-_NEAR, _NEAR)
    starts, ends = places.T
    others = np.clip(near, 0, count - 1)
    overlap = (starts[others] < ends[:, None]) & (starts[:, None] < ends[others])
    mine, at = np.nonzero(overlap & (near == others) & (near != own))
    return mine, near[mine, at]


def _sums(owners: Integers, values: Floats, count: int) -> Floats:
    found = np.zeros(count)
    np.add.at(found, owners, values)
    return found


def _relations(its: Integers, mine: Integers) -> Floats:
    """0 where two places are the same, 1 where the first is around the other, 2 inside, else 3."""
    before, after = its[:, 0] - mine[:, 0], its[:, 1] - mine[:, 1]
    is_around, is_inside = (before <= 0) & (after >= 0), (before >= 0) & (after <= 0)
    return np.where(is_around, np.where(is_inside, 0.0, 1.0), np.where(is_inside, 2.0, 3.0))


def _kind(char: str) -> float:
    if char == "\n":
        return 0.0
    if char.isspace():
        return 1.0
    if char.isalpha():
        return 2.0
    return 3.0 if char.isdigit() else 4.0 + _PUNCTUATION.find(char)
