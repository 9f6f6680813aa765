"""Words that are names of people and words of the language too, and diseases named after people."""

import re
from collections import Counter
from collections.abc import Iterable

from shared.model import Document, Layer
from shared.surrogates.mentions import untouched
from shared.surrogates.wording import folded, plain

AMBIGUOUS_NAMES = frozenset(
    "will may mark art bill rich drew grant rod chance dean earl jack guy sonny august max april "
    "rose june hope grace faith joy dawn summer autumn ivy pat sue penny ginger iris violet brown "
    "white black young long little stone hand head cook price day march short small hill church "
    "winters rains payne rivers woods fields good sharp cross chill bland walker case blood major "
    "green gray grey king best bush carpenter miller baker taylor mason cooper fisher gardener "
    "hunter porter carter butler bishop page pope abbott barber love sweet strong swift wise noble "
    "frank ray lance miles dale glen chase pace parks banks brooks burns cash colon cotton dial "
    "drain field fish flowers ford forest fox gates glass gold hall harder heart home house key "
    "lake land law lane low marsh mills moon moore nail neck night pain park peak pool power rice "
    "ring rush sands self shields silver snow speed spring stark steel story temple tract vein "
    "wall ward waters waver weeks wells west winter wood worth".split()
)
"""Written small, or at the start of a sentence, these are no names."""

_HEADS = (
    "disease|diseases|syndrome|palsy|sign|signs|triad|tumou?r|lymphoma|catheter|tube|score|scale|"
    "criteria|classification|stage|grade|fracture|contracture|phenomenon|test|maneuver|manoeuvre|"
    "procedure|operation|repair|clamp|retractor|line|drains?|forceps|filter|bandage|prosthesis|rods?|"
    "ganz|sarcoma|carcinoma|esophagus|ulcer|lung|"
    "cyst|node|nodes|nodule|nodules|duct|gland|body|bodies|cells?|stain|reflex|murmur|respirations?|"
    "breathing|thyroiditis|orbitopathy|ophthalmopathy|chorea|dementia|neuropathy|joints?|foot|"
    "aneurysms?|effect|angle|pouch|point|equation|formula|study|ultrasound|doppler|enfermedad|"
    "sindrome|síndrome|signo"
)
EPONYM = re.compile(rf"(?i)(?:['’]s|s?['’])?(?:[\s-]+[\w']+)?[\s-]+(?:{_HEADS})\b")
"""What follows a name that stands for a disease, a sign or an instrument."""

_DISEASES = frozenset(
    "parkinson alzheimer crohn hodgkin graves addison cushing huntington paget barrett raynaud "
    "sjogren behcet wilson meniere hashimoto whipple alport kawasaki marfan bell dupuytren "
    "dressler charcot".split()
)
_INSTRUMENTS = frozenset("foley doppler hickman swan jackson babcock romberg babinski".split())
_BEFORE_INSTRUMENTS = re.compile(
    r"(?i)\b(?:an?|the|by|with|via|no|on|negative|positive|his|her|and|to|per)\s+$"
)
_AFTER_INSTRUMENTS = re.compile(
    r"(?i)\s+(?:was|is|removed|placed|in place|out|draining|with|to|inserted|exam|signals?)\b"
)
_TITLE = re.compile(r"(?i)\b(?:dr|mr|mrs|ms|miss|prof|sr|sra|drs)\.?\s+$")

_SMALL = re.compile(r"(?<![^\W_])[a-záéíóúüñ]{3,}(?![^\W_])")
_PATIENTS = 2
_LABEL_PATIENTS, _LABEL_SHARE = 5, 0.05
_ANY_CASE = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])")


def after_title(before: str) -> bool:
    """True where a text ends with a title, so that a name must follow."""
    return bool(_TITLE.search(before.rstrip() + " "))


def is_disease(text: str, start: int, end: int) -> bool:
    """True for the names in `Parkinson's follow-up` and `a Foley`, not for `Dr. Foley`."""
    word, before = plain(text[start:end]).lower(), text[max(0, start - 12) : start]
    if word in _INSTRUMENTS and not _TITLE.search(before):
        after = _AFTER_INSTRUMENTS.match(text, end)
        return bool(after or _BEFORE_INSTRUMENTS.search(before))
    possessive = text[end : end + 2] in {"'s", "’s"}
    return word in _DISEASES and possessive and not _TITLE.search(before)


def ordinary_words(patients: Iterable[Iterable[tuple[Document, Layer]]]) -> frozenset[str]:
    """Return the words of the language, folded, as the records themselves show them.

    These stand small and untagged in the records of two patients or more, or in any case in those
    of many, as labels do (`Domicilio:`).
    """
    counted: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    count = 0
    for records in patients:
        count += 1
        words: set[str] = set()
        any_case: set[str] = set()
        for document, layer in records:
            for piece in untouched(document.text, sorted(tag.span for tag in layer.tags)):
                words.update(_SMALL.findall(piece))
                any_case.update(_ANY_CASE.findall(piece))
        counted.update({folded(word) for word in words})
        labels.update({folded(word) for word in any_case})
    many = max(_LABEL_PATIENTS, _LABEL_SHARE * count)
    found = {word for word, seen in counted.items() if seen >= _PATIENTS}
    return frozenset(found | {word for word, seen in labels.items() if seen >= many})
