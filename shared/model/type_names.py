"""The traits of a type told from its name, where no schema lays them down.

The category goes before the name: `NAME:RELATIVE` is a person, `OTHER:FAMILY` are relatives. A
pattern stands for a word of a name, `*` in it for any letters.
"""

import re
from collections.abc import Container, Mapping
from fnmatch import fnmatchcase
from functools import cache

from shared.model.phi_traits import CONTACTS, NUMBERS, PLACES, EntityKind, PersonRole, PhiTraits
from shared.model.phi_type import PhiType

_CATEGORIES = {
    "name": "name names nombre* namen",
    "location": "location* place* geo* lugar* ubicacion* ort orte",
    "date": "date dates fecha* datum",
    "age": "age ages edad* alter",
    "contact": "contact* kontakt*",
    "id": "id ids identif* kennung*",
    "profession": "profes* occupation* beruf*",
}
_GROUPS: Mapping[str, tuple[frozenset[EntityKind], EntityKind]] = {
    "name": (frozenset({EntityKind.PERSON, EntityKind.USERNAME}), EntityKind.PERSON),
    "location": (PLACES, EntityKind.PLACE),
    "date": (frozenset({EntityKind.DATE, EntityKind.AGE}), EntityKind.DATE),
    "age": (frozenset({EntityKind.AGE}), EntityKind.AGE),
    "contact": (CONTACTS | PLACES, EntityKind.OTHER),
    "id": (NUMBERS | CONTACTS | {EntityKind.USERNAME}, EntityKind.NUMBER),
    "profession": (frozenset({EntityKind.PROFESSION}), EntityKind.PROFESSION),
}
"""Which kinds the types of a category may be, and which one it is where the name does not tell."""

_KINDS = {
    EntityKind.USERNAME: "user* login* usuario* benutzer*",
    EntityKind.SEX: "sex sexo* gender* genero* geschlecht*",
    EntityKind.RELATIVE: "famil* relative* kinship* angehoerig* angehörig*",
    EntityKind.EMAIL: "*mail* correo*",
    EntityKind.IP_ADDRESS: "ip ipaddr* ipv* prot",
    EntityKind.URL: "url* web* internet* homepage*",
    EntityKind.FAX: "*fax*",
    EntityKind.PHONE: "*phone* tel *telefon* pager* movil* handy*",
    EntityKind.SSN: "ssn social* sozialvers*",
    EntityKind.PROFESSION: "profes* occupation* job* trabajo* beruf*",
    EntityKind.HEALTH_PLAN: "*plan* insur* asegura* benef* versicher*",
    EntityKind.LICENSE: "licen* titulacion* lizenz* approbation*",
    EntityKind.VEHICLE: "vehic* plate* matricula* fahrzeug* kennzeichen*",
    EntityKind.DEVICE: "device* dispositiv* geraet* gerät*",
    EntityKind.BIOMETRIC: "bio*",
    EntityKind.RECORD_NUMBER: "mrn *record* historia* nhc fallnummer patientennummer aktenzeichen",
    EntityKind.ACCOUNT: "account* cuenta* konto*",
    EntityKind.HOSPITAL: "hospital* clinic* centro* krankenhaus* klinik*",
    EntityKind.ORGANIZATION: "organi* institu* company* empresa* employer* firma* arbeitgeber*",
    EntityKind.DEPARTMENT: "department* servicio* ward* abteilung* station*",
    EntityKind.ROOM: "room* habitacion* bed floor* zimmer* bett",
    EntityKind.STREET: "street* calle* *address* direccion* domicilio* strasse* straße* adresse*",
    EntityKind.POSTAL_CODE: "zip* postal* postcode* plz postleitzahl*",
    EntityKind.TERRITORY: "territor* gebiet*",
    EntityKind.COUNTRY: "country* pais* nation* land staat",
    EntityKind.STATE: "state* provinc* region* bundesland*",
    EntityKind.CITY: "city* town* ciudad* municipio* localidad* stadt* wohnort*",
    EntityKind.DATE: "*date* fecha* *datum* birthday*",
    EntityKind.AGE: "age ages edad* alter",
    EntityKind.NUMBER: "id identif* *num* card* nr kennung*",
    EntityKind.PERSON: "*name* nombre* patient* paciente* doctor* person* nurse* staff* arzt*",
    EntityKind.PLACE: "location* place* lugar* ort",
}
"""The first kind that a name speaks of is the one: a fax number is a fax, not a number."""

_ROLES = {
    PersonRole.RELATIVE: "relative* kinship* familiar* angehoerig* angehörig*",
    PersonRole.STAFF: "doctor* physician* nurse* staff* clinician* provider* user* licen* "
    "sanitari* medico* titulacion* arzt* aerzt* ärzt* pflege*",
    PersonRole.PATIENT: "patient* paciente* sujeto*",
}


@cache
def guess_traits(phi_type: PhiType) -> PhiTraits:
    """Guess the traits of a type from its category and name; OTHER where neither tells."""
    words, above = _words(phi_type.name), _words(phi_type.category)
    group = next((key for key, said in _CATEGORIES.items() if _speaks_of(above, said)), None)
    if group is None:
        kind = _kind(words, EntityKind) or _kind(above, EntityKind) or EntityKind.OTHER
    else:
        allowed, otherwise = _GROUPS[group]
        kind = _kind(words, allowed) or otherwise
    role = next((role for role, said in _ROLES.items() if _speaks_of(words, said)), None)
    if kind is EntityKind.NUMBER and role is PersonRole.PATIENT:
        kind = EntityKind.RECORD_NUMBER
    return PhiTraits.of(kind, role)


def _kind(words: list[str], allowed: Container[EntityKind]) -> EntityKind | None:
    return next(
        (kind for kind, said in _KINDS.items() if kind in allowed and _speaks_of(words, said)),
        None,
    )


def _words(name: str) -> list[str]:
    """`PATIENT_ID`, `patient-id` and `PatientId` are two words each."""
    return re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def _speaks_of(words: list[str], patterns: str) -> bool:
    return any(fnmatchcase(word, pattern) for word in words for pattern in patterns.split())
