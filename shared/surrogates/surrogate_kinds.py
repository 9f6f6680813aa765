"""Which kind of surrogate each PHI type gets, and how the surrogates of a project are made.

The kinds follow from the traits of the types, or a TOML file says which they are:

[surrogates]
"NAME:NOMBRE_SUJETO_ASISTENCIA" = "person"
SEXO_SUJETO_ASISTENCIA = "keep"
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError
from shared.language.detection import languages_so_far
from shared.language.languages import Language
from shared.model import PhiType, Schema, Span
from shared.model.phi_traits import NUMBERS, EntityKind, PersonRole, PhiTraits
from shared.outside import LARGEST_TOML, parse_toml, read_bounded


class SurrogateKind(StrEnum):
    """A kind of surrogate. KEEP leaves the text as it is: what identifies nobody (sex)."""

    PERSON = "person"
    USERNAME = "username"
    DATE = "date"
    AGE = "age"
    HOSPITAL = "hospital"
    ORGANIZATION = "organization"
    DEPARTMENT = "department"
    ROOM = "room"
    STREET = "street"
    CITY = "city"
    STATE = "state"
    COUNTRY = "country"
    ZIP = "zip"
    TERRITORY = "territory"
    """A city, state, country or postal code: which of them, the text tells."""
    PLACE = "place"
    PROFESSION = "profession"
    PHONE = "phone"
    EMAIL = "email"
    URL = "url"
    IP = "ip"
    SSN = "ssn"
    NUMBER = "number"
    RELATIVE = "relative"
    OTHER = "other"
    KEEP = "keep"


class ReleaseMode(StrEnum):
    """What stands in place of PHI in a release."""

    SURROGATE = "surrogate"
    TAGS = "tags"
    KEYED = "keyed"
    SAFE_HARBOR = "safe-harbor"


RESAMPLED = 0.5
"""How often a mention has a name of its own where names are resampled and nobody says how often.

