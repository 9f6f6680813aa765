"""What must be clean before a release: the consistency check, but for what people dismissed."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.consistency.check import check_patient
from shared.consistency.dismissals import (
    DismissalKey,
    dismissals_path,
    read_dismissals,
    without_dismissed,
)
from shared.consistency.findings import ALL_KINDS, TAG_KINDS, Finding
from shared.consistency.near import small_words
from shared.errors import FileFormatError, SpanError, StorageError
from shared.model import Layer, Patient, Span
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.surrogates.surrogate_kinds import MAY_STAY, KindMap

Place = tuple[str, Span]
Read = tuple[Patient, Mapping[str, Layer]]
"""A patient with its gold standard by record id."""


@dataclass(frozen=True, slots=True)
class Gate:
    """The findings that stand against a release: places that no tag touches, none dismissed.

    `cleared` are all places of which a person said that they are no PHI.
    """

    kinds: KindMap
    common: frozenset[str]
    dismissed: frozenset[DismissalKey]
    cleared: frozenset[Place]

    @classmethod
    def of(
        cls,
        project: Project,
        said: Iterable[Place],
        read: Sequence[Read],
        kinds: KindMap,
    ) -> "Gate":
        """Read what people have dismissed; `said` are other places that are no PHI.

        Raises FileError.
        """
        entries = read_journal(dismissals_path(project.root, GOLD))
        dismissed = frozenset(each.key for each in read_dismissals(entries, GOLD))
        places = {(each.place.record_id, each.place.span) for each in dismissed}
        places |= set(said)
        common = small_words(each.text for patient, _ in read for each in patient.documents)
        return cls(kinds, common, dismissed, frozenset(places))

    def findings(self, patient: Patient, gold: Mapping[str, Layer]) -> list[Finding]:
        found = check_patient(
            patient.documents, gold.values(), ALL_KINDS - TAG_KINDS, common=self.common
        )
        return [
            each
            for each in without_dismissed(found, patient.documents, self.dismissed)
            if self.kinds.kind(each.phi_type) not in MAY_STAY
            and (each.record_id, each.span) not in self.cleared
        ]


def read_places(path: Path) -> frozenset[Place]:
    """Read the places in a CSV table with the columns record, start and end. Raises FileError."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows: Sequence[Mapping[str, str]] = list(csv.DictReader(file, strict=True))
        return frozenset((row["record"], Span(int(row["start"]), int(row["end"]))) for row in rows)
    except OSError as error:
        raise StorageError.from_os(path, error) from error
    except (ValueError, KeyError, TypeError, csv.Error, SpanError):
        raise FileFormatError(path, "is no table with the columns record, start and end") from None
