"""What XML 1.0 can carry, and how characters are written in it."""

import re
from collections.abc import Mapping
from functools import cache
from zlib import crc32

from shared.errors import ModelError

STAND_IN = "\ufffd"
"""Stands in an XML copy, one for one, for every character that XML cannot carry."""

_ILLEGAL = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_SPECIAL = re.compile('[&<>"\t\n\r]')
_ESCAPES = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "\t": "&#9;",
    "\n": "&#10;",
    "\r": "&#13;",
}
_FIRST = (
    "A-Z_a-z\xc0-\xd6\xd8-\xf6\xf8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f"
    "\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_XML_NAMESPACE = "{http://www.w3.org/XML/1998/namespace}"


def xml_copy(text: str) -> str:
    """Return `text` with every character that XML cannot carry replaced, so that offsets hold."""
    return _ILLEGAL.sub(STAND_IN, text)


def is_xml_name(name: str) -> bool:
    """True where `name` can be the name of an element without a namespace (XML 1.0, fifth edition).

    What a file had can so be written again, and what is written can be read.
    """
    return _name().fullmatch(name) is not None


@cache
def _name() -> re.Pattern[str]:
    """Compiled when it is first needed, which takes longer than all else that is imported here."""
    return re.compile(f"[{_FIRST}][{_FIRST}.0-9\xb7\u0300-\u036f\u203f\u2040-]*")


def cdata(text: str) -> str:
    """Return `text` as CDATA; a `]]>` in it is split over two sections."""
    return f"<![CDATA[{xml_copy(text).replace(']]>', ']]]]><![CDATA[>')}]]>"


def tag_element(name: str, attributes: Mapping[str, str]) -> str:
    """Return an empty element. Raises ModelError where XML knows no element of that name."""
    if not is_xml_name(name):
        raise ModelError(
            f"tag {attributes['id']}: its category cannot be the name of an XML element"
        )
    return f"<{name}{''.join(attribute(*pair) for pair in attributes.items())} />"


def attribute(name: str, value: str) -> str:
    """Return ` name="value"`; blanks but the space are written so that they come back.

    A name in a namespace is written as lxml gives it: `{uri}name`. Its prefix tells two
    namespaces apart that have an attribute of one name.
    """
    escaped = _SPECIAL.sub(lambda found: _ESCAPES[found[0]], xml_copy(value))
    if name.startswith(_XML_NAMESPACE):
        return f' xml:{name[len(_XML_NAMESPACE) :]}="{escaped}"'
    if name.startswith("{"):
        uri, _, local = name[1:].partition("}")
        prefix = f"{local}-{crc32(uri.encode()):x}"
        return f'{attribute(f"xmlns:{prefix}", uri)} {prefix}:{local}="{escaped}"'
    return f' {name}="{escaped}"'
