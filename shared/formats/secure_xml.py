"""Parsing XML that comes from outside: no entities, no network, bounded in size."""

import re
from pathlib import Path
from typing import Any, TypeAlias

from lxml import etree

from shared.errors import FileFormatError
from shared.outside import LARGEST

Element: TypeAlias = etree._Element  # pyright: ignore[reportPrivateUsage]  # noqa: SLF001
"""lxml's element, whose type has no public name."""

MAX_BYTES = LARGEST
"""The largest XML file that is read."""
MAX_TAGS = 200_000
"""Of XML, where an element has one or two. A record with all its tokens has some ten thousand."""
MAX_ATTRIBUTES = 1_000_000
"""Of all elements together."""
MOST_OF_ONE = 500
"""Attributes of one element: a parser may compare each with each."""

_SMALL = 8_000_000
"""libxml2 refuses a text node above 10 MB by itself; up to here its own limits stand."""


_FEW = 64
_CDATA = re.compile(rb"<!\[CDATA\[.*?\]\]>", re.DOTALL)
_ATTRIBUTE = re.compile(rb"=\s*[\"']")


def parse(data: bytes, path: Path) -> Element:
    """Return the root element of `data`, without comments and processing instructions.

    `path` only names the file in errors. Raises FileFormatError.
    """
    if len(data) > MAX_BYTES:
        raise FileFormatError(
            path, f"is larger than the {MAX_BYTES // 1_000_000} MB that Tandem reads; split it"
        )
    _refuse_bomb(data, path)
    try:
        root = etree.fromstring(data, _parser(data, path))
    except etree.XMLSyntaxError as error:
        # libxml2's own sentence may quote the file, which may be the text of a record
        raise FileFormatError(
            path,
            f"is not well-formed XML, or not in the encoding it declares (line {error.lineno}); "
            "correct it or export it again",
        ) from None
    _refuse_entities(root, path)
    return root


def _parser(data: bytes, path: Path) -> etree.XMLParser:
    is_huge = len(data) > _SMALL
    # Without libxml2's limits nothing may be declared, and the encoding must be ours to know.
    if is_huge and b"<!DOCTYPE" in data:
        raise _entities_error(path)
    return etree.XMLParser(
        encoding="utf-8" if is_huge else None,
        huge_tree=is_huge,
        resolve_entities=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
    )


def _refuse_bomb(data: bytes, path: Path) -> None:
    """Raise FileFormatError where there is more markup than any record has.

    A `<` stands only where markup begins, so that what lies between two of them holds one tag.
    """
    plain = data.replace(b"\0", b"") if b"\0" in data[:_FEW] else data
    if not _is_too_much(plain) and all(map(_has_few_signs, plain.split(b"<"))):
        return
    plain = _CDATA.sub(b"", plain)
    if _is_too_much(plain):
        raise FileFormatError(path, "has more elements or attributes than any record; split it")
    for each in plain.split(b"<"):
        if not _has_few_signs(each) and len(_ATTRIBUTE.findall(each)) > MOST_OF_ONE:
            problem = f"has an element with more than {MOST_OF_ONE} attributes; correct it"
            raise FileFormatError(path, problem)


def _is_too_much(plain: bytes) -> bool:
    return plain.count(b"<") > MAX_TAGS or plain.count(b"=") > MAX_ATTRIBUTES


def _has_few_signs(piece: bytes) -> bool:
    return piece.count(b"=") <= MOST_OF_ONE


def _refuse_entities(root: Element, path: Path) -> None:
    dtd: Any = root.getroottree().docinfo.internalDTD
    if dtd is None:
        return
    if any(True for _ in dtd.iterentities()) or any(True for _ in root.iter(etree.Entity)):
        raise _entities_error(path)


def _entities_error(path: Path) -> FileFormatError:
    return FileFormatError(path, "declares entities, which Tandem does not read; write them out")
