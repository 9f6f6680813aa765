"""Which libraries of a frozen Tandem anything in it needs, and ICU's without its data."""

import re
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath
from typing import NamedTuple

_LIBRARY = re.compile(r"(^|/)lib[^/]*\.so(\.[\d.]+)?$")
_LOADED_BY_NAME = re.compile(r"/plugins/|^libpython")
_ICU_DATA = re.compile(r"libicudata\.so\.(\d+)$")
_NEEDED = re.compile(r"\(NEEDED\)[^\[]*\[(.*)\]")
_NO_DATA = """
#include <stdint.h>
const struct {{
    uint16_t header_size; uint8_t magic[2];
    uint16_t info_size, reserved; uint8_t is_big_endian, charset, unit, reserved_too;
    uint8_t format[4], format_version[4], data_version[4], padding[8];
    uint32_t items, none[5];
}} icudt{version}_dat = {{
    32, {{0xda, 0x27}}, 20, 0, 0, 0, 2, 0,
    {{'T', 'o', 'C', 'P'}}, {{1, 0, 0, 0}}, {{0}}, {{0}}, 0, {{0}}
}};
"""


class Entry(NamedTuple):
    """A file of the bundle as PyInstaller has it: its place, what it is made of, its kind."""

    name: str
    source: str
    kind: str


def needed(entries: Iterable[Entry], wants: Callable[[str], Iterable[str]]) -> list[Entry]:
    """The entries without libraries that only those needed which are left out.

    `wants` gives the names of the libraries that a file is linked to. Modules and plug-ins are
    opened by their names, and stay.
    """
    kept: list[Entry] = []
    libraries: dict[str, list[Entry]] = {}
    for each in entries:
        by_name = each.kind == "EXTENSION" or _LOADED_BY_NAME.search(each.name)
        if _LIBRARY.search(each.name) and not by_name:
            libraries.setdefault(PurePath(each.name).name, []).append(each)
        else:
            kept.append(each)
    for each in kept:  # which grows
        if each.kind != "SYMLINK":
            for name in wants(each.source):
                kept += libraries.pop(PurePath(name).name, [])
    return kept


def linked_to(path: str) -> list[str]:
    """The names of the libraries that a file itself asks for, not those that they ask for."""
    words = ["readelf", "--dynamic", "--wide", path]
    said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    return _NEEDED.findall(said)


def without_icu_data(entries: Iterable[Entry], place: Path) -> list[Entry]:
    """The entries with an empty table in the place of ICU's 32 MB of data, as ICU itself builds it.

    Qt asks ICU for the order of words in a language and for encodings that are none of Unicode;
    Tandem uses neither of Qt. Case, classes of characters and bidirectional text need no data.
    """
    return [
        each._replace(source=str(_no_data(found[1], place)))
        if each.kind != "SYMLINK" and (found := _ICU_DATA.search(each.name))
        else each
        for each in entries
    ]


def _no_data(version: str, place: Path) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    source, made = place / "icudata.c", place / f"libicudata.so.{version}"
    source.write_text(_NO_DATA.format(version=version), encoding="utf-8")
    name = f"-Wl,-soname,{made.name}"
    words = ["cc", "-shared", "-fPIC", "-nostdlib", "-s", name, "-o", made, source]
    subprocess.run(words, check=True)
    return made
