"""The three corpora of the papers on Stat De-id: random, ambiguous and out-of-vocabulary PHI.

Of one and the same templates, filled with other words. Fabricated records are the templates
themselves; with notes, their sentences with PHI stand between those of the notes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from shared.errors import RequestError
from shared.recognition.local_context.words import words_of_text
from shared.recognition.recognizer import Example
from shared.recognition.reproduction.notes import between_sentences, notes_without_names
from shared.recognition.reproduction.other_words import (
    AmbiguousTerms,
    InventedNames,
    RandomNames,
    WordSource,
    known_words,
)
from shared.recognition.reproduction.placing import (
    PlacedExample,
    Template,
    filled,
    plain_text,
    sentences_with_phi,
    template_of,
)

RANDOM, AMBIGUOUS, UNKNOWN = "random", "ambiguous", "out-of-vocabulary"
CORPORA = (RANDOM, AMBIGUOUS, UNKNOWN)
TERM_LENGTHS = range(6, 15)
_LEAST_RECORDS = 2
"""A term is written in small letters in as many records or more, so that it is no slip."""


@dataclass(frozen=True, slots=True)
class Hosts:
    """Templates to train on, and those of each test by its name."""

    training: Sequence[Template]
    tests: Mapping[str, Sequence[Template]]


@dataclass(frozen=True, slots=True)
class PhiCorpus:
    """Records with PHI to train on, and those of each test."""

    training: Sequence[PlacedExample]
    tests: Mapping[str, Sequence[PlacedExample]]


def hosts_of(
    training: Sequence[Example],
    tests: Mapping[str, Sequence[Example]],
    notes: Sequence[str],
    size: int,
    seed: int,
) -> Hosts:
    """Return templates of `size` records in each part at most.

    Of notes, a half is to train on and the other to test on. Raises RequestError for one note.
    """
    chance = Random(seed)
    if not notes:
        return Hosts(
            _templates(training, size, chance),
            {name: _templates(records, size, chance) for name, records in tests.items()},
        )
    if len(notes) < 2:
        raise RequestError("one note cannot be parted into training and test; give more")
    lines = notes_without_names(sorted(notes))
    chance.shuffle(lines)
    half = len(lines) // 2

    def placed(records: Sequence[Example], first: int, last: int) -> list[Template]:
        sentences = sentences_with_phi(records)
        return [between_sentences(note, sentences, chance) for note in lines[first:last][:size]]

    return Hosts(
        placed(training, 0, half),
        {name: placed(records, half, len(lines)) for name, records in tests.items()},
    )


def corpus_of(name: str, hosts: Hosts, seed: int) -> PhiCorpus:
    """Fill templates with the words of one of the `CORPORA`."""
    chance = Random(f"{seed} {name}")

    def part(templates: Sequence[Template]) -> list[PlacedExample]:
        source = _source(name, templates)
        return [filled(each, at, source, chance) for at, each in enumerate(templates, start=1)]

    training = part(hosts.training)
    return PhiCorpus(training, {test: part(each) for test, each in hosts.tests.items()})


def terms_in(templates: Sequence[Template]) -> tuple[str, ...]:
    """Return the words that records write in small letters and no list of Tandem has.

    All of them stand outside PHI in these records.
    """
    records = Counter(
        word
        for template in templates
        for word in {
            word for word in words_of_text(plain_text(template)).words if _may_be_term(word)
        }
    )
    known = known_words()
    return tuple(
        sorted(
            word
            for word, count in records.items()
            if count >= min(_LEAST_RECORDS, len(templates)) and word not in known
        )
    )


def _may_be_term(word: str) -> bool:
    return word.isascii() and word.isalpha() and word.islower() and len(word) in TERM_LENGTHS


def _source(name: str, templates: Sequence[Template]) -> WordSource:
    if name == AMBIGUOUS:
        return AmbiguousTerms(terms_in(templates))
    return InventedNames(known_words()) if name == UNKNOWN else RandomNames()


def _templates(records: Sequence[Example], size: int, chance: Random) -> list[Template]:
    chosen = chance.sample(records, min(size, len(records)))
    return [template_of(each) for each in chosen]
