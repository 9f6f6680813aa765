"""How a word is written: its case, its accents, the typos of a typist."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

_DOUBLED = re.compile(r"(.)\1")
_WORD = re.compile(r"[^\W\d_]+")
_OTHER_FORMS = re.compile(
    "[\uff0b\uff0d-\uff19\uff20-\uff3a\uff3f\uff41-\uff5a\u0660-\u0669\u06f0-\u06f9\u0966-\u096f"
    "\u09e6-\u09ef\u0e50-\u0e59\u0ed0-\u0ed9\u1040-\u1049\u17e0-\u17e9]"
)
"""Wide letters and signs of numbers and addresses; digits of Arabic and of scripts of Asia."""
_FEW_CAPITALS = 0.02
_WRITTEN_FOR = (
    *((alef, "ا") for alef in "أإآٱ"),
    *(("ة", "ه"), ("ى", "ي"), ("ی", "ي"), ("ک", "ك")),
)
"""Letters of Arabic script for which another one is often written."""


def lowered_in_place(text: str) -> str:
    """Return `text` in small letters, every character in its place.

    A character that would become two, such as the Turkish İ, stays as it is.
    """
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)


def is_without_capitals(words: Iterable[str]) -> bool:
    """Whether hardly any of a text's words begins with a capital: names are written small, too.

    False for scripts that have none.
    """
    begins = [word[0].isupper() for word in words if word[0].isupper() or word[0].islower()]
    return sum(begins) < _FEW_CAPITALS * len(begins)


def in_plain_forms(text: str) -> str:
    """Return `text` with digits as 0 to 9 and wide letters as others, every one in its place."""
    return text if text.isascii() else _OTHER_FORMS.sub(_plain_form, text)


def with_usual_letters(text: str) -> str:
    """Return `text` with letters that are written for each other the same, all in their places."""
    if text.isascii():
        return text
    for letter, other in _WRITTEN_FOR:
        text = text.replace(letter, other)
    return text


def match_key(text: str) -> str:
    """Return the text in lower case, without accents, every run of blanks as one space.

    Digits and letters are those that `in_plain_forms` and `with_usual_letters` give.
    """
    if text.isascii():
        return " ".join(text.lower().split())
    plain = with_usual_letters(in_plain_forms(without_accents(text)))
    return " ".join(plain.casefold().split())


_LATIN = re.compile(r"LATIN (?:CAPITAL|SMALL) (?:LETTER|LIGATURE) ([A-Z])E?\b")


def without_accents(text: str) -> str:
    """Return the text without accents."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize(
        "NFC", "".join(char for char in decomposed if unicodedata.category(char) != "Mn")
    )


def base_letter(char: str) -> str:
    """The letter A to Z that a Latin letter is a form of, as D of `đ` and O of `Ø`; "" for others.

    Other than an accent, a stroke does not come apart from its letter.
    """
    found = _LATIN.match(unicodedata.name(char, "")) if char else None
    return found[1] if found else ""


def match_case(new: str, old: str) -> str:
    """Return `new` in the case of `old`: all capitals, all small, or as it stands.

    A single letter says nothing: `A` is a capital, not all capitals.
    """
    letters = [char for char in old if char.isalpha()]
    if len(letters) > 1 and all(char.isupper() for char in letters):
        return new.upper()
    if letters and all(char.islower() for char in letters):
        return new.lower()
    if letters and letters[0].isupper() and new[:1].islower():
        return new[0].upper() + new[1:]
    return new


def match_case_by_word(new: str, old: str) -> str:
    """Return `new` in the case of `old`, where each word of both may have its own."""
    whole = match_case(new, old)
    if whole != new or not new:
        return whole
    words = _WORD.findall(old)
    if len(words) > 1 and all(word[0].isupper() for word in words):
        return _WORD.sub(lambda found: found[0][0].upper() + found[0][1:], new)
    return new


def _plain_form(found: re.Match[str]) -> str:
    digit = unicodedata.digit(found[0], None)
    return unicodedata.normalize("NFKC", found[0]) if digit is None else str(digit)


