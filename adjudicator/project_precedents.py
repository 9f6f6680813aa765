"""The precedents of a whole project, read from the journals of its adjudicated patients."""

from collections.abc import Iterable
from dataclasses import dataclass

from adjudicator.decision_book import DecisionBook
from adjudicator.disagreements import DisagreementKey
from adjudicator.precedents import PrecedentBook, Ruling, ruling
from shared.errors import FileError
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.stamp import Stamp, stamp_of


@dataclass(frozen=True, slots=True)
class ReadRulings:
    """What was decided about one patient when its journal was read."""

    patient_id: str
    stamp: Stamp
    rulings: dict[DisagreementKey, Ruling]


class ProjectPrecedents:
    """The book of a project, brought up to date from journals that changed.

    Reading may run on another thread, since it only reads files: `read` what `changed`, then
    `take` it over where the book is used. A patient that cannot be read has no precedents; opening
    it says why.
    """

    def __init__(self, project: Project) -> None:
        self.book = PrecedentBook()
        self._project = project
        self._stamps: dict[str, Stamp] = {}

    def changed(self) -> list[str]:
        """The patients whose journals are not those that were read last."""
        known = self._stamps
        stamps = ((each, self._stamp(each)) for each in self._project.patient_ids)
        return [each for each, stamp in stamps if stamp and stamp != known.get(each)]

    def read(self, patient_ids: Iterable[str]) -> list[ReadRulings]:
        """Read what was decided about these patients; changes nothing."""
        found = (self._read(each) for each in patient_ids)
        return [each for each in found if each]

    def take(self, found: Iterable[ReadRulings], but: str = "") -> None:
        """Take over what was read; not of `but`, the patient that is open and known better."""
        for each in found:
            if each.patient_id != but:
                self._stamps[each.patient_id] = each.stamp
                self.book.replace(each.patient_id, each.rulings)

    def refresh(self) -> None:
        """Bring the book up to date at once."""
        self.take(self.read(self.changed()))

    def _read(self, patient_id: str) -> ReadRulings | None:
        stamp = self._stamp(patient_id)
        if stamp is None:
            return None
        try:
            return ReadRulings(patient_id, stamp, rulings_of(self._project, patient_id))
        except (FileError, KeyError, TypeError, ValueError):
            return None

    def _stamp(self, patient_id: str) -> Stamp | None:
        return stamp_of(self._project.journal_path(GOLD, patient_id))


def rulings_of(project: Project, patient_id: str) -> dict[DisagreementKey, Ruling]:
    """Return the decisions that stand about a patient, as precedents.

    Raises FileError, and KeyError, TypeError or ValueError where an entry cannot be read.
    """
    book = DecisionBook()
    for line in read_journal(project.journal_path(GOLD, patient_id)):
        book.read(line)
    asked = [each for each in book if not each.choice.is_automatic]
    if not asked:
        return {}
    texts = {each.record_id: each.text for each in project.patient(patient_id).documents}
    return {
        each.key: ruling(texts[each.key.record_id], each.key, each.kind, each.marks)
        for each in asked
    }
