"""A whole address in one tag, split into its parts."""

import re

from shared.consistency.findings import TagMark
from shared.model import PhiType, Span, Tag

STREET, CITY, STATE, ZIP, COUNTRY = (
    PhiType("LOCATION", name) for name in ("STREET", "CITY", "STATE", "ZIP", "COUNTRY")
)

_STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|"
    "Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|"
    "Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|"
    "New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|"
    "Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|"
    "West Virginia|Wisconsin|Wyoming|A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|"
    "N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]"
)
_COUNTRY = r"U\.?S\.?A?\.?|United States(?: of America)?"
_ADDRESS = re.compile(
    rf"(?P<STREET>\d[^,\n]*(?:,\s*(?:apt|apartment|suite|ste|unit|floor|fl|\#)\b[^,\n]*)?)?"
    rf"(?P<gap>[,\s]*)(?P<CITY>[^\W\d_][^,\d\n]*?)?,?\s*"
    rf"(?P<STATE>(?<![\w])(?:{_STATES})(?![\w]))?\.?,?\s*(?P<ZIP>\d{{5}}(?:-\d{{4}})?)?,?\s*"
    rf"(?P<COUNTRY>{_COUNTRY})?",
    re.IGNORECASE,
)
_TYPES = {"STREET": STREET, "CITY": CITY, "STATE": STATE, "ZIP": ZIP, "COUNTRY": COUNTRY}
_WHOLE = frozenset({"STREET", "CITY", "STATE", "ZIP", "LOCATION-OTHER", "ORGANIZATION", "COUNTRY"})


def address_parts(text: str, tag: Tag) -> tuple[TagMark, ...]:
    """Return the parts of an address that one tag covers; none where it covers but one.

    A street with a city needs a comma or a line end between them, for streets are of many words, or
    break themselves; a part may be missing.
    """
    if tag.phi_type.name not in _WHOLE:
        return ()
    found = _ADDRESS.fullmatch(text, tag.start, tag.end)
    if found is None:
        return ()
    parts = [name for name in _TYPES if found[name] and found[name].strip()]
    enough = len(parts) > 1 and ({"STATE", "ZIP"} & set(parts) or "STREET" in parts)
    if not enough or parts == ["STATE", "COUNTRY"] or _unsure(found, parts):
        return ()
    return tuple((_trimmed(text, found, name), _TYPES[name]) for name in parts)


def _unsure(found: re.Match[str], parts: list[str]) -> bool:
    """True where nothing but a blank parts a street from a city, or a city from a state's name."""
    if "STREET" in parts and "CITY" in parts:
        line_end = "\n" in found["gap"] and len(parts) > 2
        return "," not in found["gap"] and not line_end
    if "STATE" in parts and "CITY" in parts and "ZIP" not in parts:
        between = found.string[found.end("CITY") : found.start("STATE")]
        return "," not in between and not (len(found["STATE"]) == 2 and found["STATE"].isupper())
    return False


def _trimmed(text: str, found: re.Match[str], name: str) -> Span:
    start, end = found.span(name)
    inside = text[start:end]
    return Span(
        start + len(inside) - len(inside.lstrip(" ,\n")),
        end - len(inside) + len(inside.rstrip(" ,\n")),
    )
