"""What names of records are alike, and how they are ordered."""

import re
import unicodedata

from shared.formats.base import Record

_NUMBER = re.compile(r"(\d+)")
_LONGEST_NUMBER = 300
"""Digits that count as a number in the name of a record."""


def record_order(record: Record) -> tuple[object, ...]:
    """A sort key by which records stand by patient and number, as people count."""
    return natural_key(record.document.patient_id), natural_key(record.document.record_id)


def natural_key(name: str) -> tuple[tuple[bool, int, str], ...]:
    """A sort key by which `110-2` stands before `110-10`."""
    pieces = (piece for piece in _NUMBER.split(name) if piece)
    return tuple(
        (False, int(each), each) if _is_number(each) else (True, 0, each) for each in pieces
    )


def _is_number(piece: str) -> bool:
    return piece.isdecimal() and len(piece) <= _LONGEST_NUMBER


def same_file_name(name: str) -> str:
    """Tell the names that are one to some file systems: by case, or by how an accent is written."""
    return unicodedata.normalize("NFC", name).casefold()
