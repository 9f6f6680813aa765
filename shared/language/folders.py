"""The files of a language's folder, and what is wrong with one, in a sentence."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError
from shared.language.sections import (
    TYPE_CATEGORIES,
    Ages,
    Articles,
    Country,
    Dates,
    Names,
    Numbers,
    Places,
    Region,
    TypeWords,
    Words,
    section_from,
)
from shared.language.word_tree import any_of
from shared.model import EntityKind, PersonRole
from shared.outside import MALFORMED, parse_toml, read_bounded

_SECTIONS = {
    "names": Names, "dates": Dates, "ages": Ages, "places": Places, "numbers": Numbers,
    "articles": Articles,
}  # fmt: skip


def read_folder(
    folder: Traversable, under: Mapping[str, Any], *, is_tested: bool = False
) -> dict[str, Any]:
    """Return the fields that a folder tells of a language, laid over those of another.

    Raises FileFormatError. Expressions are compiled to see whether they can be, which takes longer
    than to read all else, unless the folder is one `is_tested`.
    """
    told: dict[str, Any] = {}
    for name in _LISTS:
        if (file := folder / f"{name}.txt").is_file():
            try:
                told[name] = frozenset(_entries(_content(file).decode(), name))
            except UnicodeDecodeError:
                raise FileFormatError(_path(file), "is no text in UTF-8; save it as such") from None
    for name, read in _FILES.items():
        file = folder / name
        if not file.is_file():
            continue
        try:
            table = _table(file, folder / file.name.removesuffix(".toml"))
            found = read(table, {**under, **told})
            check_expressions({} if is_tested else found)
        except ValueError as error:
            raise FileFormatError(_path(file), f"{error}; correct it") from None
        except MALFORMED:
            raise FileFormatError(
                _path(file), "has a value of another kind than it needs; correct it"
            ) from None
        told |= found
    return told


def files_below(folder: Traversable, within: str = "") -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a folder and of those in it, by their path within it, in order."""
    for each in sorted(folder.iterdir(), key=lambda each: each.name):
        path = f"{within}{each.name}"
        if each.is_dir():
            yield from files_below(each, f"{path}/")
        else:
            yield path, each


def _table(file: Traversable, more: Traversable) -> dict[str, Any]:
    """Return the table of a file, with what those in the folder of its name add to its lists.

    Raises ValueError, and FileFormatError where it is one of these that is wrong.
    """
    table = parse_toml(_content(file))
    for _, each in files_below(more) if more.is_dir() else ():
        try:
            added = _lists(each, file.name)
        except ValueError as error:
            raise FileFormatError(_path(each), f"{error}; correct it") from None
        for key, entries in added.items():
            table[key] = [*table.get(key, ()), *entries]
    return table


def _lists(file: Traversable, whole: str) -> dict[str, list[Any]]:
    table = parse_toml(_content(file))
    for key, entries in table.items():
        if not isinstance(entries, list):
            raise ValueError(f"has {key}, which belongs into {whole}")  # noqa: TRY004
    return table


def _content(file: Traversable) -> bytes:
    """Return what a file of the package, or of a folder of somebody's own, holds."""
    return read_bounded(file) if isinstance(file, Path) else file.read_bytes()


def _path(file: Traversable) -> Path:
    return Path(str(file))


