"""Hospitals, firms, streets and trades as long as they are elsewhere in a patient's records.

`Lakewood Eye` and `Ear Infirmary` are one hospital where a letterhead has it as one; capitals and
ends of lines make no difference.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType, Span
from shared.recognition.postprocessing.boundary_rules import (
    BUILDINGS,
    ELSEWHERE,
    PROFESSION,
    STREET,
)
from shared.recognition.recognizer import Suggestion, keep_most_confident

NAMED = BUILDINGS | {ELSEWHERE, PROFESSION, STREET}
MIN_CONFIDENCE = 0.8
"""What is of several words and at least so sure is known."""
_PART = 0.3
"""Suggestions of at least this confidence may be parts of it."""


def extend_to_known(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts, parts of what is known from end to end."""
    known = _known(texts, suggested)
    if not known:
        return [tuple(found) for found in suggested]
    forms = [re.escape(phrase).replace(r"\ ", r"\s") for phrase in known]
    forms.sort(key=len, reverse=True)
    places = re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)", re.IGNORECASE)
    return [
        keep_most_confident(_extended(found, list(_known_places(text, places, known))))
        for text, found in zip(texts, suggested, strict=True)
    ]


def _known(texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]) -> dict[str, PhiType]:
    """Return phrases of several words in lower case; of two that begin alike, the oftener one."""
    types: dict[str, PhiType] = {}
    votes: Counter[str] = Counter()
    for text, found in zip(texts, suggested, strict=True):
        for one in found:
            phrase = " ".join(one.span.text_in(text).lower().split())
            if one.phi_type in NAMED and one.confidence >= MIN_CONFIDENCE and " " in phrase:
                types[phrase] = one.phi_type
                votes[phrase] += 1
    rarer = {
        longer
        for phrase in types
        for longer in types
        if longer.startswith(f"{phrase} ") and votes[longer] <= votes[phrase]
    }
    return {phrase: phi_type for phrase, phi_type in types.items() if phrase not in rarer}


def _known_places(
    text: str, places: re.Pattern[str], known: dict[str, PhiType]
) -> Iterator[tuple[Span, PhiType]]:
    for place in places.finditer(text):
        phi_type = known.get(" ".join(place[0].lower().split()))
        if phi_type is not None:
            yield Span(*place.span()), phi_type


def _extended(
    found: Sequence[Suggestion], places: Sequence[tuple[Span, PhiType]]
) -> list[Suggestion]:
    kept = list(found)
    for span, phi_type in places:
        group = BUILDINGS if phi_type in BUILDINGS else {phi_type}
        parts = [
            one
            for one in kept
            if one.phi_type in group and one.confidence >= _PART and one.span.overlaps(span)
        ]
        if parts and all(span.start <= one.start and one.end <= span.end for one in parts):
            surest = max(parts, key=lambda one: one.confidence)
            kept = [*(one for one in kept if one not in parts), replace(surest, span=span)]
    return kept
