"""Which kind of surrogate each PHI type gets, and how the surrogates of a project are made.

The kinds are built in, from a TOML file, or guessed by name:

[surrogates]
"NAME:NOMBRE_SUJETO_ASISTENCIA" = "person"
SEXO_SUJETO_ASISTENCIA = "keep"
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError, StorageError
from shared.model import PhiType, Schema, Span
from shared.model.i2b2_2014 import I2B2_2014


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


GEOGRAPHIC = frozenset(
    {
        SurrogateKind.CITY,
        SurrogateKind.STATE,
        SurrogateKind.ZIP,
        SurrogateKind.TERRITORY,
        SurrogateKind.COUNTRY,
    }
)
MAY_STAY = frozenset({SurrogateKind.KEEP, SurrogateKind.AGE})
"""Kinds whose text may stay as it is."""

_I2B2 = {
    "PATIENT": SurrogateKind.PERSON,
    "DOCTOR": SurrogateKind.PERSON,
    "USERNAME": SurrogateKind.USERNAME,
    "PROFESSION": SurrogateKind.PROFESSION,
    "ROOM": SurrogateKind.ROOM,
    "DEPARTMENT": SurrogateKind.DEPARTMENT,
    "HOSPITAL": SurrogateKind.HOSPITAL,
    "ORGANIZATION": SurrogateKind.ORGANIZATION,
    "STREET": SurrogateKind.STREET,
    "CITY": SurrogateKind.CITY,
    "STATE": SurrogateKind.STATE,
    "COUNTRY": SurrogateKind.COUNTRY,
    "ZIP": SurrogateKind.ZIP,
    "LOCATION-OTHER": SurrogateKind.PLACE,
    "AGE": SurrogateKind.AGE,
    "DATE": SurrogateKind.DATE,
    "PHONE": SurrogateKind.PHONE,
    "FAX": SurrogateKind.PHONE,
    "EMAIL": SurrogateKind.EMAIL,
    "URL": SurrogateKind.URL,
    "IPADDR": SurrogateKind.IP,
    "SSN": SurrogateKind.SSN,
    "OTHER": SurrogateKind.OTHER,
}
_GUESSES: tuple[tuple[str, SurrogateKind], ...] = (
    (r"USER|LOGIN|USUARIO", SurrogateKind.USERNAME),
    (r"SEXO?$|SEXO?_|GENDER|GENERO", SurrogateKind.KEEP),
    (r"FAMILIA|RELATIVE|KINSHIP", SurrogateKind.RELATIVE),
    (r"MAIL|CORREO", SurrogateKind.EMAIL),
    (r"URL|WEB|INTERNET", SurrogateKind.URL),
    (r"IPADDR|IP_?ADDRESS|DIREC_PROT|^IP$", SurrogateKind.IP),
    (r"PHONE|FAX|TELEFON|PAGER|MOVIL", SurrogateKind.PHONE),
    (r"SSN|SOCIAL_?SEC", SurrogateKind.SSN),
    (r"PROFES|OCCUPATION|JOB|TRABAJO", SurrogateKind.PROFESSION),
    (r"HOSPITAL|CENTRO_?SALUD|CLINIC", SurrogateKind.HOSPITAL),
    (r"ORGANI|INSTITU|COMPANY|EMPRESA|EMPLOYER", SurrogateKind.ORGANIZATION),
    (r"DEPARTMENT|SERVICIO|WARD", SurrogateKind.DEPARTMENT),
    (r"ROOM|HABITACION|BED|FLOOR", SurrogateKind.ROOM),
    (r"STREET|CALLE|ADDRESS|DIRECCION|DOMICILIO", SurrogateKind.STREET),
    (r"ZIP|POSTAL|POSTCODE", SurrogateKind.ZIP),
    (r"TERRITORI", SurrogateKind.TERRITORY),
    (r"COUNTRY|PAIS|NATION", SurrogateKind.COUNTRY),
    (r"STATE|PROVINC|REGION", SurrogateKind.STATE),
    (r"CITY|TOWN|CIUDAD|MUNICIPIO|LOCALIDAD", SurrogateKind.CITY),
    (r"DATE|FECHA", SurrogateKind.DATE),
    (r"(?<![A-Z])AGE|EDAD", SurrogateKind.AGE),
    (
        r"(?<![A-Z])ID(?![A-Z])|NUM|RECORD|ACCOUNT|LICEN|VEHIC|DEVICE|BIO|PLAN|CARD",
        SurrogateKind.NUMBER,
    ),
    (r"NAME|NOMBRE|PATIENT|DOCTOR|PERSON|NURSE|STAFF", SurrogateKind.PERSON),
)
_BY_CATEGORY = {
    "NAME": SurrogateKind.PERSON,
    "LOCATION": SurrogateKind.PLACE,
    "DATE": SurrogateKind.DATE,
    "AGE": SurrogateKind.AGE,
    "ID": SurrogateKind.NUMBER,
    "PROFESSION": SurrogateKind.PROFESSION,
}


@dataclass(frozen=True, slots=True)
class KindMap:
    """The kind of surrogate of every type; `guessed` are those types that nobody laid down."""

    kinds: Mapping[PhiType, SurrogateKind]
    guessed: tuple[PhiType, ...] = ()

    def kind(self, phi_type: PhiType) -> SurrogateKind:
        """The kind of a type; OTHER for a type that the schema does not have."""
        return self.kinds.get(phi_type, SurrogateKind.OTHER)


def kinds_of(schema: Schema, said: Mapping[str, SurrogateKind] | None = None) -> KindMap:
    """Return the kinds of a schema's types.

    They are as `said` (by `CATEGORY:TYPE` or `TYPE`), as built in for the types of i2b2 2014, else
    guessed by type and category, in English or Spanish.
    """
    said = said or {}
    kinds: dict[PhiType, SurrogateKind] = {}
    guessed: list[PhiType] = []
    for each in schema.types():
        phi_type = each.phi_type
        name = f"{phi_type.category}:{phi_type.name}"
        laid_down = said.get(name) or said.get(phi_type.name) or _built_in(phi_type)
        kinds[phi_type] = laid_down or guess(phi_type)
        if laid_down is None:
            guessed.append(phi_type)
    return KindMap(kinds, tuple(guessed))


def guess(phi_type: PhiType) -> SurrogateKind:
    """Guess the kind of a type from its name, else from its category; OTHER where neither tells."""
    for pattern, kind in _GUESSES:
        if re.search(pattern, phi_type.name.upper()):
            return kind
    return _BY_CATEGORY.get(phi_type.category.upper(), SurrogateKind.OTHER)


def read_kinds(path: Path) -> dict[str, SurrogateKind]:
    """Read the table `[surrogates]` of a TOML file. Raises FileFormatError, StorageError."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise StorageError.from_os(path, error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FileFormatError(path, f"is not a TOML file: {error}") from None
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
                path, f"{value!r} for {name} is no kind of surrogate; there are {kinds}"
            ) from None


def _built_in(phi_type: PhiType) -> SurrogateKind | None:
    if phi_type not in I2B2_2014:
        return None
    return _I2B2.get(phi_type.name, SurrogateKind.NUMBER)


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
    alike: bool = False
    approved: bool = False
    draft: str = ""


@dataclass(frozen=True, slots=True)
class SurrogateSettings:
    """How surrogates are made; `language` is "en" or "es"."""

    kinds: KindMap
    language: str = "en"
    keep_weekdays: bool = False
    choices: tuple[ManualSurrogate, ...] = ()
    draft: str = ""
