"""Placeholders in place of PHI: `[DATE-3]`, the same for the same person, place and date.

What is the same is told by what the surrogates are made by: the words of a name in any form, the
day that a date means, a place and its abbreviations; where they tell nothing, by the words.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random

from shared.language.date_grammar import parse
from shared.language.languages import Language
from shared.model import Patient
from shared.surrogates.generators import generate_surrogates
from shared.surrogates.mentions import PhiMention, Surrogate, numbered_placeholder
from shared.surrogates.numbers.ages import read_age
from shared.surrogates.numbers.identifiers import value_of
from shared.surrogates.surrogate_kinds import (
    GEOGRAPHIC,
    NAMED_PLACES,
    SurrogateKind,
    SurrogateSettings,
)
from shared.text.spelling import match_key

_TOLD_BY_GROUP = GEOGRAPHIC | NAMED_PLACES | {SurrogateKind.PERSON, SurrogateKind.DATE}
_NUMBERS = frozenset(
    {SurrogateKind.NUMBER, SurrogateKind.SSN, SurrogateKind.PHONE, SurrogateKind.IP}
)
_YEAR = frozenset({"year", "decade"})
_DAY = frozenset({"day", "second", "weekday"})

_WORD = re.compile(r"[^\W\d_]+")
_INITIALS = re.compile(r"[A-Z]\.?(?:[ -]?[A-Z]\.?){1,3}")

Identity = tuple[str, str]
"""A type and, within it, who, where or when: alike for all mentions of the same."""


def tagged(
    patient: Patient,
    mentions: Sequence[PhiMention],
    settings: SurrogateSettings,
    randomness: Random,
) -> dict[int, Surrogate]:
    """Return the placeholder of every mention; those of a type are counted as they come."""
    return numbered(mentions, identities_of(patient, mentions, settings, randomness))


def numbered(
    mentions: Sequence[PhiMention], identities: Mapping[int, Identity]
) -> dict[int, Surrogate]:
    """Return placeholders for these mentions; those of a type are counted as they come."""
    numbers: dict[Identity, int] = {}
    counts: dict[str, int] = {}
    for each in mentions:
        identity = identities[each.number]
        if identity not in numbers:
            numbers[identity] = counts[identity[0]] = counts.get(identity[0], 0) + 1
    return placeholders(mentions, lambda each: str(numbers[identities[each.number]]))


def placeholders(
    mentions: Sequence[PhiMention], name: Callable[[PhiMention], str]
) -> dict[int, Surrogate]:
    """Return the placeholder of every mention, with what tells it from others of its type."""
    texts = {each.number: numbered_placeholder(each.tag.phi_type, name(each)) for each in mentions}
    return {number: Surrogate(text, text) for number, text in texts.items()}


def identities_of(
    patient: Patient,
    mentions: Sequence[PhiMention],
    settings: SurrogateSettings,
    randomness: Random,
) -> Mapping[int, Identity]:
    """Return who, where or when every mention means, by its number."""
    drawn = generate_surrogates(patient, mentions, settings, randomness)
    found = {
        each.number: (each.tag.phi_type.name, _same(each, drawn[each.number], settings.language))
        for each in mentions
    }
    people = [each for each in mentions if each.kind is SurrogateKind.PERSON]
    return found | _of_initials(people, found)


def _same(mention: PhiMention, drawn: Surrogate, language: Language) -> str:
    """What all mentions of the type have in common that mean the same."""
    is_read = drawn.text != mention.placeholder
    if mention.kind is SurrogateKind.DATE and is_read:
        roles = [each.roles for each in parse(mention.text, language).expressions]
        if len(roles) == 1:  # of a range, or of days of every week, the words tell
            precision = "day" if roles[0] & _DAY else "month" if roles[0] - _YEAR else "year"
            return f"{precision} {drawn.group}"
    elif mention.kind in _TOLD_BY_GROUP and is_read:
        return drawn.group
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


def _of_initials(
    people: Sequence[PhiMention], found: Mapping[int, Identity]
) -> dict[int, Identity]:
    """Who is meant by initials that only one of the people of the type has."""
    owners: dict[tuple[str, str], set[Identity]] = {}
    for each in people:
        words = _WORD.findall(match_key(each.words))
        initials = "".join(word[0] for word in words)
        for letters in {initials, initials[:1] + initials[-1:]} if len(words) > 1 else ():
            owners.setdefault((each.tag.phi_type.name, letters), set()).add(found[each.number])
    meant: dict[int, Identity] = {}
    for each in people:
        if _INITIALS.fullmatch(each.text):
            letters = "".join(_WORD.findall(match_key(each.text)))
            name = each.tag.phi_type.name
            those = owners.get((name, letters)) or owners.get((name, letters[0] + letters[-1]))
            those = (those or set[Identity]()) - {found[each.number]}
            if len(those) == 1:
                meant[each.number] = those.pop()
    return meant
