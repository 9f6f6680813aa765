"""What stands beside a name and tells whose it is: a title, a job, a label, kinship, an age."""

import re
from collections.abc import Sequence
from functools import lru_cache

from shared.language.languages import Language
from shared.model import Span
from shared.model.phi_traits import PersonRole, PhiTraits

LOOK_BACK = 30
"""So many characters before a name are looked at."""
_LONGEST_DEGREE = 4

_TITLE = r"(?i)\b{names.clinician_titles}\.?\s$"
_HONORIFIC = r"(?i)\b{language.honorifics}\.?\s$"
_STAFF = r"(?:{names.staff}|{staff_jobs})"
_OTHERS = r"(?:{language.kinship}|{acquaintances})"
_BESIDE = r"(?:,| -|,? \()\s?"
_BEFORE, _BEHIND = False, True
_CUES: Sequence[tuple[bool, str, PersonRole | None]] = (
    (_BEFORE, r"(?i)\b{kin_possessives}\s{language.kinship}[,:]?\s+\(?$", PersonRole.PATIENT),
    (_BEFORE, _TITLE, PersonRole.STAFF),
    (
        _BEFORE,
        rf"(?i)\b(?:{_STAFF}|{{service_after}}|{{work_before}})[:,]?\s\(?"
        r"{language.honorifics}\.?\s$",
        PersonRole.STAFF,
    ),
    (_BEHIND, rf"(?i)\s?\({_STAFF}[),]", PersonRole.STAFF),
    (_BEFORE, r"(?i)\b{names.greetings}\s(?:{language.honorifics}\.?\s)?$", None),
    (_BEFORE, _HONORIFIC, PersonRole.PATIENT),
    (_BEFORE, rf"(?i)\b{_OTHERS}(?: {{kin_verbs}})?[,:]?\s+\(?$", PersonRole.PATIENT),
    (_BEHIND, rf"(?i){_BESIDE}(?:{{kin_possessives}}\s+)*{_OTHERS}\b", PersonRole.PATIENT),
    (
        _BEFORE,
        rf"(?i)(?:\b{_STAFF}(?: {{staff_verbs}})?(?:\s?[:,\-]|\s)\s*|\b{{work_before}}\s*)$",
        PersonRole.STAFF,
    ),
    (
        _BEHIND,
        r"\s(?:\((?:{service_links} )?|{service_links} )(?i:{service_after})\b",
        PersonRole.STAFF,
    ),
    (_BEHIND, rf"(?i){_BESIDE}{_STAFF}\b", PersonRole.STAFF),
    (_BEHIND, r"(?:,\s|\s\()\d{1,2}[,;)]", PersonRole.PATIENT),
    (
        _BEFORE,
        r"(?i)\b(?!{names.staff}\s?[:\-]){names.form_labels}\s?[:\-]\s*$",
        PersonRole.PATIENT,
    ),
)
"""What stands before or behind a name, and whose it makes it; the first that does decides.

Who is greeted may be either: `Dear Mr. Sutwell`.
"""


def role_beside(text: str, place: Span, language: Language) -> PersonRole | None:
    """The role that what stands next to a name gives it; None where that tells none."""
    if _degree_after(language).match(text, place.end):
        return PersonRole.STAFF
    before = text[max(0, place.start - LOOK_BACK) : place.start]
    for is_behind, template, role in _CUES:
        cue = language.expression(template)
        if cue.match(text, place.end) if is_behind else cue.search(before):
            return role
    return None


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
