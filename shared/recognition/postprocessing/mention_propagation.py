"""What is sure in one place of a patient's records decides doubtful ones.

A name that is the patient's in ten places is hardly a doctor's in the eleventh, and a hospital that
was found by its abbreviation once may be looked for elsewhere. Names count word by word, so that
`VOSS,RENATA` in a header helps with `Renata` in a letter, and with `Rentaa`, a typo (two letters
swapped, one doubled or one lost); all else counts as it is written.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from rapidfuzz.distance import OSA

from shared.model import PhiType, Span
from shared.model.phi_traits import EntityKind
from shared.recognition.dictionaries import LOCALES, dictionaries_of
from shared.recognition.postprocessing.boundary_rules import EPONYM_HEAD
from shared.recognition.postprocessing.initials import KnownInitials
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion, keep_most_confident
from shared.text.spelling import is_without_capitals

SHORTEST = 5
"""Shorter words are too often like another by chance."""


def find_typos(words: Iterable[str], known: Iterable[str]) -> Mapping[str, str]:
    """Return, for words that nothing else explains, the known name that they are but for a slip.

    All in lower case. Words of a dictionary, names of others among them, are no slips.
    """
    explained = dictionaries_of((*LOCALES, "clinic")).words
    names = [name for name in known if len(name) >= SHORTEST]
    found: dict[str, str] = {}
    for word in {each for each in words if len(each) >= SHORTEST - 1 and each not in explained}:
        meant = [name for name in names if OSA.distance(word, name, score_cutoff=1) == 1]
        if len(meant) == 1:
            found[word] = meant[0]
    return found


PROPAGATION_ROUNDS = 2
"""What is found in the first votes in the second."""
MIN_CONFIDENCE = 0.5
"""Suggestions of at least this confidence have a vote."""
BOOST, PENALTY, _NEW, _INITIALS = 0.8, 0.5, 0.9, 0.6
_SHORTEST_NAME = 3
_LONGER_THAN_CODE = 3
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_WHOLE_WORD = re.compile(rf"(?<![^\W\d_])(?<![^\W\d_]-){_WORD.pattern}")
_TELLING = re.compile(r"[^\W\d_a-z]|\d{4}|\d\D*\d\D*\d\D*\d")
_RUN = re.compile(r"\w+")
_JOINT = re.compile(r"[ ,\n]{1,2}")


@dataclass(slots=True)
class MentionVotes:
    """For a text or a word: how surely it was suggested as what, and how often it is there."""

    types: dict[PhiType, float] = field(default_factory=dict[PhiType, float])
    places: int = 0

    def add_vote(self, one: Suggestion) -> None:
        self.types[one.phi_type] = self.types.get(one.phi_type, 0.0) + one.confidence

    def vote_share(self, phi_type: PhiType, own: Suggestion | None = None) -> float:
        """How much the other places speak for a type, 0 to 1."""
        for_type = self.types.get(phi_type, 0.0)
        total = sum(self.types.values())
        places = self.places
        if own is not None and own.confidence >= MIN_CONFIDENCE:
            for_type -= own.confidence if own.phi_type == phi_type else 0.0
            total -= own.confidence
            places -= 1
        if for_type < MIN_CONFIDENCE or total <= 0:
            return 0.0
        agreed = for_type / total * for_type / (for_type + 1)
        return agreed * min(1.0, 2 * total / max(places, 1))


def propagate_mentions(patient: PatientSuggestions) -> PatientSuggestions:
    """Let all suggestions vote on each other, and add what was overlooked."""
    return _after_votes(patient, _as_wanted)


def find_other_mentions(patient: PatientSuggestions) -> PatientSuggestions:
    """Look elsewhere in a patient's texts for what was found, and be surer of what agrees.

    Rules are each right so often whatever else stands there: nothing gets less sure by the others,
    or of another type.
    """
    return _after_votes(patient, _surer)


def _after_votes(
    patient: PatientSuggestions, judge: Callable[[Suggestion, Suggestion], Suggestion]
) -> PatientSuggestions:
    """Return what is left of each suggestion, by what it is and what the others make of it."""
    words = [TextWords.of(text) for text in patient.texts]
    for _ in range(PROPAGATION_ROUNDS):
        mentions = KnownMentions(patient, words)
        patient = patient.with_found(
            keep_most_confident(
                [
                    *(judge(one, mentions.rescored(number, one)) for one in found),
                    *mentions.new(number, found),
                ]
            )
            for number, found in enumerate(patient.found)
        )
    return patient


def _as_wanted(_: Suggestion, rescored: Suggestion) -> Suggestion:
    return rescored


def _surer(one: Suggestion, rescored: Suggestion) -> Suggestion:
    is_surer = rescored.phi_type == one.phi_type and rescored.confidence > one.confidence
    return rescored if is_surer else one


@dataclass(frozen=True, slots=True)
class TextWords:
    """The words of a text: how often each is there, and all that stands between other signs."""

    names: Mapping[str, int]
    runs: frozenset[str]
    is_without_capitals: bool

    @classmethod
    def of(cls, text: str) -> "TextWords":
        names = _WORD.findall(text)
        return cls(Counter(names), frozenset(_RUN.findall(text)), is_without_capitals(names))


class KnownMentions:
    """What all mentions in a patient's texts, of which these are the words, say together."""

    def __init__(self, patient: PatientSuggestions, words: Sequence[TextWords]) -> None:
        self._patient = patient
        self._texts = patient.texts
        self._text_words = words
        self._written: defaultdict[str, MentionVotes] = defaultdict(MentionVotes)
        self._words: defaultdict[str, MentionVotes] = defaultdict(MentionVotes)
        self._initials = KnownInitials(patient.language)
        self._phrases: defaultdict[str, list[str]] = defaultdict(list)
        """What is `_written`, by its first word."""
        for text, found in patient.records():
            for one in found:
                if one.confidence >= MIN_CONFIDENCE:
                    self._add_votes(one.span.text_in(text), one)
        for phrase in self._written:
            if first := _RUN.search(phrase):
                self._phrases[first[0]].append(phrase)
        unexplained = _never_small(words) - self._words.keys()
        for typo, meant in find_typos(unexplained, self._words).items():
            self._words[typo] = self._words[meant]
        self._count()

    def rescored(self, number: int, one: Suggestion) -> Suggestion:
        """Return the suggestion as the type, and as surely, as the other places want it."""
        name = one.span.text_in(self._texts[number])
        if one.confidence < _INITIALS and (whose := self._initials.type_of(name)):
            return replace(one, phi_type=whose, confidence=_INITIALS)
        votes = self._votes_on(name, one)
        if not votes:
            return one
        shares = _vote_shares(votes, one)
        own = shares.pop(one.phi_type, 0.0)
        other = max(shares, key=shares.__getitem__, default=None)
        against = shares[other] if other else 0.0
        sure = one.confidence + BOOST * own * (1 - one.confidence)
        sure -= PENALTY * against * one.confidence
        if other and _NEW * against > sure:
            return replace(one, phi_type=other, confidence=_NEW * against)
        return replace(one, confidence=sure)

    def new(self, number: int, found: Sequence[Suggestion]) -> Iterator[Suggestion]:
        """Yield what was overlooked in a text and is sure elsewhere."""
        text, by = self._texts[number], self._patient.recognizer
        taken = bytearray(len(text))
        for one in found:
            if one.confidence >= MIN_CONFIDENCE:
                taken[one.start : one.end] = b"\1" * len(one.span)
        for span, votes in (*self._written_places(number), *_joined(text, self._names(number))):
            if taken.find(1, span.start, span.end) < 0 and not self._is_small(text, span):
                shares = _vote_shares(votes)
                best = max(shares, key=shares.__getitem__)
                if shares[best] > 0:
                    yield Suggestion(span, best, _NEW * shares[best], by)
        for span, phi_type in self._initials.institutions_in(text):
            if taken.find(1, span.start, span.end) < 0:
                yield Suggestion(span, phi_type, _INITIALS, by)

    def _is_small(self, text: str, span: Span) -> bool:
        """Whether a name would be of particles alone, as `Der` at the begin of a sentence."""
        return self._patient.language.particles.issuperset(span.text_in(text).lower().split())

    def _add_votes(self, text: str, one: Suggestion) -> None:
        kind = self._patient.kind(one)
        traits = self._patient.schema.traits_of(one.phi_type)
        self._initials.add(text, one.phi_type, traits, one.confidence)
        if kind is EntityKind.PERSON:
            for word in set(_name_words(text)):
                self._words[word].add_vote(one)
        elif _is_repeated(kind, text) and _TELLING.search(text):
            self._written[text].add_vote(one)

    def _count(self) -> None:
        for number, words in enumerate(self._text_words):
            for word, places in words.names.items():
                if (low := word.lower()) in self._words:
                    self._words[low].places += places
            for _, (votes,) in self._written_places(number):
                votes.places += 1

    def _votes_on(self, text: str, one: Suggestion) -> list[MentionVotes]:
        if self._patient.is_person(one):
            known = [self._words[word] for word in _name_words(text) if word in self._words]
            return known if len(known) == len(_name_words(text)) else []
        return [self._written[text]] if text in self._written else []

    def _written_places(self, number: int) -> Iterator[tuple[Span, list[MentionVotes]]]:
        text = self._texts[number]
        for first in sorted(self._phrases.keys() & self._text_words[number].runs):
            for phrase in self._phrases[first]:
                for start in _places(text, phrase):
                    end = start + len(phrase)
                    if not (_is_in_word(text, start - 1) or _is_in_word(text, end)):
                        yield Span(start, end), [self._written[phrase]]

    def _names(self, number: int) -> Iterator[tuple[Span, list[MentionVotes]]]:
        text = self._texts[number]
        head = self._patient.language.expression(EPONYM_HEAD)
        words = self._text_words[number]
        known = {
            word: self._words[word.lower()]
            for word in words.names
            if (word[0].isupper() or words.is_without_capitals) and word.lower() in self._words
        }
        found = (
            (Span(start, start + len(word)), votes)
            for word, votes in known.items()
            for start in _places(text, word)
            if (whole := _WHOLE_WORD.match(text, start)) and whole[0] == word
        )
        for span, votes in sorted(found, key=lambda each: each[0].start):
            if not head.match(text, span.end):
                yield span, [votes]