With every mention drawn anew a name that was missed and stands twice would be the only one to do
so; with few, the others are the same throughout, and one that was missed once stands out.
"""

GEOGRAPHIC = frozenset(
    {
        SurrogateKind.CITY,
        SurrogateKind.STATE,
        SurrogateKind.ZIP,
        SurrogateKind.TERRITORY,
        SurrogateKind.COUNTRY,
    }
)
NAMED_PLACES = frozenset({SurrogateKind.HOSPITAL, SurrogateKind.ORGANIZATION, SurrogateKind.STREET})
"""Places of which a part of the name is generic."""

MAY_STAY = frozenset({SurrogateKind.KEEP, SurrogateKind.AGE})
"""Kinds whose text may stay as it is."""

_OTHER_NAMES = {
    EntityKind.FAX: SurrogateKind.PHONE,
    EntityKind.IP_ADDRESS: SurrogateKind.IP,
    EntityKind.POSTAL_CODE: SurrogateKind.ZIP,
    EntityKind.SEX: SurrogateKind.OTHER,
    **dict.fromkeys(NUMBERS - {EntityKind.SSN}, SurrogateKind.NUMBER),
}


@dataclass(frozen=True, slots=True)
class KindMap:
    """The kind of surrogate of every type; `guessed` are those types that nobody laid down."""

    kinds: Mapping[PhiType, SurrogateKind]
    guessed: tuple[PhiType, ...] = ()
    staff: frozenset[PhiType] = frozenset()
    """Types of those who work in the clinic."""
    hipaa: frozenset[PhiType] = frozenset()
    """Types that the schema counts among the identifiers of HIPAA."""

    def kind(self, phi_type: PhiType) -> SurrogateKind:
        """The kind of a type; OTHER for a type that the schema does not have."""
        return self.kinds.get(phi_type, SurrogateKind.OTHER)


def kinds_of(schema: Schema, said: Mapping[str, SurrogateKind] | None = None) -> KindMap:
    """Return the kinds of a schema's types.

    They are as `said` (by `CATEGORY:TYPE` or `TYPE`), else they follow from the type's traits,
    which are guessed where the schema does not lay them down.
    """
    said = said or {}
    kinds: dict[PhiType, SurrogateKind] = {}
    guessed: list[PhiType] = []
    staff: set[PhiType] = set()
    for each in schema.types():
        phi_type, traits = each.phi_type, schema.traits_of(each.phi_type)
        name = f"{phi_type.category}:{phi_type.name}"
        laid_down = said.get(name) or said.get(phi_type.name)
        kinds[phi_type] = laid_down or kind_of(traits)
        if laid_down is None and each.guessed:
            guessed.append(phi_type)
        if traits.role is PersonRole.STAFF:
            staff.add(phi_type)
    hipaa = frozenset(each.phi_type for each in schema.types() if each.hipaa)
    return KindMap(kinds, tuple(guessed), frozenset(staff), hipaa)


def kind_of(traits: PhiTraits) -> SurrogateKind:
    """The kind of surrogate for what a type is; an age that may stay is still lowered to 90."""
    if traits.may_stay and traits.kind is not EntityKind.AGE:
        return SurrogateKind.KEEP
    return _OTHER_NAMES.get(traits.kind) or SurrogateKind(traits.kind)


def read_kinds(path: Path) -> dict[str, SurrogateKind]:
    """Read the table `[surrogates]` of a TOML file. Raises FileFormatError, StorageError."""
    try:
        table = parse_toml(read_bounded(path, LARGEST_TOML))
    except ValueError as error:
        raise FileFormatError(path, f"{error}; correct it") from None
    said = table.get("surrogates")
    if not isinstance(said, dict):
        raise FileFormatError(path, "has no table [surrogates]; write TYPE = KIND below it")
    return dict(_entries(cast("dict[str, Any]", said), path))


def _entries(said: dict[str, Any], path: Path) -> Iterable[tuple[str, SurrogateKind]]:
    for name, value in said.items():
        try:
            yield name, SurrogateKind(value)
        except ValueError:
            kinds = ", ".join(SurrogateKind)
            raise FileFormatError(
                path, f"{value!r} for {name} is not a kind of surrogate; there are {kinds}"
            ) from None


@dataclass(frozen=True, slots=True)
class ManualSurrogate:
    """What a person wrote for a tag of the gold standard, or for all of the patient alike.

    One that is `approved` was drawn, not written: it says that the surrogate was looked at and is
    good, and holds for as long as the same surrogate is drawn. `draft` names the draft that it was
    made for: in the next one other dates and names stand around it, so it is to be looked at.
    """

    record_id: str
    span: Span
    surrogate: str
    same_text: bool = False
    approved: bool = False
    draft: str = ""


Identity = tuple[str, str]
"""A type and, within it, the name of somebody, a place or a day: alike for all mentions of it."""


@dataclass(frozen=True, slots=True)
class SurrogateSettings:
    """How surrogates are made, in the language of the records.

    With a `key` pseudonyms are the same for all patients; without one each has one of its own.
    """

    kinds: KindMap
    language: Language
    keep_weekdays: bool = False
    choices: tuple[ManualSurrogate, ...] = ()
    draft: str = ""
    mode: ReleaseMode = ReleaseMode.SURROGATE
    key: bytes = field(default=b"", repr=False)
    resample: float = 0.0
    """With which probability a mention of a person has a name of its own."""
    is_language_told: bool = False
    """Whether nobody said the language, but the records tell it."""
    identities: Mapping[tuple[str, Span, PhiType], Identity] = field(
        default_factory=dict[tuple[str, Span, PhiType], Identity]
    )
    """Whom or what tags mean, by record, place and type, where that is told beforehand: of the tags
    as they were before masks lay over them."""

    @property
    def is_drawn(self) -> bool:
        """Whether another draw gives other texts."""
        with_new_key = self.mode is ReleaseMode.KEYED and not self.key
        return with_new_key or self.mode is ReleaseMode.SURROGATE

    def languages(self, texts: Iterable[str]) -> Iterator[Language]:
        """Yield the language in which each record of a patient is read.

        Where records tell it and placeholders stand for PHI, it hangs on no later record.
        """
        lasting = self.mode in (ReleaseMode.TAGS, ReleaseMode.KEYED)
        if self.is_language_told and lasting:
            yield from languages_so_far(texts)
        else:
            yield from (self.language for _ in texts)
