"""Cutting a text into the pieces that the recognizers label."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise

from shared.text.scripts import UNSPACED

_LETTER = rf"[^\W\d_{UNSPACED[1:-1]}]"
"""A letter of a script that has blanks between words."""
_UNSPACED_LETTER = rf"(?=\w){UNSPACED}(?:(?!\w){UNSPACED})*"
"""One of a script that has none, with its marks."""
_PIECE = (
    "[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿªº]+"
    "|[A-ZÀ-ÖØ-Þ]+(?![a-zß-öø-ÿªº])"  # capitals, as far as no lower case follows the last
    rf"|{_LETTER}+|\d+|_|{_UNSPACED_LETTER}|[^\w\s]"
)
_WORD = re.compile("[A-ZÀ-ÖØ-Þ]?[a-zß-öø-ÿªº]+")
_OTHER_LATIN = "[Ā-ɏḀ-ỿ]"
_WITH_OTHER = rf"(?={_LETTER}*{_OTHER_LATIN}){_LETTER}+"  # a word with such letters, as `Phạm`
_ANY_OTHER = re.compile(_OTHER_LATIN)
_TOKEN, _TOKEN_WITHOUT = re.compile(f"({_WITH_OTHER}|{_PIECE})"), re.compile(f"({_PIECE})")
"""A token, and one of a text without such letters, which is found twice as fast."""
_UNSAFE = re.compile("[\0\ud800-\udfff]")
LONGEST_SEQUENCE = 400
"""Lines of more tokens than this are labelled in parts, so that no line is too much for memory."""
WRAPPED = range(50, 101)
"""A text whose longest line has so many characters may have been broken into lines by a program."""
LONGEST_PIECE = 40_000
"""Texts of more characters than this are labelled in parts."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text: `words[i]` lies at `[starts[i], ends[i])`, in line `lines[i]`.

    Tokens end where letters meet digits, at every punctuation mark and where a lower-case letter
    meets a capital: `Since6/03/04` and `PérezNºCol` come apart (He et al. 2015, table 1). Where a
    script has no blanks between words, every letter is a token.
    `sequences` are the `[first, last)` token numbers of what is labelled at a time: a line with
    those that it runs on into, where a program broke them, for names may be broken too.
    """

    text: str
    starts: list[int]
    ends: list[int]
    words: list[str]
    lines: list[int]
    sequences: list[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.words)


def tokenized(text: str) -> Tokens:
    """Cut `text` into tokens. NUL and lone surrogates read as U+FFFD, which offsets survive."""
    text = _UNSAFE.sub("\ufffd", text)
    cut = _token_of(text).split(text)  # what is between tokens, and tokens, by turns
    reached = list(accumulate(map(len, cut)))
    starts, ends = reached[:-1:2], reached[1::2]
    lines: list[int] = []
    sequences: list[tuple[int, int]] = []
    offset = first = 0
    written = text.split("\n")
    for number, (line, runs_on) in enumerate(zip(written, _running_on(written), strict=True)):
        offset += len(line) + 1
        last = bisect_left(starts, offset, len(lines))
        lines.extend([number] * (last - len(lines)))
        if not runs_on:
            sequences.extend(_parts(first, last))
            first = last
    return Tokens(text, starts, ends, cut[1::2], lines, sequences)


def words_of(text: str) -> list[str]:
    """Return the words of the tokens of a text."""
    if _WORD.fullmatch(text):
        return [text]
    return _token_of(text).findall(_UNSAFE.sub("\ufffd", text))


def _token_of(text: str) -> re.Pattern[str]:
    return _TOKEN if _ANY_OTHER.search(text) else _TOKEN_WITHOUT


def pieces(text: str) -> Iterator[tuple[int, str]]:
    """Yield a long text in parts with the offset of each, cut after a line, a blank or anywhere."""
    start = 0
    while len(text) - start > LONGEST_PIECE:
        limit = start + LONGEST_PIECE
        cut = max(text.rfind("\n", start + LONGEST_PIECE // 2, limit), 0)
        cut = cut or max(text.rfind(" ", start + LONGEST_PIECE // 2, limit), 0) or limit - 1
        yield start, text[start : cut + 1]
        start = cut + 1
    yield start, text[start:]


def _running_on(lines: list[str]) -> list[bool]:
    """For each line, whether it was broken because the next word would not have fitted in."""
    width = max(map(len, lines))
    if width not in WRAPPED:
        return [False] * len(lines)
    return [_runs_on(line, after, width) for line, after in pairwise([*lines, ""])]


def _runs_on(line: str, after: str, width: int) -> bool:
    begins = bool(after) and not after[0].isspace()
    return begins and len(line) + 1 + len(after.split(" ", 1)[0]) > width


def _parts(first: int, last: int) -> Iterator[tuple[int, int]]:
    for start in range(first, last, LONGEST_SEQUENCE):
        yield start, min(start + LONGEST_SEQUENCE, last)
