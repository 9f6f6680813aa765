"""Places that no CRF proposes: phrases that are tagged elsewhere, and other ends of likely places.

On MEDDOCAN train they let 98.0 % of the tags be chosen, where the CRFs alone propose 97.2 %.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.recognition.confidence.candidates import (
    Further,
    PhiCandidate,
    candidates,
    with_further,
)
from shared.recognition.confidence.tagged_words import TaggedPhrases, TaggedWords, tokens_of
from shared.recognition.crf.marginals import CrfMarginals, LabelledSpan
from shared.recognition.features import TokenizedDocument

LEAST_LIKELY = 0.2
"""Places that the CRFs find more probable than this on average are shifted."""
LEAST_PROBABLE = 1e-5
"""What no CRF and no phrase proposes, and is less probable on average, is no candidate."""
LEAST_SHARE = 0.15
"""A phrase is proposed as what it is in this share of the records that it stands in."""
FARTHEST = 60
"""Ends are shifted to a delimiter that is no farther than these characters."""
_SHIFTS = ((-1, 0), (1, 0), (0, 1), (0, -1), (0, 2), (-2, 0))
_DELIMITER = re.compile(r"\n|[.,;:()](?=\s|$)|(?<=\d{5}) | (?=\d{5}\b)")


CRFS, PHRASES, SHIFTS, DELIMITERS = PROPOSERS = (1, 2, 4, 8)
"""Who proposes a place, a bit each."""
_ALWAYS = CRFS | PHRASES


@dataclass(frozen=True, slots=True)
class PartCandidates:
    """The candidates in one part of a patient's records, in order, and their `PROPOSERS`."""

    tokenized: TokenizedDocument
    found: Sequence[PhiCandidate]
    proposers: Sequence[int]


class Proposals:
    """What is proposed beside the CRFs, by what the training data's tags were."""

    def __init__(self, tagged: TaggedWords) -> None:
        self._tagged = tagged
        self._phrases = TaggedPhrases(tagged.roles["phrase"])

    def candidates(
        self,
        tokenized: Sequence[TokenizedDocument],
        predictions: Sequence[Sequence[CrfMarginals]],
        more: Further = (),
    ) -> list[PartCandidates]:
        """Return the candidates in the parts of a patient's records; see `candidates`."""
        texts = [part.text for part in tokenized]
        of_crfs = candidates(texts, predictions, more)
        known = {(each.document, each.place) for each in of_crfs}
        likely: list[list[LabelledSpan]] = [[] for _ in texts]
        for each in of_crfs:
            if each.mean > LEAST_LIKELY:
                likely[each.document].append(each.place)
        proposed = [self._in(*each) for each in zip(tokenized, likely, strict=True)]
        found: list[list[PhiCandidate]] = [[] for _ in texts]
        by: list[list[int]] = [[] for _ in texts]
        for each in with_further(of_crfs, texts, predictions, proposed):
            proposers = proposed[each.document].get(each.place, 0)
            if (each.document, each.place) in known:
                proposers |= CRFS
            if proposers & _ALWAYS or each.mean >= LEAST_PROBABLE:
                found[each.document].append(each)
                by[each.document].append(proposers)
        return list(map(PartCandidates, tokenized, found, by))

    def _in(
        self, tokenized: TokenizedDocument, likely: Iterable[LabelledSpan]
    ) -> dict[LabelledSpan, int]:
        """Return further places in a document; ends of the `likely` ones are shifted."""
        found: defaultdict[LabelledSpan, int] = defaultdict(int)
        self._add_phrases(tokenized, found)
        for place in likely:
            _add_shifted(tokenized, place, found)
            _add_delimited(tokenized, place, found)
        return found

    def _add_phrases(self, tokenized: TokenizedDocument, found: dict[LabelledSpan, int]) -> None:
        tokens, phrases, seen = tokenized.tokens, self._tagged.roles["phrase"], self._tagged.seen
        for first, last, phrase in self._phrases.occurrences(tokenized.lowers):
            if tokens.lines[first] != tokens.lines[last - 1]:
                continue
            for phi_type, count in phrases[phrase].items():
                if count >= LEAST_SHARE * max(seen.get(phrase, 0), count):
                    place = LabelledSpan(tokens.starts[first], tokens.ends[last - 1], phi_type)
                    found[place] |= PHRASES


def _add_shifted(
    tokenized: TokenizedDocument, place: LabelledSpan, found: dict[LabelledSpan, int]
) -> None:
    tokens = tokenized.tokens
    first, last = tokens_of(tokenized, place.start, place.end)
    for left, right in _SHIFTS:
        begin, end = first + left, last + right
        if 0 <= begin < end <= len(tokens) and tokens.lines[begin] == tokens.lines[end - 1]:
            shifted = LabelledSpan(tokens.starts[begin], tokens.ends[end - 1], place.phi_type)
            found[shifted] |= SHIFTS


def _add_delimited(
    tokenized: TokenizedDocument, place: LabelledSpan, found: dict[LabelledSpan, int]
) -> None:
    text = tokenized.text
    after = _DELIMITER.search(text, place.end, place.end + FARTHEST)
    if after:
        _add_trimmed(tokenized, place.start, after.start(), place.phi_type, found)
    least = max(0, place.start - FARTHEST)
    before = [each.end() for each in _DELIMITER.finditer(text, least, place.start)]
    if before:
        _add_trimmed(tokenized, before[-1], place.end, place.phi_type, found)


def _add_trimmed(
    tokenized: TokenizedDocument,
    start: int,
    end: int,
    phi_type: str,
    found: dict[LabelledSpan, int],
) -> None:
    tokens = tokenized.tokens
    first, last = bisect_left(tokens.starts, start), bisect_left(tokens.ends, end + 1)
    if first < last and tokens.lines[first] == tokens.lines[last - 1]:
        place = LabelledSpan(tokens.starts[first], tokens.ends[last - 1], phi_type)
        found[place] |= DELIMITERS
