"""Untagged places where a tagged text, or another way of writing it, stands: one pass per record.

An automaton of Aho and Corasick (1975) over the patient's tagged texts and their variants, in
small letters, looks for all of them at once; what was found is then compared with how it stands.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from shared.consistency.candidates import UntaggedCandidate
from shared.consistency.context_cues import NEUTRAL, SUPPORTED, context_certainty
from shared.consistency.findings import EXACT_KINDS, LIKELY, FindingKind
from shared.consistency.patient_records import CheckedRecord, TaggedText
from shared.consistency.phrases import automaton_of, ends_within
from shared.language.ambiguity import SHORT, ambiguity_reason, is_common_word, is_eponym
from shared.language.languages import Language
from shared.language.occurrences import is_whole_token
from shared.language.variant_rules import Rule
from shared.model import Span
from shared.text.flat_text import spelling
from shared.text.scripts import is_han, length_in_letters
from shared.text.spelling import lowered_in_place, with_usual_letters

_KINDS = {
    Rule.GENITIVE: FindingKind.POSSESSIVE,
    Rule.ORDER: FindingKind.NAME_ORDER,
    Rule.PART: FindingKind.NAME_PART,
    Rule.INITIAL: FindingKind.INITIALS,
    Rule.INITIALS: FindingKind.INITIALS,
    Rule.LOGIN: FindingKind.INITIALS,
    Rule.ACRONYM: FindingKind.INITIALS,
}
_IN_CASE = frozenset({Rule.GENITIVE, Rule.INITIALS, Rule.LOGIN, Rule.ACRONYM})
_SURE = {Rule.ORDER: 0.95, Rule.ACRONYM: 0.6, Rule.LOGIN: 0.8}
_ENDINGS = {
    FindingKind.POSSESSIVE: ", here with a possessive after it",
    FindingKind.LINE_END: ", here across a line end",
}
_RULES = {
    Rule.ORDER: "this is another order of a name",
    Rule.PART: "this is part of a name",
    Rule.INITIAL: "this is a name with an initial, of a name",
    Rule.INITIALS: "these are the initials of a name",
    Rule.LOGIN: "this is the usual log-in name of a name",
    Rule.ACRONYM: "these are the first letters of a name",
}
_CHARACTER = re.compile(r"[^\W_]")
DOUBTFUL = 0.4
"""How certain a place is at most that may well be something else."""
_MOST_MEANINGS = 2
"""A given name of so many characters may be a word: 建国."""
SMALL_CERTAINTY = 0.3
"""How certain one word in small letters is at most that is tagged with a capital elsewhere."""
_LETTERED = frozenset({Rule.ORDER, Rule.INITIAL})
VARIANT_KINDS = frozenset(_KINDS.values()) - EXACT_KINDS
REPEAT_KINDS = EXACT_KINDS | VARIANT_KINDS | {FindingKind.OTHER_CASE}

_Sought = tuple[str, Rule, TaggedText]
"""How it is spelt, by which rule, and of which tagged text."""


@dataclass(slots=True)
class Scan:
    """What one pass over a record found.

    `candidates` are places that no tag touches; `partly_tagged` places of tagged texts that tags
    touch, though none covers all of it, each with the tagged text.
    """

    candidates: list[UntaggedCandidate] = field(default_factory=list[UntaggedCandidate])
    partly_tagged: list[tuple[Span, TaggedText]] = field(
        default_factory=list[tuple[Span, TaggedText]]
    )


class RepeatFinder:
    """Looks for the tagged texts of a patient, and for their variants if such kinds are asked.

    Candidates of a certainty below `least` may be left out.
    """

    def __init__(
        self, texts: Iterable[TaggedText], kinds: Iterable[FindingKind], least: float = 0.0
    ) -> None:
        self._kinds = frozenset(kinds)
        self._least = least
        self._any_case = FindingKind.OTHER_CASE in self._kinds or bool(self._kinds & VARIANT_KINDS)
        sought = self._sought([each for each in texts if _CHARACTER.search(each.text)])
        kept = {key: (len(key), some) for key, some in sought.items()}
        # as it is written, what has a capital stands nowhere in small letters
        words = sought.items() if self._any_case else ()
        faint = {key: kept.pop(key) for key, some in words if self._is_faint(key, some)}
        self._faint, self._others = automaton_of(faint), automaton_of(kept)

    def candidates(self, record: CheckedRecord) -> Iterator[UntaggedCandidate]:
        """Yield every place of the record that no tag touches, overlapping ones included."""
        return iter(self.scan(record).candidates)

    def scan(self, record: CheckedRecord) -> Scan:
        """Return what stands in the record, overlapping places included."""
        found, flat = Scan(), record.flat
        for start, end, some in sorted(self._matches(record), key=itemgetter(1, 0)):
            there = flat.in_text(start, end)
            place = flat.original(*there)
            if place in record.spans or not is_whole_token(flat.text, *there):
                continue
            span = Span(*place)
            if not record.is_tagged(*place):
                written = flat.spelling[start:end]
                found.candidates.extend(self._candidates(record, span, written, some))
            elif not any(tag.span.contains(span) for tag in record.tags_in(*place)):
                found.partly_tagged.extend(
                    (span, tagged) for _, rule, tagged in some if rule is Rule.SAME
                )
        return found

    def _matches(self, record: CheckedRecord) -> Iterator[tuple[int, int, list[_Sought]]]:
        """Where what is sought stands in the spelling, but not amid small letters.

        What is faint is left out in small letters where nothing is tagged, as nearly all of it is.
        """
        spelt, amid = record.flat.spelling, record.flat.amid
        text = self._as_sought(spelt)
        for last, (length, some) in ends_within(self._others, text, [(0, len(text))]):
            start, end = last + 1 - length, last + 1
            if not (amid[end] or amid[start]):
                yield start, end, some
        if self._faint is None:
            return
        parts, tagged = record.telling_words, record.tagged_in_spelling
        for last, (length, some) in ends_within(self._faint, text, parts):
            start, end = last + 1 - length, last + 1
            is_small = spelt[start:end].islower() and 1 not in tagged[start:end]
            if not (amid[end] or amid[start] or is_small):
                yield start, end, some

    def _is_faint(self, key: str, some: list[_Sought]) -> bool:
        """True for a word of which no candidate in small letters is as certain as is asked."""
        return (
            self._least > SMALL_CERTAINTY
            and key.isalpha()
            and all(rule is not Rule.LOGIN and not text.islower() for text, rule, _ in some)
        )

    def _candidates(
        self, record: CheckedRecord, span: Span, written: str, some: list[_Sought]
    ) -> Iterator[UntaggedCandidate]:
        for text, rule, tagged in some:
            if _is_chance(rule, written, text):
                continue
            kind = _kind(record, span, written, text, rule)
            if kind in self._kinds and not (kind is FindingKind.OTHER_CASE and _is_letter(tagged)):
                yield UntaggedCandidate(
                    span,
                    kind,
                    tagged.phi_type,
                    _certainty(record, span, written, text, rule, tagged),
                    _why(kind, rule, tagged),
                    tagged,
                )

    def _sought(self, texts: Iterable[TaggedText]) -> dict[str, list[_Sought]]:
        """What is sought, by how it stands in a text made ready for the search."""
        found: dict[str, list[_Sought]] = defaultdict(list)
        for each in texts:
            written = spelling(each.text)
            found[self._as_sought(written)].append((written, Rule.SAME, each))
        if self._kinds & VARIANT_KINDS:
            from shared.language.variants import variants

            for each in texts:
                for variant in variants(each.text, each.traits, each.language):
                    written = spelling(variant.text)
                    found[self._as_sought(written)].append((written, variant.rule, each))
        return found

    def _as_sought(self, written: str) -> str:
        usual = with_usual_letters(written)
        return lowered_in_place(usual) if self._any_case else usual


def _kind(record: CheckedRecord, span: Span, written: str, text: str, rule: Rule) -> FindingKind:
    if rule is not Rule.SAME:
        return _KINDS[rule]
    if with_usual_letters(written) != with_usual_letters(text):
        return FindingKind.OTHER_CASE
    return exact_kind(record.text, span)


def exact_kind(text: str, span: Span) -> FindingKind:
    """The kind of `EXACT_KINDS` that an untagged place of tagged text is of."""
    if "\n" in text[span.start : span.end]:
        return FindingKind.LINE_END
    if text[span.end : span.end + 2].lower() in {"'s", "’s"}:
        return FindingKind.POSSESSIVE
    return FindingKind.REPEAT


def _certainty(
    record: CheckedRecord, span: Span, written: str, sought: str, rule: Rule, tagged: TaggedText
) -> float:
    doubtful = ambiguity_reason(written, tagged.traits, record.language) is not None
    kinds = {tagged.schema.traits_of(each).kind for each in tagged.types} if doubtful else ()
    here = max(
        (context_certainty(record.text, span, each, record.language) for each in kinds), default=1.0
    )
    if rule is Rule.INITIALS:
        return 0.2 if len(sought) == 2 else 0.4
    if rule is Rule.SAME and written == sought:
        return min(here, DOUBTFUL) if _is_letter(tagged) and here <= NEUTRAL else here
    if rule in _LETTERED and len(sought.split(maxsplit=1)[0]) == 1:
        here = min(here, 0.3 if _has_doubtful_word(sought, record.language) else 0.6)
    small = written.islower() and not sought.islower() and rule is not Rule.LOGIN
    if small and " " not in written:
        return min(here, SMALL_CERTAINTY)
    if rule is Rule.PART and is_han(sought) and len(sought) <= _MOST_MEANINGS:
        return min(here, LIKELY)
    is_name = rule is Rule.PART and (written.istitle() or (doubtful and here >= SUPPORTED))
    short = length_in_letters(written) <= SHORT and not is_name
    if short or (doubtful and here <= NEUTRAL):
        return min(here, DOUBTFUL)
    return min(here, _SURE.get(rule, 0.9))


def _is_letter(tagged: TaggedText) -> bool:
    """True for a letter alone: of a sex, an initial. It stands for much else."""
    return len(tagged.text.rstrip(".")) == 1 and tagged.text[0].isalpha()


def _is_chance(rule: Rule, written: str, sought: str) -> bool:
    return (rule in _IN_CASE and written != sought) or (rule in _LETTERED and _is_article(written))


def _is_article(written: str) -> bool:
    """True for `a walker`, which is nobody's initial and name."""
    return written.startswith("a ") or written.endswith(" a")


def _has_doubtful_word(text: str, language: Language) -> bool:
    return any(is_common_word(word, language) or is_eponym(word, language) for word in text.split())


def _why(kind: FindingKind, rule: Rule, tagged: TaggedText) -> str:
    as_what = f"tagged as {tagged.phi_type.name} {tagged.often}"
    if kind in EXACT_KINDS:
        return f"this text is {as_what} elsewhere{_ENDINGS.get(kind, '')}"
    if kind is FindingKind.OTHER_CASE:
        return f"this text is {as_what} elsewhere, in different case"
    return f"{_RULES[rule]} that is {as_what}"
