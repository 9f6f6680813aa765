"""A text as it reads, however it stands: over line ends, with soft hyphens, in another case.

What tells `Ferrán-` and `diz` on the next line to be `Ferrándiz` stands here, for everything that
looks for a text again. Three forms build on each other:

text       one space for every run of blanks, none beside a letter of an unspaced script, nothing
           for a line end after a hyphen or for what nobody sees; accents on their letters
spelling   the same without hyphens between letters, which a line end may have put there or not
key        the same in small letters without accents: what is looked for
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from string import ascii_lowercase

from shared.model.span import Span
from shared.text.scripts import UNSPACED, is_mark
from shared.text.spelling import in_plain_forms, lowered_in_place, with_usual_letters

_GONE = "\0"
"""Stands, while a text is made flat, for a character that will go."""
_OTHER_BLANKS = tuple(
    "\n\t\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""All blanks but the space; looking for each in turn is quicker than a pattern for all of them."""
_CUT = re.compile(r"[-/@][ \t]*\n\s*")
_SOFT_HYPHEN = re.compile(r"\xad[ \t]*\n\s*")
_UNSEEN = re.compile(
    "[\xad\u0591-\u05bd\u05bf\u05c1\u05c2\u0640\u064b-\u0652\u0670\u200b-\u200f\u202a-\u202e"
    "\u2060-\u2069\ufeff]"
)
"""Soft hyphens, signs of direction and width, and the vowel points and stretching that Arabic and
Hebrew are written with or without."""
_ALIKE = (
    *(("\u2010", "-"), ("\u2011", "-"), ("\u2019", "'"), ("\u02bc", "'")),
    *((dot, "\u00b7") for dot in "\u2022\u2027\u2219\u22c5\u30fb\uff65"),
)
_ACCENTED = re.compile(
    r"[\s\S][\u0300-\u036f\u0653-\u0655\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a]+"
    r"|[\u1100-\u115f][\u1160-\u11a7][\u11a8-\u11ff]?|[\u0340-\u0341\u0374\u037e\u0387\u1f71-\u1ffd\u2126-\u212b\uf900-\ufaff]"
)
_PLAIN = re.compile("[!-~]++(?: [!-~]++)*+")
"""What reads as it is written, as nearly every tagged text does."""
_JOINED = re.compile("[A-Za-z]-[A-Za-z]")
_RUN, _RUN_OR_GONE = re.compile("  +"), re.compile(f"[ {_GONE}]{{2,}}|{_GONE}")
_HYPHEN = re.compile(r"[-\u00b7](?=[^\W\d_])")
_OTHER_LETTERS = re.compile(r"[^\W\d_a-z][^\W\d_]*")
_IS_SMALL = bytes(chr(code) in ascii_lowercase for code in range(256))
_BASED = re.compile("[\u00c0-\u06ff\u1e00-\u1fff]")
"""Letters whose accents can be lost: of Latin, Greek, Cyrillic and Arabic script."""


@lru_cache(maxsize=4096)
def flattened(text: str) -> str:
    """Return a text on one line, without blanks at its ends."""
    return text if _PLAIN.fullmatch(text) else FlatText(text.strip()).text


@lru_cache(maxsize=4096)
def spelling(text: str) -> str:
    """Return how a text is spelt, wherever a line ends in it."""
    if _PLAIN.fullmatch(text) and not _JOINED.search(text):
        return text
    return FlatText(text.strip()).spelling


@lru_cache(maxsize=4096)
def text_key(text: str) -> str:
    """Return what is the same for all places of a text, in whatever case and however broken."""
    return folded(spelling(text))


def without_points(text: str) -> str:
    """Return a text without signs that nobody sees, vowel points and stretching."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def is_small_word(written: str) -> bool:
    """True for one word in small letters, which is another where the text has a capital."""
    return written.isalpha() and written.islower()


def folded(text: str) -> str:
    """Return a text in small letters without accents, every character in its place."""
    if not text.isascii():
        for char in set(_BASED.findall(text)):
            base = unicodedata.normalize("NFD", char)[0]
            if base != char:
                text = text.replace(char, base)
        text = with_usual_letters(text)
    return lowered_in_place(text)


class FlatText:
    """The forms of one text; `original_span` leads back from its `text`.

    original   M e r c y LF     H o s p
    text       M e r c y   H o s p        Span(0, 10) of it is Span(0, 11) of the original
    """

    def __init__(self, original: str) -> None:
        even = _made_even(original)
        self.reads_as_written = _GONE not in even
        """Whether nothing but blanks is left out in `text`."""
        if self.reads_as_written:
            self.text, self._blanks = _with_single_blanks(even)
        else:
            changes = (
                (*found.span(), " " if " " in found[0] else "")
                for found in _RUN_OR_GONE.finditer(even)
            )
            self.text, self._blanks = _shortened(even, changes)
        self.original_text = original

    @cached_property
    def spelling(self) -> str:
        """The text without hyphens and middle dots between letters."""
        return self._spelt[0]

    @cached_property
    def key(self) -> str:
        """The spelling in small letters without accents, letter by letter."""
        return folded(self.spelling)

    @cached_property
    def amid(self) -> bytes:
        """For each offset of the spelling, 1 where it lies between two small ASCII letters."""
        small = self.spelling.encode("ascii", "replace").translate(_IS_SMALL)
        left, right = (int.from_bytes(each, "little") for each in (b"\0" + small, small + b"\0"))
        return (left & right).to_bytes(len(small) + 1, "little")

    @cached_property
    def capitalised(self) -> list[tuple[int, int]]:
        """Where the spelling has a run of letters that are not all small ones of ASCII."""
        spelt, runs = self.spelling, list[tuple[int, int]]()
        for found in _OTHER_LETTERS.finditer(spelt):
            start = found.start()
            while start and spelt[start - 1] in ascii_lowercase:
                start -= 1
            runs.append((start, found.end()))
        return runs

    def in_text(self, start: int, end: int) -> tuple[int, int]:
        """Return where `[start, end)` of spelling or key stands in `text`."""
        return self._spelt[1].before(start, end)

    def in_spelling(self, offset: int) -> int:
        """Return where an offset of the original is in the spelling, or beside it if it went."""
        return self._spelt[1].after(self._blanks.after(offset))

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return where `[start, end)` of `text` came from; it has no blank at its ends.

        The marks of its last letter belong to it.
        """
        start, end = self._blanks.before(start, end)
        while _is_of_letter(self.original_text[end : end + 1] or " "):
            end += 1
        return start, end

    def original_span(self, start: int, end: int) -> Span:
        """Return `original` as a span."""
        return Span(*self.original(start, end))

    @cached_property
    def _spelt(self) -> tuple[str, "_Offsets"]:
        text = self.text
        hyphens = (found.start() for found in _HYPHEN.finditer(text))
        return _shortened(text, ((at, at + 1, "") for at in hyphens if text[at - 1 : at].isalpha()))


