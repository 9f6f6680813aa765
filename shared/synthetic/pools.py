"""Where names, places and trades are drawn from.

Names are the word lists of Faker's providers (read once, not asked one by one, which is slow); what
Faker has no list for stands in `words.txt`. Two thirds of every list serve the standard patients,
the last third the held-out ones, so that the two share no name.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.resources import files
from itertools import accumulate
from random import Random
from typing import Literal, cast, get_args

from shared.language.folders import files_below
from shared.synthetic.invented_names import FAMILY, blended_names, invented_lists
from shared.synthetic.template import read_lists

Templates = Literal[
    "standard", "held-out", "practice", "second", "third", "fourth", "fifth", "sixth", "seventh"
]
"""Which notes and names: `practice` is the standard set and far more, for training recognizers; so
are those that numbers name, which share no sentence with any other."""
TEMPLATES_TO_LEARN: Sequence[Templates] = tuple(
    each for each in get_args(Templates) if each not in {"standard", "held-out"}
)

_GIVEN_LOCALES = {"en_US": 8, "en_GB": 1, "es_MX": 1, "en_IN": 1, "it_IT": 1}
_FAMILY_LOCALES = _GIVEN_LOCALES | {"fr_CA": 1, "vi_VN": 1, "ig_NG": 1}
_MEDICAL = ("nurs", "doctor", "medic", "therap", "pharm", "surg", "clinic", "health", "dent")


@dataclass(frozen=True, slots=True)
class Pool:
    """Words to draw from, some oftener than others."""

    words: tuple[str, ...]
    weights: tuple[float, ...]

    @classmethod
    def even(cls, words: Sequence[str]) -> "Pool":
        return cls(tuple(words), tuple(accumulate(1.0 for _ in words)))

    def draw(self, rng: Random) -> str:
        return rng.choices(self.words, cum_weights=self.weights)[0]


@dataclass(frozen=True, slots=True)
class Pools:
    """All lists of one set of templates; `words` are those of words.txt by name."""

    given: Mapping[str, Pool]
    family: Pool
    words: Mapping[str, tuple[str, ...]]

    def draw(self, name: str, rng: Random) -> str:
        return rng.choice(self.words[name])


@cache
def pools(templates: Templates) -> Pools:
    """Return the pools that go with a set of templates."""
    return Pools(
        given={
            "M": _names("first_names_male", _GIVEN_LOCALES, templates),
            "F": _names("first_names_female", _GIVEN_LOCALES, templates),
        },
        family=_names("last_names", _FAMILY_LOCALES, templates),
        words=_words(templates),
    )


def read_template(*place: str) -> str:
    """Return the text of a file that lies beside this module."""
    return files("shared.synthetic").joinpath(*place).read_text(encoding="utf-8")


def digest_of_templates() -> str:
    """Return a SHA-256 over all phrase books, notes and lists of words, of all sets."""
    digest = sha256()
    for path, file in files_below(files("shared.synthetic")):
        if path.endswith(".txt"):
            digest.update(f"{path}\n{file.read_text('utf-8')}\n".encode())
    return digest.hexdigest()


def _half(index: int, templates: Templates) -> bool:
    return (index % 3 == 2) == (templates == "held-out")


def _names(what: str, locales: Mapping[str, int], templates: Templates) -> Pool:
    """Draw from the locales as often as their number says, within one as Faker's weights say."""
    weights: dict[str, float] = {}
    for locale, share in locales.items():
        found = cast("dict[str, float] | Sequence[str]", _provider("person", locale, what))
        items = found if isinstance(found, dict) else dict.fromkeys(found, 1.0)
        total = sum(items.values())
        for name, weight in items.items():
            weights.setdefault(name, share * weight / total)
    kept = [
        (name, weight)
        for index, (name, weight) in enumerate(sorted(weights.items()))
        if _half(index, templates)
    ]
    if templates in TEMPLATES_TO_LEARN:
        kept += blended_names(kept, weights)
    return Pool(tuple(n for n, _ in kept), tuple(accumulate(weight for _, weight in kept)))


def _provider(kind: str, locale: str, what: str) -> object:
    provider = import_module(f"faker.providers.{kind}.{locale}").Provider
    return getattr(provider, what)


def _words(templates: Templates) -> dict[str, tuple[str, ...]]:
    lists = read_lists(read_template("words.txt"))
    own = lists["professions"]
    own += [job for job in _faker_jobs() if job not in own]
    more = _practice_words(lists) if templates in TEMPLATES_TO_LEARN else {}
    return {
        name: (
            *(each for index, each in enumerate(items) if _half(index, templates)),
            *more.get(name, ()),
        )
        for name, items in lists.items()
    }


def _practice_words(known: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """The lists of practice_words.txt, and what is made of them; nothing that is known."""
    more = read_lists(read_template("practice_words.txt"))
    made = invented_lists(more, known)
    places = [each for each in more["other places"] if FAMILY not in each]
    return {
        name: (*(places if name == "other places" else items), *made.get(name, ()))
        for name, items in more.items()
    }


def _faker_jobs() -> list[str]:
    """Faker's trades that read well in a sentence and are none of the medical staff's."""
    jobs = cast("Sequence[str]", _provider("job", "en_US", "jobs"))
    plain = (job.lower() for job in jobs if job.replace(" ", "").isalpha())
    return sorted({job for job in plain if not any(part in job for part in _MEDICAL)})