def _vote_shares(
    votes: Sequence[MentionVotes], own: Suggestion | None = None
) -> dict[PhiType, float]:
    """How much the other places of all words of a text speak for each type."""
    types = sorted({phi_type for each in votes for phi_type in each.types})
    return {kind: min(each.vote_share(kind, own) for each in votes) for kind in types}


def _places(text: str, phrase: str) -> Iterator[int]:
    start = text.find(phrase)
    while start >= 0:
        yield start
        start = text.find(phrase, start + len(phrase))


def _is_in_word(text: str, place: int) -> bool:
    return 0 <= place < len(text) and _RUN.match(text, place) is not None


def _is_repeated(kind: EntityKind, text: str) -> bool:
    """Whether the same text is likely to be the same thing elsewhere in a patient's records.

    The letters of a state are not: `CA 8.8` is calcium.
    """
    least = _LONGER_THAN_CODE if kind is EntityKind.STATE else 2
    return len(text) >= least and (kind.is_place or kind.is_number or kind.is_contact)


def _never_small(texts: Iterable[TextWords]) -> set[str]:
    """The words, in lower case, that always begin with a capital."""
    words = set(chain.from_iterable(each.names for each in texts))
    small = {word for word in words if word[0].islower()}
    return {word.lower() for word in words} - small


def _name_words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text) if len(word) >= _SHORTEST_NAME]


def _joined(
    text: str, names: Iterable[tuple[Span, list[MentionVotes]]]
) -> Iterator[tuple[Span, list[MentionVotes]]]:
    """Yield names that follow each other as one."""
    last: tuple[Span, list[MentionVotes]] | None = None
    for span, votes in names:
        if last and _JOINT.fullmatch(text, last[0].end, span.start):
            last = Span(last[0].start, span.end), [*last[1], *votes]
        else:
            if last:
                yield last
            last = span, votes
    if last:
        yield last
