"""Professions, and the relatives and other details that no list can stand for."""

from collections.abc import Sequence
from functools import cache

from shared.surrogates.drawing import Drawer, RecordWords
from shared.surrogates.mentions import Mention, Surrogate
from shared.surrogates.places.word_lists import words_of
from shared.surrogates.wording import cased_by_word, folded

ODD_PROFESSION = "more than a profession: see that the sentence still reads well"
DETAIL = "a detail that no rule can replace: write one that fits, or leave the placeholder"

_KEPT = ("retired ", "former ", "ex-", "ex ", "jubilado ", "jubilada ", "self-employed ")
_PLAIN_WORDS = 4
_MOST_WORDS = 3
_RELATIVES = {
    "en": (("relative", "family member", "kinsperson"), ("relatives", "family members", "kin")),
    "es": (("familiar", "pariente", "allegado"), ("familiares", "parientes", "allegados")),
}


class Professions:
    """Surrogates of one patient's professions: the same one the same."""

    def __init__(self, language: str, drawer: Drawer) -> None:
        self._language = language
        self._drawer = drawer
        self._drawn: dict[str, str] = {}

    def surrogate(self, mention: Mention) -> Surrogate:
        text = mention.words
        head = next((text[: len(each)] for each in _KEPT if text.lower().startswith(each)), "")
        rest = text[len(head) :]
        plural = self._language == "en" and rest.endswith("s") and not rest.endswith("ss")
        key = folded(rest)
        if key not in self._drawn:
            self._drawn[key] = self._fresh(rest)
        new = self._drawn[key] + ("s" if plural else "")
        odd = len(rest.split()) > _PLAIN_WORDS
        reasons = (ODD_PROFESSION,) if odd else ()
        return Surrogate(head + cased_by_word(new, rest), f"profession {new}", reasons)

    def _fresh(self, text: str) -> str:
        jobs = self._list(text)
        count = min(_MOST_WORDS, len(text.split()))
        as_long = [each for each in jobs if min(_MOST_WORDS, len(each.split())) == count]
        return self._drawer.draw(as_long) or self._drawer.draw(jobs) or "worker"

    def _list(self, text: str) -> Sequence[str]:
        if self._language == "en":
            return _english_jobs()
        feminine = folded(text).split()[0].endswith(("a", "triz"))
        return words_of(f"professions of {'women' if feminine else 'men'} in Spanish")


@cache
def _english_jobs() -> Sequence[str]:
    """Our own list, and of Faker's what reads well: `Engineer, civil` as `civil engineer`."""
    from faker.providers.job.en_US import Provider

    jobs: dict[str, None] = dict.fromkeys(words_of("professions"))
    for job in Provider.jobs:
        head, _, tail = str(job).lower().partition(", ")
        plain = f"{tail} {head}".strip()
        if all(char.isalpha() or char in " -" for char in plain):
            jobs.setdefault(plain)
    return tuple(jobs)


def relative(mention: Mention, language: str, words: RecordWords) -> Surrogate:
    """A word that says no more than that somebody is of the family; one that is in no record."""
    one, many = _RELATIVES[language]
    plural = mention.words.split()[:1] and mention.words.split()[0].lower().endswith("s")
    choices = many if plural else one
    new = next((each for each in choices if each not in words), choices[-1])
    return Surrogate(cased_by_word(new, mention.text), "relative")


def detail(mention: Mention) -> Surrogate:
    """A placeholder in brackets, for a person to replace."""
    return Surrogate(f"[{mention.tag.phi_type.name}]", "detail", (DETAIL,))
