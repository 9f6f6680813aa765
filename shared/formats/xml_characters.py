"""What XML 1.0 can carry, and how characters are written in it."""

import re

STAND_IN = "\ufffd"
"""Stands in an XML copy, one for one, for every character that XML cannot carry."""

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
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
_NAME = re.compile(r"[^\W\d][\w.\-]*")
_XML_NAMESPACE = "{http://www.w3.org/XML/1998/namespace}"


def xml_copy(text: str) -> str:
    """Return `text` with every character that XML cannot carry replaced, so that offsets hold."""
    return _ILLEGAL.sub(STAND_IN, text)


def is_xml_name(name: str) -> bool:
    """True where `name` can be the name of an element without a namespace."""
    return _NAME.fullmatch(name) is not None


def cdata(text: str) -> str:
    """Return `text` as CDATA; a `]]>` in it is split over two sections."""
    return f"<![CDATA[{xml_copy(text).replace(']]>', ']]]]><![CDATA[>')}]]>"


def attribute(name: str, value: str) -> str:
    """Return ` name="value"`; blanks but the space are written so that they come back.

    A name in a namespace is written as lxml gives it: `{uri}name`.
    """
    escaped = _SPECIAL.sub(lambda found: _ESCAPES[found[0]], xml_copy(value))
    if name.startswith(_XML_NAMESPACE):
        return f' xml:{name[len(_XML_NAMESPACE) :]}="{escaped}"'
    if name.startswith("{"):
        uri, _, local = name[1:].partition("}")
        return f'{attribute(f"xmlns:{local}-", uri)} {local}-:{local}="{escaped}"'
    return f' {name}="{escaped}"'
