"""Guidelines in the language of the records, and which section of any is about a type."""

import re
from collections.abc import Callable, Sequence

from shared.language.languages import Language
from shared.language.type_names import guess_traits
from shared.model import EntityKind, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import PhiTraits

_FILE = "guidelines.md"
_ENGLISH = "en"


def guidelines_in(spoken: Language) -> str:
    """The Markdown that a language's folder has, "" where it has none, or where it is not told."""
    if len(spoken.codes) > 1:
        return ""
    files = (folder / _FILE for folder in spoken.folders)
    return next((each.read_text("utf-8") for each in files if each.is_file()), "")


def about_english_guidelines(spoken: Language, *, same_types: bool) -> str:
    """What one has to know of the guidelines of i2b2 2014; "" where they are those of the project.

    `same_types` says whether the project has the types that they are about.
    """
    said = "These are the i2b2 2014 guidelines, in English"
    if not same_types:
        return f"{said}; this project has other types."
    return "" if _ENGLISH in spoken.codes else f"{said}."


def section_about(headings: Sequence[str], phi_type: PhiType, traits: PhiTraits) -> int | None:
    """The place of the heading that is about a type: by its name, else by what it is."""
    fits: tuple[Callable[[str], bool], ...] = (
        lambda heading: _plain(heading) == _plain(phi_type.name),
        lambda heading: phi_type.name in re.split(r"[\s,;:/()]+", heading),
        lambda heading: _speaks_of(heading, traits, exactly=True),
        lambda heading: _speaks_of(heading, traits, exactly=False),
    )
    places = range(len(headings))
    return next((place for fit in fits for place in places if fit(headings[place])), None)


def i2b2_section_about(headings: Sequence[str], traits: PhiTraits) -> int | None:
    """The place of the heading that names the type which i2b2 2014 has for what is of a kind."""
    if traits.kind is EntityKind.OTHER:
        return None  # which tells nothing
    like = I2B2_2014.type_for(traits.kind, traits.role)
    return section_named(headings, like.name) if like else None


def section_named(headings: Sequence[str], name: str) -> int | None:
    """The place of the heading that is this name and nothing else, capitals or not."""
    plain = [_plain(each) for each in headings]
    return plain.index(_plain(name)) if _plain(name) in plain else None


def _plain(name: str) -> str:
    return " ".join(re.split(r"[\s_-]+", name.casefold().strip()))


def _speaks_of(heading: str, traits: PhiTraits, *, exactly: bool) -> bool:
    guess = guess_traits(PhiType("", heading)) if heading.strip() else None
    if guess is None or guess.kind is EntityKind.OTHER or guess.kind is not traits.kind:
        return False
    return guess.role is traits.role or (not exactly and None in (guess.role, traits.role))
