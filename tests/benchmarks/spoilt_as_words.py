"""Ways to spoil a gold standard with somebody's family name that is a word of the language, too."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from shared.language.name_lists import name_lists
from shared.model import Span
from shared.model.phi_traits import EntityKind, PersonRole
from tests.benchmarks.spoilt_gold import NothingToSpoilError, Spoiler, Spoilt, told_again

_CALLED = {"es": ("se avisa a", "hoy"), "de": ("heute", "angerufen")}
_TITLE = {"es": "SRA.", "de": "FRAU"}
_WORDS_OF_RECORDS = ("abril", "blando", "dolor", "mayo")
"""What fabricated records have in small letters, of a language that lists no names as words."""


def _of_words(sort: str, carrier: str, *roles: PersonRole) -> Callable[[Spoiler], Spoilt]:
    """A person's name becomes one that is a word, which stands untagged in a sentence once more.

    In `carrier` NAME, Name, nAME stand for the name so written, `called` and CALLED for words
    around it; in the language's own words.
    """

    def spoilt(spoiler: Spoiler) -> Spoilt:
        word = spoiler.rng.choice(_listed(spoiler))
        before, after = _CALLED.get(spoiler.language.code, ("called", "today"))
        words, shown = _written(carrier, word, before, after, spoiler.language.code)
        for at, tag, text in spoiler.tags(EntityKind.PERSON):
            of = spoiler.schema.traits_of(tag.phi_type).role
            found = re.fullmatch(r"([^\W\d_]{3,} )[^\W\d_]{3,}", text)
            if of not in roles or not found:
                continue
            new = f"{found[1]}{word.title()}"
            named = spoiler.rewritten(sort, at, tag, new, whole := Span(0, len(new)), whole)
            told = told_again(replace(spoiler, records=named.records), sort, at, words)
            if told:
                start = told.span.start + words.index(shown)
                return replace(told, span=Span(start, start + len(shown)))
        raise NothingToSpoilError

    return spoilt


def _listed(spoiler: Spoiler) -> Sequence[str]:
    """Family names that the language lists as words."""
    language = spoiler.language
    family = {name.casefold() for name in name_lists(language).family.every_common}
    names = {word for word in {*language.names.ambiguous} & family if len(word) > 3}
    return sorted(names) or _WORDS_OF_RECORDS


def _written(carrier: str, word: str, before: str, after: str, code: str) -> tuple[str, str]:
    """The sentence and the name as it stands in it."""
    names = {
        "NAME": word.upper(),
        "Name": word.title(),
        "nAME": word[0] + word[1:].upper(),
    }
    shown = next(written for key, written in names.items() if key in carrier)
    places = {"CALLED": before.upper(), "TODAY": after.upper(), "called": before, "today": after}
    places |= {"TITLE": _TITLE.get(code, "MS."), **names}
    return re.sub("|".join(places), lambda found: places[found[0]], carrier), shown


_OWN = (PersonRole.PATIENT, PersonRole.RELATIVE)
_ALL = tuple(PersonRole)

AS_WORDS: dict[str, Callable[[Spoiler], Spoilt]] = {
    sort: _of_words(sort, carrier, *roles)
    for sort, carrier, roles in (
        ("word in capitals", "CALLED NAME TODAY", _OWN),
        ("word in a heading", "NAME", _OWN),
        ("word among small letters", "called NAME today", _ALL),
        ("word behind a title", "CALLED TITLE NAME TODAY", _ALL),
        ("word as a name", "called Name today", _ALL),
        ("word first in a sentence", "called: Name today", _OWN),
        ("word with a small letter", "CALLED nAME TODAY", _OWN),
        ("word in the genitive", "CALLED NAME'S WARD", _OWN),
        ("word in the plural", "CALLED NAMES TODAY", _OWN),
        ("word with underscores", "CALLED_NAME_TODAY", _OWN),
        ("word glued to a colon", "CALLED:NAME/TODAY", _OWN),
    )
}
