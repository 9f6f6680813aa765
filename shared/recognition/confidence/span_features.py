"""What speaks for and against a candidate, as a row of numbers for `BoostedTrees`.

NaN stands for what there is not. Types are numbers, in the order of the model's.
"""

import math
import re
from collections.abc import Sequence

import numpy as np

from shared.recognition.confidence.candidates import PhiCandidate
from shared.recognition.confidence.proposals import PartCandidates, Proposer
from shared.recognition.confidence.tagged_words import (
    BEGIN,
    END,
    LikeCandidates,
    TaggedWords,
    tokens_of,
)
from shared.recognition.crf.forward_backward import Floats

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
    rows = [row for part in parts for row in _PartFeatures(part, numbers, tagged, like).rows()]
    return np.array(rows, np.float64) if rows else np.zeros((0, 0))


def _logit(probability: float) -> float:
    clipped = min(max(probability, _LEAST), _MOST)
    return math.log(clipped / (1 - clipped))


class _PartFeatures:
    """The rows of one part's candidates."""

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

    def rows(self) -> list[list[float]]:
        rows: list[list[float]] = []
        for at, candidate in enumerate(self._part.found):
            place = candidate.place
            first, last = tokens_of(self._part.tokenized, place.start, place.end)
            rows.append(
                [
                    *self._of_votes(at, candidate),
                    *self._of_rivals(at, candidate),
                    *self._of_text(candidate, last - first),
                    *self._of_tagged_words(first, last, place.phi_type),
                    *self._of_like(at),
                    *self._of_neighbours(at, candidate),
                ]
            )
        return rows

    def _of_votes(self, at: int, candidate: PhiCandidate) -> list[float]:
        probabilities, proposers = candidate.probabilities, self._part.proposers[at]
        votes = candidate.best_of
        return [
            float(proposers),
            *(float(bool(proposers & each)) for each in Proposer),
            *map(_logit, probabilities),
            _logit(self._means[at]),
            _logit(min(probabilities)),
            _logit(max(probabilities)),
            float(np.std(probabilities)),
            float(votes.bit_count()),
            *(float(votes >> crf & 1) for crf in range(len(probabilities))),
        ]

    def _of_rivals(self, at: int, candidate: PhiCandidate) -> list[float]:
        found, means, place = self._part.found, self._means, candidate.place
        near = range(max(0, at - _NEAR), min(len(found), at + _NEAR))
        rivals = [each for each in near if each != at and found[each].overlaps(candidate)]
        row = [NONE, NONE, -1.0, -1.0, NONE, 0.0, 0.0, 0.0, 0.0]
        if rivals:
            best = max(rivals, key=lambda each: (means[each], each))
            its = found[best].place
            row = [
                _logit(means[best]),
                _logit(means[at]) - _logit(means[best]),
                _relation(its, place),
                self._type(its.phi_type),
                float(its.phi_type == place.phi_type),
                sum(means[each] for each in rivals),
                float(found[best].best_of.bit_count()),
                float(its.start - place.start),
                float(its.end - place.end),
            ]
        places = [(found[each].place, means[each]) for each in rivals]
        return [
            *row,
            sum(mean for its, mean in places if its[:2] == place[:2]),
            sum(mean for its, mean in places if its.phi_type == place.phi_type),
            sum(mean for its, mean in places if its.start == place.start),
            sum(mean for its, mean in places if its.end == place.end),
        ]

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


def _relation(its: tuple[int, int, str], mine: tuple[int, int, str]) -> float:
    if its[:2] == mine[:2]:
        return 0.0
    if its[0] <= mine[0] and its[1] >= mine[1]:
        return 1.0
    return 2.0 if mine[0] <= its[0] and its[1] <= mine[1] else 3.0


def _kind(char: str) -> float:
    if char == "\n":
        return 0.0
    if char.isspace():
        return 1.0
    if char.isalpha():
        return 2.0
    return 3.0 if char.isdigit() else 4.0 + _PUNCTUATION.find(char)
