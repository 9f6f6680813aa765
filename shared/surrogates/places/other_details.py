"""Departments, rooms, other places, professions, and what no list can stand for."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache

from shared.language.languages import Language, alternatives
from shared.language.name_lists import faker_list
from shared.surrogates.drawing import RecordWords, SurrogatePicker, draw_until
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.numbers.identifiers import Identifiers, fill_format, value_of
from shared.text.spelling import match_case_by_word, match_key

ODD_PLACE = "a place of which no rule knows what it is"
ODD_PROFESSION = "more than a profession: see that the sentence still reads well"
DETAIL = "a detail that no rule can replace: write one that fits, or leave the placeholder"

_NUMBERED = r"(?i)(?:{articles.definite} )?[^\W\d_]+\.?,? #?\d+[a-z]?"
_MAX_PLAIN_WORDS = 4
_MAX_WORDS = 3


def department(mention: PhiMention, language: Language, words: RecordWords) -> Surrogate:
    """The generic department that the name speaks of, else Internal Medicine, as in the paper.

    General Medicine stands in for the latter where the records speak of it untagged.
    """
    text, places = match_key(mention.text), language.places
    found = [
        (match.start(), place, name)
        for place, (pattern, name) in enumerate(places.departments)
        if (match := re.search(pattern, text))
    ]
    internal, general = places.internal_medicine, places.general_medicine
    name = min(found)[2] if found else general if internal in words else internal
    for other in (internal, general):
        if match_key(name) == text:
            name = other
    written = name.upper() if mention.text.isupper() and len(mention.text) > 4 else name
    return Surrogate(written, f"department {name}")


def room(mention: PhiMention, language: Language, numbers: Identifiers) -> Surrogate:
    """Other digits and letters in the same format; words such as `Room` stay."""
    pieces = re.findall(r"[^\W_]+|[\W_]+", mention.text)
    text = "".join(
        fill_format(each, numbers.fresh(value_of(each), each))
        if each.isalnum() and match_key(each) not in _room_words(language)
        else each
        for each in pieces
    )
    if match_key(text) == match_key(mention.text):
        return Surrogate(mention.placeholder, "room unread", (ODD_PLACE,))
    return Surrogate(text, f"room {text}")


@cache
def _room_words(language: Language) -> frozenset[str]:
    places = language.places
    words = places.unit_words + places.floor_words + places.department_words + places.generic_words
    return frozenset(map(match_key, (*words, *language.numbers.other_labels)))


class OtherPlaces:
    """Places of no other kind: another such lake, another number of the same road, or of the list.

    What a place is called by is drawn anew; the word that tells what it is stays.
    """

    def __init__(self, language: Language, picker: SurrogatePicker) -> None:
        self._language = language
        self._picker = picker
        self._drawn: dict[str, str] = {}

    def surrogate(self, mention: PhiMention) -> Surrogate:
        key = match_key(mention.text)
        if key not in self._drawn:
            self._drawn[key] = self._fresh(mention)
        new = self._drawn[key] or mention.placeholder
        known = any(char.isupper() for char in mention.text)
        text = new if self._is_numbered(mention) else match_case_by_word(new, mention.text)
        return Surrogate(text, f"place {new}", () if known else (ODD_PLACE,))

    def _is_numbered(self, mention: PhiMention) -> bool:
        return self._language.expression(_NUMBERED).fullmatch(mention.words) is not None

    def _fresh(self, mention: PhiMention) -> str:
        if self._is_numbered(mention):
            return self._renumbered(mention.words)
        if alike := self._of_same_kind(mention.words):
            return alike
        places = self._language.places.other_places
        article = mention.words.lower().partition(" ")[0] in self._language.articles.definite
        fitting = [each for each in places if each[0].islower() == article] or places
        return self._picker.draw(fitting) or self._picker.draw(places) or ""

    def _of_same_kind(self, text: str) -> str:
        """`Lake Kestrel` for another lake, "" where no word tells what the place is."""
        places, words = self._language.places, text.split()
        has_article = bool(words) and words[0].lower() in self._language.articles.definite
        article = words.pop(0) if has_article else ""
        kinds = [at for at in (-1, 0) if words and words[at].lower() in places.place_kinds]
        if not words[1:] or len(kinds) != 1:
            return ""
        stem = self._picker.draw(each for each in places.stems if " " not in each)
        named = (stem, words[-1]) if kinds == [-1] else (words[0], stem)
        return " ".join(filter(None, (article, *named))) if stem else ""

    def _renumbered(self, text: str) -> str:
        taken = {text, *self._drawn.values()}
        new = draw_until(
            lambda: re.sub(r"\d", lambda _: str(1 + self._picker.randomness.randrange(9)), text),
            lambda new: new not in taken and new not in self._picker.words,
        )
        return new if new != text else ""


class Professions:
    """Surrogates of one patient's professions: the same one the same."""

    def __init__(self, language: Language, picker: SurrogatePicker) -> None:
        self._language = language
        self._picker = picker
        self._drawn: dict[str, str] = {}

    def surrogate(self, mention: PhiMention) -> Surrogate:
        text = mention.words
        before = re.match(_before(self._language), text)
        head = before[0] if before else ""
        rest = text[len(head) :]
        has_one_form = "any" in self._language.professions
        plural = has_one_form and rest.endswith("s") and not rest.endswith("ss")
        key = match_key(rest)
        if key not in self._drawn:
            self._drawn[key] = self._fresh(rest)
        if not self._drawn[key]:
            return Surrogate(mention.placeholder, "profession unknown", (ODD_PROFESSION,))
        new = self._drawn[key] + ("s" if plural else "")
        odd = len(rest.split()) > _MAX_PLAIN_WORDS
        reasons = (ODD_PROFESSION,) if odd else ()
        return Surrogate(head + match_case_by_word(new, rest), f"profession {new}", reasons)

    def _fresh(self, text: str) -> str:
        jobs = _jobs(self._language, _is_womens(text, self._language))
        count = min(_MAX_WORDS, len(text.split()))
        as_long = [each for each in jobs if min(_MAX_WORDS, len(each.split())) == count]
        return self._picker.draw(as_long) or self._picker.draw(jobs) or ""


