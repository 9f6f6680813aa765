"""Initials of people and abbreviations of hospitals, known by the names that they stand for.

`BR` is a doctor where Bella Rossi is one, and `GGH` a hospital where the same patient's records
speak of Greenfield General Hospital.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType
from shared.recognition.longitudinal.edges import DOCTOR, PEOPLE
from shared.recognition.suggestion import Suggestion

HOSPITAL = PhiType("LOCATION", "HOSPITAL")
MISTAKEN = PEOPLE | {HOSPITAL}
"""What initials are taken for; `MA` as a state stays one."""
HEARD = 0.7
"""Names of at least this confidence lend their initials."""
_GAIN = 0.7
"""So much of the doubt that is left goes."""
_SHORT = re.compile(r"[A-Z]{2,6}")
_WORD = re.compile(r"[^\W\d_][\w'’.]*")
_SMALL = {"of", "the", "and", "for", "at"}


def expanded(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts, surer where a name bears initials out."""
    known = {
        short: one.phi_type
        for phi_type in (DOCTOR, HOSPITAL)  # the last has the word
        for text, found in zip(texts, suggested, strict=True)
        for one in found
        if one.phi_type == phi_type and one.confidence >= HEARD
        for short in _initials(one.span.text_in(text), phi_type)
    }
    return [
        tuple(_surer(text, one, known) for one in found)
        for text, found in zip(texts, suggested, strict=True)
    ]


def _initials(name: str, phi_type: PhiType) -> Iterator[str]:
    words = [word for word in _WORD.findall(name) if word not in _SMALL]
    if phi_type == DOCTOR and "," in name:
        words = [*words[1:], *words[:1]]
    if len(words) < 2 or len(words[-1]) < 2:
        return
    letters = [word[0].upper() for word in words]
    yield "".join(letters)
    if phi_type == DOCTOR:
        yield letters[0] + letters[-1]


def _surer(text: str, one: Suggestion, known: dict[str, PhiType]) -> Suggestion:
    written = one.span.text_in(text)
    if one.phi_type not in MISTAKEN or not _SHORT.fullmatch(written) or written not in known:
        return one
    doubt = 1 - one.confidence
    return replace(one, phi_type=known[written], confidence=one.confidence + _GAIN * doubt)
