"""Which kind of surrogate each PHI type gets: built in, from a TOML file, or guessed by name.

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
from shared.model import PhiType, Schema
from shared.model.i2b2_2014 import I2B2_2014


class Kind(StrEnum):
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


GEOGRAPHIC = frozenset({Kind.CITY, Kind.STATE, Kind.ZIP, Kind.TERRITORY, Kind.COUNTRY})
MAY_STAY = frozenset({Kind.KEEP, Kind.AGE})
"""Kinds whose text may stay as it is."""

_I2B2 = {
    "PATIENT": Kind.PERSON,
    "DOCTOR": Kind.PERSON,
    "USERNAME": Kind.USERNAME,
    "PROFESSION": Kind.PROFESSION,
    "ROOM": Kind.ROOM,
    "DEPARTMENT": Kind.DEPARTMENT,
    "HOSPITAL": Kind.HOSPITAL,
    "ORGANIZATION": Kind.ORGANIZATION,
    "STREET": Kind.STREET,
    "CITY": Kind.CITY,
    "STATE": Kind.STATE,
    "COUNTRY": Kind.COUNTRY,
    "ZIP": Kind.ZIP,
    "LOCATION-OTHER": Kind.PLACE,
    "AGE": Kind.AGE,
    "DATE": Kind.DATE,
    "PHONE": Kind.PHONE,
    "FAX": Kind.PHONE,
    "EMAIL": Kind.EMAIL,
    "URL": Kind.URL,
    "IPADDR": Kind.IP,
    "SSN": Kind.SSN,
    "OTHER": Kind.OTHER,
}
_GUESSES: tuple[tuple[str, Kind], ...] = (
    (r"USER|LOGIN|USUARIO", Kind.USERNAME),
    (r"SEXO?$|SEXO?_|GENDER|GENERO", Kind.KEEP),
    (r"FAMILIA|RELATIVE|KINSHIP", Kind.RELATIVE),
    (r"MAIL|CORREO", Kind.EMAIL),
    (r"URL|WEB|INTERNET", Kind.URL),
    (r"IPADDR|IP_?ADDRESS|DIREC_PROT|^IP$", Kind.IP),
    (r"PHONE|FAX|TELEFON|PAGER|MOVIL", Kind.PHONE),
    (r"SSN|SOCIAL_?SEC", Kind.SSN),
    (r"PROFES|OCCUPATION|JOB|TRABAJO", Kind.PROFESSION),
    (r"HOSPITAL|CENTRO_?SALUD|CLINIC", Kind.HOSPITAL),
    (r"ORGANI|INSTITU|COMPANY|EMPRESA|EMPLOYER", Kind.ORGANIZATION),
    (r"DEPARTMENT|SERVICIO|WARD", Kind.DEPARTMENT),
    (r"ROOM|HABITACION|BED|FLOOR", Kind.ROOM),
    (r"STREET|CALLE|ADDRESS|DIRECCION|DOMICILIO", Kind.STREET),
    (r"ZIP|POSTAL|POSTCODE", Kind.ZIP),
    (r"TERRITORI", Kind.TERRITORY),
    (r"COUNTRY|PAIS|NATION", Kind.COUNTRY),
    (r"STATE|PROVINC|REGION", Kind.STATE),
    (r"CITY|TOWN|CIUDAD|MUNICIPIO|LOCALIDAD", Kind.CITY),
    (r"DATE|FECHA", Kind.DATE),
    (r"(?<![A-Z])AGE|EDAD", Kind.AGE),
    (r"(?<![A-Z])ID(?![A-Z])|NUM|RECORD|ACCOUNT|LICEN|VEHIC|DEVICE|BIO|PLAN|CARD", Kind.NUMBER),
    (r"NAME|NOMBRE|PATIENT|DOCTOR|PERSON|NURSE|STAFF", Kind.PERSON),
)
_BY_CATEGORY = {
    "NAME": Kind.PERSON,
    "LOCATION": Kind.PLACE,
    "DATE": Kind.DATE,
    "AGE": Kind.AGE,
    "ID": Kind.NUMBER,
    "PROFESSION": Kind.PROFESSION,
}


@dataclass(frozen=True, slots=True)
class KindMap:
    """The kind of surrogate of every type; `guessed` are those types that nobody laid down."""

    kinds: Mapping[PhiType, Kind]
    guessed: tuple[PhiType, ...] = ()

    def kind(self, phi_type: PhiType) -> Kind:
        """The kind of a type; OTHER for a type that the schema does not have."""
        return self.kinds.get(phi_type, Kind.OTHER)


def kinds_of(schema: Schema, said: Mapping[str, Kind] | None = None) -> KindMap:
    """Return the kinds of a schema's types.

    They are as `said` (by `CATEGORY:TYPE` or `TYPE`), as built in for the types of i2b2 2014, else
    guessed by type and category, in English or Spanish.
    """
    said = said or {}
    kinds: dict[PhiType, Kind] = {}
    guessed: list[PhiType] = []
    for each in schema.types():
        phi_type = each.phi_type
        name = f"{phi_type.category}:{phi_type.name}"
        laid_down = said.get(name) or said.get(phi_type.name) or _built_in(phi_type)
        kinds[phi_type] = laid_down or guess(phi_type)
        if laid_down is None:
            guessed.append(phi_type)
    return KindMap(kinds, tuple(guessed))


def guess(phi_type: PhiType) -> Kind:
    """Guess the kind of a type from its name, else from its category; OTHER where neither tells."""
    for pattern, kind in _GUESSES:
        if re.search(pattern, phi_type.name.upper()):
            return kind
    return _BY_CATEGORY.get(phi_type.category.upper(), Kind.OTHER)


def read_kinds(path: Path) -> dict[str, Kind]:
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


def _entries(said: dict[str, Any], path: Path) -> Iterable[tuple[str, Kind]]:
    for name, value in said.items():
        try:
            yield name, Kind(value)
        except ValueError:
            raise FileFormatError(
                path, f"{value!r} for {name} is no kind of surrogate; there are {', '.join(Kind)}"
            ) from None


def _built_in(phi_type: PhiType) -> Kind | None:
    if phi_type not in I2B2_2014:
        return None
    return _I2B2.get(phi_type.name, Kind.NUMBER)
