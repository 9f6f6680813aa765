"""Departments, rooms, other places, professions, and what no list can stand for."""

import re
from collections.abc import Mapping, Sequence
from functools import cache

from shared.surrogates.drawing import RecordWords, SurrogatePicker
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.numbers.identifiers import Identifiers, fill_format, value_of
from shared.surrogates.places.word_lists import words_of
from shared.surrogates.wording import cased_by_word, folded

ODD_PLACE = "a place of which no rule knows what it is"

_DEPARTMENTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"cardiothor|thoracic surg|cardiac surg", "Cardiothoracic Surgery"),
        (r"cardi|heart|coronary|ccu|telemetry|electrophys", "Cardiology"),
        (r"radiolog|imaging|x-ray|mri|ultrasound|mammo", "Radiology"),
        (r"oncol|cancer|tumor|chemo|hematol", "Oncology"),
        (r"emerg|\bed\b|\ber\b|trauma", "Emergency Medicine"),
        (r"intensive|\bicu\b|micu|sicu|critical", "Intensive Care"),
        (r"neurosurg", "Neurosurgery"),
        (r"neuro|stroke|memory|epilep|headache", "Neurology"),
        (r"psych|behavioral|mental|addict", "Psychiatry"),
        (r"ortho|spine|joint|sports|fracture|hand surg", "Orthopedics"),
        (r"pulmon|lung|respirat|cystic fibrosis|sleep|chest", "Pulmonology"),
        (r"gastro|liver|hepat|endoscop|digest", "Gastroenterology"),
        (r"renal|nephro|kidney|dialysis", "Nephrology"),
        (r"urolog|prostate", "Urology"),
        (r"endocrin|diabet|thyroid", "Endocrinology"),
        (r"obstet|gyn|labor|maternity|women", "Obstetrics and Gynecology"),
        (r"pediat|child|neonat|nicu", "Pediatrics"),
        (r"dermat|skin", "Dermatology"),
        (r"ophthal|eye", "Ophthalmology"),
        (r"otolaryng|\bent\b|voice|swallow|hearing", "Otolaryngology"),
        (r"rheumat|arthritis", "Rheumatology"),
        (r"infect|\bhiv\b", "Infectious Disease"),
        (r"anesth|pain", "Anesthesiology"),
        (r"pathol|cytol", "Pathology"),
        (r"rehab|physical|occupational|therapy", "Rehabilitation"),
        (r"vascular", "Vascular Surgery"),
        (r"surg|wound|limb|burn|transplant", "Surgery"),
        (r"geriat|elder|senior", "Geriatrics"),
        (r"family|primary", "Family Medicine"),
    ),
    "es": (
        (r"cardi", "Cardiología"),
        (r"radiol|imagen", "Radiología"),
        (r"oncol", "Oncología"),
        (r"urgenc", "Urgencias"),
        (r"intensiv|uci", "Cuidados Intensivos"),
        (r"neurol", "Neurología"),
        (r"psiq|mental", "Psiquiatría"),
        (r"trauma|ortop", "Traumatología"),
        (r"neumol|respir", "Neumología"),
        (r"digest|gastro|hepat", "Aparato Digestivo"),
        (r"nefrol|renal|dialis", "Nefrología"),
        (r"urol", "Urología"),
        (r"gine|obst", "Ginecología"),
        (r"pedia|infantil", "Pediatría"),
        (r"dermat", "Dermatología"),
        (r"oftal", "Oftalmología"),
        (r"ciru", "Cirugía"),
    ),
}
_INTERNAL = {"en": "Internal Medicine", "es": "Medicina Interna"}
_GENERAL = {"en": "General Medicine", "es": "Medicina General"}
_TRIES = 100
_HEADS = re.compile(
    r"(?i)\b(?:route|rte|exit|pier|highway|hwy|interstate|lake|cape|island|beach|park|pond|river|"
    r"mount|mountain|mountains|coast|shore|bay|harbor|point|lago|isla|playa|parque|rio|monte|costa)\b"
)
_NUMBERED = re.compile(r"(?i)(?:the )?[^\W\d_]+\.?,? #?\d+[a-z]?")
_ROOM_WORDS = frozenset(
    "room rm floor fl bed suite ste unit ward bay building bldg wing level pod habitacion planta "
    "cama no number door tower north south east west".split()
)


def department(mention: PhiMention, language: str, words: RecordWords) -> Surrogate:
    """The generic department that the name speaks of, else Internal Medicine, as in the paper.

    General Medicine stands in for the latter where the records speak of it untagged.
    """
    text = folded(mention.text)
    found = [
        (match.start(), place, name)
        for place, (pattern, name) in enumerate(_DEPARTMENTS[language])
        if (match := re.search(pattern, text))
    ]
    internal = _INTERNAL[language]
    name = min(found)[2] if found else _GENERAL[language] if internal in words else internal
    for other in (_INTERNAL[language], _GENERAL[language]):
        if folded(name) == text:
            name = other
    written = name.upper() if mention.text.isupper() and len(mention.text) > 4 else name
    return Surrogate(written, f"department {name}")


