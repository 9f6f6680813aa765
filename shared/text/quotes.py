"""Where a quoted text stands in a record: for tags of others whose offsets fit no more, or of none.

A language model quotes text with what stands around it; other programs count other characters, or
had another copy of the text. A place is found only where nothing else can be meant:

1  at the offset that is said, to the letter
2  else where the quote stands, not amid a word, however it is broken into lines; where it stands
   nowhere so, in another case; else where words are nearly those of the quote, with its digits
3  of several places the one with the context that was quoted; without context, the one near the
   offset while no other is within far more than that; or the only one. Where it is written
   otherwise, or on to a word (`82yo`), context or offset have to say so even of the only one
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import inf

from shared.model.span import Span
from shared.text.flat_text import FlatText, flattened, text_key
from shared.text.words import is_word_start

LEAST_SIMILAR = 0.9
"""How much of the letters of a quote that is written otherwise has to stand there; measured by
tests/benchmarks/bench_quotes.py, as are the others."""
LEAST_CONTEXT = 0.75
"""How much of the context has to stand around the quote."""
_CLEARLY = 0.1
"""By so much has the context of one place to fit better than that of all others."""
NEAR, FAR = 10, 1000
"""A place within `NEAR` characters of an offset is meant, if within `FAR` there is no other."""
_SHORTEST = 5
"""A shorter quote is like too many other words to be looked for as nearly written."""
_WORD = re.compile(r"\w+")

Place = tuple[int, int]


class Misfit(StrEnum):
    """Why a quote has no place."""

    EMPTY = "it quotes no text"
    NOWHERE = "its text stands nowhere in the record"
    AMID_WORD = "its text stands only amid a longer word"
    SEVERAL = "its text stands in several places, and nothing tells which is meant"
    OTHERWISE = "its text is written otherwise there, and nothing tells that it is meant"
    OTHER_CONTEXT = "its text stands there, but not in the context that is quoted"


@dataclass(frozen=True, slots=True)
class Quote:
    """A quoted text, where it is said to begin, and what is said to stand before and after it."""

    text: str
    start: int | None = None
    before: str = ""
    after: str = ""


class QuoteFinder:
    """Finds quotes in one text."""

    def __init__(self, text: str) -> None:
        self._text = text

    def find(self, quote: Quote) -> Span | Misfit:
        """Return where the quote stands, or why that cannot be told."""
        if not quote.text.strip():
            return Misfit.EMPTY
        if (said := self._at_offset(quote)) and self._fits(said, quote):
            return Span(*said)
        found, is_plain = self._places(quote.text)
        if isinstance(found, Misfit):
            return found
        chosen = self._in_context(found, quote) if _has_context(quote) else _nearest(found, quote)
        if isinstance(chosen, Misfit):
            return chosen
        is_vouched_for = _has_context(quote) or _distance(chosen, quote) <= NEAR
        if is_vouched_for or (is_plain and all(is_word_start(self._text, at) for at in chosen)):
            return Span(*chosen)
        return Misfit.AMID_WORD if is_plain else Misfit.OTHERWISE

    def _at_offset(self, quote: Quote) -> Place | None:
        """Return the place at the offset; amid a word or number only if the text has no other."""
        start = quote.start
        if start is None or start < 0 or not self._text.startswith(quote.text, start):
            return None
        place = start, start + len(quote.text)
        is_only = self._text.count(quote.text) == 1
        return place if is_only or not _is_amid(self._text, place) else None

    def _fits(self, place: Place, quote: Quote) -> bool:
        return not _has_context(quote) or self._likeness_around(place, quote) >= LEAST_CONTEXT

    def _places(self, quote: str) -> tuple[list[Place] | Misfit, bool]:
        """Return where a quote may stand, not amid words, and whether it is as it is quoted."""
        for look, is_plain in (
            (self._to_the_letter, True),
            (self._however_broken, True),
            (self._in_any_case, False),
            (self._with_other_signs, False),
        ):
            there = list(look(quote))
            found = [each for each in there if not _is_amid(self._text, each)]
            if there:
                return found or Misfit.AMID_WORD, is_plain
        return self._nearly_written(quote) or Misfit.NOWHERE, False

    def _to_the_letter(self, quote: str) -> Iterator[Place]:
        return ((at, at + len(quote)) for at in _starts(self._text, quote))

    def _however_broken(self, quote: str) -> Iterator[Place]:
        flat = flattened(quote)
        return (self._flat.original(at, at + len(flat)) for at in _starts(self._flat.text, flat))

    def _in_any_case(self, quote: str) -> Iterator[Place]:
        key = text_key(quote)
        for at in _starts(self._flat.key, key) if key else ():
            yield self._flat.original(*self._flat.in_text(at, at + len(key)))

    def _with_other_signs(self, quote: str) -> Iterator[Place]:
        """Yield where the letters of a quote stand one after the other, whatever is between."""
        wanted = _words(quote).replace(" ", "")
        if len(wanted) < _SHORTEST:
            return
        letters, places = self._letters
        for at in _starts(letters, wanted):
            place = places[at], places[at + len(wanted) - 1] + 1
            if _digits(self._text[slice(*place)]) == _digits(quote):
                yield self._with_signs(place, quote)

    def _nearly_written(self, quote: str) -> list[Place]:
        """Return the places of words that are nearly those of the quote, none over another."""
        from rapidfuzz.distance import Indel
        from rapidfuzz.process import extract

        wanted = _words(quote)
        size = len(wanted.split())
        if len(wanted) < _SHORTEST:
            return []
        places = [each for n in (size, size - 1, size + 1) for each in self._runs(n)]
        like = extract(
            wanted,
            [_words(self._text[start:end]) for start, end in places],
            scorer=Indel.normalized_similarity,
            score_cutoff=LEAST_SIMILAR,
            limit=None,
        )
        chosen: list[Place] = []
        for _, _, number in like:  # the most alike first
            place = self._with_signs(places[number], quote)
            if _digits(self._text[slice(*place)]) == _digits(quote) and not any(
                start < place[1] and place[0] < end for start, end in chosen
            ):
                chosen.append(place)
        return sorted(chosen)

    def _runs(self, size: int) -> Iterator[Place]:
        """Yield where so many words follow on each other."""
        if size > 0:
            for first, last in zip(self._spans, self._spans[size - 1 :], strict=False):
                yield first[0], last[1]

    def _with_signs(self, place: Place, quote: str) -> Place:
        """Return the place with the signs at the edges of the quote that stand there, too."""
        start, end = place
        words = [*_WORD.finditer(quote)]
        before, after = quote[: words[0].start()], quote[words[-1].end() :]
        start -= len(before) if self._text.endswith(before, 0, start) else 0
        end += len(after) if self._text.startswith(after, end) else 0
        return start, end

    def _in_context(self, places: Sequence[Place], quote: Quote) -> Place | Misfit:
        ranked = sorted((self._likeness_around(each, quote), each) for each in places)
        best = ranked[-1][0]
        if best < LEAST_CONTEXT:
            return Misfit.OTHER_CONTEXT
        return _nearest([each for like, each in ranked if like > best - _CLEARLY], quote)

    def _likeness_around(self, place: Place, quote: Quote) -> float:
        """How much of the quoted context stands around a place, from 0 to 1."""
        from rapidfuzz.distance import Indel

        before, after = _words(quote.before), _words(quote.after)
        start, end = place
        if not self._goes_on(place, quote):
            return 0.0
        there_before = _words(self._text[max(0, start - 2 * len(quote.before) - 20) : start])
        there_after = _words(self._text[end : end + 2 * len(quote.after) + 20])
        said = f"{before}\n{after}"
        there = f"{there_before[-len(before) :] if before else ''}\n{there_after[: len(after)]}"
        return Indel.normalized_similarity(said, there)

    def _goes_on(self, place: Place, quote: Quote) -> bool:
        """Whether the context has the very character that is written on to a place, if any is."""
        start, end = place
        is_joined = [not is_word_start(self._text, at) for at in place]
        return not (
            (is_joined[0] and quote.before[-1:] != self._text[start - 1])
            or (is_joined[1] and quote.after[:1] != self._text[end])
        )

    @cached_property
    def _flat(self) -> FlatText:
        return FlatText(self._text)

    @cached_property
    def _letters(self) -> tuple[str, list[int]]:
        """The letters and digits of the text in small ones, and where each stands."""
        found = [(char.casefold(), at) for at, char in enumerate(self._text) if char.isalnum()]
        return "".join(char for char, _ in found), [at for char, at in found for _ in char]

    @cached_property
    def _spans(self) -> list[Place]:
        return [each.span() for each in _WORD.finditer(self._text)]


def _nearest(places: Sequence[Place], quote: Quote) -> Place | Misfit:
    """Return the only place, or the one that is near an offset while all others are far."""
    first, *others = sorted(places, key=lambda each: _distance(each, quote))
    is_near = _distance(first, quote) <= NEAR
    if not others or (is_near and _distance(others[0], quote) > FAR):
        return first
    return Misfit.SEVERAL


def _distance(place: Place, quote: Quote) -> float:
    """How far a place is from where the quote is said to begin."""
    return inf if quote.start is None else abs(place[0] - quote.start)


def _has_context(quote: Quote) -> bool:
    return bool(quote.before.strip() or quote.after.strip())


def _is_amid(text: str, place: Place) -> bool:
    """True where a place begins or ends between two digits, or two letters but `onMonday`."""
    return any(
        not is_word_start(text, at)
        and (
            text[at - 1 : at + 1].isdigit()
            or (text[at - 1 : at + 1].isalpha() and not _is_camel(text[at - 1 : at + 1]))
        )
        for at in place
    )


def _is_camel(letters: str) -> bool:
    return letters[0].islower() and letters[1].isupper()


def _starts(text: str, piece: str) -> Iterator[int]:
    at = text.find(piece) if piece else -1
    while at >= 0:
        yield at
        at = text.find(piece, at + 1)


def _digits(text: str) -> list[str]:
    return re.findall(r"\d+", text)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
