"""What a PHI type is, whatever a schema calls it: what programs ask for in place of its name."""

from dataclasses import dataclass
from enum import StrEnum


class EntityKind(StrEnum):
    """What a type marks. SEX is what identifies nobody; TERRITORY is a city, state or country."""

    PERSON = "person"
    USERNAME = "username"
    RELATIVE = "relative"
    PROFESSION = "profession"
    SEX = "sex"
    AGE = "age"
    DATE = "date"
    HOSPITAL = "hospital"
    ORGANIZATION = "organization"
    DEPARTMENT = "department"
    ROOM = "room"
    STREET = "street"
    CITY = "city"
    STATE = "state"
    COUNTRY = "country"
    POSTAL_CODE = "postal_code"
    TERRITORY = "territory"
    PLACE = "place"
    PHONE = "phone"
    FAX = "fax"
    EMAIL = "email"
    URL = "url"
    IP_ADDRESS = "ip_address"
    SSN = "ssn"
    RECORD_NUMBER = "record_number"
    HEALTH_PLAN = "health_plan"
    ACCOUNT = "account"
    LICENSE = "license"
    VEHICLE = "vehicle"
    DEVICE = "device"
    BIOMETRIC = "biometric"
    NUMBER = "number"
    OTHER = "other"

    @property
    def is_place(self) -> bool:
        return self in PLACES

    @property
    def is_number(self) -> bool:
        """True for what is told by its digits and names neither a place nor a day."""
        return self in NUMBERS

    @property
    def is_contact(self) -> bool:
        return self in CONTACTS


class PersonRole(StrEnum):
    """Whose it is: a name, a number, a user name."""

    PATIENT = "patient"
    STAFF = "staff"
    RELATIVE = "relative"


class Matching(StrEnum):
    """When two texts of one type mean the same; NEVER where a text alone does not tell."""

    NAME_WORDS = "name_words"
    AS_WRITTEN = "as_written"
    DIGITS = "digits"
    SAME_DAY = "same_day"
    NEVER = "never"


class Identifier(StrEnum):
    """Whether it tells who somebody is by itself, together with others, or not at all."""

    DIRECT = "direct"
    QUASI = "quasi"
    NONE = "none"


NUMBERS = frozenset(
    {
        *(EntityKind.SSN, EntityKind.RECORD_NUMBER, EntityKind.HEALTH_PLAN, EntityKind.ACCOUNT),
        *(EntityKind.LICENSE, EntityKind.VEHICLE, EntityKind.DEVICE, EntityKind.BIOMETRIC),
        EntityKind.NUMBER,
    }
)
CONTACTS = frozenset(
    {
        *(EntityKind.PHONE, EntityKind.FAX, EntityKind.EMAIL, EntityKind.URL),
        EntityKind.IP_ADDRESS,
    }
)
REGIONS = frozenset(
    {
        *(EntityKind.CITY, EntityKind.STATE, EntityKind.COUNTRY, EntityKind.POSTAL_CODE),
        EntityKind.TERRITORY,
    }
)
INSTITUTIONS = frozenset({EntityKind.HOSPITAL, EntityKind.ORGANIZATION, EntityKind.DEPARTMENT})
PLACES = frozenset({*REGIONS, *INSTITUTIONS, EntityKind.ROOM, EntityKind.STREET, EntityKind.PLACE})

_MATCHING = {
    EntityKind.PERSON: Matching.NAME_WORDS,
    EntityKind.DATE: Matching.SAME_DAY,
    EntityKind.AGE: Matching.NEVER,
    EntityKind.SEX: Matching.NEVER,
    EntityKind.PHONE: Matching.DIGITS,
    EntityKind.FAX: Matching.DIGITS,
    **dict.fromkeys(NUMBERS, Matching.DIGITS),
}
_OF_ONE_PATIENT = frozenset({EntityKind.ROOM, EntityKind.STREET, EntityKind.POSTAL_CODE})
_DIRECT = frozenset({EntityKind.PERSON, EntityKind.USERNAME, *CONTACTS, *NUMBERS})
_HIPAA = NUMBERS | {
    *(EntityKind.PERSON, EntityKind.AGE, EntityKind.DATE, EntityKind.ORGANIZATION),
    *(EntityKind.STREET, EntityKind.CITY, EntityKind.POSTAL_CODE, EntityKind.TERRITORY),
    *(EntityKind.PHONE, EntityKind.FAX, EntityKind.EMAIL),
}


@dataclass(frozen=True, slots=True)
class PhiTraits:
    """What a PHI type is; build it with `of`, which fills in what follows from the kind.

    `recurs_across_patients` says that the records of several patients hold the same text, as those
    of one hospital do. `may_stay` says that a release may hold the text as it was.
    """

    kind: EntityKind
    role: PersonRole | None
    matching: Matching
    recurs_across_patients: bool
    identifier: Identifier
    may_stay: bool

    @classmethod
    def of(cls, kind: EntityKind, role: PersonRole | None = None) -> "PhiTraits":
        return cls(
            kind,
            role,
            _MATCHING.get(kind, Matching.AS_WRITTEN),
            _recurs(kind, role),
            _identifier(kind),
            kind in (EntityKind.SEX, EntityKind.AGE),
        )

    @property
    def high_risk(self) -> bool:
        """True where one that is missed tells who somebody is: names, contacts, numbers."""
        return self.identifier is Identifier.DIRECT

    @property
    def is_hipaa(self) -> bool:
        """True for what counted as one of HIPAA's identifiers in the 2014 shared task."""
        return self.kind in _HIPAA and not (self.is_name and self.role is PersonRole.STAFF)

    @property
    def is_name(self) -> bool:
        """True for the name of a person, written out."""
        return self.kind is EntityKind.PERSON


def _recurs(kind: EntityKind, role: PersonRole | None) -> bool:
    if kind is EntityKind.PERSON:
        return role is PersonRole.STAFF
    return kind in PLACES and kind not in _OF_ONE_PATIENT


def _identifier(kind: EntityKind) -> Identifier:
    if kind is EntityKind.SEX:
        return Identifier.NONE
    return Identifier.DIRECT if kind in _DIRECT else Identifier.QUASI
