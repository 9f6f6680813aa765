"""Identifiers: new digits and letters of the same length and format, the same value the same."""

import re
from collections.abc import Callable, Container, Iterable
from functools import cache
from random import Random
from string import ascii_uppercase

from shared.language.languages import Language
from shared.surrogates.drawing import draw_until
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.numbers.check_digits import with_check
from shared.text.spelling import in_plain_forms

NO_NUMBER = "no number or code could be recognised here"

_LETTERS = re.compile(r"[^\W\d_]+")
_VIN_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_VIN_LENGTH = 17


def value_of(text: str) -> str:
    """The letters and digits of an identifier in capitals, by which two are the same.

    A letter whose capital would be two (`ß`) stays.
    """
    letters = filter(str.isalnum, in_plain_forms(text))
    return "".join(upper if len(upper := each.upper()) == 1 else each for each in letters)


class Identifiers:
    """Surrogates of one patient's identifiers; no surrogate is one of `authentic`."""

    def __init__(self, authentic: Iterable[str], randomness: Random, language: Language) -> None:
        self._rules = language.numbers.check_digits
        self._labels = _labels(language)
        self._authentic = frozenset(authentic)
        self._randomness = randomness
        self._drawn: dict[str, str] = {}

    def surrogate(self, mention: PhiMention) -> Surrogate:
        text = mention.text
        words = [word for word in _LETTERS.findall(text) if word.upper() not in self._labels]
        if not _has_code(text, words):
            return Surrogate(mention.placeholder, "number unread", (NO_NUMBER,))
        value = value_of(text)
        new = self.fresh(value, text)
        return Surrogate(fill_format(text, new), f"number {new}")

    def social_security(self, mention: PhiMention) -> Surrogate:
        """Nine digits of which nobody has such: the first is 9, the group was never given out."""
        value = value_of(mention.text)
        if len(value) != 9 or not value.isdigit():
            return self.surrogate(mention)
        if value not in self._drawn:
            self._drawn[value] = self._until_new(lambda: self._impossible(value), value)
        new = self._drawn[value]
        return Surrogate(fill_format(mention.text, new), f"number {new}")

    def fresh(self, value: str, text: str) -> str:
        """The surrogate of a value, drawn where it has none yet."""
        if value not in self._drawn:
            kept = _label_places(text, self._labels)
            self._drawn[value] = self._until_new(
                lambda: with_check(value, self._scrambled(value, kept), self._rules), value
            )
        return self._drawn[value]

    def _until_new(self, draw: Callable[[], str], value: str) -> str:
        taken = {value, *self._authentic, *self._drawn.values()}
        return draw_until(draw, lambda new: new not in taken)

    def _impossible(self, value: str) -> str:
        draw = self._randomness.randrange
        area, group, serial = 900 + draw(100), 1 + draw(49), draw(1, 10000)
        new = f"{area}{group:02}{serial:04}"
        return new if new != value else f"{area}{group:02}{10000 - serial:04}"

    def _scrambled(self, value: str, kept: frozenset[int]) -> str:
        letters = _VIN_LETTERS if len(value) == _VIN_LENGTH else ascii_uppercase
        return "".join(
            char if place in kept else self._other(char, place, letters)
            for place, char in enumerate(value)
        )

    def _other(self, char: str, place: int, letters: str) -> str:
        if char.isdigit():
            if place == 0:
                return "0" if char == "0" else str(1 + self._randomness.randrange(9))
            return str(self._randomness.randrange(10))
        return self._randomness.choice(letters)


def fill_format(text: str, value: str) -> str:
    """Return `text` with its letters and digits replaced by those of `value`, in its own case."""
    rest = iter(value)
    new = (next(rest) if char.isalnum() else char for char in text)
    return "".join(
        each.lower() if char.islower() else each for each, char in zip(new, text, strict=True)
    )


@cache
def _labels(language: Language) -> frozenset[str]:
    """Words within an identifier that say what it is and stay, in capitals."""
    numbers, places = language.numbers, language.places
    phrases = (
        *(numbers.record_labels + numbers.other_labels + numbers.license_labels),
        *(places.unit_words + places.floor_words),
    )
    return frozenset(word.upper() for phrase in phrases for word in phrase.split() if len(word) > 1)


def _has_code(text: str, words: list[str]) -> bool:
    """True unless the text is in words, as where something else was tagged as a number."""
    longest = max((len(word) for word in words), default=0)
    return (any(char.isdigit() for char in text) and longest <= 5) or (
        bool(words) and len(words) == 1 and longest <= 8 and words[0].isupper()
    )


def _label_places(text: str, labels: Container[str]) -> frozenset[int]:
    """Where in the value of a text a label stands (`MRN`, `Room`), which is kept."""
    places: set[int] = set()
    for found in _LETTERS.finditer(text):
        if found[0].upper() in labels:
            start = len(value_of(text[: found.start()]))
            places.update(range(start, start + len(found[0])))
    return frozenset(places)
