"""What one click tags: everything between blanks that belongs together.

Such as `2007-05-09`, `(617) ` without its brackets, `HOLCOMB,DENNIS`, `O'Brien` or
`a.lee@mercy.example`. What of it is an ending, the language tells.
"""

import re
from collections.abc import Iterator

from shared.language.languages import Language
from shared.model.span import Span
from shared.text.scripts import is_unspaced_at, name_around

_BRACKETS = '()[]{}<>"“”«»;|=*，。、：；！？「」『』（）《》〈〉【】・｜＝'
_OUTER = ".,:!?'’`-–—/\\&#_~^"
_POSSESSIVE = "{possessive_ending}$"
_AGE = (
    r"(?i)(?:\d{1,3}|[^\W\d_]+(?:-[^\W\d_]+)?)(?=-{age_hyphened})"
    r"|\d{1,3}(?={age_glued})"
)
_WORD = re.compile(r"\w+")
_LONGEST = 200


def chunk_at(text: str, offset: int, language: Language) -> Span | None:
    """Return what one click at `offset` tags; None amid white space or bare punctuation.

    An offset just behind a chunk still means that chunk, for a caret there stands at its end. A
    possessive 's, what makes a number an age (`56-year-old`, `56yo`), and punctuation and brackets
    around are left out. In a script without blanks it is what may be a name there, else a letter.
    """
    offset = min(offset, len(text))
    here = text[offset : offset + 1]
    behind = not here or here.isspace() or here in _BRACKETS or here in _OUTER
    if name := name_around(text, max(0, offset - 1) if behind else offset):
        return Span(*name)
    start, end = _between_blanks(text, offset)
    for split in _splits(text, start, end):
        if split >= offset:
            end = split
            break
        start = split + 1
    start, end = _stripped(text, start, end)
    age = language.expression(_AGE).match(text, start, end)
    return without_possessive(text, start, age.end() if age else end, language)


def chunks_within(text: str, span: Span, language: Language) -> Iterator[Span]:
    """Yield, in order, what clicks on the words that begin within a stretch would tag."""
    reached = span.start
    while word := _WORD.search(text, reached, span.end):
        chunk = chunk_at(text, word.start(), language)
        if chunk is not None and chunk.start >= reached:
            yield chunk
        reached = max(word.end() if chunk is None else chunk.end, word.start() + 1)


def without_possessive(text: str, start: int, end: int, language: Language) -> Span | None:
    """Return `[start, end)` without a possessive at its end; None where nothing is left."""
    found = language.expression(_POSSESSIVE).search(text[start:end])
    if found and found.start() > 0:
        end = start + found.start()
    return Span(start, end) if start < end else None


def _between_blanks(text: str, offset: int) -> tuple[int, int]:
    start = end = offset
    while start > 0 and offset - start < _LONGEST and not _parts(text, start - 1):
        start -= 1
    while end < len(text) and end - offset < _LONGEST and not _parts(text, end):
        end += 1
    return start, end


def _parts(text: str, at: int) -> bool:
    return text[at].isspace() or is_unspaced_at(text, at)


def _splits(text: str, start: int, end: int) -> list[int]:
    return [at for at in range(start, end) if _splits_at(text, at)]


def _splits_at(text: str, at: int) -> bool:
    char = text[at]
    if char in _BRACKETS:
        return True
    if char == ":":
        return text[at + 1 : at + 3] != "//" and not _digits_around(text, at)
    if char == ",":
        return not _capitals_around(text, at)
    return False


def _digits_around(text: str, at: int) -> bool:
    return text[max(0, at - 1) : at].isdigit() and text[at + 1 : at + 2].isdigit()


def _capitals_around(text: str, at: int) -> bool:
    """True inside `HOLCOMB,DENNIS`, the way hospitals write a name."""
    return text[max(0, at - 2) : at].isupper() and text[at + 1 : at + 3].isupper()


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in _OUTER and not _stands_for_century(text, start):
        start += 1
    while start < end and text[end - 1] in _OUTER:
        end -= 1
    return start, end


def _stands_for_century(text: str, at: int) -> bool:
    """True at the quote mark of '92, which belongs to the date."""
    return text[at] in "'’" and text[at + 1 : at + 3].isdigit()
