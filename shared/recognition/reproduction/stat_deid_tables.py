"""The tables of Uzuner and others (2008) that public data allow: 1 to 5, 8 to 13, 16 and 19."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition.dictionaries import CLINIC, LOCALES, dictionaries_of
from shared.recognition.reproduction.corpora import CORPORA, Hosts, PhiCorpus, corpus_of
from shared.recognition.reproduction.paper_tables import (
    Figure,
    PrintedRow,
    PrintedTable,
    ReproducedTable,
    percent,
    reproduced,
)
from shared.recognition.reproduction.phi_classes import class_of
from shared.recognition.reproduction.placing import PlacedExample
from shared.recognition.reproduction.readings import Readings, read_by
from shared.recognition.reproduction.word_counts import (
    JudgedWord,
    gold_words,
    is_classed,
    is_named,
    judged_words,
    word_counts,
)

OURS = "ours"
_BY_CORPUS = ("sizes", "lists")
"""What is counted in each corpus as a whole, a column for each."""


class StatDeidTables:
    """Makes the tables from hosts; corpora and readings are made when a table first asks."""

    def __init__(self, hosts: Hosts, seed: int) -> None:
        self._hosts = hosts
        self._seed = seed
        self._corpora: dict[str, PhiCorpus] = {}
        self._readings: dict[tuple[str, str], Readings] = {}
        self._words: dict[str, list[JudgedWord]] = {}

    @property
    def corpora(self) -> Mapping[str, PhiCorpus]:
        """Those that a table has asked for, by name."""
        return self._corpora

    def corpus(self, name: str) -> PhiCorpus:
        """Return one of the `CORPORA`."""
        if name not in self._corpora:
            self._corpora[name] = corpus_of(name, self._hosts, self._seed)
        return self._corpora[name]

    def table(self, printed: PrintedTable) -> ReproducedTable:
        """Return a table with our figures."""
        if printed.counts in _BY_CORPUS:
            count = self._count if printed.counts == "sizes" else self._listed
            return reproduced(
                printed, (OURS,), lambda row: [[count(name, row) for name in CORPORA]]
            )
        if printed.counts == "ambiguity":
            return reproduced(printed, (OURS,), lambda row: [[self._ambiguous(row)]])
        tests = tuple(self._hosts.tests)
        return reproduced(
            printed, tests, lambda row: [self._ratios(printed.counts, row, test) for test in tests]
        )

    def _count(self, corpus: str, row: PrintedRow) -> int:
        return sum(1 for _ in _of_class(self._all_words(corpus), row))

    def _listed(self, corpus: str, row: PrintedRow) -> Figure:
        words = [word.text for word in _of_class(self._all_words(corpus), row)]
        lists = set(row.asks["lists"])
        held = sum(not lists.isdisjoint(self._lists.get(word, ())) for word in words)
        return percent(held / len(words)) if words else None

    def _ambiguous(self, row: PrintedRow) -> int:
        words = self._all_words(row.asks["corpus"])
        uses: dict[bool, Counter[str]] = {
            is_phi: Counter(word.text for word in words if (word.phi_type is not None) is is_phi)
            for is_phi in (True, False)
        }
        return sum(
            word.text in uses[True] and word.text in uses[False] for word in _of_class(words, row)
        )

    def _ratios(self, counts: str, row: PrintedRow, test: str) -> tuple[Figure, ...]:
        corpus = self.corpus(row.asks["corpus"])
        found = self._reading(row.asks["corpus"], row.asks["system"])[test]
        keep = is_classed if counts == "words" else is_named
        words = list(judged_words(corpus.tests[test], found, keep))
        special = [word for word in words if word.is_special]
        if counts == "invented words":
            return (percent(word_counts(special).phi.recall),)
        if counts == "ambiguous words":
            terms = {word.text for word in special}
            words = [word for word in words if word.text in terms]
        counted = word_counts(words)
        side = counted.rest if row.asks.get("no") else counted.phi
        return tuple(map(percent, side.ratios.cells))

    def _reading(self, corpus: str, system: str) -> Readings:
        if (corpus, system) not in self._readings:
            made = self.corpus(corpus)
            self._readings[corpus, system] = read_by(
                system,
                [each.example for each in made.training],
                {test: [each.example for each in records] for test, records in made.tests.items()},
                I2B2_2014,
                self._seed,
            )
        return self._readings[corpus, system]

    def _all_words(self, corpus: str) -> list[JudgedWord]:
        """The words to train on and those of the first test."""
        if corpus not in self._words:
            made = self.corpus(corpus)
            test: Sequence[PlacedExample] = next(iter(made.tests.values()))
            self._words[corpus] = gold_words([*made.training, *test])
        return self._words[corpus]

    @cached_property
    def _lists(self) -> dict[str, tuple[str, ...]]:
        """The lists that hold each word."""
        return dict(dictionaries_of((*LOCALES, CLINIC)).words)


def _of_class(words: Iterable[JudgedWord], row: PrintedRow) -> Iterable[JudgedWord]:
    wanted = _wanted(row)
    return (word for word in words if wanted(word.phi_type))


def _wanted(row: PrintedRow) -> Callable[[PhiType | None], bool]:
    """Whether a word is of the class of a row; that of no kind is what is no PHI."""
    if "kind" not in row.asks:
        return lambda phi_type: phi_type is None
    role = PersonRole(row.asks["role"]) if "role" in row.asks else None
    own = I2B2_2014.type_for(EntityKind(row.asks["kind"]), role)
    return lambda phi_type: phi_type is not None and class_of(phi_type) == own
