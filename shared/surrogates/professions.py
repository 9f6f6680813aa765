"""Professions, and the relatives and other details that no list can stand for."""

from shared.surrogates.drawing import Drawer
from shared.surrogates.mentions import Mention, Surrogate
from shared.surrogates.places.word_lists import words_of
from shared.surrogates.wording import cased_by_word, folded

ODD_PROFESSION = "more than a profession: see that the sentence still reads well"
DETAIL = "a detail that no rule can replace: write one that fits, or leave the placeholder"

_KEPT = ("retired ", "former ", "ex-", "ex ", "jubilado ", "jubilada ", "self-employed ")
_PLAIN_WORDS = 4
_RELATIVES = {"en": ("relative", "relatives", "next of kin"),
              "es": ("familiar", "familiares", "allegados")}  # fmt: skip


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
        return self._drawer.draw(self._list(text)) or "worker"

    def _list(self, text: str) -> tuple[str, ...]:
        if self._language == "en":
            return words_of("professions")
        feminine = folded(text).split()[0].endswith(("a", "triz"))
        return words_of(f"professions of {'women' if feminine else 'men'} in Spanish")


def relative(mention: Mention, language: str) -> Surrogate:
    """A word that says no more than that somebody is of the family."""
    one, many, other = _RELATIVES[language]
    key = folded(mention.text)
    new = many if key.split()[0].endswith("s") else one
    if new == key:
        new = other if key == many else one if key == many else other
    return Surrogate(cased_by_word(new, mention.text), "relative")


def detail(mention: Mention) -> Surrogate:
    """A placeholder in brackets, for a person to replace."""
    return Surrogate(f"[{mention.tag.phi_type.name}]", "detail", (DETAIL,))
