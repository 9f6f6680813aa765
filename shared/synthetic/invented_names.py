"""Names, trades and firms that no list has, put together from those that lists have.

Without them, whoever learns from these patients believes that everything is in some list.
"""

from collections.abc import Container, Mapping, Sequence
from random import Random

_NAMES, _NAMES_SHARE = 2000, 0.6
_TRADES, _PLACES, _FIRMS = 500, 250, 250
FAMILY = "{family}"

Weighted = tuple[str, float]


def blended_names(names: Sequence[Weighted], known: Container[str]) -> list[Weighted]:
    """Names of the halves of two that people have, for a share of the draws."""
    rng = Random(0)
    plain = [name for name, _ in names if name.isalpha() and len(name) > 3]
    blends = (_blend(plain, rng) for _ in range(_NAMES))
    made = [name for name in blends if name not in known]
    weight = _NAMES_SHARE * sum(weight for _, weight in names) / len(made)
    return [(name, weight) for name in made]


def _blend(names: Sequence[str], rng: Random) -> str:
    first, second = rng.sample(names, 2)
    return first[: rng.randint(2, len(first) - 1)] + second[len(second) // 2 :].lower()


def invented_lists(
    lists: Mapping[str, Sequence[str]], known: Mapping[str, Container[str]]
) -> dict[str, tuple[str, ...]]:
    """Return more trades, firms and places, made of what the lists of practice have.

    A list of `known` holds what must not come about.
    """
    rng = Random(0)
    fields, heads = lists["trade fields"], lists["trade heads"]
    brands, firms = lists["brands"], _with_family(lists["organizations"])
    made = {
        "professions": [f"{rng.choice(fields)} {rng.choice(heads)}" for _ in range(_TRADES)],
        "organizations": [
            rng.choice(firms).replace(FAMILY, rng.choice(brands)) for _ in range(_FIRMS)
        ],
        "other places": [
            each.replace(FAMILY, rng.choice(lists["place names"]))
            for each in rng.choices(_with_family(lists["other places"]), k=_PLACES)
        ],
    }
    return {
        name: tuple(each for each in dict.fromkeys(items) if each not in known[name])
        for name, items in made.items()
    }


def _with_family(patterns: Sequence[str]) -> list[str]:
    return [each for each in patterns if each.count(FAMILY) == 1]
