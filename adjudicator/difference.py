"""What one side of a disagreement says, cut wherever either side has an edge, to be compared."""

import re
from dataclasses import dataclass
from itertools import pairwise

from adjudicator.disagreements import Disagreement
from shared.model import MergedView, PhiType, Span
from shared.text.words import is_word_start

_CONTEXT = 32
_FAR = 400
"""So many characters around a disagreement are enough where lines are very long."""
_LONGEST = 120
_BLANK = re.compile(r"\s")


@dataclass(frozen=True, slots=True)
class TextRun:
    """Some text of a disagreement on one line, and the type that the side gives it, if any.

    `differs` where this side has a tag and not all others have one.
    """

    text: str
    phi_type: PhiType | None
    differs: bool


@dataclass(frozen=True, slots=True)
class TypeView:
    """A type that a side uses; `differs` where not all others use it.

    `text` says for what, where the side has several tags.
    """

    phi_type: PhiType
    differs: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class AnnotatorView:
    """The whole stretch of a disagreement as one side tags it, and the types of its tags in order.

    Both are empty where the side has no tag.
    """

    runs: tuple[TextRun, ...] = ()
    types: tuple[TypeView, ...] = ()


def annotator_view(view: MergedView, disagreement: Disagreement, side: int) -> AnnotatorView:
    """Return what one side says; what not all the others say too differs."""
    mine = disagreement.key.sides[side]
    if not mine:
        return AnnotatorView()
    others = [marks for at, marks in enumerate(disagreement.key.sides) if at != side]
    known = set[PhiType].intersection(*({phi_type for _, phi_type in marks} for marks in others))
    runs: list[TextRun] = []
    edges = {edge for tag in disagreement.tags for edge in (tag.start, tag.end)}
    for place in (Span(start, end) for start, end in pairwise(sorted(edges))):
        here = next((phi_type for span, phi_type in mine if span.overlaps(place)), None)
        there = all(any(span.overlaps(place) for span, _ in marks) for marks in others)
        text = _tagged_text(view, disagreement, place)
        runs.append(TextRun(text, here, here is not None and not there))
    types = (
        TypeView(
            phi_type,
            phi_type not in known,
            _tagged_text(view, disagreement, span) if len(mine) > 1 else "",
        )
        for span, phi_type in mine
    )
    return AnnotatorView(tuple(runs), tuple(types))


def context(view: MergedView, disagreement: Disagreement) -> tuple[str, str]:
    """Return some words before and after the disagreement, on one line, within its record.

    "…" says that there are more.
    """
    section, text = view.section(disagreement.record_id), view.text
    first = max(section.start, disagreement.start - _CONTEXT)
    last = min(section.end, disagreement.end + _CONTEXT)
    while first < disagreement.start and not is_word_start(text, first):
        first += 1
    while last > disagreement.end and not is_word_start(text, last):
        last -= 1
    before = one_line(text[first : disagreement.start])
    after = one_line(text[disagreement.end : last])
    return (
        f"…{before.lstrip()}" if first > section.start else before,
        f"{after}…" if last < section.end else after,
    )


def surroundings(view: MergedView, disagreement: Disagreement) -> Span:
    """The disagreement with the line before it and the line after it, within its record."""
    section = view.section(disagreement.record_id)
    line = view.text.rfind("\n", section.start, disagreement.start)
    above = view.text.rfind("\n", section.start, max(line, section.start))
    line = view.text.find("\n", disagreement.end, section.end)
    below = view.text.find("\n", line + 1, section.end) if line >= 0 else -1
    start = max(section.start, above + 1, disagreement.start - _FAR)
    end = min(section.end if below < 0 else below, disagreement.end + _FAR)
    return Span(start, max(end, disagreement.end))


def shown_text(view: MergedView, disagreement: Disagreement) -> str:
    """The text from its first tag to its last, on one line."""
    return one_line(disagreement.span.text_in(view.text)).strip()


def one_line(text: str) -> str:
    """Return the text with line ends and tabs as blanks, every other character as it is."""
    return _BLANK.sub(" ", text)


def _tagged_text(view: MergedView, disagreement: Disagreement, span: Span) -> str:
    return _shortened(one_line(span.shifted(disagreement.shift).text_in(view.text)))


def _shortened(text: str) -> str:
    half = _LONGEST // 2
    return text if len(text) <= _LONGEST else f"{text[:half]} … {text[-half:]}"
