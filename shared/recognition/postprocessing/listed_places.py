"""Countries and states that lists have, and nothing else has, are surer."""

from collections.abc import Sequence
from dataclasses import replace

from shared.model import PhiType
from shared.recognition.dictionaries import LOCALES, dictionaries_of
from shared.recognition.recognizer import Suggestion
from shared.recognition.tokens import words_of

LISTS = {
    PhiType("LOCATION", "COUNTRY"): {"country", "demonym"},
    PhiType("LOCATION", "STATE"): {"state"},
}
"""For each type, the dictionaries that must have it, and no other."""
BOOST = 0.5
"""So much of the doubt that is left goes."""


def boost_listed_places(text: str, found: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return the suggestions of a text, places of lists surer."""
    return tuple(boosted(text, one) if one.phi_type in LISTS else one for one in found)


def boosted(text: str, one: Suggestion) -> Suggestion:
    dictionaries = dictionaries_of((*LOCALES, "clinic"))
    name = " ".join(words_of(one.span.text_in(text))).lower()
    known = dictionaries.words.get(name) or dictionaries.phrases.get(name) or ()
    if not known or not LISTS[one.phi_type].issuperset(known):
        return one
    return replace(one, confidence=one.confidence + BOOST * (1 - one.confidence))