@dataclass(frozen=True, slots=True)
class Typo:
    """What a typist did to a word: at `place` (0 to 1 of its length) something of `kind`."""

    kind: str
    place: float


def typo_between(right: str, wrong: str) -> Typo | None:
    """Return the one slip that makes `wrong` of `right`, None where none does.

    Slips are two letters swapped, one doubled, put in, lost or changed (Damerau, 1964), and
    another letter doubled than should be (`Marrisa`).
    """
    if right == wrong or abs(len(right) - len(wrong)) > 1:
        return None
    # no slip changes both ends, but in two letters
    if right[:1] != wrong[:1] and right[-1:] != wrong[-1:] and len(right) + len(wrong) > 4:
        return None
    at = _first_difference(right, wrong)
    place = at / max(len(right), 1)
    if len(wrong) == len(right):
        kind = _same_length_typo(right, wrong, at)
    elif len(wrong) > len(right):
        doubled = at and wrong[at] == wrong[at - 1]
        kind = ("double" if doubled else "insert") if right[at:] == wrong[at + 1 :] else ""
    else:
        kind = "lose" if right[at + 1 :] == wrong[at:] else ""
    return Typo(kind, place) if kind else None


class AlikeSpellings:
    """Words to be asked for those that may be one slip from another, in about constant time.

    Two words of which one slip makes the other are alike once a letter of either is left out, or
    every doubled letter is single (Garbe, 2012).
    """

    def __init__(self) -> None:
        self._by_form: dict[str, list[str]] = {}

    def add(self, word: str) -> None:
        """Have the word found from now on."""
        for form in _forms_with_slips(word):
            self._by_form.setdefault(form, []).append(word)

    def near(self, word: str) -> set[str]:
        """All words that may be one slip from `word`; `typo_between` tells."""
        forms = _forms_with_slips(word)
        return {each for form in forms for each in self._by_form.get(form, ())} - {word}


def _forms_with_slips(word: str) -> set[str]:
    shorter = {word[:at] + word[at + 1 :] for at in range(len(word))}
    return {word, *shorter, f"single {_single(word)}"}


def apply_typo(word: str, slip: Typo) -> str:
    """Return the word with a slip at about the same place; never the word itself.

    A word too short for the slip has its last letter doubled.
    """
    for kind in (slip.kind, "swap", "double"):
        places = sorted(range(len(word)), key=lambda at: abs(at / len(word) - slip.place))
        for at in places:
            wrong = _with_typo(word, kind, at)
            if wrong not in {word, ""}:
                return wrong
    return word + word[-1:]


def _same_length_typo(right: str, wrong: str, at: int) -> str:
    if right[at + 1 :] == wrong[at + 1 :]:
        return "change"
    if right[:at] + right[at + 1 : at + 2] + right[at] + right[at + 2 :] == wrong:
        return "swap"
    return "double" if _single(right) == _single(wrong) else ""


def _single(word: str) -> str:
    """Return the word with every letter that is doubled once."""
    return _DOUBLED.sub(r"\1", word)


def _first_difference(one: str, other: str) -> int:
    at = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        at += 1
    return at


def _with_typo(word: str, kind: str, at: int) -> str:
    if kind == "swap":
        swapped = word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
        return swapped if 0 < at < len(word) - 1 else word
    if kind in {"double", "insert"}:
        return word[:at] + word[at] + word[at:] if at else word
    if kind == "lose":
        return word[:at] + word[at + 1 :] if len(word) > 2 else word
    return word[:at] + _neighbour(word[at]) + word[at + 1 :] if at else word


def _neighbour(letter: str) -> str:
    """Return another letter, a vowel for a vowel."""
    for row in ("aeiou", "bcdfghjklmnpqrstvwxyz"):
        if letter.lower() in row:
            other = row[(row.index(letter.lower()) + 1) % len(row)]
            return other.upper() if letter.isupper() else other
    return letter
