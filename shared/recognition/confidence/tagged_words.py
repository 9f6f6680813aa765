"""What was counted in training: words in and around tags, and what became of like candidates."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from shared.recognition.crf.marginals import LabelledSpan
from shared.recognition.features import TokenizedDocument

BEGIN, END = "^", "$"
_MOST_RECORDS = 30
LONGEST_PHRASE = 8

Counts = dict[str, dict[str, int]]


ROLES = ("phrase", "first", "last", "before", "after", "inside")
"""What a text may be of a tag: all of it, a word of it, or the word before or after it."""


def _no_roles() -> dict[str, Counts]:
    return {role: {} for role in ROLES}


@dataclass(slots=True)
class TaggedWords:
    """In how many records each text has which role in tags of each type.

    `seen` says in how many records a word or phrase that was tagged stands at all.
    """

    roles: dict[str, Counts] = field(default_factory=_no_roles)
    seen: dict[str, int] = field(default_factory=dict[str, int])

    def of(self, role: str, text: str, phi_type: str) -> tuple[int, int]:
        """How often a text has the role in tags of a type, and in those of any."""
        counts = self.roles[role].get(text)
        return (counts.get(phi_type, 0), sum(counts.values())) if counts else (0, 0)


def count_tagged_words(
    documents: Iterable[tuple[TokenizedDocument, Iterable[LabelledSpan]]],
) -> TaggedWords:
    """Count in the documents of a corpus, each with its tags; everything counts once a record."""
    total = TaggedWords()
    listed = list(documents)
    for tokenized, tags in listed:
        for role, text, phi_type in {each for tag in tags for each in _roles(tokenized, tag)}:
            counts = total.roles[role].setdefault(text, {})
            counts[phi_type] = counts.get(phi_type, 0) + 1
    phrases = TaggedPhrases(total.roles["phrase"])
    seen: Counter[str] = Counter()
    for tokenized, _ in listed:
        seen.update({phrase for _, _, phrase in phrases.occurrences(tokenized.lowers)})
        seen.update(set(tokenized.lowers) & total.roles["inside"].keys())
    total.seen = dict(seen)
    return total


def tokens_of(tokenized: TokenizedDocument, start: int, end: int) -> tuple[int, int]:
    """The first and the last token of a place, the last as `[first, last)`."""
    tokens = tokenized.tokens
    return bisect_left(tokens.ends, start + 1), bisect_left(tokens.starts, end)


def _roles(tokenized: TokenizedDocument, tag: LabelledSpan) -> Iterator[tuple[str, str, str]]:
    words = tokenized.lowers
    first, last = tokens_of(tokenized, tag.start, tag.end)
    if first >= last:
        return
    yield "phrase", " ".join(words[first:last]), tag.phi_type
    yield "first", words[first], tag.phi_type
    yield "last", words[last - 1], tag.phi_type
    yield "before", words[first - 1] if first else BEGIN, tag.phi_type
    yield "after", words[last] if last < len(words) else END, tag.phi_type
    for word in words[first:last]:
        yield "inside", word, tag.phi_type


class TaggedPhrases:
    """Tagged phrases by how they begin, ready to be looked for."""

    def __init__(self, phrases: Mapping[str, object]) -> None:
        self._phrases = phrases
        self._lengths: defaultdict[str, set[int]] = defaultdict(set)
        for phrase in phrases:
            words = phrase.split(" ")
            if len(words) <= LONGEST_PHRASE:
                self._lengths[words[0]].add(len(words))

    def occurrences(self, words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
        """Yield where each phrase stands, as tokens `[first, last)`, over others too."""
        for first, word in enumerate(words):
            for length in self._lengths.get(word, ()):
                phrase = " ".join(words[first : first + length])
                if phrase in self._phrases and first + length <= len(words):
                    yield first, first + length, phrase


@dataclass(slots=True)
class LikeCandidates:
    """Of candidates by what they and their neighbours are: how many records, how much too unsure.

    `residuals` sum up, over the records, the mean of what candidates of a key are (1 where right,
    else 0) less the probability that the CRFs gave them.
    """

    records: dict[str, int] = field(default_factory=dict[str, int])
    residuals: dict[str, float] = field(default_factory=dict[str, float])

    def add(self, keys: Sequence[Sequence[str]], residuals: Sequence[float]) -> None:
        """Count the candidates of a record, each with its keys."""
        own: defaultdict[str, list[float]] = defaultdict(list)
        for of_candidate, residual in zip(keys, residuals, strict=True):
            for key in of_candidate:
                own[key].append(residual)
        for key, found in own.items():
            self.records[key] = self.records.get(key, 0) + 1
            self.residuals[key] = self.residuals.get(key, 0.0) + sum(found) / len(found)

    def of(self, key: str) -> tuple[float, float]:
        """In how many records, 30 at most, and their mean residual, shrunk where they are few."""
        records = self.records.get(key, 0)
        return float(min(records, _MOST_RECORDS)), self.residuals.get(key, 0.0) / (records + 2)
