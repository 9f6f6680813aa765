"""Names of institutions and streets: what is generic in them stays, what is proper is replaced."""

import re
from collections.abc import Sequence
from functools import cache

from shared.language.languages import Language
from shared.language.name_lists import name_lists
from shared.language.ordinals import with_ordinal_endings
from shared.surrogates.drawing import SurrogatePicker, draw_until
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.splice import without_article
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.text.spelling import match_case, match_key

_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_ORDINAL = re.compile(r"(?:[ºª°]|(?:\d|\bn)\.?[oa])$")
"""An ordinal sign, or the small letter that stands for one: `3.º C`, `n.o 119`, `5o`."""
_ROMAN = re.compile(r"[IVX]+")
_FLAT = re.compile(r"[A-H]")
_WORD_NEXT = re.compile(r"\.?\s+\w{3}")
_MIN_NAME = 2
TWO_NAMES = "two names have this abbreviation"
_ABBREVIATION = re.compile(r"[A-Z]{2,6}")


class InstitutionNames:
    """Surrogate names of one patient's hospitals, organizations and streets.

    A run of proper words gets one new name wherever it stands, so `Greenfield Hospital` and
    `Greenfield` stay one place; `GH` follows the name whose first letters it is.
    """

    def __init__(
        self, mentions: Sequence[PhiMention], language: Language, picker: SurrogatePicker
    ) -> None:
        self._language = language
        self._picker = picker
        self._numbers: dict[str, str] = {}
        self._runs: dict[tuple[str, str], str] = {}
        self._abbreviations: dict[tuple[str, str], str] = {}
        named = [each for each in mentions if each.kind is not SurrogateKind.STREET]
        self._short = {each.text for each in named if _ABBREVIATION.fullmatch(each.text)}
        self._by_abbreviation: dict[str, list[PhiMention]] = {}
        for each in named:
            if (
                each.text not in self._short
                and (key := acronym(each.text, language)) in self._short
            ):
                self._by_abbreviation.setdefault(key, []).append(each)
        self._untold = {
            each.text for each in mentions if each.text in self._short and not self._is_told(each)
        }

    def surrogate(self, mention: PhiMention) -> Surrogate:
        if mention.text in self._short and mention.kind is not SurrogateKind.STREET:
            return self._abbreviation(mention)
        new = self._renamed(mention)
        return Surrogate(new, f"place {self._core(mention) or ' '.join(new.split())}")

    def _core(self, mention: PhiMention) -> str:
        """The first proper run of a name: what tells two places apart."""
        kind = _family_of(mention)
        for start, end in _runs(mention.text, self._language, kind == "street"):
            new = self._runs.get((kind, match_key(mention.text[start:end])))
            if new:
                return new
        return ""

    def _abbreviation(self, mention: PhiMention) -> Surrogate:
        text = mention.text
        full = self._meant(mention)
        key = (text, match_key(full.text) if full else "")
        if key not in self._abbreviations:
            new = acronym(self._renamed(full), self._language) if full else ""
            if not new or new == text:
                new = self._letters(text)
            self._abbreviations[key] = new
        new = self._abbreviations[key]
        return Surrogate(
            new,
            f"place {self._core(full)}" if full else f"place {new}",
            () if self._is_told(mention) else (TWO_NAMES,),
        )

    def _meant(self, mention: PhiMention) -> PhiMention | None:
        """The name that an abbreviation is of.

        Of several it is the one named last before it; where any record does not tell that, the
        abbreviation stands for the first everywhere.
        """
        every = self._by_abbreviation.get(mention.text, [])
        before = [each for each in every if _is_before(each, mention)]
        if before and mention.text not in self._untold:
            return before[-1]
        return next(iter(every), None)

    def _is_told(self, mention: PhiMention) -> bool:
        """Whether only one name has the abbreviation, or one was named before it in the record."""
        every = self._by_abbreviation.get(mention.text, [])
        names = {match_key(each.text) for each in every}
        return len(names) < 2 or any(_is_before(each, mention) for each in every)

    def _letters(self, text: str) -> str:
        """Other letters for an abbreviation of nobody knows what; a last H or C stays."""
        end = 1 if text[-1] in "HC" and len(text) > 2 else 0
        choice = self._picker.randomness.choice
        return draw_until(
            lambda: (
                "".join(choice("ABCDEFGHJKLMNPRSTVW") for _ in text[end:]) + text[len(text) - end :]
            ),
            lambda new: new not in self._picker.words and new not in self._abbreviations.values(),
        )

    def _renamed(self, mention: PhiMention) -> str:
        text = mention.text
        pieces: list[str] = []
        at = 0
        for start, end in _runs(text, self._language, _family_of(mention) == "street"):
            between = self._between(text[at:start])
            if end - start > 1:
                between = without_article(between, self._language)
            pieces += (between, self._run(text[start:end], mention, text[:start]))
            at = end
        pieces.append(self._between(text[at:]))
        new = with_ordinal_endings("".join(pieces), self._language)
        return new if new != text else self._with_stem(mention)

    def _with_stem(self, mention: PhiMention) -> str:
        """Put a proper word into `General Hospital`, which has none: first, or last in Spanish."""
        words = mention.text.split() or [""]
        stem = self._run(mention.words, mention, "", exact=1)
        at = 0
        if self._language.places.stem_goes_last:
            last = mention.kind is SurrogateKind.STREET  # `s/n` is no word of the name
            long = [n for n, each in enumerate(words) if re.match(r"\w{3}", each)] if last else []
            at = (long or [len(words) - 1])[-1]
        before = " ".join(words[:at])
        before = without_article(f"{before} ", self._language).strip() if at else ""
        rest = re.sub(r"^\w+", "", words[at]) if mention.kind is SurrogateKind.STREET else ""
        return " ".join(
            filter(None, (before, match_case(stem, words[at]) + rest, *words[at + 1 :]))
        )

    def _between(self, text: str) -> str:
        return re.sub(r"\d+", lambda found: self._number(found[0]), text)

    def _number(self, digits: str) -> str:
        if digits not in self._numbers:
            draw = self._picker.randomness.randrange
            self._numbers[digits] = draw_until(
                lambda: str(1 + draw(9)) + "".join(str(draw(10)) for _ in digits[1:]),
                lambda new: new != digits,
            )
        return self._numbers[digits]

    def _run(self, run: str, mention: PhiMention, before: str, exact: int = 0) -> str:
        kind = _family_of(mention)
        if len(run) == 1 and not exact:
            return self._letter(run)
        key = (kind, match_key(run))
        if key not in self._runs:
            last = match_key(before).split()[-1:] or [""]
            self._runs[key] = self._fresh(run, mention, last[0].strip(".-"), exact)
        return _cased_words(self._runs[key], run)

    def _letter(self, letter: str) -> str:
        if letter.isdigit():
            return self._number(letter)
        others = [char for char in "ABCDEFGH" if char != letter.upper()]
        return match_case(self._picker.randomness.choice(others), letter)

    def _fresh(self, run: str, mention: PhiMention, before: str, words: int) -> str:
        kind = _family_of(mention)
        count = words or min(2, len(run.split()))
        names = self._names(kind, before)
        if kind == "street" and _has_street_word(mention.text, self._language):
            names = [_without_ending(each, self._language) for each in names]
        fitting = [each for each in names if len(each.split()) == count] or list(names)
        full = [
            each.text
            for named in self._by_abbreviation.values()
            for each in named
            if run in each.text
        ]

        def fits(name: str) -> bool:
            short = (acronym(text.replace(run, name), self._language) for text in full)
            return self._is_apart(name) and not any(each in self._picker.words for each in short)

        new = self._picker.draw(fitting, fits) or self._picker.draw(names)
        return new or self._picker.draw(self._family_names()) or "Newfield"

    def _is_apart(self, name: str) -> bool:
        """True unless the name's first letter begins one that was drawn, as abbreviations would."""
        first = {each[:1] for (kind, _), each in self._runs.items() if kind == "stem"}
        return name[:1] not in first if len(first) < 12 else True

    def _names(self, kind: str, before: str) -> Sequence[str]:
        """What a proper run is drawn from: behind a saint's or a person's title, people's names."""
        places, names = self._language.places, self._language.names
        if before in names.saints:
            lists = name_lists(self._language)
            is_woman = before.endswith("a")
            other = "M" if is_woman else "F"
            told = any(each.endswith("a") for each in names.saints)
            known = places.saint_names
            fit = [n for n in known if not told or lists.given_sexes.get(match_key(n)) != other]
            return fit or (lists.women if is_woman else lists.men).every_common
        if kind == "family" or before in self._language.titles:
            return self._family_names()
        return (places.streets if kind == "street" else places.stems) or self._family_names()

    def _family_names(self) -> Sequence[str]:
        return name_lists(self._language).family.every_common