def _language_file(table: dict[str, Any], under: Mapping[str, Any]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name, kind in _SECTIONS.items():
        values = section_from(kind, table.pop(name, {}))
        told[name] = replace(under[name], **values)
    _check_calendar(told["dates"])
    cues = {name: tuple(parts) for name, parts in table.pop("cues", {}).items()}
    told["cues"] = {**under["cues"], **cues}
    for key in ("faker", "faker_more", "faker_abroad", "faker_known", "faker_dictionaries"):
        told[key] = tuple(table.pop(key, ()))
    told["name"] = str(table.pop("name", ""))
    told["stopwords"] = frozenset(str(table.pop("stopwords", "")).split())
    for fact in ("nouns_capitalised", "words_compounded"):
        told[fact] = bool(table.pop(fact, False))
    if table:
        raise ValueError(f"has no key {next(iter(table))}")
    if not told["name"]:
        raise ValueError("needs the name of the language as name")
    return told


def _check_calendar(dates: Dates) -> None:
    for key, count in (("months", 12), ("weekdays", 7), ("seasons", 4)):
        for name in (key, f"{key}_short"):
            if len(getattr(dates, name, ())) not in (0, count):
                raise ValueError(f"needs {count} words as {name}")


def check_expressions(told: Mapping[str, Any]) -> None:
    """Raise ValueError where a cue or a pattern of a language cannot be compiled."""
    cues = cast("Mapping[str, Words]", told.get("cues", {}))
    patterns = cast("tuple[Mapping[str, Any], ...]", told.get("patterns", ()))
    for each in chain(*cues.values(), (str(one.get("find", "(")) for one in patterns)):
        try:
            re.compile(each)
        except (re.error, RecursionError, OverflowError) as error:
            raise ValueError(f"has an expression that cannot be read ({error})") from None


def _names_file(table: dict[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    known = {"women", "men", "family"}
    if unknown := set(table) - known:
        raise ValueError(f"has no key {min(unknown)}")
    return {key: tuple(str(names).split()) for key, names in table.items()}


def _classes_file(table: dict[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    return {"classes": _classes(table.get("words", {}))}


def _clinical_file(table: dict[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "clinical_classes": _classes(table.get("words", {})),
        "everyday": tuple(table.get("everyday", ())),
    }


def _parts_of_speech_file(table: dict[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "parts_of_speech": _classes(table.get("words", {})),
        "part_endings": _classes(table.get("endings", {})),
    }


def _classes(table: Mapping[str, str]) -> dict[str, Words]:
    return {name: tuple(words.split()) for name, words in table.items()}


_PART = re.compile(r"\{\{(\w+)\}\}")
"""A part of an expression: of the language's lists, or of `[parts]` after what it names."""


def _patterns_file(table: dict[str, Any], under: Mapping[str, Any]) -> dict[str, Any]:
    patterns = _with_parts(table, _listed_parts(under))
    return {"patterns": (*under["patterns"], *patterns)}


def _listed_parts(told: Mapping[str, Any]) -> dict[str, str]:
    """Expressions for any country, people and region of a language."""
    countries = cast("Mapping[str, Country]", told["countries"]).values()
    regions = cast("Mapping[str, Region]", told["regions"]).values()
    return {
        "countries": any_of(name for each in countries for name in (each.name, *each.short_forms)),
        "peoples": any_of(each.demonym for each in countries),
        "regions": any_of(each.name for each in regions),
    }


def _with_parts(table: dict[str, Any], parts: dict[str, str]) -> list[Mapping[str, Any]]:
    """The patterns of a file, with the parts that its expressions name put into them."""
    patterns = cast("list[Mapping[str, Any]]", table.get("pattern", []))

    def whole(expression: str) -> str:
        return _PART.sub(lambda found: parts.get(found[1], found[0]), expression)

    for name, part in cast("Mapping[str, str | list[str]]", table.get("parts", {})).items():
        parts[name] = whole(part) if isinstance(part, str) else any_of(part)
    return [{**each, "find": whole(each["find"])} if "find" in each else each for each in patterns]


def _regions_file(table: dict[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    return {"regions": {code: _region(code, row) for code, row in table.items()}}


def _region(code: str, row: Mapping[str, Any]) -> Region:
    if "name" not in row or not isinstance(row.get("cities"), list):
        raise ValueError(f"needs a name and a list of cities for the region {code}")
    cities = [_CITY.fullmatch(str(city)) for city in row["cities"]]
    known = [(found["name"], found["code"]) for found in cities if found]
    return Region(
        code,
        str(row["name"]),
        str(row.get("country", "")),
        tuple(str(row.get("postal", "")).split()),
        tuple(name for name, _ in known),
        {name: code for name, code in known if code},
        tuple(row.get("short_forms", ())),
    )


_CITY = re.compile(r"(?P<name>.*?)(?:\s(?P<code>\d{4,5}))?")


def _countries_file(table: dict[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    drawn, others = (
        cast("dict[str, list[str]]", table.get(key, {})) for key in ("drawn", "others")
    )
    if any(len(row) < 2 for row in (*drawn.values(), *others.values())):
        raise ValueError("needs the name of every country and that of its people")
    cities = cast("dict[str, list[str]]", table.get("cities", {}))
    rows = (
        (code, row, listed is drawn) for listed in (drawn, others) for code, row in listed.items()
    )
    return {
        "countries": {
            code: Country(
                code, row[0], row[1], tuple(row[2:]), is_drawn, tuple(cities.get(code, ()))
            )
            for code, row, is_drawn in rows
        }
    }


def _professions_file(table: dict[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    return {"professions": {whose: tuple(listed) for whose, listed in table.items()}}


def _type_names_file(table: dict[str, Any], _: Mapping[str, Any]) -> dict[str, Any]:
    known = {"categories": TYPE_CATEGORIES, "kinds": EntityKind, "roles": PersonRole}
    if unknown := set(table) - set(known):
        raise ValueError(f"has no key {min(unknown)}")
    for name, rows in table.items():
        if unknown := set(rows) - set(known[name]):
            raise ValueError(f"has no key {min(unknown)} in {name}")
    return {"type_words": TypeWords(**{name: _classes(rows) for name, rows in table.items()})}


_FILES: Mapping[str, Any] = {
    "language.toml": _language_file,
    "names.toml": _names_file,
    "classes.toml": _classes_file,
    "clinical.toml": _clinical_file,
    "parts_of_speech.toml": _parts_of_speech_file,
    "type_names.toml": _type_names_file,
    "regions.toml": _regions_file,
    "countries.toml": _countries_file,
    "professions.toml": _professions_file,
    "patterns.toml": _patterns_file,  # last, since its expressions name countries
}
_LISTS = ("eponyms", "common_words", "towns")
_WHOLE_LINES = ("towns",)
"""Lists of which an entry may have several words, one in each line."""


def _entries(text: str, name: str) -> list[str]:
    if name not in _WHOLE_LINES:
        return text.split()
    return [line for line in text.splitlines() if line and not line.startswith("#")]
