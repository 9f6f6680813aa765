"""What stands beside a name and tells whose it is: a title, a degree, a label, kinship."""

import re
from functools import lru_cache

from shared.language.languages import Language
from shared.model import Span
from shared.model.phi_traits import PersonRole, PhiTraits

LOOK_BACK = 30
"""So many characters before a name are looked at."""
_LONGEST_DEGREE = 4

_TITLE = r"(?i)\b{names.clinician_titles}\.?\s$"
_HONORIFIC = r"(?i)\b{language.honorifics}\.?\s$"
_LABEL = r"(?i)\b(?!{names.staff}\s?[:\-]){names.form_labels}\s?[:\-]\s*$"
_WORK = (
    r"(?i)(?:\b(?:{names.staff}|{staff_before})(?: {staff_verbs})?(?:\s?[:,\-]|\s)\s*|"
    r"\b{work_before}\s*)$"
)
_SERVICE_AFTER = r"\s(?:\((?:{service_links} )?|{service_links} )(?i:{service_after})\b"
_KIN = r"(?i)\b{language.kinship}(?: {kin_verbs})?[,:]?\s+\(?$"
_KIN_AFTER = r"(?i)(?:,| -|,? \()\s?(?:{kin_possessives}\s+)*{language.kinship}\b"


def role_beside(text: str, place: Span, language: Language) -> PersonRole | None:
    """The role that a title, a degree, a label or kinship next to a name gives it."""
    before = text[max(0, place.start - LOOK_BACK) : place.start]
    follows = language.expression
    if follows(_TITLE).search(before) or _degree_after(language).match(text, place.end):
        return PersonRole.STAFF
    if any(follows(each).search(before) for each in (_HONORIFIC, _KIN)):
        return PersonRole.PATIENT
    if follows(_KIN_AFTER).match(text, place.end):
        return PersonRole.PATIENT
    if follows(_WORK).search(before) or follows(_SERVICE_AFTER).match(text, place.end):
        return PersonRole.STAFF
    return PersonRole.PATIENT if follows(_LABEL).search(before) else None


@lru_cache(maxsize=8)
def _degree_after(language: Language) -> re.Pattern[str]:
    degrees = "|".join(map(_degree, language.names.degrees))
    return re.compile(rf",?\s?(?:{degrees})\b")


def _degree(degree: str) -> str:
    """`M.D.` and `MD`, but no `md`; a long one in any case, as `PharmD`."""
    if len(degree) > _LONGEST_DEGREE:
        return rf"(?i:{re.escape(degree)})"
    return r"\.?".join(degree.upper())


def has_title(text: str, place: Span, language: Language) -> bool:
    """Whether a title or a form of address stands before a name."""
    before = text[max(0, place.start - LOOK_BACK) : place.start]
    return any(language.expression(each).search(before) for each in (_TITLE, _HONORIFIC))


def other_role_reason(
    text: str, place: Span, traits: PhiTraits, language: Language | None
) -> str | None:
    """Say why a name is somebody else's here than a type of these traits is for; None for none."""
    if language is None or traits.role is None or not traits.is_name:
        return None
    beside = role_beside(text, place, language)
    if beside is None or (beside is PersonRole.STAFF) == (traits.role is PersonRole.STAFF):
        return None
    whose = "a clinician's name" if beside is PersonRole.STAFF else "no clinician's name"
    return f"{whose} by what stands beside it"
