"""Countries and states that lists have, and nothing else has, are surer.

Two capitals before a value are less sure: they stand for what was measured.
"""

import re
from dataclasses import replace

from shared.model.phi_traits import EntityKind
from shared.recognition.dictionaries import LOCALES, dictionaries_of
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion
from shared.recognition.tokens import words_of

LISTS = {
    EntityKind.COUNTRY: {"country", "demonym"},
    EntityKind.STATE: {"state"},
}
"""For each kind, the dictionaries that must have it, and no other."""
BOOST, DOUBT = 0.5, 0.5
"""So much of the doubt goes; so much of the confidence stays in a code before a value."""
_CODE_LETTERS = 2
_VALUE_AFTER = re.compile(r"[: ]{1,3}\d{1,3}(?:\.\d+)?(?![\d-])")
"""`CA 8.8` is calcium."""


def boost_listed_places(patient: PatientSuggestions) -> PatientSuggestions:
    """Make places of lists surer."""
    return patient.with_found(
        [
            _boosted(text, one, LISTS[kind]) if (kind := patient.kind(one)) in LISTS else one
            for one in found
        ]
        for text, found in patient.records()
    )


def _boosted(text: str, one: Suggestion, lists: set[str]) -> Suggestion:
    if _is_code(text, one) and _VALUE_AFTER.match(text, one.end):
        return replace(one, confidence=one.confidence * DOUBT)
    dictionaries = dictionaries_of((*LOCALES, "clinic"))
    name = " ".join(words_of(one.span.text_in(text))).lower()
    known = dictionaries.words.get(name) or dictionaries.phrases.get(name) or ()
    if not known or not lists.issuperset(known):
        return one
    return replace(one, confidence=one.confidence + BOOST * (1 - one.confidence))


def _is_code(text: str, one: Suggestion) -> bool:
    return len(one.span) == _CODE_LETTERS and one.span.text_in(text).isupper()