def room(mention: PhiMention, numbers: Identifiers) -> Surrogate:
    """Other digits and letters in the same format; words such as `Room` stay."""
    pieces = re.findall(r"[^\W_]+|[\W_]+", mention.text)
    new = [_room_piece(each, numbers) for each in pieces]
    text = "".join(new)
    if folded(text) == folded(mention.text):
        return Surrogate(mention.placeholder, "room unread", (ODD_PLACE,))
    return Surrogate(text, f"room {text}")


def _room_piece(piece: str, numbers: Identifiers) -> str:
    if not piece.isalnum() or folded(piece) in _ROOM_WORDS:
        return piece
    return fill_format(piece, numbers.fresh(value_of(piece), piece))


class OtherPlaces:
    """Places of no other kind: another of the list, or another number of the same road."""

    def __init__(self, language: str, drawer: SurrogatePicker) -> None:
        self._language = language
        self._drawer = drawer
        self._drawn: dict[str, str] = {}

    def surrogate(self, mention: PhiMention) -> Surrogate:
        key = folded(mention.text)
        if key not in self._drawn:
            self._drawn[key] = self._fresh(mention)
        new = self._drawn[key]
        known = _HEADS.search(mention.text) or any(char.isupper() for char in mention.text)
        text = new if _NUMBERED.fullmatch(mention.words) else cased_by_word(new, mention.text)
        return Surrogate(text, f"place {new}", () if known else (ODD_PLACE,))

    def _fresh(self, mention: PhiMention) -> str:
        if _NUMBERED.fullmatch(mention.words):
            return self._renumbered(mention.words)
        places = words_of("other places of Spain" if self._language == "es" else "other places")
        article = mention.text.lower().startswith(("the ", "la ", "el ", "los ", "las "))
        fitting = [each for each in places if each[0].islower() == article] or list(places)
        return self._drawer.draw(fitting) or self._drawer.draw(places) or "Elsewhere"

    def _renumbered(self, text: str) -> str:
        new = text
        for _ in range(_TRIES):
            new = re.sub(r"\d", lambda _: str(1 + self._drawer.randomness.randrange(9)), text)
            if new != text and new not in self._drawn.values() and new not in self._drawer.words:
                break
        return new if new != text else "Elsewhere"


ODD_PROFESSION = "more than a profession: see that the sentence still reads well"
DETAIL = "a detail that no rule can replace: write one that fits, or leave the placeholder"

_KEPT = ("retired ", "former ", "ex-", "ex ", "jubilado ", "jubilada ", "self-employed ")
_PLAIN_WORDS = 4
_MOST_WORDS = 3
_RELATIVES = {
    "en": (("relative", "family member", "kinsperson"), ("relatives", "family members", "kin")),
    "es": (("familiar", "pariente", "allegado"), ("familiares", "parientes", "allegados")),
}


class Professions:
    """Surrogates of one patient's professions: the same one the same."""

    def __init__(self, language: str, drawer: SurrogatePicker) -> None:
        self._language = language
        self._drawer = drawer
        self._drawn: dict[str, str] = {}

    def surrogate(self, mention: PhiMention) -> Surrogate:
        text = mention.words
        head = next((text[: len(each)] for each in _KEPT if text.lower().startswith(each)), "")
        rest = text[len(head) :]
        plural = self._language == "en" and rest.endswith("s") and not rest.endswith("ss")
        key = folded(rest)
        if key not in self._drawn:
            self._drawn[key] = self._fresh(rest)
        new = self._drawn[key] + ("s" if plural else "")
        odd = len(rest.split()) > _PLAIN_WORDS
        reasons = (ODD_PROFESSION,) if odd else ()
        return Surrogate(head + cased_by_word(new, rest), f"profession {new}", reasons)

    def _fresh(self, text: str) -> str:
        jobs = self._list(text)
        count = min(_MOST_WORDS, len(text.split()))
        as_long = [each for each in jobs if min(_MOST_WORDS, len(each.split())) == count]
        return self._drawer.draw(as_long) or self._drawer.draw(jobs) or "worker"

    def _list(self, text: str) -> Sequence[str]:
        if self._language == "en":
            return _english_jobs()
        feminine = folded(text).split()[0].endswith(("a", "triz"))
        return words_of(f"professions of {'women' if feminine else 'men'} in Spanish")


@cache
def _english_jobs() -> Sequence[str]:
    """Our own list, and of Faker's what reads well: `Engineer, civil` as `civil engineer`."""
    from faker.providers.job.en_US import Provider

    jobs: dict[str, None] = dict.fromkeys(words_of("professions"))
    for job in Provider.jobs:
        head, _, tail = str(job).lower().partition(", ")
        plain = f"{tail} {head}".strip()
        if all(char.isalpha() or char in " -" for char in plain):
            jobs.setdefault(plain)
    return tuple(jobs)


def relative(mention: PhiMention, language: str, words: RecordWords) -> Surrogate:
    """A word that says no more than that somebody is of the family; one that is in no record."""
    one, many = _RELATIVES[language]
    plural = mention.words.split()[:1] and mention.words.split()[0].lower().endswith("s")
    choices = many if plural else one
    new = next((each for each in choices if each not in words), choices[-1])
    return Surrogate(cased_by_word(new, mention.text), "relative")


def other_detail(mention: PhiMention) -> Surrogate:
    """A placeholder in brackets, for a person to replace."""
    return Surrogate(mention.placeholder, "detail", (DETAIL,))
