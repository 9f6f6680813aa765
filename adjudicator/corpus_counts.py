"""What a check and a release know of a whole corpus, in counts that add up over its parts."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from shared.consistency.across_patients import SharedNames, full_names
from shared.consistency.misspellings import small_words
from shared.consistency.patient_records import PatientRecords, TaggedText
from shared.formats.schema_auto import schema_with
from shared.language.detection import AUTO
from shared.language.languages import UNDETERMINED, language
from shared.model import Layer, Patient, PhiType, Schema
from shared.surrogates.ordinary_words import WordCounts

_SHARE = 0.001
"""A word that so many of the patients have in small letters is no slip in a name: of very many,
some have any name in small letters."""

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

    @property
    def schema(self) -> Schema:
        """The built-in schema where it has all types of the tags, else one of these types."""
        return schema_with(self.types)

    @property
    def common(self) -> frozenset[str]:
        """The words that stand in small letters: none of them is a slip in a name."""
        few = max(1, _SHARE * self.words.patients)
        return frozenset(word for word, seen in self.small.items() if seen >= few)

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
            "patients": self.words.patients,
            "untagged_small": dict(sorted(self.words.small.items())),
            "untagged": dict(sorted(self.words.in_any_case.items())),
            "small": dict(sorted(self.small.items())),
            "types": [[*phi_type, seen] for phi_type, seen in sorted(self.types.items())],
            "names": [[text, *of, seen] for (text, of), seen in sorted(self.names.items())],
        }

    @classmethod
    def of_json(cls, data: Mapping[str, Any]) -> "CorpusCounts":
        return cls(
            WordCounts(
                data["patients"], Counter(data["untagged_small"]), Counter(data["untagged"])
            ),
            Counter(data["small"]),
            Counter({PhiType(*each[:2]): each[2] for each in data["types"]}),
            Counter({(each[0], PhiType(*each[1:3])): each[3] for each in data["names"]}),
        )
