"""Names that go on as they do elsewhere: `Lidia`, on the next line `Murthy`, is a whole name.

A CRF that met neither word stops at the end of a line; where the patient's records have the whole
name, it is the same here.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import Span
from shared.recognition.dictionaries import LOCALES, dictionaries_of
from shared.recognition.postprocessing.boundary_rules import PEOPLE
from shared.recognition.recognizer import Suggestion, keep_most_confident

MIN_CONFIDENCE = 0.7
"""Whole names of at least this confidence are known."""
_WHOLE = re.compile(r"(?P<given>[^\W\d_]+)(?:\s[^\W\d_]\.?)?\s(?P<family>[^\W\d_]+(?:-[^\W\d_]+)?)")
_LAST_FIRST = re.compile(
    r"(?P<family>[^\W\d_]+(?:-[^\W\d_]+)?),\s?(?P<given>[^\W\d_]+)(?:\s[^\W\d_]\.?)?"
)
_WORD = r"[^\W\d_]+(?:-[^\W\d_]+)?"
_AFTER = re.compile(rf"(?:\s[A-Z]\.?)?\s({_WORD})(?![\w-])")
_BEFORE = re.compile(rf"(?<![\w-])({_WORD})\s(?:[A-Z]\.?\s)?$")
_LONGEST = 40
_NAMES = {"first_name", "last_name"}


def extend_partial_names(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts, names as long as elsewhere."""
    families: defaultdict[str, set[str]] = defaultdict(set)
    for text, found in zip(texts, suggested, strict=True):
        for given, family in _whole_names(text, found):
            families[given].add(family)
    return [
        keep_most_confident(_continued(text, one, families) for one in found)
        for text, found in zip(texts, suggested, strict=True)
    ]


def _whole_names(text: str, found: Sequence[Suggestion]) -> Iterator[tuple[str, str]]:
    for one in found:
        if one.phi_type in PEOPLE and one.confidence >= MIN_CONFIDENCE:
            written = one.span.text_in(text)
            if name := _WHOLE.fullmatch(written) or _LAST_FIRST.fullmatch(written):
                yield name["given"].lower(), name["family"].lower()


def _continued(text: str, one: Suggestion, families: dict[str, set[str]]) -> Suggestion:
    written = one.span.text_in(text).lower()
    if one.phi_type not in PEOPLE or len(written.split()) > 1:
        return one
    after = _AFTER.match(text, one.end)
    if after and after[1][0].isupper() and after[1].lower() in families.get(written, ()):
        return replace(one, span=Span(one.start, after.end()))
    before = _BEFORE.search(text, max(0, one.start - _LONGEST), one.start)
    if before and before[1][0].isupper():
        is_known = written in families.get(before[1].lower(), ())
        if is_known or (before[1].istitle() and _is_given(before[1])):
            return replace(one, span=Span(before.start(), one.end))
    return one


def _is_given(word: str) -> bool:
    """Whether the word is in lists of first names, and in no other but of last names."""
    kinds = dictionaries_of((*LOCALES, "clinic")).words.get(word.lower(), ())
    return "first_name" in kinds and _NAMES.issuperset(kinds)
