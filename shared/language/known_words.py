"""Words that are known to be given names, family names, towns or jobs, as patterns ask for.

Which they are, the lists of Faker say, and those of the language's folder.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import chain

from shared.language.languages import Language, alternatives, language
from shared.language.name_lists import faker_list, name_lists
from shared.text.spelling import match_key

_MORE_OF_TOWN = re.compile(r"(?:\s(?:am|an|im|in|bei|ob|vor|auf|a\.|b\.|i\.|\().*|/.*)", re.S)
"""Where a town lies, which is written with its name or not."""
_SAINT = re.compile(r"\bst\.(?=\s)")
_TWO_LETTERS = re.compile(r"(?<=[aou])e")
"""What stands for the dots over a letter where somebody had none."""
_FAMILY_LISTS = ("last_names", "unisex_last_names", "male_last_names", "last_romanized_names")
"""What Faker calls lists of family names that are written in Latin letters."""
_WITHOUT_STROKE = str.maketrans("łŁøØđĐ", "lLoOdD")
"""`Łukasiewicz` is `Lukasiewicz` too: a stroke is no accent, and stays where those go."""


@dataclass(frozen=True, eq=False)
class KnownWords:
    """Words of one kind; the lists are read when the first text is asked for.

    With `apart`, one word of a text that is known is enough, of `Hans-Jürgen` both, as of given
    names; a town is known with what it lies at and without.
    """

    read: Callable[[], Iterable[str]]
    apart: bool

    def __contains__(self, text: str) -> bool:
        if not self.apart:
            return self._is_known(_SAINT.sub("sankt", match_key(_MORE_OF_TOWN.sub("", text))))
        return any(all(map(self._is_known, each.split("-"))) for each in match_key(text).split())

    def _is_known(self, word: str) -> bool:
        return word in self._words or _TWO_LETTERS.sub("", word) in self._words

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(map(match_key, self.read()))


@cache
def known_words(spoken: Language, kind: str) -> KnownWords:
    """Return the words of a kind: `given`, `family`, `town`, `only_town` or `job`.

    Raises KeyError for another.
    """
    read = _READ[kind]
    return KnownWords(lambda: read(spoken), apart=kind == "given")


@lru_cache(maxsize=20_000)
def is_listed_name(word: str, spoken: Language) -> bool:
    """Whether lists know a word, or a part of a double one, as a name of people anywhere."""
    kinds = (known_words(spoken, "given"), known_words(spoken, "family"))
    return any(part in words for words in kinds for part in {word, *word.split("-")})


def ends_as_no_name(word: str, spoken: Language) -> bool:
    """True for a word of an ending that no name has, unless it is one by a list."""
    return bool(_no_name_endings(spoken).search(word)) and not is_listed_name(word, spoken)


@cache
def _no_name_endings(spoken: Language) -> re.Pattern[str]:
    return re.compile(rf"(?i){alternatives(spoken.names.no_name_endings)}$")


def _given(spoken: Language) -> Iterable[str]:
    """Names of the language, and those of others that are no words of it."""
    elsewhere = language("und").faker
    listed = (faker_list("person", elsewhere, f"first_names_{sex}") for sex in ("male", "female"))
    far = {word.lower() for names in listed for name in names for word in name.split()}
    own = set(name_lists(spoken).given_sexes)
    words = set(chain(spoken.stopwords, spoken.eponyms, *spoken.classes.values()))
    far = {name for name in far - spoken.common_words if len(name) > 2}
    return (own | far) - words


def _family(spoken: Language) -> Iterable[str]:
    names, undetermined = name_lists(spoken), language("und")
    listed = (faker_list("person", undetermined.faker_known, each) for each in _FAMILY_LISTS)
    names_far = {name for name in chain(*listed) if len(name) > 2}
    far = names_far | {name.translate(_WITHOUT_STROKE) for name in names_far}
    return names.family_names | names.abroad | name_lists(undetermined).family_names | far


def _towns(spoken: Language) -> Iterable[str]:
    cities = (city for region in spoken.regions.values() for city in region.cities)
    listed = (*spoken.towns, *cities, *faker_list("address", spoken.faker, "cities"))
    whole = {town for town in listed if town.lower() not in spoken.eponyms}
    return whole | {_MORE_OF_TOWN.sub("", town) for town in whole}


def _only_towns(spoken: Language) -> Iterable[str]:
    """Towns that are neither a name of people nor a word, nor too short to tell."""
    names = name_lists(spoken)
    others = {match_key(each) for each in (*names.family_names, *names.given_sexes)}
    words = spoken.common_words | frozenset(chain(*spoken.classes.values()))
    return (
        town
        for town in _towns(spoken)
        if len(town) > 4 and match_key(town) not in others and town.lower() not in words
    )


def _jobs(spoken: Language) -> Iterable[str]:
    """Words that what somebody does for a living ends with, and those that it may be alone."""
    return spoken.classes.get("job", ())


_READ: Mapping[str, Callable[[Language], Iterable[str]]] = {
    "given": _given,
    "family": _family,
    "town": _towns,
    "only_town": _only_towns,
    "job": _jobs,
}
