"""Where else a phrase stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from string import whitespace

from shared.language.known_languages import known_languages
from shared.language.languages import languages_together
from shared.model.span import Span
from shared.text.flat_text import FlatText, is_small_word, spelling, text_key
from shared.text.scripts import is_edge_of_letter, is_written_on_to
from shared.text.words import is_word_character

_BLANKS = re.compile(r"\s+")
_JOINTS = "/.:"
_WORD_BEFORE = r"(?:[a-zß-öø-ÿ]{2}|\b{glued_before})\Z"
_AGE_UNIT = r"(?i){glued_age_unit}(?![^\W_])"
_CAPITALISED = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2}")
_APART = frozenset(whitespace + ",;()\"'*=|<>")
"""Beside these a phrase stands alone in any case, as most do that are found at all."""
GLUED_LENGTH = 5
"""A phrase at least this long is also found where it is part of a longer word (`Since6/03/04`)."""
_LEAST_WRITTEN_ON_TO = 3
"""So is one of this many letters behind a word of one letter (`وأحمد`)."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where a phrase stands; `glued` where letters meet digits or `aB` at its edge."""

    span: Span
    glued: bool = False


def phrase_pattern(phrase: str, *, ignore_case: bool = False) -> re.Pattern[str]:
    """Return the pattern of `phrase`, any blanks in which match any blanks, line ends included."""
    words = (re.escape(word) for word in _BLANKS.split(phrase.strip()))
    return re.compile(r"\s+".join(words), re.IGNORECASE if ignore_case else 0)


def occurrences(phrase: str, text: str, *, ignore_case: bool = False) -> Iterator[Occurrence]:
    """Yield every place where `phrase` stands in `text` as whole words, in order.

    A possessive 's after it is not part of it. Blanks match any blanks, line ends included. Long
    phrases are found glued to a neighbour too and marked so; short ones are not (`12` in `B12`).
    """
    if not phrase.strip():
        return
    pattern, at = phrase_pattern(phrase, ignore_case=ignore_case), 0
    while found := pattern.search(text, at):
        edges = {edge_kind(text, found.start()), edge_kind(text, found.end())}
        least = 0 if "glued" not in edges else _least_length(text, found.start())
        if "inside" not in edges and len(phrase) >= least:
            yield Occurrence(Span(found.start(), found.end()), glued="glued" in edges)
            at = found.end()
        else:
            at = found.start() + 1  # `1 1` in `21 1 1` begins inside the match just refused


def repeats(phrase: str, flat: FlatText, *, small: bool = False) -> Iterator[Occurrence]:
    """Yield every place where `phrase` stands, however it does: over line ends, in another case.

    One word in small letters counts where the phrase is one, or with `small`.
    """
    key = text_key(phrase)
    if not any(map(str.isalnum, key)):
        return
    small = small or is_small_word(spelling(phrase))
    start = flat.key.find(key)
    while start >= 0:
        end = start + len(key)
        place = whole_place(flat, start, end)
        if place and (small or not is_small_word(flat.spelling[start:end])):
            glued = "glued" in {edge_kind(flat.text, at) for at in place}
            yield Occurrence(flat.original_span(*place), glued)
        start = flat.key.find(key, start + 1)


def whole_place(flat: FlatText, start: int, end: int) -> tuple[int, int] | None:
    """Return where `[start, end)` of a key stands in the flat text; None amid a word.

    Most places of a short phrase lie amid a word: a look at the letters beside spares the
    thorough one.
    """
    if flat.amid[start] or flat.amid[end]:
        return None
    place = flat.in_text(start, end)
    return place if is_whole_token(flat.text, *place) else None


def is_whole_token(text: str, start: int, end: int) -> bool:
    """True where `[start, end)` are whole words, or a phrase part of a longer word.

    A long phrase counts wherever letters meet digits or `aB` at its edge. A short one would count
    far too often (`12` in `B12`), so only where it is written as PHI is: an age before its unit
    (`61yo`), digits after a word (`since2081`), initials before one (`KLFocus`), and behind a word
    of one letter that is written on to the next.
    """
    if text[start - 1 : start] in _APART and text[end : end + 1] in _APART:
        return True
    left = edge_kind(text, start)
    if left == "inside":
        return False
    right = edge_kind(text, end)
    if left == right == "whole":
        return True
    if end - start >= _least_length(text, start) and right != "inside":
        return True
    return (left == "whole" or _follows_word(text, start)) and (
        right == "whole" or _precedes_unit(text, end) or _ends_initials(text, start, end)
    )


def edge_kind(text: str, offset: int) -> str:
    """Say what an edge at `offset` is: "whole" between words, "glued", or "inside" one.

    A date, a decimal or a time of day is one number: `5/9` ends inside of `5/9/07`. Beside a letter
    of a script without blanks, every edge is whole.
    """
    if not 0 < offset < len(text):
        return "whole"
    before, after = text[offset - 1], text[offset]
    if before in _JOINTS or after in _JOINTS:
        return "inside" if _cuts_number(text, offset) else "whole"
    if not (is_word_character(before) and is_word_character(after)):
        return "whole"
    if is_edge_of_letter(text, offset):
        return "whole"
    if is_written_on_to(text, offset):
        return "glued"
    letters_meet_digits = (
        before.isalpha() != after.isalpha() and before.isdigit() != after.isdigit()
    )
    camel = before.islower() and after.isupper()
    return "glued" if letters_meet_digits or camel else "inside"


def _least_length(text: str, start: int) -> int:
    """How long a phrase has to be at least that is found as a part of a longer word."""
    return _LEAST_WRITTEN_ON_TO if is_written_on_to(text, start) else GLUED_LENGTH


def _cuts_number(text: str, offset: int) -> bool:
    """True where digits go on behind the joint at one side of an edge, as in `5/9|/07`."""
    after = text[offset - 1].isdigit() and text[offset + 1 : offset + 2].isdigit()
    before = text[offset].isdigit() and text[max(0, offset - 2) : offset - 1].isdigit()
    return after if text[offset] in _JOINTS else before


def _follows_word(text: str, start: int) -> bool:
    before = max(0, start - 3), start
    return text[start].isdigit() and _any_language(_WORD_BEFORE).search(text, *before) is not None


def _precedes_unit(text: str, end: int) -> bool:
    return text[end - 1].isdigit() and _any_language(_AGE_UNIT).match(text, end) is not None


@cache
def _any_language(template: str) -> re.Pattern[str]:
    """An expression with the words of all known languages: what is glued is read in any record."""
    return languages_together(known_languages()).expression(template)


def _ends_initials(text: str, start: int, end: int) -> bool:
    return text[start:end].isupper() and _CAPITALISED.match(text, end) is not None
