"""A person's name in the forms in which notes write it."""

from collections.abc import Callable
from random import Random

from shared.synthetic.cast import CastMember, plain_letters

NAME_FORMS: dict[str, Callable[[CastMember, Random], str]] = {
    "full": lambda p, _: f"{p.given} {p.family}",
    "mid": lambda p, _: f"{p.given} {p.middle[0]}. {p.family}",
    "family": lambda p, _: p.family,
    "given": lambda p, _: p.given,
    "initial": lambda p, _: f"{p.given[0]}. {p.family}",
    "initials": lambda p, rng: plain_letters(p.initials) if rng.random() < 0.6 else _two(p),
    "dotted": lambda p, _: f"{p.given[0]}.{p.family_initial}.",
    "low": lambda p, _: plain_letters(p.initials).lower(),
    "upper": lambda p, _: f"{p.given} {p.family}".upper(),
    "family-upper": lambda p, _: p.family.upper(),
    "last-first": lambda p, rng: _last_first(p, rng).upper(),
    "Last-First": lambda p, _: f"{p.family}, {p.given}",
    "last-initial": lambda p, _: f"{p.family} {p.given[0]}",
    "given-letter": lambda p, _: f"{p.given} {p.family_initial}.",
    "two-initials": lambda p, rng: rng.choice(("{}. {}. {}", "{}.{}. {}", "{}{} {}")).format(
        p.given[0], p.middle[0], p.family
    ),
    "whole": lambda p, _: f"{p.given} {p.middle} {p.family}",
    "junior": lambda p, rng: f"{p.given} {p.family}{rng.choice((', Jr.', ' Jr', ' III', ' II'))}",
    "mid-upper": lambda p, _: f"{p.given} {p.middle[0]}. {p.family}".upper(),
    "login": lambda p, _: plain_letters(p.given[0] + p.family).lower(),
    "any": lambda p, rng: NAME_FORMS[rng.choice(_ANY)](p, rng),
}
_ANY = (
    "full full full full full mid mid mid initial initial initial Last-First Last-First family "
    "given upper last-first last-first two-initials whole given-letter last-initial mid-upper"
).split()


def misspelt(name: str, rng: Random) -> str:
    """Return the name with one slip of a typist: two letters swapped, one doubled or one lost."""
    inner = [
        at
        for at in range(1, len(name) - 1)
        if name[at].isalpha() and name[at + 1].isalpha() and name[at] != name[at + 1]
    ]
    if len(inner) < 3:
        return name
    at = rng.choice(inner)
    return rng.choice(
        (
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
            name[:at] + name[at] + name[at:],
            name[:at] + name[at + 1 :],
        )
    )


def _two(person: CastMember) -> str:
    return plain_letters(person.given[0] + person.family_initial)


def _last_first(person: CastMember, rng: Random) -> str:
    comma = rng.choice((",", ",", ", "))
    middle = rng.choice(("", "", f" {person.middle[0]}", f" {person.middle[0]}."))
    return f"{person.family}{comma}{person.given}{middle}"
