"""A record's text in memory."""

from dataclasses import dataclass

from shared.errors import ModelError


@dataclass(frozen=True, slots=True)
class Document:
    """The text of one record, immutable; lines end in LF, every other character as it came.

    `record_id` is the record's file name without ending (`110-02`), unique in a project;
    `patient_id` names the patient it is about (`110`).
    """

    record_id: str
    patient_id: str
    text: str

    def __post_init__(self) -> None:
        if "\r" in self.text:
            offset = self.text.index("\r")
            raise ModelError(f"record {self.record_id}: carriage return at offset {offset}")
