"""A language as a value: `language("de")` is all that its folder tells, laid over `und`.

`und` (undetermined) holds what is so in every language. A language is its folder and nothing else:
`language.toml` names it, the other files may be missing. Several languages may be put together for
records of which nobody knows in which of them they are.
"""

import re
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, cached_property, reduce
from importlib.resources.abc import Traversable
from operator import attrgetter
from typing import Any, cast

from shared.errors import RequestError
from shared.language.folders import read_folder
from shared.language.known_languages import ROOTS, SHIPPED, UNDETERMINED, known_languages
from shared.language.sections import (
    Ages,
    Articles,
    Country,
    Dates,
    Names,
    Numbered,
    Numbers,
    Places,
    Region,
    TypeWords,
    Words,
)

DEFAULT_LANGUAGES = ("en", "es")
"""What records are taken to be written in where nobody says."""
FABRICATED_LANGUAGE = "en"
"""In what the notes of fabricated patients are written."""
_NEVER = r"(?!)"
_NAME_IN_BRACES = re.compile(r"\{([a-z][a-z_.]*)\}")


@dataclass(frozen=True, eq=False)
class Language:
    """What a language's folder tells. Two of them are the same only as one object."""

    code: str = UNDETERMINED
    name: str = ""
    stopwords: frozenset[str] = frozenset()
    nouns_capitalised: bool = False
    """Whether every noun has a capital, so that one is no sign of a name."""
    words_compounded: bool = False
    """Whether words are put together to one, the last of which says what it is: `Bauingenieur`."""
    faker: Words = ()
    """Locales of the library Faker whose names are common; `faker_more` are rarer."""
    faker_more: Words = ()
    faker_abroad: Words = ()
    """Locales whose names people have too who speak the language, as in a country of immigrants."""
    faker_known: Words = ()
    """Locales whose family names are known for such, and never drawn as surrogates."""
    faker_dictionaries: Words = ()
    """Locales of Faker whose names, places and professions dictionaries hold."""
    names: Names = field(default_factory=Names)
    dates: Dates = field(default_factory=Dates)
    ages: Ages = field(default_factory=Ages)
    places: Places = field(default_factory=Places)
    numbers: Numbers = field(default_factory=Numbers)
    articles: Articles = field(default_factory=Articles)
    cues: Mapping[str, Words] = field(default_factory=dict[str, Words])
    """Expressions by what they speak for where they stand beside a doubtful text."""
    women: Words = ()
    men: Words = ()
    family: Words = ()
    """Names beside those of Faker."""
    classes: Mapping[str, Words] = field(default_factory=dict[str, Words])
    """Words by their class, as the CRFs see them; `clinical_classes` are those of clinics."""
    clinical_classes: Mapping[str, Words] = field(default_factory=dict[str, Words])
    everyday: Words = ()
    """Locales of Faker with lists of everyday words."""
    parts_of_speech: Mapping[str, Words] = field(default_factory=dict[str, Words])
    """Words by the part of speech that they mostly are; `part_endings` are endings that tell it."""
    part_endings: Mapping[str, Words] = field(default_factory=dict[str, Words])
    patterns: tuple[Mapping[str, Any], ...] = ()
    """The tables of `patterns.toml`, which the rules read."""
    regions: Mapping[str, Region] = field(default_factory=dict[str, Region])
    countries: Mapping[str, Country] = field(default_factory=dict[str, Country])
    professions: Mapping[str, Words] = field(default_factory=dict[str, Words])
    """Professions by whose they are: `any`, `women`, `men`."""
    type_words: TypeWords = field(default_factory=TypeWords)
    """Words by which the name of a PHI type tells what it is."""
    eponyms: frozenset[str] = frozenset()
    common_words: frozenset[str] = frozenset()
    towns: frozenset[str] = frozenset()
    """Towns beside those of the regions and of Faker."""
    folders: tuple[Traversable, ...] = ()
    """What it was read from, a folder for each language that was put into it."""

    def __reduce__(self) -> tuple[object, ...]:
        """Between processes a language is its folders, which the other may not know by a code."""
        return _read_together, (self.folders,)

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the languages that were put together, one for one language."""
        return tuple(self.code.split("+"))

    @cached_property
    def titles(self) -> frozenset[str]:
        """Every title and form of address, in lower case without a full stop."""
        names = self.names
        return frozenset(
            (
                *names.honorifics,
                *names.honorifics_men,
                *names.honorifics_women,
                *names.clinician_titles,
            )
        )

    @cached_property
    def birth_labels(self) -> frozenset[str]:
        """What stands before a day of birth; labels in other scripts are of every language."""
        return frozenset((*self.dates.birth_labels, *language(UNDETERMINED).dates.birth_labels))

    @property
    def country(self) -> str:
        """The ISO 3166 code of the first country that it is spoken in, "" where none is said."""
        return next((each.country for each in self.regions.values()), "")

    @cached_property
    def particles(self) -> frozenset[str]:
        """Small words that belong to a family name."""
        return frozenset((*self.names.particles, *self.names.joiners))

    @cached_property
    def kinship(self) -> frozenset[str]:
        return frozenset((*self.names.kinship, *self.names.kinship_men, *self.names.kinship_women))

    @cached_property
    def month_numbers(self) -> Numbered:
        """0 for January by every way to write it, in lower case."""
        dates = self.dates
        named = _numbers_of(dates.months, dates.months_short) | dict(dates.other_months)
        return dict(dates.rare_months) | named

    @cached_property
    def weekday_numbers(self) -> Numbered:
        dates = self.dates
        return _numbers_of(dates.weekdays, dates.weekdays_short) | dict(dates.other_weekdays)

    @cached_property
    def season_numbers(self) -> Numbered:
        return _numbers_of(self.dates.seasons) | dict(self.dates.other_seasons)

    @cached_property
    def title_before(self) -> re.Pattern[str]:
        """A title at the end of what stands before a name."""
        return re.compile(rf"(?i)(?<!\w){alternatives(self.titles)}\.?,?\s+$")

    @cached_property
    def long_titles(self) -> frozenset[str]:
        """The titles of more than one letter: one, as the Spanish `d.`, may be an initial."""
        return frozenset(word for word in self.titles if len(word) > 1)

    @cached_property
    def long_particles(self) -> frozenset[str]:
        """The particles of more than one letter: one, as the Spanish `y`, may be an initial."""
        return frozenset(word for word in self.particles if len(word) > 1)

    @cached_property
    def honorifics(self) -> frozenset[str]:
        """Forms of address, of more than one letter, that are no clinician's title."""
        names = self.names
        return self.long_titles & {*names.honorifics_men, *names.honorifics_women} - {
            *names.clinician_titles
        }

    def cue(self, name: str) -> str:
        """The expressions of a cue as one group; one that never matches where there are none."""
        return f"(?:{'|'.join(self.cues[name])})" if self.cues.get(name) else _NEVER

    def expression(self, template: str) -> re.Pattern[str]:
        """Compile an expression with words of this language where a name stands in braces.

        `{illness_after}` is that cue, `{names.staff}` any word of a list of a table, and
        `{language.kinship}` any of a list that the language itself has.
        """
        return _expression(self, template)


