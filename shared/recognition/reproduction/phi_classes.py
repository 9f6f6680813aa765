"""The seven classes of PHI in the papers on Stat De-id, told by what a type of i2b2 2014 is.

Uzuner and others (2008), section 3: patients with their relatives, doctors, hospitals, locations
(cities, states, streets, zip codes, buildings), dates, numbers (IDs), phones with faxes. Ages,
professions, employers and countries are none of them.
"""

from functools import lru_cache

from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import NUMBERS, EntityKind

_LOCATIONS = (
    *(EntityKind.CITY, EntityKind.STATE, EntityKind.STREET, EntityKind.POSTAL_CODE),
    EntityKind.PLACE,
)
_CLASSES = {
    EntityKind.PERSON: EntityKind.PERSON,
    EntityKind.HOSPITAL: EntityKind.HOSPITAL,
    EntityKind.DATE: EntityKind.DATE,
    EntityKind.PHONE: EntityKind.PHONE,
    EntityKind.FAX: EntityKind.PHONE,
    EntityKind.USERNAME: EntityKind.NUMBER,
    **dict.fromkeys(_LOCATIONS, EntityKind.CITY),
    **dict.fromkeys(NUMBERS, EntityKind.NUMBER),
}
NAMED = frozenset({EntityKind.PERSON, EntityKind.HOSPITAL, EntityKind.CITY})
"""People, organizations and locations, which are all that SNoW knows."""


def kind_of(phi_type: PhiType) -> EntityKind:
    """Return what a type of i2b2 2014 marks."""
    return I2B2_2014.traits_of(phi_type).kind


@lru_cache
def class_of(phi_type: PhiType) -> PhiType | None:
    """Return the type that stands for the class of a type of i2b2 2014; None for no class."""
    traits = I2B2_2014.traits_of(phi_type)
    kind = _CLASSES.get(traits.kind)
    if kind is None:
        return None
    return I2B2_2014.type_for(kind, traits.role if kind is EntityKind.PERSON else None)
