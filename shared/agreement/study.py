"""All comparisons of a project: who is put beside whom, on which records, and when it was done."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from shared.agreement.comparison import Comparison
from shared.agreement.folders import LeftOut
from shared.model import PhiType

GOLD = "gold"


@dataclass(frozen=True, slots=True)
class Sides:
    """`first` as candidate beside `second` as reference, over the records that both finished.

    `done_on` has for each patient the day on which the later of the two made the last edit, where
    it is known; `offered`, which suggestions they were shown ("on", "on / off"), where known.
    """

    first: str
    second: str
    comparisons: tuple[Comparison, ...]
    done_on: Mapping[str, date] = field(default_factory=dict[str, date])
    offered: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def is_with_gold(self) -> bool:
        return self.second == GOLD

    @property
    def patients(self) -> list[str]:
        """The patient of each comparison."""
        return [each.document.patient_id for each in self.comparisons]

    @property
    def patient_count(self) -> int:
        return len(set(self.patients))


@dataclass(frozen=True, slots=True)
class Study:
    """What a report is made of; `sides` are none where nobody finished anything yet."""

    title: str
    sides: tuple[Sides, ...]
    hipaa: frozenset[PhiType]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def between(self) -> tuple[Sides, ...]:
        """The pairs of annotators."""
        return tuple(each for each in self.sides if not each.is_with_gold)

    @property
    def with_gold(self) -> tuple[Sides, ...]:
        """The annotators beside the gold standard."""
        return tuple(each for each in self.sides if each.is_with_gold)

    def digest(self) -> str:
        """SHA-256 of everything that is compared: names, records, texts, spans and types."""
        found = hashlib.sha256()
        texts: dict[int, str] = {}  # a document is the same in all sides of a project
        for sides in self.sides:
            found.update(f"{sides.first}\0{sides.second}\0".encode())
            for comparison in sides.comparisons:
                document = comparison.document
                if id(document) not in texts:
                    texts[id(document)] = hashlib.sha256(_bytes(document.text)).hexdigest()
                found.update(_content(comparison, texts[id(document)]))
        return found.hexdigest()


def _content(comparison: Comparison, text_digest: str) -> bytes:
    lines = [comparison.record_id, text_digest]
    for tags in (comparison.candidate, comparison.reference):
        marks = sorted((tag.span.start, tag.span.end, tag.phi_type) for tag in tags)
        lines.append(repr([(start, end, str(kind)) for start, end, kind in marks]))
    return _bytes("\0".join(lines))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