@contextmanager
def languages_in(root: Traversable) -> Generator[None]:
    """Know the languages that have a folder below `root` too, before all others, for as long."""
    ROOTS.insert(0, root)
    _forget()
    try:
        yield
    finally:
        ROOTS.remove(root)
        _forget()


def _forget() -> None:
    for each in (known_languages, language, languages_together, _read, _read_together):
        each.cache_clear()


@cache
def language(code: str) -> Language:
    """Return a language by the name of its folder; `und` where it has none.

    Raises FileFormatError where a file of it is not what it should be.
    """
    roots = [] if code == UNDETERMINED else ROOTS
    known = (root / code for root in roots if (root / code / "language.toml").is_file())
    return _read(next(known, SHIPPED / UNDETERMINED))


@cache
def languages_together(codes: tuple[str, ...]) -> Language:
    """Return what any of several languages tells; the first goes first where only one can hold.

    Raises RequestError without any code.
    """
    if not codes:
        raise RequestError("name at least one language")
    return _read_together(tuple(folder for code in codes for folder in language(code).folders))


def default_language() -> Language:
    """The `DEFAULT_LANGUAGES` as one."""
    return languages_together(DEFAULT_LANGUAGES)


def alternatives(words: Iterable[str]) -> str:
    """An expression for any of these words or phrases, the longest first; for none, one that fails.

    A blank in a phrase stands for any white space.
    """
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    escaped = (re.escape(word).replace(r"\ ", r"\s+") for word in ordered)
    return f"(?:{'|'.join(escaped)})" if ordered else _NEVER


