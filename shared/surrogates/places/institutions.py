"""Names of institutions and streets: what is generic in them stays, what is proper is replaced."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from shared.language.languages import Language
from shared.language.name_lists import name_lists
from shared.language.ordinals import with_ordinal_endings
from shared.surrogates.drawing import SurrogatePicker, draw_until
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.places.proper_words import (
    TOKEN,
    generic_ending,
    has_small_word,
    has_street_word,
    proper_runs,
    without_ending,
)
from shared.surrogates.splice import article_before, without_article
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.text.spelling import match_case, match_key

TWO_NAMES = "two names have this abbreviation"
ABBREVIATION = re.compile(r"[A-Z]{2,6}")
"""What may stand for the name of an institution."""
_HYPHENED = re.compile(r"-(\w+)")
_MOST_WORDS, _MOST_WORDS_OF_STREET = 2, 4


class InstitutionNames:
    """Surrogate names of one patient's hospitals, organizations and streets.

    A run of proper words gets one new name wherever it stands, so `Greenfield Hospital` and
    `Greenfield` stay one place; `GH` follows the name whose first letters it is.
    """

    def __init__(
        self,
        mentions: Sequence[PhiMention],
        language: Language,
        picker: SurrogatePicker,
        city: Callable[[str], str] = lambda _: "",
    ) -> None:
        """`city` gives what stands for the city of that name, "" for what is none."""
        self._language = language
        self._city = city
        self._picker = picker
        self._numbers: dict[str, str] = {}
        self._runs: dict[tuple[str, str], str] = {}
        self._abbreviations: dict[tuple[str, str], str] = {}
        named = [each for each in mentions if each.kind is not SurrogateKind.STREET]
        self._short = {each.text for each in named if ABBREVIATION.fullmatch(each.text)}
        self._by_abbreviation: dict[str, list[PhiMention]] = {}
        for each in named:
            if (
                each.text not in self._short
                and (key := acronym(each.text, language)) in self._short
            ):
                self._by_abbreviation.setdefault(key, []).append(each)
        self._whole = self._wholes(named)
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
        kind = family_of(mention)
        for start, end in self._proper_runs(mention):
            key = match_key(mention.text[start:end])
            new = self._runs.get((kind, self._whole.get(key, key) if kind == "stem" else key))
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
        end = 1 if text[-1] in "HC" else 0
        choice = self._picker.randomness.choice
        return draw_until(
            lambda: (
                "".join(choice("ABCDEFGHJKLMNPRSTVW") for _ in text[end:]) + text[len(text) - end :]
            ),
            lambda new: new not in self._picker.words and new not in self._abbreviations.values(),
        )

    def _proper_runs(self, mention: PhiMention) -> list[tuple[int, int]]:
        return proper_runs(
            mention.text,
            self._language,
            of_street=mention.kind is SurrogateKind.STREET,
            is_city=lambda text: bool(self._city(text)),
            of_hospital=family_of(mention) == "stem",
        )

    def _wholes(self, mentions: Sequence[PhiMention]) -> dict[str, str]:
        """By its parts the name over small words that they are of, where no other has them."""
        names = {
            match_key(run)
            for each in mentions
            if family_of(each) == "stem"
            for start, end in self._proper_runs(each)
            if has_small_word(run := each.text[start:end], self._language)
        }
        small = self._language.places.small_words
        parts = [
            (word, each) for each in names for word in TOKEN.findall(each) if word not in small
        ]
        of_one = Counter(word for word, _ in parts)
        return {word: each for word, each in parts if of_one[word] == 1}

    def _renamed(self, mention: PhiMention) -> str:
        text = mention.text
        pieces: list[str] = []
        at = 0
        for start, end in self._proper_runs(mention):
            between = self._between(text[at:start])
            article, name = self._run(text[start:end], mention, text[:start], text[end:])
            if end - start > 1 and article != article_before(between, self._language):
                between = without_article(between, self._language)
            pieces += (between, name)
            at = end
            if _goes_on_joined(name, text[end:], self._language):  # `Tannenring`, not `Tannen-Ring`
                pieces.append(text[end + 1].lower())
                at += 2
        pieces.append(self._between(text[at:]))
        new = with_ordinal_endings("".join(pieces), self._language)
        return new if new != text else self._with_stem(mention)

    def _with_stem(self, mention: PhiMention) -> str:
        """Put a proper word into `General Hospital`, which has none: first, or last in Spanish."""
        words = mention.text.split() or [""]
        _, stem = self._run(mention.words, mention, "", exact=1)
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

    def _run(
        self, run: str, mention: PhiMention, before: str, behind: str = "", exact: int = 0
    ) -> tuple[str, str]:
        """The article that a new name has in the list, "" without one, and the name."""
        kind = family_of(mention)
        if len(run) == 1 and not exact:
            return "", self._letter(run)
        key = (kind, match_key(run))
        if kind == "stem":
            key = (kind, self._whole.get(key[1], key[1]))
        if key not in self._runs:
            last = match_key(before).split()[-1:] or [""]
            city = self._city(run) if kind != "street" else ""
            drawn = city or self._fresh(run, mention, last[0].strip(".-"), before, behind, exact)
            self._runs[key] = drawn
        article, name = _with_article(self._runs[key], self._language)
        return article, _cased_words(name, run)

    def _letter(self, letter: str) -> str:
        if letter.isdigit():
            return self._number(letter)
        others = [char for char in "ABCDEFGH" if char != letter.upper()]
        return match_case(self._picker.randomness.choice(others), letter)

    def _fresh(
        self,
        run: str,
        mention: PhiMention,
        last: str,
        before: str,
        behind: str,
        exact: int,
    ) -> str:
        kind = family_of(mention)
        names = self._names(kind, last)
        if kind == "street":
            if person := self._person(run, behind):
                return person
            names = _of_form(names, run, before, behind, self._language)
        elif last not in self._language.names.saints and generic_ending(
            run + re.split(r"\s", behind)[0], self._language
        ):
            names = self._language.places.hospital_stems or names
        most = _MOST_WORDS_OF_STREET if kind == "street" else _MOST_WORDS
        count = exact or min(most, len(TOKEN.findall(run)))
        if kind == "stem":
            names = self._alike(names, run, before)
        fitting = [each for each in names if _length(each, self._language) == count] or list(names)
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

    def _alike(self, names: Sequence[str], run: str, before: str) -> Sequence[str]:
        """Those of the names that are as the run is: over small words, or a family's."""
        if names is self._language.places.stems:
            article = article_before(before, self._language)
            if not article and match_key(run) in name_lists(self._language).family_names:
                return self._family_names()
            over = has_small_word(run, self._language)
            names = [each for each in names if _is_over(each, self._language) is over] or names
        return names

    def _person(self, run: str, behind: str) -> str:
        """`Ilse-Brandt` for the name in `Imre-Dehmel-Gasse`, "" for what is no such street."""
        if "-" not in run or not _is_joined(behind, self._language):
            return ""
        lists = name_lists(self._language)
        given = self._picker.draw((*lists.women.every_common, *lists.men.every_common))
        family = self._picker.draw(lists.family.every_common)
        return f"{given}-{family}" if given and family else ""

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
    return "".join(word[0].upper() for word in TOKEN.findall(text) if word.lower() not in small)


