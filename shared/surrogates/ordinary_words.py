"""Words that are names of people and words of the language too, and diseases named after people."""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache

from shared.language.ambiguity import words_of_notes
from shared.language.languages import Language
from shared.model import Document, Layer
from shared.surrogates.mentions import untouched
from shared.surrogates.original_phi import Token
from shared.text.spelling import is_without_capitals, match_key, without_accents

_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{3,}(?![^\W_])")
_MIN_PATIENTS, _SHARE = 2, 0.001
"""Of very many patients two have any name missed and in small letters, which makes it no word."""
_LONG = 7
_MIN_LABEL_PATIENTS, _LABEL_SHARE = 5, 0.05


def small_words(tokens: Iterable[Token], language: Language) -> set[str]:
    """The words of a text, folded, that their small letters tell to be no names.

    There are none where a text has no capitals, and long ones are those alone that notes in the
    language are made of: a name may have been misspelt in small letters.
    """
    written = list(tokens)
    if is_without_capitals(each.text for each in written):
        return set()
    known = words_of_notes(language)
    small = {each.key for each in written if each.text.islower()}
    return {key for key in small if len(key) < _LONG or key in known}


def after_title(before: str, language: Language) -> bool:
    """True where a text ends with a title, so that a name must follow."""
    return bool(language.title_before.search(before.rstrip() + " "))


def is_eponym(
    text: str, start: int, end: int, language: Language, *, of_patient: bool = False
) -> bool:
    """True for the names in `Bell's palsy`, `Parkinson's follow-up` and `a Foley`.

    Not for `Dr. Foley`. One that is `of_patient` is none in the genitive, `Miller's fracture`, nor
    where the language does not list it as that of a disease or an instrument.
    """
    said = _eponym_expressions(language)
    word, before = without_accents(text[start:end]).lower(), text[max(0, start - 12) : start]
    is_listed = bool(said.diseases.fullmatch(word) or said.instruments.fullmatch(word))
    has_genitive = text[end : end + 2] in {"'s", "’s"}
    if of_patient and (has_genitive or not is_listed):
        return False
    if said.heads.match(text, end):
        return True
    if language.title_before.search(before):
        return False
    if said.instruments.fullmatch(word):
        return bool(said.after_instrument.match(text, end) or said.before_instrument.search(before))
    return has_genitive and bool(said.diseases.fullmatch(word))


@dataclass(frozen=True, slots=True)
class _EponymExpressions:
    """Names of diseases and instruments, what goes on behind a name, what stands beside one."""

    heads: re.Pattern[str]
    diseases: re.Pattern[str]
    instruments: re.Pattern[str]
    before_instrument: re.Pattern[str]
    after_instrument: re.Pattern[str]


@cache
def _eponym_expressions(language: Language) -> _EponymExpressions:
    cue = language.cue
    return _EponymExpressions(
        re.compile(rf"(?i)(?:['’]s|s?['’])?(?:[\s-]+[\w']+)?[\s-]+{cue('eponym_after')}\b"),
        re.compile(cue("disease_names")),
        re.compile(cue("instrument_names")),
        re.compile(rf"(?i)\b{cue('instrument_before')}\s+$"),
        re.compile(rf"(?i)\s+{cue('instrument_after')}\b"),
    )


@dataclass(frozen=True, slots=True)
class WordCounts:
    """In the records of how many patients words stand untagged, in counts that add up.

    The words are folded; `small` counts those that stand in small letters, `in_any_case` all.
    """

    patients: int = 0
    small: Counter[str] = field(default_factory=Counter[str])
    in_any_case: Counter[str] = field(default_factory=Counter[str])

    @classmethod
    def of_patient(cls, records: Iterable[tuple[Document, Layer]]) -> "WordCounts":
        """The counts of the records of one patient."""
        words: set[str] = set()
        for document, layer in records:
            for piece in untouched(document.text, sorted(tag.span for tag in layer.tags)):
                words.update(_WORD.findall(piece))
        return cls(
            1,
            Counter({match_key(word) for word in words if word.islower()}),
            Counter({match_key(word) for word in words}),
        )

    @classmethod
    def added(cls, counts: Iterable["WordCounts"]) -> "WordCounts":
        """All counts together, of patients of whom each is in one of them only."""
        patients, small, in_any_case = 0, Counter[str](), Counter[str]()
        for each in counts:
            patients += each.patients
            small.update(each.small)
            in_any_case.update(each.in_any_case)
        return cls(patients, small, in_any_case)

    @staticmethod
    def few(patients: int) -> float:
        """In the records of how many of the patients a word in small letters is ordinary."""
        return max(_MIN_PATIENTS, _SHARE * patients)

    def ordinary(self, *, labels_too: bool = True) -> frozenset[str]:
        """The words of the language, folded, as the records themselves show them.

        These stand small and untagged in the records of two patients or more, of many patients in
        those of one in a thousand, or in any case in those of many, as labels do (`Domicilio:`).
        Without labels where nobody has read the tags: a name that a recognizer misses often stands
        untagged in the records of many, too.
        """
        few = self.few(self.patients)
        many = max(_MIN_LABEL_PATIENTS, _LABEL_SHARE * self.patients)
        found = {word for word, seen in self.small.items() if seen >= few}
        labels = {word for word, seen in self.in_any_case.items() if seen >= many}
        return frozenset(found | labels if labels_too else found)


def ordinary_words(
    patients: Iterable[Iterable[tuple[Document, Layer]]], *, labels_too: bool = True
) -> frozenset[str]:
    """Return the ordinary words of the records of these patients."""
    counts = WordCounts.added(map(WordCounts.of_patient, patients))
    return counts.ordinary(labels_too=labels_too)
