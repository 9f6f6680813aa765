"""PHI types in formats that have one label and no categories."""

from functools import cache, lru_cache

from shared.errors import SchemaError
from shared.formats.xml_characters import is_xml_name
from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS

_ANY = "PHI"
"""The category of what is called something that no category could be called."""


@lru_cache(maxsize=4096)
def type_of_label(label: str) -> PhiType:
    """The type that a label means: `NAME:DOCTOR`, `DOCTOR` of a built-in schema, or one of its own.

    A category is the name of an XML element; a label that cannot be one is a type of `PHI`.
    """
    category, _, name = label.partition(":")
    if name and is_xml_name(category):
        return PhiType(category, name)
    if label in _built_in():
        return _built_in()[label]
    return PhiType(label if is_xml_name(label) else _ANY, label)


@lru_cache(maxsize=4096)
def label_of_type(phi_type: PhiType, *, is_qualified: bool = False) -> str:
    """The label that means a type: its name alone where that is enough and nobody wants more.

    Raises SchemaError where there is none.
    """
    qualified = f"{phi_type.category}:{phi_type.name}"
    first = str(phi_type) if is_qualified else phi_type.name
    for label in (first, qualified):
        if type_of_label(label) == phi_type:
            return label
    raise SchemaError(f"no label can mean the type {qualified}; rename its category")


@cache
def _built_in() -> dict[str, PhiType]:
    types = [*(each.phi_type for each in I2B2_2014.types()), *MEDDOCAN_TRAITS]
    found: dict[str, set[PhiType]] = {}
    for each in types:
        found.setdefault(each.name, set()).add(each)
    return {name: min(some) for name, some in found.items() if len(some) == 1}
