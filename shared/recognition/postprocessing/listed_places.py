"""Countries and states that lists have, and nothing else has, are surer."""

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
BOOST = 0.5
"""So much of the doubt that is left goes."""


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
    dictionaries = dictionaries_of((*LOCALES, "clinic"))
    name = " ".join(words_of(one.span.text_in(text))).lower()
    known = dictionaries.words.get(name) or dictionaries.phrases.get(name) or ()
    if not known or not lists.issuperset(known):
        return one
    return replace(one, confidence=one.confidence + BOOST * (1 - one.confidence))