class _Offsets:
    """Where the characters of a text stood before it was shortened."""

    def __init__(self, points: list[int], removed: list[int]) -> None:
        self._points = points
        """After each of these characters another number is missing."""
        self._removed = removed

    def before(self, start: int, end: int) -> tuple[int, int]:
        at = bisect_left(self._points, start)
        shift = self._removed[at]
        if at < len(self._points) and self._points[at] < end - 1:
            at = bisect_left(self._points, end - 1, at)
        return start + shift, end + self._removed[at]

    def after(self, offset: int) -> int:
        at = bisect_right(self._ends, offset)
        there = offset - self._removed[at]
        return min(there, self._points[at] + 1) if at < len(self._points) else there

    @cached_property
    def _ends(self) -> list[int]:
        """Where each change ended in the text before."""
        return [at + 1 + gone for at, gone in zip(self._points, self._removed[1:], strict=True)]


def _with_single_blanks(text: str) -> tuple[str, _Offsets]:
    """What `_shortened` makes of runs of blanks, as nearly all changes are, in half the time."""
    runs = [found.span() for found in _RUN.finditer(text)]
    removed = [0, *accumulate(end - start - 1 for start, end in runs)]
    points = [start - gone for (start, _), gone in zip(runs, removed, strict=False)]
    return _RUN.sub(" ", text) if runs else text, _Offsets(points, removed)


def _shortened(text: str, changes: Iterable[tuple[int, int, str]]) -> tuple[str, _Offsets]:
    """Put a shorter piece, or nothing, in the place of each `[start, end)`, which are in order."""
    pieces: list[str] = []
    points: list[int] = []
    removed = [0]
    done = missing = 0
    for start, end, instead in changes:
        pieces += text[done:start], instead
        points.append(start - missing + len(instead) - 1)
        missing += end - start - len(instead)
        removed.append(missing)
        done = end
    pieces.append(text[done:])
    return "".join(pieces), _Offsets(points, removed)


def _made_even(text: str) -> str:
    """Return the text with all blanks as spaces and what will go marked, all in its place."""
    is_ascii = text.isascii()
    if not is_ascii:
        text = _with_plain_signs(text)
    if "\n" in text:
        text = _CUT.sub(_without_line_end, text)
    for blank in _OTHER_BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    if not is_ascii:
        for pattern in _beside_unspaced():
            text = pattern.sub(_without_blanks, text)
    return text


def _with_plain_signs(text: str) -> str:
    text = _UNSEEN.sub(_GONE, _SOFT_HYPHEN.sub(_gone, text))
    text = in_plain_forms(text)
    for sign, plain in _ALIKE:
        text = text.replace(sign, plain)
    if not unicodedata.is_normalized("NFC", text):
        text = _ACCENTED.sub(_composed, text)
    return text


def _composed(found: re.Match[str]) -> str:
    short = unicodedata.normalize("NFC", found[0])
    return short + _GONE * (len(found[0]) - len(short)) if len(short) <= len(found[0]) else found[0]


def _without_line_end(found: re.Match[str]) -> str:
    """Leave the line end out after a sign that holds two words together."""
    text, start, end = found.string, *found.span()
    holds = text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
    return text[start] + _GONE * (end - start - 1) if holds else found[0]


@cache
def _beside_unspaced() -> tuple[re.Pattern[str], ...]:
    """Blanks beside a letter of a script that has none; patterns that take a while to compile."""
    return re.compile(rf"{UNSPACED} +"), re.compile(rf" +(?={UNSPACED})")


def _without_blanks(found: re.Match[str]) -> str:
    return found[0].replace(" ", _GONE)


def _is_of_letter(char: str) -> bool:
    return is_mark(char) or "\u1160" <= char <= "\u11ff"  # the parts of a Korean syllable


def _gone(found: re.Match[str]) -> str:
    return _GONE * len(found[0])
