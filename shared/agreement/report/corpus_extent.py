"""How large a corpus is, in numbers that add up over patients."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from shared.agreement.comparison import Comparison
from shared.agreement.measures import label_name
from shared.text.tokens import token_count

RECORDS, TOKENS, TAGS = "records", "tokens", "tags"
_WHOLE = (RECORDS, TOKENS, TAGS)


@dataclass(frozen=True, slots=True)
class Spread:
    """How many there are of a thing; of the records and patients that have any, least and most."""

    total: int
    records: int
    record_least: int
    record_most: int
    patients: int
    patient_least: int
    patient_most: int

    @classmethod
    def of_patient(cls, by_record: Iterable[int]) -> "Spread":
        """Return the spread in the records of a patient that have any."""
        numbers = list(by_record)
        total = sum(numbers)
        return cls(total, len(numbers), min(numbers), max(numbers), 1, total, total)

    def __add__(self, other: "Spread") -> "Spread":
        return Spread(
            self.total + other.total,
            self.records + other.records,
            min(self.record_least, other.record_least),
            max(self.record_most, other.record_most),
            self.patients + other.patients,
            min(self.patient_least, other.patient_least),
            max(self.patient_most, other.patient_most),
        )


class CorpusExtent:
    """The adjudicated records that somebody is compared on: how many, and what is in them.

    `spreads` are those of `RECORDS`, `TOKENS` and `TAGS`, and of the tags of each category and
    type that occurs.
    """

    def __init__(self) -> None:
        self.patients = self.records = 0
        self.spreads: dict[str, Spread] = {}

    @property
    def labels(self) -> list[str]:
        return sorted(self.spreads.keys() - {*_WHOLE})

    def add(self, records: Iterable[Comparison]) -> None:
        """Add the records of a patient, beside their gold standard."""
        found: dict[str, Counter[str]] = {}
        for each in records:
            numbers = Counter({RECORDS: 1, TOKENS: token_count(each.document.text)})
            numbers[TAGS] = len(each.reference)
            for tag in each.reference:
                numbers.update({tag.phi_type.category, label_name(tag.phi_type)})
            for what, number in numbers.items():
                if number:
                    found.setdefault(what, Counter())[each.record_id] = number
        if found:
            self.patients += 1
            self.records += len(found[RECORDS])
            self._add({what: Spread.of_patient(each.values()) for what, each in found.items()})

    def add_up(self, other: "CorpusExtent") -> None:
        """Add the records of other patients."""
        self.patients += other.patients
        self.records += other.records
        self._add(other.spreads)

    def _add(self, spreads: dict[str, Spread]) -> None:
        for what, spread in spreads.items():
            known = self.spreads.get(what)
            self.spreads[what] = known + spread if known else spread
