"""Which places of a patient are the same, told record by record and never told anew.

Cities are told by their names, states, countries and postal codes by what they are in whatever
form; a city is its state where both have one name and type (`Barcelona`). Of an institution or a
street the first proper words tell, so that `Greenfield Hospital` and `Greenfield` are one. `Gate`
is `Gate of Heaven` where only one name over small words has it, `GH` the one institution with these
first letters, or of many the one named last before it in the same record. What could be two that
are known is neither of them, but a place of its own.

A part or the letters of a name that stood alone in records before are the first name that they are
of, where a record brings only one.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from shared.language.languages import Language
from shared.language.region_lists import postal_digits, read_country, region_codes
from shared.model import PhiType
from shared.surrogates.mentions import PhiMention
from shared.surrogates.numbers.identifiers import value_of
from shared.surrogates.places.geography import kinds_of_places
from shared.surrogates.places.institutions import ABBREVIATION, acronym, family_of
from shared.surrogates.places.proper_words import TOKEN, has_small_word, proper_runs
from shared.surrogates.surrogate_kinds import GEOGRAPHIC, NAMED_PLACES, SurrogateKind
from shared.text.spelling import match_key


class KnownPlaces:
    """The places of one patient so far."""

    def __init__(self) -> None:
        self._cities: set[str] = set()
        self._named: dict[PhiType, _NamedPlaces] = {}

    def read(self, mentions: Sequence[PhiMention], language: Language) -> Mapping[int, str]:
        """Return what tells the place of each mention of a record, by number of the mention."""
        geographic = [each for each in mentions if each.kind in GEOGRAPHIC]
        kinds = kinds_of_places(geographic, language)
        found = {each.number: _called(each, kinds[each.number], language) for each in geographic}
        cities = (each for each in geographic if kinds[each.number] is SurrogateKind.CITY)
        self._cities |= {match_key(each.words) for each in cities}
        by_type: dict[PhiType, list[PhiMention]] = {}
        for each in mentions:
            if each.kind in NAMED_PLACES:
                by_type.setdefault(each.tag.phi_type, []).append(each)
        for phi_type, own in by_type.items():
            places = self._named.setdefault(phi_type, _NamedPlaces())
            numbers = places.read([(each, self._name(each, language)) for each in own], language)
            found |= {each.number: f"name {numbers[each.number]}" for each in own}
        return found

    def _name(self, mention: PhiMention, language: Language) -> str:
        """The first proper words of a name, folded; all where none are proper."""
        runs = proper_runs(
            mention.text,
            language,
            of_street=mention.kind is SurrogateKind.STREET,
            is_city=lambda text: match_key(text) in self._cities,
            of_hospital=family_of(mention) == "stem",
        )
        long = (mention.text[start:end] for start, end in runs if end - start > 1)
        return match_key(next(long, mention.text))


def _called(mention: PhiMention, kind: SurrogateKind, language: Language) -> str:
    """What is the same for all ways to write a city, state, postal code or country."""
    key = match_key(mention.words)
    if kind is SurrogateKind.ZIP:
        return f"zip {postal_digits(mention.text, language) or value_of(mention.text)}"
    if kind is SurrogateKind.COUNTRY and (country := read_country(mention.text, language)):
        return f"country {country[0].code}"
    return f"place {region_codes(language).get(key.strip('. '), key)}"


class _NamedPlaces:
    """Institutions or streets of one type, by number."""

    def __init__(self) -> None:
        self._numbers = count()
        self._by_name: dict[str, int] = {}
        self._by_letters: dict[str, set[int]] = {}
        """The names with these first letters."""
        self._letters_alone: dict[str, int] = {}
        self._wholes: dict[str, set[str]] = {}
        """The names over small words by their parts."""

    def read(
        self, mentions: Sequence[tuple[PhiMention, str]], language: Language
    ) -> Mapping[int, int]:
        """Return the place of each mention of a record, given with its name."""
        full = [each for each in mentions if not _is_short(each[0])]
        wholes = {name for each, name in full if _is_over_small_words(each, name, language)}
        for name in wholes:
            for part in _parts(name, language):
                self._wholes.setdefault(part, set()).add(name)
        letters: dict[str, set[str]] = {}
        for each, name in full:
            letters.setdefault(name, set()).add(acronym(each.text, language))
        new = {name for _, name in full if name not in self._by_name}
        for name in sorted(new, key=lambda each: (each not in wholes, each)):
            self._by_name[name] = self._first_number(name, new, letters, language)
        for name, forms in letters.items():
            for each in forms:
                self._by_letters.setdefault(each, set()).add(self._by_name[name])
        return dict(self._in_order(mentions, language))

    def _in_order(
        self, mentions: Sequence[tuple[PhiMention, str]], language: Language
    ) -> Iterator[tuple[int, int]]:
        """Yield number and place of each mention; letters are told by what stands before them."""
        last: dict[str, int] = {}
        for each, name in mentions:
            if not _is_short(each):
                place = self._by_name[name]
                last[acronym(each.text, language)] = place
            else:
                every = self._by_letters.get(each.text, set())
                told = last.get(each.text) if len(every) > 1 else next(iter(every), None)
                place = self._alone(each.text) if told is None else told
            yield each.number, place

    def _alone(self, letters: str) -> int:
        """The place of letters that no name, or more than one, is known to have."""
        if letters not in self._letters_alone:
            self._letters_alone[letters] = next(self._numbers)
        return self._letters_alone[letters]

    def _first_number(
        self, name: str, new: set[str], letters: Mapping[str, set[str]], language: Language
    ) -> int:
        """The place that a new name is of: one known by a part of it, or its letters, else new."""
        wholes = self._wholes.get(name, set[str]())
        if len(wholes) == 1 and (whole := next(iter(wholes))) in self._by_name:
            return self._by_name[whole]
        known = {
            self._by_name[part]
            for part in _parts(name, language)
            if part in self._by_name and self._wholes.get(part) == {name}
        }
        for short in letters[name] & self._letters_alone.keys() - self._by_letters.keys():
            if not any(short in letters[each] for each in new - {name}):
                known.add(self._letters_alone[short])
        return known.pop() if len(known) == 1 else next(self._numbers)


def _is_short(mention: PhiMention) -> bool:
    is_street = mention.kind is SurrogateKind.STREET
    return not is_street and ABBREVIATION.fullmatch(mention.text) is not None


def _is_over_small_words(mention: PhiMention, name: str, language: Language) -> bool:
    return family_of(mention) == "stem" and has_small_word(name, language)


def _parts(name: str, language: Language) -> list[str]:
    """The words of a name over small words, none of another: `gate`, `heaven`."""
    if not has_small_word(name, language):
        return []
    small = language.places.small_words
    return [each for each in TOKEN.findall(name) if each not in small]