@cache
def _expression(language: Language, template: str) -> re.Pattern[str]:
    def words(found: re.Match[str]) -> str:
        name = found[1]
        if "." not in name:
            return language.cue(name)
        return alternatives(attrgetter(name.removeprefix("language."))(language))

    return re.compile(_NAME_IN_BRACES.sub(words, template))


@cache
def _read(folder: Traversable) -> Language:
    """Read the language of a folder, laid over `und`."""
    under = Language() if folder.name == UNDETERMINED else language(UNDETERMINED)
    told = read_folder(folder, vars(under), is_tested=folder == SHIPPED / folder.name)
    return replace(under, **told, code=folder.name, folders=(folder,))


@cache
def _read_together(folders: tuple[Traversable, ...]) -> Language:
    return reduce(_together, map(_read, folders))


# ---------------------------------------------------------------- several at once


_BY_PLACE = frozenset("months months_short weekdays weekdays_short weekdays_plural seasons".split())
"""What is told by its place in the row, so that two rows cannot become one."""


def _together(one: Language, other: Language) -> Language:
    told: dict[str, Any] = {each.name: _joined(each.name, one, other) for each in fields(Language)}
    told["code"] = f"{one.code}+{other.code}"
    told["folders"] = (*one.folders, *other.folders)
    told["dates"] = replace(
        told["dates"],
        other_months={**other.month_numbers, **one.month_numbers},
        other_weekdays={**other.weekday_numbers, **one.weekday_numbers},
        other_seasons={**other.season_numbers, **one.season_numbers},
    )
    return Language(**told)


def _joined(name: str, one: object, other: object) -> Any:  # noqa: ANN401  of any field
    """The values of a field of two languages or of two tables of theirs as one."""
    mine, yours = getattr(one, name), getattr(other, name)
    if isinstance(mine, tuple):
        rows = cast("tuple[Any, ...]", mine)
        return rows if name in _BY_PLACE else (*rows, *(row for row in yours if row not in rows))
    if isinstance(mine, frozenset):
        return cast("frozenset[str]", mine) | yours
    if isinstance(mine, Mapping):
        return _joined_tables(cast("Mapping[str, Any]", mine), yours)
    if is_dataclass(mine) and not isinstance(mine, type):
        return type(mine)(**{each.name: _joined(each.name, mine, yours) for each in fields(mine)})
    return cast("object", mine)


def _joined_tables(mine: Mapping[str, Any], yours: Mapping[str, Any]) -> dict[str, Any]:
    joined = {**yours, **mine}
    for key in mine.keys() & yours.keys():
        if isinstance(mine[key], tuple):
            joined[key] = tuple(dict.fromkeys((*mine[key], *yours[key])))
    return joined


def _numbers_of(*rows: Words) -> dict[str, int]:
    return {word.lower(): number for row in rows for number, word in enumerate(row)}
