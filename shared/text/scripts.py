"""Where words begin and end in scripts that have no blanks there.

Those are Chinese, Japanese, Thai, Lao, Khmer and Burmese.

Where a word ends in them, no rule of characters tells. So every letter may be one's first or last,
but a mark stays with its letter, and mixed text is taken character by character: `于2071年` has
an edge at both ends of the number. Korean has blanks, and is none of them.

Arabic and Hebrew have blanks, but write `and`, `to`, `in` and the like as a letter that the next
word is written on to: `وأحمد` is `and Ahmad`.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

_HAN = (
    "\u2e80-\u2fd5\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufad9\U00020000-\U0003ffff"
)
_HIRAGANA = "\u3041-\u309f\U0001b150-\U0001b152"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_BOPOMOFO = "\u3100-\u312f\u31a0-\u31bf"
_SOUTH_EAST = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u0edc-\u0edf\u1000-\u103f\u1050-\u108f"
    "\u1780-\u17d3\uaa60-\uaa7f"
)
_FIRST = "\u0e01"
_FIRST_MARK = "\u0300"
"""No combining mark comes before this one, so that most characters need no looking up."""
UNSPACED = f"[{_HAN}{_HIRAGANA}{_KATAKANA}{_BOPOMOFO}{_SOUTH_EAST}]"
"""One such letter or mark, in a pattern."""
_RUNS = (f"[{_HAN}]", 4), (f"[{_KATAKANA}]", 30), (f"[{_HIRAGANA}]", 4)
"""Characters whose runs are words up to such a length; a longer run of most is a clause."""
_ARABIC = re.compile("[\u0620-\u064a\u066e-\u06d3]")
_STAYS = frozenset("\u0e33\u0eb3")
"""Vowels that are letters to Unicode but stand with the one before: Thai and Lao `am`."""
_ON_NEXT_WORD = re.compile(
    r"(?<!\w)(?:[\u0648\u0641]?[\u0628\u0643\u0644]|[\u0648\u0641]"
    r"|\u05d5?[\u05d1\u05d4\u05db\u05dc\u05de\u05e9]|\u05d5)"
)
"""What may be a word of one letter, or two such, before the word that it is written on to."""
_JOINERS = frozenset("\u1039\u17d2")
"""Signs that put the next letter below the one before: Burmese virama, Khmer coeng."""


def is_unspaced(char: str) -> bool:
    """True for a letter or mark of a script that has no blanks between words."""
    return char >= _FIRST and _any_of(UNSPACED).match(char) is not None


def is_unspaced_at(text: str, offset: int) -> bool:
    """True where such a letter stands, or a mark of one."""
    return is_unspaced(text[_of_letter(text, offset)])


def _of_letter(text: str, offset: int) -> int:
    """Where the letter is that a mark at `offset` stays with; `offset` itself of anything else."""
    while offset and is_mark(text[offset : offset + 1] or " "):
        offset -= 1
    return offset


def without_unspaced(text: str) -> str:
    """Return a text with a sign that is no letter in place of every unspaced one.

    So a number or address between such letters stands apart, as one means it.
    """
    return text if text.isascii() else _any_of(UNSPACED).sub("。", text)


def has_han(text: str) -> bool:
    """Whether a Chinese character stands anywhere in a text."""
    return _any_of(_RUNS[0][0]).search(text) is not None


def has_arabic(text: str) -> bool:
    """Whether a letter of the Arabic script stands anywhere in a text."""
    return _ARABIC.search(text) is not None


def is_han(text: str) -> bool:
    """True for Chinese characters and nothing else."""
    return bool(text) and all(map(_any_of(_RUNS[0][0]).match, text))


def length_in_letters(text: str) -> int:
    """The length of a text, one of whose unspaced characters tells as much as two letters."""
    return len(text) + sum(map(is_unspaced, text))


def is_edge_of_letter(text: str, offset: int) -> bool:
    """True between two characters of which one is unspaced, unless a mark joins them."""
    before, after = text[offset - 1], text[offset]
    if not (is_unspaced(before) or is_unspaced(after)):
        return False
    return not (is_mark(after) or after in _STAYS or before in _JOINERS)


def is_written_on_to(text: str, offset: int) -> bool:
    """True where the word at `offset` may have one of one letter, or two, written before it."""
    if text[offset - 1 : offset] < "\u05d0" or not text[offset : offset + 1].isalpha():
        return False
    starts = range(max(offset - 2, 0), offset)
    return any(_ON_NEXT_WORD.fullmatch(text, start, offset) for start in starts)


def begins_right_to_left(text: str) -> bool:
    """True where the first letter that has a direction is one of Arabic, Hebrew and the like."""
    for char in text:
        if (direction := unicodedata.bidirectional(char)) in ("L", "R", "AL"):
            return direction != "L"
    return False


def letters_apart(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a word of mixed text: every unspaced letter, and what stands between."""
    at = start
    for edge in range(start + 1, end):
        if is_edge_of_letter(text, edge):
            yield at, edge
            at = edge
    yield at, end


def name_around(text: str, offset: int) -> tuple[int, int] | None:
    """Return the place of what may be a name or a word at `offset` of unspaced text.

    That is a short run of Han characters or a run of kana, and where the text goes on and on the
    one letter with its marks. None where no unspaced character stands at `offset`.
    """
    offset = _of_letter(text, offset)
    if not is_unspaced(text[offset : offset + 1] or " "):
        return None
    for signs, longest in _RUNS:
        pattern = _any_of(signs)
        if pattern.match(text[offset]):
            start, end = _run(pattern, text, offset)
            return (start, end) if end - start <= longest else _letter(text, offset)
    return _letter(text, offset)


def _run(pattern: re.Pattern[str], text: str, offset: int) -> tuple[int, int]:
    start = end = offset
    while start > 0 and (pattern.match(text[start - 1]) or is_mark(text[start - 1])):
        start -= 1
    while is_mark(text[start]) and start < offset:  # of a letter of another script
        start += 1
    while end < len(text) and (pattern.match(text[end]) or is_mark(text[end])):
        end += 1
    return start, end


def _letter(text: str, offset: int) -> tuple[int, int]:
    """Where a letter stands with its marks."""
    start, end = offset, offset + 1
    while start > 0 and is_unspaced(text[start - 1]) and not is_edge_of_letter(text, start):
        start -= 1
    while end < len(text) and not is_edge_of_letter(text, end) and _goes_on(text[end]):
        end += 1
    return start, end


def _goes_on(char: str) -> bool:
    return is_unspaced(char) or is_mark(char)


@cache
def _any_of(signs: str) -> re.Pattern[str]:
    """A pattern of so many characters takes a while, and few records have any of them."""
    return re.compile(signs)


def is_mark(char: str) -> bool:
    """True for what stands on or around the letter before it: an accent, a vowel point."""
    return char >= _FIRST_MARK and unicodedata.category(char)[0] == "M"
