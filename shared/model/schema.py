"""The PHI categories and types of a project, and how they look and are reached."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from shared.errors import SchemaError, UnknownTypeError
from shared.model.phi_traits import NUMBERS, REGIONS, EntityKind, PersonRole, PhiTraits
from shared.model.phi_type import PhiType

OKABE_ITO = (
    "#D55E00",
    "#E69F00",
    "#009E73",
    "#56B4E9",
    "#CC79A7",
    "#0072B2",
    "#7F7F7F",
    "#B3A500",
)
"""Okabe and Ito's colours, told apart by colour-blind people too; their black is a grey here,
and their yellow darker, so that both stay visible on a light and on a dark page."""


RESERVED_KEYS = frozenset("aenpx.'?")
"""The characters that the windows need for themselves."""

UNTOLD = PhiTraits.of(EntityKind.OTHER)
"""The traits of a type of which nothing is known."""

_INSTEAD: dict[EntityKind, tuple[EntityKind, ...]] = {
    **dict.fromkeys(NUMBERS - {EntityKind.NUMBER}, (EntityKind.NUMBER,)),
    **dict.fromkeys(REGIONS, (EntityKind.TERRITORY, EntityKind.PLACE)),
    EntityKind.STREET: (EntityKind.PLACE,),
    EntityKind.ROOM: (EntityKind.PLACE,),
    EntityKind.HOSPITAL: (EntityKind.ORGANIZATION, EntityKind.PLACE),
    EntityKind.ORGANIZATION: (EntityKind.PLACE,),
    EntityKind.DEPARTMENT: (EntityKind.PLACE,),
    EntityKind.FAX: (EntityKind.PHONE,),
}
"""Kinds whose types stand in for those of a kind that a schema has no type of."""


@dataclass(frozen=True, slots=True)
class SchemaType:
    """A PHI type as a schema offers it; `key` tags with it at once ("" for no key).

    `guessed` says that the traits are only told from the name: nobody has laid them down.
    """

    phi_type: PhiType
    hipaa: bool = False
    key: str = ""
    traits: PhiTraits = UNTOLD
    guessed: bool = False

    @property
    def name(self) -> str:
        return self.phi_type.name


@dataclass(frozen=True, slots=True)
class SchemaCategory:
    """A PHI category; `key` opens the list of its types, or tags where it has but one."""

    name: str
    types: tuple[SchemaType, ...]
    key: str = ""
    colour: str = OKABE_ITO[0]


@dataclass(frozen=True, slots=True)
class Schema:
    """The categories and types of a project; `overlaps` says whether tags may overlap.

    Raises SchemaError where a category, a type or a key is there twice, or a category is empty.
    """

    name: str
    categories: tuple[SchemaCategory, ...]
    overlaps: bool = True
    _by_type: dict[PhiType, SchemaType] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for category in self.categories:
            if not category.types:
                raise SchemaError(f"schema {self.name}: category {category.name} has no types")
        _refuse_twice(self.name, "category", [each.name for each in self.categories])
        _refuse_twice(self.name, "type", [str(each.phi_type) for each in self.types()])
        keys = [each.key for each in (*self.categories, *self.types()) if each.key]
        _refuse_twice(self.name, "key", [key.lower() for key in keys])
        object.__setattr__(self, "_by_type", {each.phi_type: each for each in self.types()})

    def types(self) -> Iterator[SchemaType]:
        for category in self.categories:
            yield from category.types

    def category(self, name: str) -> SchemaCategory:
        for category in self.categories:
            if category.name == name:
                return category
        raise UnknownTypeError(name, "", self.name)

    def find(self, phi_type: PhiType) -> SchemaType:
        """The schema's entry of a type. Raises UnknownTypeError."""
        if phi_type not in self:
            raise UnknownTypeError(phi_type.category, phi_type.name, self.name)
        return self._by_type[phi_type]

    def __contains__(self, phi_type: PhiType) -> bool:
        return phi_type in self._by_type

    def traits_of(self, phi_type: PhiType) -> PhiTraits:
        """What a type is; OTHER for a type that the schema does not have."""
        known = self._by_type.get(phi_type)
        return UNTOLD if known is None else known.traits

    def type_for(self, kind: EntityKind, role: PersonRole | None = None) -> PhiType | None:
        """The type to propose for what is of this kind, and somebody's of this role if given.

        Where there is none of the kind it is that of a wider one: a place for a city, a number for
        an account. None where the schema has nothing that fits; another role never fits.
        """
        for each in (kind, *_INSTEAD.get(kind, ())):
            fitting = [
                one
                for one in self.types()
                if one.traits.kind is each and (role is None or one.traits.role in (role, None))
            ]
            if fitting:
                return min(fitting, key=lambda one: one.traits.role is not role).phi_type
        return None

    def colour(self, phi_type: PhiType) -> str:
        """The colour of the type's category; a neutral grey for a category it does not know."""
        for category in self.categories:
            if category.name == phi_type.category:
                return category.colour
        return "#7F7F7F"


def _refuse_twice(schema: str, what: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise SchemaError(f"schema {schema}: the {what} {name} is there twice")