def family_of(mention: PhiMention) -> str:
    """Of which list a proper run of the mention is replaced."""
    if mention.kind is SurrogateKind.STREET:
        return "street"
    return "family" if mention.kind is SurrogateKind.ORGANIZATION else "stem"


def _is_before(full: PhiMention, short: PhiMention) -> bool:
    return full.record_id == short.record_id and full.number < short.number


def _with_article(name: str, language: Language) -> tuple[str, str]:
    """The article of a name in a list and the rest: `la`, `Alameda`."""
    first, _, rest = name.partition(" ")
    return (first, rest) if rest and first in language.articles.definite else ("", name)


def _length(name: str, language: Language) -> int:
    return len(TOKEN.findall(_with_article(name, language)[1]))


def _is_over(name: str, language: Language) -> bool:
    return has_small_word(_with_article(name, language)[1], language)


def _is_joined(behind: str, language: Language) -> bool:
    """Whether a word for a street follows with a hyphen, in a language that writes them on."""
    found = _HYPHENED.match(behind)
    return found is not None and found[1].lower() in language.places.street_endings


def _goes_on_joined(name: str, behind: str, language: Language) -> bool:
    return "-" not in name and _is_joined(behind, language)


def _of_form(
    names: Sequence[str], run: str, before: str, behind: str, language: Language
) -> Sequence[str]:
    """The names of streets that fit where one stood: with the same article, written on or not.

    `Breite` of `Breite Straße` fits before a word that stands apart, and of those that before
    the same word.
    """
    if has_street_word(before + run + behind, language):
        apart = [each for each in names if " " in each and generic_ending(each, language)]
        same = re.match(r"\s(\w+)", behind)
        if same and apart:
            fitting = [each for each in apart if each.lower().endswith(same[1].lower())]
            return [without_ending(each, language).strip() for each in fitting or apart]
        names = [without_ending(each, language) for each in names if each not in apart]
    article = article_before(before, language)
    return [each for each in names if _with_article(each, language)[0] == article] or names


def _cased_words(new: str, old: str) -> str:
    if old.islower() and len(old) > 1:
        return new.lower()
    return match_case(new, old) if old.isupper() else new
