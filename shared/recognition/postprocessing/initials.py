"""Initials of people and abbreviations of hospitals, known by the names that they stand for.

`BR` is a doctor where Bella Rossi is one, and `GGH` a hospital where the same patient's records
speak of Greenfield General Hospital.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType, Span
from shared.recognition.postprocessing.boundary_rules import DOCTOR, PEOPLE
from shared.recognition.postprocessing.clinical_terms import is_staff_title
from shared.recognition.recognizer import Suggestion, keep_most_confident

HOSPITAL = PhiType("LOCATION", "HOSPITAL")
MISTAKEN = PEOPLE | {HOSPITAL}
"""What initials are taken for; `MA` as a state stays one."""
MIN_CONFIDENCE = 0.7
"""Names of at least this confidence lend their initials."""
BOOST = 0.7
"""So much of the doubt that is left goes."""
_SOME = 0.5
"""So much of it goes where the name has no middle initial."""
_WITH_MIDDLE = 3
_LEFT, _SURE = 0.5, 0.8
"""So much is left of the confidence, below that, in letters that clinics use for something else."""
_PLACED = re.compile(r"\b(?:at|from|by|with)\s$")
"""Before these no word of a clinic stands alone."""
_DOUBTED, _NEW = 0.5, 0.7
"""Below that, what stands in a place does not keep initials from being found there, so surely."""
_CAPITALS = re.compile(r"(?<![\w/])[A-Z]{3,6}(?![\w/])")
_SHORT = re.compile(r"[A-Z]{2,6}")
_WORD = re.compile(r"[^\W\d_][\w'’.]*")
_SMALL = {"of", "the", "and", "for", "at"}


def resolve_initials(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts, surer where a name bears initials out."""
    known = {
        short: one.phi_type
        for phi_type in (DOCTOR, HOSPITAL)  # the last has the word
        for text, found in zip(texts, suggested, strict=True)
        for one in found
        if one.phi_type == phi_type and one.confidence >= MIN_CONFIDENCE
        for short in _initials(one.span.text_in(text), phi_type)
    }
    hospitals = {short for short, phi_type in known.items() if phi_type == HOSPITAL}
    surer = [
        tuple(boosted(text, one, known) for one in found)
        for text, found in zip(texts, suggested, strict=True)
    ]
    return [
        keep_most_confident([*found, *_overlooked(text, found, hospitals)])
        for text, found in zip(texts, surer, strict=True)
    ]


def _overlooked(
    text: str, found: Sequence[Suggestion], hospitals: set[str]
) -> Iterator[Suggestion]:
    """Yield where the initials of a hospital stand that nothing else explains."""
    if not hospitals or not found:
        return
    taken = bytearray(len(text))
    for one in found:
        if one.confidence >= _DOUBTED:
            taken[one.start : one.end] = b"\1" * len(one.span)
    for place in _CAPITALS.finditer(text):
        is_known = place[0] in hospitals and not is_staff_title(place[0])
        if is_known and taken.find(1, *place.span()) < 0:
            yield Suggestion(Span(*place.span()), HOSPITAL, _NEW, found[0].recognizer)


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


def _without_middle(written: str) -> str:
    return written[0] + written[-1] if len(written) == _WITH_MIDDLE else ""


def boosted(text: str, one: Suggestion, known: dict[str, PhiType]) -> Suggestion:
    written = one.span.text_in(text)
    if one.phi_type not in MISTAKEN or not _SHORT.fullmatch(written):
        return one
    doubt = 1 - one.confidence
    if written not in known:
        if one.phi_type == DOCTOR and known.get(_without_middle(written)) == DOCTOR:
            return replace(one, confidence=one.confidence + _SOME * doubt)
        is_placed = _PLACED.search(text, max(0, one.start - 6), one.start)
        is_doubted = one.confidence < _SURE and is_staff_title(written) and not is_placed
        return replace(one, confidence=_LEFT * one.confidence) if is_doubted else one
    return replace(one, phi_type=known[written], confidence=one.confidence + BOOST * doubt)