def _before(language: Language) -> str:
    """An expression for the words that may stand before a profession: `retired`."""
    return rf"(?i){alternatives(language.professions.get('before', ()))}(?:\s+|-)"


def _is_womens(text: str, language: Language) -> bool:
    """Whether a profession is a woman's, or ends as those do, in a language that has such."""
    known = {
        whose: match_key(text) in map(match_key, language.professions.get(whose, ()))
        for whose in ("women", "men")
    }
    if known["women"] is not known["men"]:
        return known["women"]
    if endings := language.names.women_endings:
        return match_key(text).endswith(tuple(map(match_key, endings)))
    women, men = (
        Counter(match_key(each).split()[0][-1] for each in language.professions.get(whose, ()))
        for whose in ("women", "men")
    )
    ending = match_key(text).split()[0][-1:] if text.split() else ""
    return women[ending] > men[ending]


@cache
def _jobs(language: Language, of_women: bool) -> Sequence[str]:
    """The language's list, and of Faker's what reads well: `Engineer, civil` as `civil engineer`.

    Faker's are left out where men and women have words of their own.
    """
    if "any" not in language.professions:
        return language.professions.get("women" if of_women else "men", ())
    jobs: dict[str, None] = dict.fromkeys(language.professions["any"])
    for job in faker_list("job", language.faker[:1], "jobs"):
        head, _, tail = job.lower().partition(", ")
        plain = f"{tail} {head}".strip()
        is_short_for = any(word.isupper() for word in job.split())  # `it trainer` reads badly
        if not is_short_for and all(char.isalpha() or char in " -" for char in plain):
            jobs.setdefault(plain)
    return tuple(jobs)


def other_detail(mention: PhiMention) -> Surrogate:
    """A placeholder in brackets, for a person to replace."""
    return Surrogate(mention.placeholder, "detail", (DETAIL,))
