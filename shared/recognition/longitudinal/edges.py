"""Where names of people and hospitals begin and end, whatever a CRF that never met them says."""

import re
from collections.abc import Sequence
from dataclasses import replace

from shared.model import Span
from shared.recognition.longitudinal.ends import PATIENT, PEOPLE, trimmed
from shared.recognition.suggestion import Suggestion, apart

NAMED_AFTER = re.compile(
    r"(?:['’]s)?\s+(?:disease|syndrome|palsy|signs?|tests?|catheter|drain|criteria|phenomenon|"
    r"lymphoma|thyroiditis|chorea|esophagus|cyst|contractures?|class|score|scale|tube|line|ulcer|"
    r"rings?|bodies|sinuses|maneuver|incision|scar|reflex|deformity|nodes?|nodules?|triad|"
    r"sarcoma|dementia|arteritis|purpura|pouch)\b"
)
"""What follows a name that is no person's but a thing's."""
_PARTICLE = r"(?:de la|de los|del|de|della|da|di|van der|van den|van|von|le|la|st\.)"
_INNER_PARTICLE = re.compile(rf"\s{_PARTICLE}\s", re.IGNORECASE)
_LEADING_PARTICLE = re.compile(rf"{_PARTICLE}\s", re.IGNORECASE)
_INITIAL = re.compile(r"[^\W\d_a-z]\.?")
FULL_LINE = 50
"""A line of so many characters may break a name."""


def tidied(text: str, found: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return the suggestions, names without what is no part of them, torn ones put together."""
    return apart(_joined(text, found))


def _joined(text: str, found: Sequence[Suggestion]) -> list[Suggestion]:
    result: list[Suggestion] = []
    reached = 0
    for one in found:
        whole = trimmed(text, one)
        if whole is None:
            continue
        if result and _is_torn(text, result[-1], whole, reached):
            last = result.pop()
            sure = max(last.confidence, whole.confidence)
            end = max(last.end, whole.end)
            whole = replace(last, span=Span(last.start, end), confidence=sure)
        result.append(whole)
        reached = one.end
    return result


def _is_torn(text: str, last: Suggestion, one: Suggestion, reached: int) -> bool:
    """Whether a name goes on here: after an initial, a hyphen, a comma, or in the next word."""
    if last.phi_type not in PEOPLE or one.phi_type != last.phi_type:
        return False
    if last.end >= one.start:
        return last.end > one.start  # where each was made as long as the whole name
    gap = text[last.end : one.start]
    before, after = last.span.text_in(text), one.span.text_in(text)
    if gap in {" ", "\n"}:
        if _INITIAL.fullmatch(before):
            return True
        is_full = gap == " " or last.end - text.rfind("\n", 0, last.end) > FULL_LINE
        family = _LEADING_PARTICLE.sub("", after)
        return is_full and _is_one_name(before) and _is_one_name(family) and before != after
    if gap.strip() == "," and len(gap) < 3:
        return reached > last.end or (one.phi_type == PATIENT and before.isupper())
    return gap == "-" or bool(_INNER_PARTICLE.fullmatch(gap) and not after.islower())


def _is_one_name(written: str) -> bool:
    return written.isalpha() and written.istitle()
