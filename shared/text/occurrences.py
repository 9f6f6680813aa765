"""Where else a phrase stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shared.model.span import Span
from shared.text.scripts import is_edge_of_letter
from shared.text.words import is_word_character

_BLANKS = re.compile(r"\s+")
_JOINTS = "/.:"
GLUED_LENGTH = 5
"""A phrase at least this long is also found where it is part of a longer word (`Since6/03/04`)."""


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
        if "inside" not in edges and ("glued" not in edges or len(phrase) >= GLUED_LENGTH):
            yield Occurrence(Span(found.start(), found.end()), glued="glued" in edges)
            at = found.end()
        else:
            at = found.start() + 1  # `1 1` in `21 1 1` begins inside the match just refused


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
    letters_meet_digits = (
        before.isalpha() != after.isalpha() and before.isdigit() != after.isdigit()
    )
    camel = before.islower() and after.isupper()
    return "glued" if letters_meet_digits or camel else "inside"


def _cuts_number(text: str, offset: int) -> bool:
    """True where digits go on behind the joint at one side of an edge, as in `5/9|/07`."""
    after = text[offset - 1].isdigit() and text[offset + 1 : offset + 2].isdigit()
    before = text[offset].isdigit() and text[max(0, offset - 2) : offset - 1].isdigit()
    return after if text[offset] in _JOINTS else before