def acronym(text: str, language: Language) -> str:
    """`GGH` for `Greenfield General Hospital`."""
    small = language.places.small_words
    return "".join(word[0].upper() for word in _TOKEN.findall(text) if word.lower() not in small)


def _family_of(mention: PhiMention) -> str:
    """Of which list a proper run of the mention is replaced."""
    if mention.kind is SurrogateKind.STREET:
        return "street"
    return "family" if mention.kind is SurrogateKind.ORGANIZATION else "stem"


def _is_before(full: PhiMention, short: PhiMention) -> bool:
    return full.record_id == short.record_id and full.number < short.number


@cache
def _generic_words(language: Language) -> frozenset[str]:
    """Words that tell nothing of which institution or street it is, folded."""
    places = language.places
    phrases = (
        *(places.generic_words + places.street_words + places.unit_words + places.floor_words),
        *(places.postal_boxes + places.hospital_words + places.organization_words),
        *(places.company_suffixes + places.small_words + places.department_words),
        *(language.names.saints + language.articles.definite + tuple(language.titles)),
    )
    return frozenset(word for phrase in phrases for word in _TOKEN.findall(match_key(phrase)))


def _is_generic(word: str, language: Language) -> bool:
    key = match_key(word)
    numbered = key.strip("ºª°").isdigit()
    ending = language.places.street_endings + language.places.hospital_endings
    return numbered or key in _generic_words(language) or key in map(match_key, ending)


