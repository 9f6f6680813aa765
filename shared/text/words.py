"""Where words begin and end, as annotators mean it.

A *word* is a run of letters, digits and combining marks, and selections snap to its edges. What one
click tags may be more (`shared.language.chunks`).

Where a script has no blanks between words (`shared.text.scripts`), every letter is a word, so that
a selection stays as it is.
"""

from shared.model.span import Span
from shared.text.scripts import is_edge_of_letter, is_mark, is_unspaced


def is_word_character(char: str) -> bool:
    if char.isalnum() or char == "_" or is_unspaced(char):
        return True
    return is_mark(char)


def is_word_start(text: str, offset: int) -> bool:
    """True unless `offset` cuts a word in two."""
    return not (
        0 < offset < len(text)
        and is_word_character(text[offset - 1])
        and is_word_character(text[offset])
        and not is_edge_of_letter(text, offset)
    )


def trimmed(text: str, start: int, end: int) -> Span | None:
    """Return `[start, end)` without white space at its ends, None where nothing else is in it."""
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    right = len(piece.rstrip())
    return Span(start + left, start + right) if left < right else None


def snapped(text: str, start: int, end: int) -> Span | None:
    """Return `[start, end)` grown to whole words and trimmed of white space.

    None where there is nothing but white space in it.
    """
    span = trimmed(text, start, end)
    if span is None:
        return None
    start, end = span.start, span.end
    while not is_word_start(text, start):
        start -= 1
    while not is_word_start(text, end):
        end += 1
    return Span(start, end)


def next_word(text: str, offset: int) -> int:
    """Return the first end of a word after `offset`, or the end of the text."""
    offset = min(offset + 1, len(text))
    while offset < len(text) and not (
        is_word_character(text[offset - 1]) and is_word_start(text, offset)
    ):
        offset += 1
    return offset


def previous_word(text: str, offset: int) -> int:
    """Return the last start of a word before `offset`, or 0."""
    offset = max(offset - 1, 0)
    while offset > 0 and not (is_word_character(text[offset]) and is_word_start(text, offset)):
        offset -= 1
    return offset
