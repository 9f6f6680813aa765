"""Putting surrogates in their places: the new text, the new spans, and the way from old to new."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared.model import Span

_ARTICLE = re.compile(r"(?<![^\W_])(?P<article>[Aa]n?|AN?)(?P<gap>\s+[\"'“(]?)$")
_VOWEL_SOUND = re.compile(
    r"(?i)(?!(?:uni|use|usu|uti|ura|uru|uga|ukr|eu|one\b|once|oui)(?!nt))(?:[aeiouáéíóú]|"
    r"h(?:our|onest|onor|eir)|8|11(?!\d)|18(?!\d))"
)
_LETTERS_SPOKEN = re.compile(r"[AEFHILMNORSX](?:[A-Z0-9.]|\b)")
_SPANISH = re.compile(
    r"(?i)(?<![^\W_])(?:(?P<contracted>a|de)l|(?:(?P<preposition>a|de)\s+)?(?:el|la|los|las))(?P<gap>\s+)$"
)


def mend_article(before: str, old: str, new: str) -> str:
    """Return the text before a surrogate with `a` or `an` as it needs; a wrong one stays wrong."""
    found = _ARTICLE.search(before[-8:])
    if found is None or not new:
        return before
    article = found["article"]
    was_vowel = article.lower() == "an"
    if was_vowel != begins_with_vowel_sound(old) or was_vowel == begins_with_vowel_sound(new):
        return before
    if article == "A" and len(before) > len(found[0]) and before[-len(found[0]) - 1] == ".":
        return before
    fresh = article[0] if was_vowel else article + "n"
    return before[: len(before) - len(found[0])] + fresh + found["gap"]


def begins_with_vowel_sound(text: str) -> bool:
    """True for `old`, `hour`, `8`, `MRI`; False for `university`, `one`, `90`."""
    if (len(text) > 1 and text[:2].isupper() and not text.isalpha()) or (
        text[:3].isupper() and (len(text) <= 3)
    ):
        return bool(_LETTERS_SPOKEN.match(text))
    return bool(_VOWEL_SOUND.match(text))


def mend_before_place(before: str, old: str, new: str) -> str:
    """Return the Spanish text before a place without its article: `en la India`, `en Uruguay`.

    Most places have none, and none is ever wrong; `del` becomes `de`, `al` becomes `a`. What is
    written small is no name of a place but a people (`el peruano`), which keeps its article.
    """
    if not (old[:1].isupper() and new[:1].isupper()):
        return before
    return without_article(before)


def without_article(before: str) -> str:
    """Return a Spanish text without the article at its end."""
    found = _SPANISH.search(before)
    if found is None:
        return before
    kept = found["contracted"] or found["preposition"]
    return before[: found.start()] + (kept + found["gap"] if kept else "")


Mender = Callable[[str, str, str], str]
"""Returns the text before a surrogate as it should be, from itself, the old and the new text."""


@dataclass(frozen=True, slots=True)
class SplicedText:
    """A new text with the spans of its surrogates, in order."""

    text: str
    spans: tuple[Span, ...]
    _old: tuple[int, ...]
    _new: tuple[int, ...]

    def to_old(self, offset: int) -> int | None:
        """The old offset of a character of the new text, None within a surrogate."""
        if any(span.start <= offset < span.end for span in self.spans):
            return None
        at = bisect_right(self._new, offset) - 1
        return self._old[at] + offset - self._new[at]

    def to_new(self, offset: int) -> int:
        """The new offset of a character that no surrogate replaced."""
        at = bisect_right(self._old, offset) - 1
        return self._new[at] + offset - self._old[at]


def splice(
    text: str,
    spans: Sequence[Span],
    surrogates: Sequence[str],
    menders: Sequence[Mender] | None = None,
) -> SplicedText:
    """Replace the stretches at `spans`, in order and apart, by the surrogates.

    An article before a surrogate is mended where it suited the text that was there, by a rule for
    each surrogate; the English one where none are given.
    """
    pieces: list[str] = []
    new_spans: list[Span] = []
    old_starts, new_starts = [0], [0]
    at = length = 0
    rules = menders or [mend_article] * len(spans)
    for span, surrogate, mend in zip(spans, surrogates, rules, strict=True):
        between = text[at : span.start]
        mended = mend(between, span.text_in(text), surrogate)
        pieces += (mended, surrogate)
        start = length + len(mended)
        new_spans.append(Span(start, start + len(surrogate)))
        at, length = span.end, start + len(surrogate)
        old_starts.append(at)
        new_starts.append(length)
    pieces.append(text[at:])
    return SplicedText("".join(pieces), tuple(new_spans), tuple(old_starts), tuple(new_starts))
