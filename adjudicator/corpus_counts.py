"""What a check and a release know of a whole corpus, in counts that add up over its parts.

The counts of a part are lines in an order, so that those of all parts are added up line by line;
what is then kept is no larger for a larger corpus.
"""

import heapq
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from typing import Any

from shared.consistency.across_patients import SharedNames, full_names
from shared.consistency.misspellings import small_words
from shared.consistency.patient_records import PatientRecords, TaggedText
from shared.formats.schema_auto import schema_with
from shared.language.detection import AUTO
from shared.language.known_languages import UNDETERMINED
from shared.language.languages import language
from shared.model import Layer, Patient, PhiType, Schema
from shared.surrogates.ordinary_words import WordCounts

_SHARE = 0.001
"""A word that so many of the patients have in small letters is no slip in a name: of very many,
some have any name in small letters."""

_MOST_NAMES = 20_000
"""So many names of others are looked for in the records of each patient."""
_PATIENTS, _TYPE, _SMALL, _UNTAGGED, _NAME = range(5)
"""What a line counts; how many patients there are has to come before what depends on it."""

Line = tuple[str, int]
"""What is counted, as JSON, and how often."""
_Name = tuple[str, PhiType]


@dataclass(frozen=True, slots=True)
class CorpusCounts:
    """By the number of patients: untagged words, words in small letters, types, shared names.

    `names` are those of people and hospitals in full that other patients may have too, each with
    the type that a patient has it as most often.
    """

    words: WordCounts = field(default_factory=WordCounts)
    small: Counter[str] = field(default_factory=Counter[str])
    types: Counter[PhiType] = field(default_factory=Counter[PhiType])
    names: Counter[_Name] = field(default_factory=Counter[_Name])

    @classmethod
    def of_patient(
        cls, patient: Patient, layers: Mapping[str, Layer], schema: Schema, spoken: str = AUTO
    ) -> "CorpusCounts":
        """The counts of one patient with its layers by record id, in the schema of their types."""
        records = PatientRecords(patient.documents, layers.values(), schema, spoken)
        return cls(
            WordCounts.of_patient((each, layers[each.record_id]) for each in patient.documents),
            Counter(small_words(each.text for each in patient.documents)),
            Counter({tag.phi_type for layer in layers.values() for tag in layer.tags}),
            Counter((each.text, each.phi_type) for each in full_names(records)),
        )

    @classmethod
    def added(cls, counts: Iterable["CorpusCounts"]) -> "CorpusCounts":
        """All counts together, of patients of whom each is in one of them only."""
        words: list[WordCounts] = []
        small, types, names = Counter[str](), Counter[PhiType](), Counter[_Name]()
        for each in counts:
            words.append(each.words)
            small.update(each.small)
            types.update(each.types)
            names.update(each.names)
        return cls(WordCounts.added(words), small, types, names)

    def lines(self) -> Iterator[Line]:
        """Yield the counts in the order of what is counted. They hold words of records: PHI."""
        counted = (
            [((_PATIENTS,), self.words.patients)],
            (((_TYPE, *phi_type), seen) for phi_type, seen in self.types.items()),
            (((_SMALL, word), seen) for word, seen in self.small.items()),
            (((_UNTAGGED, word), seen) for word, seen in self.words.small.items()),
            (((_NAME, text, *phi_type), seen) for (text, phi_type), seen in self.names.items()),
        )
        yield from sorted((json.dumps(key), seen) for each in counted for key, seen in each)


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """What the counts of a whole corpus tell of each patient in it.

    `ordinary` and `common` are words, untagged and in any case, that stand in small letters in the
    records of so many patients that none of them is a slip in a name. `names` are those that most
    patients have, 20,000 at most, by the number of patients.
    """

    ordinary: frozenset[str] = frozenset()
    common: frozenset[str] = frozenset()
    types: frozenset[PhiType] = frozenset()
    names: Mapping[_Name, int] = field(default_factory=dict[_Name, int])

    @classmethod
    def of_lines(cls, lines: Iterable[Line], most_names: int = _MOST_NAMES) -> "CorpusSummary":
        """What the added up lines of all parts come to, in their order."""
        ordinary, common, types = set[str](), set[str](), set[PhiType]()
        names: list[tuple[int, str, dict[_Name, int]]] = []
        patients = 0
        for kind, some in groupby(lines, key=lambda each: int(each[0][1])):
            read = ((json.loads(key)[1:], seen) for key, seen in some)
            if kind == _PATIENTS:
                patients = sum(seen for _, seen in read)
            elif kind == _TYPE:
                types.update(PhiType(*key) for key, _ in read)
            elif kind == _SMALL:
                few = max(1, _SHARE * patients)
                common.update(word for (word,), seen in read if seen >= few)
            elif kind == _UNTAGGED:
                few = WordCounts.few(patients)
                ordinary.update(word for (word,), seen in read if seen >= few)
            else:
                names = heapq.nlargest(most_names, _by_text(read), key=itemgetter(0, 1))
        kept = {key: seen for *_, own in names for key, seen in own.items()}
        return cls(frozenset(ordinary), frozenset(common), frozenset(types), kept)

    @property
    def schema(self) -> Schema:
        """The built-in schema where it has all types of the tags, else one of these types."""
        return schema_with(self.types)

    def shared_names(self, schema: Schema) -> Iterator[SharedNames]:
        """Yield the names with their types and how many patients have them."""
        types: dict[str, Counter[PhiType]] = {}
        for (text, phi_type), patients in sorted(self.names.items()):
            types.setdefault(text, Counter())[phi_type] = patients
        unknown = language(UNDETERMINED)  # that of the record in which one stands tells
        for text, seen in types.items():
            yield SharedNames(TaggedText.counted(text, schema, unknown, seen), seen.total())

    def as_json(self) -> dict[str, Any]:
        """What `of_json` reads. It holds words of the records: it is PHI."""
        return {
            "ordinary": sorted(self.ordinary),
            "common": sorted(self.common),
            "types": sorted(self.types),
            "names": [[text, *of, seen] for (text, of), seen in sorted(self.names.items())],
        }

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "CorpusSummary":
        return cls(
            frozenset(data["ordinary"]),
            frozenset(data["common"]),
            frozenset(PhiType(*each) for each in data["types"]),
            {(each[0], PhiType(*each[1:3])): each[3] for each in data["names"]},
        )


def added_lines(parts: Iterable[Iterable[Line]]) -> Iterator[Line]:
    """Yield the counts of all parts together, in the same order; one line of each is held."""
    for key, some in groupby(heapq.merge(*parts), key=itemgetter(0)):
        yield key, sum(seen for _, seen in some)


def _by_text(names: Iterable[tuple[list[str], int]]) -> Iterator[tuple[int, str, dict[_Name, int]]]:
    """Yield each text with all types that it has, and first how many patients have it."""
    for text, some in groupby(names, key=lambda each: each[0][0]):
        own = {(text, PhiType(*key[1:])): seen for key, seen in some}
        yield sum(own.values()), text, own
