"""Where the variants of a text stand."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from shared.language.date_mentions import day_order, find_dates, read_date, same_day
from shared.language.languages import Language, default_language
from shared.language.number_keys import key_pattern, number_keys, number_span
from shared.language.person_names import name_variants
from shared.language.variant_rules import Rule, Variant
from shared.model import Matching, PhiTraits, Span
from shared.model.phi_traits import INSTITUTIONS
from shared.text.occurrences import edge_kind, occurrences
from shared.text.overlaps import resolve_overlaps
from shared.text.spelling import lowered_in_place

HYPHEN_BREAK_TEXT = r"(?:-\n[ \t]*)?"
HYPHEN_BREAK = re.compile(r"(?<=[^\W\d_])-\n[ \t]*(?=[^\W\d_])")
"""A word cut in two at a line end."""

_ORDER = list(Rule)
_NAME_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LEAST_LETTERS = 3


@dataclass(frozen=True, slots=True)
class FoundVariant:
    """A place in one of the texts, by its number, where a variant stands, and its rule."""

    text_number: int
    span: Span
    rule: Rule

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def end(self) -> int:
        return self.span.end


def variants(text: str, traits: PhiTraits, spoken: Language | None = None) -> tuple[Variant, ...]:
    """Return the other ways of writing a name or the name of a place, the surest first.

    None of them is the text itself, in whatever case; none is there twice. Dates and numbers have
    too many forms to list: `find_variants` looks for what they mean.
    """
    if traits.matching is Matching.NAME_WORDS:
        made = name_variants(text, spoken)
    elif traits.kind in INSTITUTIONS:
        made = acronym_variants(text, spoken)
    else:
        return ()
    seen = {lowered_in_place(text)}
    kept: list[Variant] = []
    for each in made:
        if (flat := lowered_in_place(each.text)) not in seen:
            seen.add(flat)
            kept.append(each)
    return tuple(kept)


def find_variants(
    text: str, traits: PhiTraits, texts: Iterable[str], spoken: Language | None = None
) -> tuple[FoundVariant, ...]:
    """Return where `text` is written otherwise in `texts`, in order; the same text is left out.

    Of places that overlap, the longest is returned, of equally long ones that of the surer rule.
    Initials and log-in names must match in case, everything else in any.
    """
    texts = tuple(texts)
    found: list[FoundVariant] = []
    for number, one in enumerate(texts):
        places = _places(text, traits, one, texts, spoken or default_language())
        found += resolve_overlaps((FoundVariant(number, *place) for place in places), _rank)
    return tuple(each for each in found if each.rule is not Rule.SAME)


def _rank(found: FoundVariant) -> tuple[int, int]:
    return -len(found.span), _ORDER.index(found.rule)


def _places(
    text: str, traits: PhiTraits, one: str, texts: tuple[str, ...], spoken: Language
) -> Iterator[tuple[Span, Rule]]:
    yield from _repeats(text, one)
    yield from _hyphenated(text, one)
    for variant in variants(text, traits, spoken):
        exact = variant.rule in (Rule.INITIALS, Rule.LOGIN, Rule.ACRONYM)
        for found in occurrences(variant.text, one, ignore_case=not exact):
            yield found.span, variant.rule
    if traits.matching is Matching.SAME_DAY:
        yield from _same_days(text, one, texts, spoken)
    for key in number_keys(text, traits):
        for hit in key_pattern(key.text).finditer(one):
            span = number_span(one, hit.start(), hit.end())
            if span and one[span[0] : span[1]] != text:
                yield Span(*span), key.rule


def _repeats(text: str, one: str) -> Iterator[tuple[Span, Rule]]:
    words = text.split()
    for found in occurrences(text, one, ignore_case=True):
        same = found.span.text_in(one).split() == words
        yield found.span, Rule.SAME if same else Rule.CASE


def _hyphenated(text: str, one: str) -> Iterator[tuple[Span, Rule]]:
    """Where a hyphen at a line end cuts one of the words in two."""
    if not any(char.isalpha() for char in text):
        return
    for found in hyphenated_pattern(text).finditer(one):
        whole = {edge_kind(one, found.start()), edge_kind(one, found.end())} == {"whole"}
        if whole and HYPHEN_BREAK.search(found[0]) and "-" not in text:
            yield Span(found.start(), found.end()), Rule.HYPHEN


def hyphenated_pattern(text: str) -> re.Pattern[str]:
    """Return the pattern of a text whose words may each be cut by a hyphen at a line end."""
    words = (HYPHEN_BREAK_TEXT.join(map(re.escape, word)) for word in text.split())
    return re.compile(r"\s+".join(words))


def _same_days(
    text: str, one: str, texts: tuple[str, ...], spoken: Language
) -> Iterator[tuple[Span, Rule]]:
    wanted = read_date(text, spoken)
    if wanted is None or not wanted.has_day:
        return
    order = day_order(each for some in (*texts, text) for each in find_dates(some, spoken))
    for each in find_dates(one, spoken):
        rule = same_day(wanted, each, order)
        if rule is not None and one[each.start : each.end] != text:
            yield Span(each.start, each.end), rule


def acronym_variants(text: str, spoken: Language | None = None) -> Iterator[Variant]:
    """Yield `MAMH` for `Mount Auberon Memorial Hospital`; nothing for fewer than three words."""
    small = (spoken or default_language()).places.small_words
    letters = [word[0] for word in _NAME_WORD.findall(text) if word.lower() not in small]
    if len(letters) >= _LEAST_LETTERS:
        yield Variant("".join(letters).upper(), Rule.ACRONYM)