def _runs(text: str, language: Language, of_street: bool) -> list[tuple[int, int]]:
    """Where proper words stand, those with but a blank between them as one.

    A street has one name, so that small words and hyphens between are within it: `Altos de Nava`.
    Of a word with a generic ending (`Lindenstraße`) it is what stands before that.
    """
    runs: list[tuple[int, int]] = []
    for found in _TOKEN.finditer(text):
        if _is_generic(found[0], language) and not (of_street and _is_flat(found)):
            continue
        end = found.end() - len(_generic_ending(found[0], language))
        if any(char.isdigit() for char in found[0]):
            runs += _numbered(found, language)
        elif runs and _goes_on(text[: found.end()], runs[-1], found.start(), of_street, language):
            runs[-1] = (runs[-1][0], end)
        elif not _ORDINAL.search(text[: found.end()]):
            runs.append((found.start(), end))
    return runs


def _is_flat(found: re.Match[str]) -> bool:
    """True for the `A` of `Bajo A` and `3, A`, which elsewhere is a small word or a title."""
    behind = found.string[found.end() :]
    return found.start() > 0 and bool(_FLAT.fullmatch(found[0])) and not _WORD_NEXT.match(behind)


def _numbered(found: re.Match[str], language: Language) -> list[tuple[int, int]]:
    """Every digit and letter of a number, but not what makes an ordinal of it: `5ºC`, `1er`."""
    suffixes = {"º", "ª", "°", *language.dates.ordinal_suffixes}
    if "º" in language.dates.ordinal_suffixes:
        suffixes |= {"o", "a"}  # `5o` for `5º`

    def is_kept(part: str) -> bool:
        ordinal = (part.lower() if len(part) > 1 else part) in suffixes  # `5A` is a flat
        return ordinal or (_is_generic(part, language) and not part.isdigit())

    return [
        (found.start() + at, found.start() + at + 1)
        for part in re.finditer(r"\d+|[ºª°]|[^\W\d_ºª°]+", found[0])
        if _FLAT.fullmatch(part[0]) or not is_kept(part[0])
        for at in range(part.start(), part.end())
    ]


def _goes_on(
    text: str, run: tuple[int, int], start: int, of_street: bool, language: Language
) -> bool:
    """Whether the word at `start`, the last of the text, belongs to the proper words before it."""
    between, word = text[run[1] : start], text[start:]
    if run[1] - run[0] < _MIN_NAME or (len(word) == 1 and not _ROMAN.fullmatch(word)):
        return False
    small = language.places.small_words + language.names.joiners
    within = of_street and all(
        each in small for each in re.findall(r"\w+|[^\w\s-]", between.lower())
    )
    return within or between.isspace()


def _has_street_word(text: str, language: Language) -> bool:
    words = [match_key(each) for each in _TOKEN.findall(text)]
    known = set(map(match_key, language.places.street_words))
    return any(each in known or _generic_ending(each, language) for each in words)


def _without_ending(name: str, language: Language) -> str:
    """`Linden` of `Lindenstraße`."""
    return name.removesuffix(_generic_ending(name, language))


def _generic_ending(word: str, language: Language) -> str:
    places = language.places
    for ending in (*places.street_endings, *places.hospital_endings):
        if len(word) > len(ending) + 2 and word.lower().endswith(ending):
            return word[-len(ending) :]
    return ""


def _cased_words(new: str, old: str) -> str:
    if old.islower() and len(old) > 1:
        return new.lower()
    return match_case(new, old) if old.isupper() else new
