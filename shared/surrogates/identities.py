"""Who, where and when the mentions of a patient mean, told record by record and never told anew.

What a record's mentions mean hangs on the record and on those before it alone, so that records
that come later change nothing of what was released. People are told by `KnownPeople`, places by
`KnownPlaces`, days by `KnownDays`, numbers by their digits and letters, ages by their years, all
else by its words in whatever case and with whatever accents. No chance is in it.

Somebody, a place or a day is named by the longest way in which the first record with it writes it.
Where somebody else of the patient has that name already, a number is added: two have two names.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from shared.language.languages import Language
from shared.model import Layer, Patient, PhiType, Span
from shared.surrogates.dates.known_days import KnownDays
from shared.surrogates.mentions import PhiMention, by_records, mentions_of
from shared.surrogates.numbers.ages import read_age
from shared.surrogates.numbers.identifiers import value_of
from shared.surrogates.people.kinship import with_named_relatives
from shared.surrogates.people.known_people import KnownPeople
from shared.surrogates.places.known_places import KnownPlaces
from shared.surrogates.surrogate_kinds import (
    GEOGRAPHIC,
    NAMED_PLACES,
    Identity,
    SurrogateKind,
    SurrogateSettings,
)
from shared.text.spelling import match_key

_NUMBERS = frozenset(
    {SurrogateKind.NUMBER, SurrogateKind.SSN, SurrogateKind.PHONE, SurrogateKind.IP}
)
_PLACES = GEOGRAPHIC | NAMED_PLACES


def identities_of(
    patient: Patient, mentions: Sequence[PhiMention], settings: SurrogateSettings
) -> dict[int, Identity]:
    """Return who, where or when every mention means, by its number.

    Where that was told beforehand, mentions that were no tags then are left out: they are masks.
    """
    if settings.identities:
        told = ((each.number, settings.identities.get(_place(each))) for each in mentions)
        return {number: identity for number, identity in told if identity}
    by_record = by_records(mentions)
    known = _PatientSoFar(settings.language)
    found: dict[int, Identity] = {}
    languages = settings.languages(each.text for each in patient.documents)
    for document, language in zip(patient.documents, languages, strict=True):
        found |= known.read(by_record.get(document.record_id, ()), language)
    return found


def with_identities(
    settings: SurrogateSettings, patient: Patient, gold: Mapping[str, Layer]
) -> SurrogateSettings:
    """The settings with what the tags of a patient mean, so that masks over them change nothing.

    Raises ModelError where a record has no tags.
    """
    tagged, _ = mentions_of(patient, gold, settings.kinds)
    mentions = with_named_relatives(tagged, patient, settings)
    found = identities_of(patient, mentions, replace(settings, identities={}))
    return replace(settings, identities={_place(each): found[each.number] for each in mentions})


def _place(mention: PhiMention) -> tuple[str, Span, PhiType]:
    return mention.record_id, mention.tag.span, mention.tag.phi_type


class _PatientSoFar:
    """What is known of one patient by the records so far."""

    def __init__(self, language: Language) -> None:
        self._people = KnownPeople()
        self._places = KnownPlaces()
        self._days = KnownDays(language)
        self._named: dict[tuple[str, Hashable], Identity] = {}
        self._taken: set[Identity] = set()

    def read(self, mentions: Sequence[PhiMention], language: Language) -> dict[int, Identity]:
        """Return whom or what the mentions of the next record mean, by their numbers."""

        def of(*kinds: SurrogateKind) -> list[PhiMention]:
            return [each for each in mentions if each.kind in kinds]

        people = self._people.read(of(SurrogateKind.PERSON), language)
        days = self._days.read(of(SurrogateKind.DATE), language)
        places = self._places.read(of(*_PLACES), language)
        told: dict[int, Hashable] = {**people, **days, **places}
        same = {
            each.number: (
                each.tag.phi_type.name,
                (each.kind, told.get(each.number, _value(each, language))),
            )
            for each in mentions
        }
        self._name(mentions, same)
        return {number: self._named[each] for number, each in same.items()}

    def _name(
        self, mentions: Iterable[PhiMention], same: Mapping[int, tuple[str, Hashable]]
    ) -> None:
        """Name what is new, by all the ways in which the record writes it."""
        longest: dict[tuple[str, Hashable], str] = {}
        for each in mentions:
            if (one := same[each.number]) not in self._named:
                ways = longest.get(one, ""), match_key(each.words)
                longest[one] = max(ways, key=lambda way: (len(way), way))
        for (type_name, what), name in longest.items():
            free = (each for each in _names(type_name, name) if each not in self._taken)
            self._named[type_name, what] = identity = next(free)
            self._taken.add(identity)


def _names(type_name: str, name: str) -> Iterator[Identity]:
    yield type_name, name
    for number in count(2):
        yield type_name, f"{name}\0{number}"


def _value(mention: PhiMention, language: Language) -> str:
    """What all mentions of the type have in common that mean the same, as their words tell."""
    if mention.kind is SurrogateKind.AGE:
        years = read_age(mention.text, language).years
        return str(years) if years else _in_digits(mention.words, language)
    if mention.kind in _NUMBERS:
        return value_of(mention.text)
    return match_key(mention.words)


def _in_digits(words: str, language: Language) -> str:
    """The words with their numbers in digits: `2 months` for `two months`."""
    numbers = {match_key(word): str(number) for word, number in language.ages.words.items()}
    return " ".join(numbers.get(word, word) for word in match_key(words).split())
