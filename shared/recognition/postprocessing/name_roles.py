"""Who a name is, decided over all records of a patient, and where names begin and end.

A name that is written with `Dr.` once is a doctor's everywhere, whatever the places say that have
no title. Names go together that share a family name.
"""

import re
from collections import Counter, defaultdict
from dataclasses import replace

from shared.language.person_roles import LOOK_BACK, has_title, role_beside
from shared.model import PhiType
from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition.postprocessing.boundary_rules import EPONYM_HEAD, merge_split_names
from shared.recognition.postprocessing.clinical_terms import is_clinical_term
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion

MIN_CONFIDENCE = 0.3
"""Suggestions of at least this confidence have a vote."""
_CUE = 3.0
"""A title counts as so many sure places without one."""
_AHEAD = 1.5
"""By so much the votes for the other role must outweigh those for a place's own."""
_ENOUGH = 2.0
"""So many votes decide on a whole name without what others of its family are."""
_OFTEN, _MOSTLY = 3, 0.7
"""Who is called the patient so often, and so much oftener than others, is."""
_SURE, _SELDOM = 0.95, 0.4
"""A patient that surely is one stays unless others are it so much oftener."""
_DOUBTFUL = 0.5
_SHORTEST_WORD = 3
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")

_KIN_NEAR = r"(?i)\b(?:{language.kinship}|{kin_beside})\b"


def assign_name_roles(patient: PatientSuggestions) -> PatientSuggestions:
    """Give every name its ends, and the role of the person whose it is."""
    patient = merge_split_names(patient)
    patient_type = patient.type_of(EntityKind.PERSON, PersonRole.PATIENT)
    staff_type = patient.type_of(EntityKind.PERSON, PersonRole.STAFF)
    if patient_type is None or staff_type is None or patient_type == staff_type:
        return patient
    roles = NameRoles(patient, patient_type, staff_type)
    return patient.with_found(
        [roles.assigned(text, one) for one in found] for text, found in patient.records()
    )


class NameRoles:
    """What the places of names say together, for each family name.

    A given name by itself counts for the family that it stands with elsewhere, if there is but one.
    """

    def __init__(
        self, patient: PatientSuggestions, patient_type: PhiType, staff_type: PhiType
    ) -> None:
        self._language = patient.language
        self._types = {PersonRole.PATIENT: patient_type, PersonRole.STAFF: staff_type}
        self._roles = {phi_type: role for role, phi_type in self._types.items()}
        self._families: defaultdict[str, set[str]] = defaultdict(set)
        self._votes: defaultdict[str, dict[PersonRole, float]] = defaultdict(
            lambda: dict.fromkeys(self._types, 0.0)
        )
        self._mixed: set[str] = set()
        self._called: Counter[str] = Counter()
        self._kin: set[str] = set()
        self._patients: set[str] = set()
        names = [
            (text, one)
            for text, found in patient.records()
            for one in found
            if one.phi_type in self._roles and one.confidence >= MIN_CONFIDENCE
        ]
        for text, one in names:
            name = one.span.text_in(text)
            words = _words(name)
            for word in words if len(words) > 1 else ():
                self._families[word].add(_family_of(name))
        for text, one in names:
            self._count(text, one)

    def assigned(self, text: str, one: Suggestion) -> Suggestion:
        """Return the suggestion as the type of the role that its person has."""
        role = self._roles.get(one.phi_type)
        if role is None:
            return one
        cue = role_beside(text, one.span, self._language)
        name = one.span.text_in(text)
        if cue is None and (is_clinical_term(name) or self._is_label(text, one)):
            return replace(one, confidence=one.confidence * _DOUBTFUL)
        if cue is None or (cue is not role and not self._is_titled(text, one)):
            cue = self._voted(name, role, one.confidence)
        return replace(one, phi_type=self._types[cue])

    def _is_titled(self, text: str, one: Suggestion) -> bool:
        return has_title(text, one.span, self._language)

    def _voted(self, name: str, role: PersonRole, confidence: float) -> PersonRole:
        """The role that the other places of a name want for it."""
        other = PersonRole.PATIENT if role is PersonRole.STAFF else PersonRole.STAFF
        votes = self._votes_on(name)
        if votes.get(other, 0.0) > _AHEAD * votes.get(role, 0.0):
            return other
        is_stranger = role is PersonRole.PATIENT and self._is_a_stranger(name, confidence)
        return PersonRole.STAFF if is_stranger else role

    def _votes_on(self, name: str) -> dict[PersonRole, float]:
        """The votes on a full name that others share, or else on its family."""
        whole = self._votes.get(_whole(name), {})
        enough = sum(whole.values()) >= _ENOUGH
        return whole if enough else self._votes.get(self._family(name), {})

    def _is_a_stranger(self, name: str, sure: float) -> bool:
        """Whether a whole name is neither that of the patient, who is known, nor a relative's."""
        if len(_words(name)) < 2 or not self._called:
            return False
        (patient, count), *_ = self._called.most_common(1)
        known = count >= _OFTEN and count > _MOSTLY * self._called.total()
        family = self._family(name)
        if not known or family == patient or family in self._kin:
            return False
        if sure < _SURE and self._as_patient(_whole(name)) < _ENOUGH:
            return True
        is_in_header = name.isupper()
        if is_in_header or not self._patients.isdisjoint(_words(name)):
            return False
        return self._as_patient(family) < _SELDOM * max(map(self._as_patient, self._votes))

    def _as_patient(self, key: str) -> float:
        """The votes on a name or family for its being the patient's."""
        return self._votes.get(key, {}).get(PersonRole.PATIENT, 0.0)

    def _count(self, text: str, one: Suggestion) -> None:
        name = one.span.text_in(text)
        words = _words(name)
        if len(words) > 1 or not name.isupper():
            self._mixed.update(words)
        family = self._family(name)
        cue = role_beside(text, one.span, self._language)
        for key in {family, _whole(name)}:
            self._votes[key][self._roles[one.phi_type]] += one.confidence
            if cue:
                self._votes[key][cue] += _CUE
        if cue is PersonRole.PATIENT:
            self._called[family] += 1
            self._patients.update(words)
        near = max(0, one.start - LOOK_BACK), one.end + LOOK_BACK
        if self._language.expression(_KIN_NEAR).search(text, *near):
            self._kin.add(family)

    def _family(self, name: str) -> str:
        family = _family_of(name)
        known = self._families.get(family, {family})
        return next(iter(known)) if len(known) == 1 and family not in known else family

    def _is_label(self, text: str, one: Suggestion) -> bool:
        """Whether a word in capitals, or one before `disease`, is nobody's name elsewhere."""
        name = one.span.text_in(text)
        is_thing = self._language.expression(EPONYM_HEAD).match(text, one.end) is not None
        return is_thing or (
            len(name) > _SHORTEST_WORD
            and name.isupper()
            and name.isalpha()
            and not text.isupper()
            and name.lower() not in self._mixed
        )


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name) if len(word) >= _SHORTEST_WORD]


def _whole(name: str) -> str:
    return " ".join(sorted(_words(name)))


def _family_of(name: str) -> str:
    words = _words(name.partition(",")[0]) or _words(name)
    return words[-1] if words else ""
