"""What a project holds back from its releases: patients and records, who said so, when and why.

An append-only file in `surrogates/`; the last entry about a patient or record counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from shared.errors import FileFormatError, RequestError
from shared.project.current_user import current_user
from shared.project.journal import append_to_journal
from shared.project.project import Project
from shared.project.verified_journals import entries_unaltered

_LET_IN = "let in"
"""The key of an entry that says that it is held back no more."""

Held = tuple[str, str]
"""The id of a patient and "" for all of the patient's records, else that of one of them."""


@dataclass(frozen=True, slots=True)
class HeldBack:
    """A patient, or one record of the patient, with the reason, who gave it, and when (ISO 8601).

    `record_id` is "" where all records are held back, also those that come later.
    """

    patient_id: str
    record_id: str
    who: str
    when: str
    reason: str

    @classmethod
    def now(cls, key: Held, reason: str) -> "HeldBack":
        """Raises RequestError where no reason is given."""
        if not reason.strip():
            raise RequestError("say why it is held back: the reason stays in the project")
        return cls(*key, *_now(), " ".join(reason.split()))

    @property
    def key(self) -> Held:
        return self.patient_id, self.record_id

    def as_entry(self) -> dict[str, Any]:
        return {
            "patient": self.patient_id,
            "record": self.record_id,
            "who": self.who,
            "when": self.when,
            "reason": self.reason,
        }


def held_back_path(root: Path) -> Path:
    """The file of a project that lists what is held back."""
    return root / "surrogates" / "held_back.jsonl"


def read_held_back(root: Path) -> tuple[HeldBack, ...]:
    """Return what is held back, in the order in which that was said.

    Raises StorageError, and FileFormatError where an entry says nothing: whoever held something
    back shall not find it released because a line was spoilt.
    """
    path = held_back_path(root)
    found: dict[Held, HeldBack] = {}
    for number, entry in enumerate(entries_unaltered(root, path), start=1):
        each = _read(entry)
        if each is None:
            raise FileFormatError(path, f"line {number} does not say what is held back; correct it")
        found.pop(each.key, None)
        if not entry.get(_LET_IN):
            found[each.key] = each
    return tuple(found.values())


def keep_held_back(root: Path, held: Iterable[HeldBack], into: Iterable[Held] = ()) -> None:
    """Keep that these are held back, and the others no more. Raises StorageError."""
    let_in = ({**HeldBack(*key, *_now(), "").as_entry(), _LET_IN: True} for key in into)
    entries = [*(each.as_entry() for each in held), *let_in]
    append_to_journal(held_back_path(root), entries, current_user())


def key_of(project: Project, name: str) -> Held:
    """Return what a name means: a patient, else a record. Raises RequestError where it is none."""
    if name in project.patient_ids:
        return name, ""
    for patient_id in project.patient_ids:
        if name in project.record_ids(patient_id):
            return patient_id, name
    raise RequestError(f"the project has no patient and no record {name}; look at tandem status")


def in_words(key: Held) -> str:
    patient_id, record_id = key
    return f"record {record_id}" if record_id else f"patient {patient_id}"


def records_held(
    held: Iterable[HeldBack], record_ids: Mapping[str, Sequence[str]]
) -> dict[str, frozenset[str]]:
    """Return the records held back, of all those there are, by patient."""
    found: dict[str, set[str]] = {}
    for each in held:
        there = record_ids.get(each.patient_id, ())
        own = [one for one in there if each.record_id in ("", one)]
        if own:
            found.setdefault(each.patient_id, set()).update(own)
    return {patient_id: frozenset(own) for patient_id, own in found.items()}


def _now() -> tuple[str, str]:
    """Who and when."""
    return current_user(), datetime.now(UTC).isoformat(timespec="seconds")


def _read(entry: Mapping[str, Any]) -> HeldBack | None:
    patient_id, record_id = entry.get("patient"), entry.get("record")
    if not isinstance(patient_id, str) or not patient_id or not isinstance(record_id, str):
        return None
    said = (str(entry.get(each, "")) for each in ("who", "when", "reason"))
    return HeldBack(patient_id, record_id, *said)
