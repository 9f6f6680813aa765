"""Putting surrogates in their places: the new text, the new spans, and the way from old to new."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial

from shared.errors import RequestError
from shared.language.languages import Language, alternatives
from shared.model import Span

_ARTICLE = re.compile(r"(?<![^\W_])(?P<article>[Aa]n?|AN?)(?P<gap>\s+[\"'“(]?)$")
_VOWEL_SOUND = r"(?i)(?!{consonant_sound}){vowel_sound}"
_LETTERS_SPOKEN = re.compile(r"[AEFHILMNORSX](?:[A-Z0-9.]|\b)")
ArticleRule = Callable[[str, str, str], str]
"""Returns the text before a surrogate as it should be, from itself, the old and the new text."""


def fix_indefinite_article(before: str, old: str, new: str, language: Language) -> str:
    """Return the text before a surrogate with `a` or `an` as it needs; a wrong one stays wrong."""
    found = _ARTICLE.search(before[-8:])
    if found is None or not new:
        return before
    article = found["article"]
    was_vowel = article.lower() == "an"
    has_vowel = partial(begins_with_vowel_sound, language=language)
    if was_vowel != has_vowel(old) or was_vowel == has_vowel(new):
        return before
    if article == "A" and len(before) > len(found[0]) and before[-len(found[0]) - 1] == ".":
        return before
    fresh = article[0] if was_vowel else article + "n"
    return before[: len(before) - len(found[0])] + fresh + found["gap"]


def begins_with_vowel_sound(text: str, language: Language) -> bool:
    """True for `old`, `hour`, `8`, `MRI`; False for `university`, `one`, `90`."""
    if (len(text) > 1 and text[:2].isupper() and not text.isalpha()) or (
        text[:3].isupper() and (len(text) <= 3)
    ):
        return bool(_LETTERS_SPOKEN.match(text))
    return bool(language.expression(_VOWEL_SOUND).match(text))


def article_rule(language: Language, *, is_place: bool) -> ArticleRule:
    """What sets the article before a surrogate right in a language.

    Raises RequestError where the language's folder names a rule that nobody knows.
    """
    rules: dict[str, ArticleRule] = {
        "": lambda before, _old, _new: before,
        "vowel sound": partial(fix_indefinite_article, language=language),
        "no article": lambda before, old, new: (
            drop_article(before, old, new, language) if is_place else before
        ),
    }
    if language.articles.agreement not in rules:
        raise RequestError(f"there is no agreement of articles by {language.articles.agreement}")
    return rules[language.articles.agreement]


def drop_article(before: str, old: str, new: str, language: Language) -> str:
    """Return the text before a place without its article: `en la India`, `en Uruguay`.

    Most places have none, and none is ever wrong; `del` becomes `de`, `al` becomes `a`. What is
    written small is no name of a place but a people (`el peruano`), which keeps its article.
    """
    if not (old[:1].isupper() and new[:1].isupper()):
        return before
    return without_article(before, language)


def without_article(before: str, language: Language) -> str:
    """Return a text without the article at its end, where names may do without one."""
    articles = language.articles
    found = _definite_article(language).search(before)
    if found is None or articles.agreement != "no article":
        return before
    contracted = found["contracted"] or ""
    length = len(_contracted(language).get(contracted.lower(), ""))
    kept = found["preposition"] or contracted[:length]
    return before[: found.start()] + (kept + found["gap"] if kept else "")


def article_before(text: str, language: Language) -> str:
    """The definite article that a text ends with, that of `del` too, in small letters, or ""."""
    found = _definite_article(language).search(text)
    if found is None:
        return ""
    word = (found["contracted"] or found["article"]).lower()
    pairs = (each.partition("=") for each in language.articles.contractions)
    return {short: long.split()[-1] for long, _, short in pairs}.get(word, word)


@cache
def _contracted(language: Language) -> dict[str, str]:
    """The prepositions by what they become with an article: `del` is `de el`."""
    pairs = (each.partition("=") for each in language.articles.contractions)
    return {short: long.split()[0] for long, _, short in pairs}


@cache
def _definite_article(language: Language) -> re.Pattern[str]:
    contracted = _contracted(language)
    return re.compile(
        rf"(?i)(?<![^\W_])(?:(?P<contracted>{alternatives(contracted)})|"
        rf"(?:(?P<preposition>{alternatives(contracted.values())})\s+)?"
        rf"(?P<article>{alternatives(language.articles.definite)}))(?P<gap>\s+)$"
    )


@dataclass(frozen=True, slots=True)
class SplicedText:
    """A new text with the spans of its surrogates, in order."""

    text: str
    spans: tuple[Span, ...]
    _old: tuple[int, ...]
    _new: tuple[int, ...]

    def to_old(self, offset: int) -> int | None:
        """The old offset of a character of the new text, None within a surrogate."""
        at = bisect_right(self._new, offset) - 1
        if at < len(self.spans) and self.spans[at].start <= offset:
            return None
        return self._old[at] + offset - self._new[at]

    def to_new(self, offset: int) -> int:
        """The new offset of a character that no surrogate replaced."""
        at = bisect_right(self._old, offset) - 1
        return self._new[at] + offset - self._old[at]


def splice(
    text: str,
    spans: Sequence[Span],
    surrogates: Sequence[str],
    rules: Sequence[ArticleRule],
) -> SplicedText:
    """Replace the stretches at `spans`, in order and apart, by the surrogates.

    An article before a surrogate is set right where it suited the text that was there, by a rule
    for each surrogate.
    """
    pieces: list[str] = []
    new_spans: list[Span] = []
    old_starts, new_starts = [0], [0]
    at = length = 0
    for span, surrogate, agreed in zip(spans, surrogates, rules, strict=True):
        between = text[at : span.start]
        before = agreed(between, span.text_in(text), surrogate)
        pieces += (before, surrogate)
        start = length + len(before)
        new_spans.append(Span(start, start + len(surrogate)))
        at, length = span.end, start + len(surrogate)
        old_starts.append(at)
        new_starts.append(length)
    pieces.append(text[at:])
    return SplicedText("".join(pieces), tuple(new_spans), tuple(old_starts), tuple(new_starts))
