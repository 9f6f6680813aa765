"""The types of the MEDDOCAN corpus (Marimon and others, 2019): what each of the 29 is."""

from shared.model.phi_traits import EntityKind as Kind
from shared.model.phi_traits import PersonRole, PhiTraits
from shared.model.phi_type import PhiType

_PATIENT, _STAFF = PersonRole.PATIENT, PersonRole.STAFF
_of = PhiTraits.of
_TYPES = {
    "NAME": {
        "NOMBRE_SUJETO_ASISTENCIA": _of(Kind.PERSON, _PATIENT),
        "NOMBRE_PERSONAL_SANITARIO": _of(Kind.PERSON, _STAFF),
    },
    "PROFESSION": {"PROFESION": _of(Kind.PROFESSION, _PATIENT)},
    "LOCATION": {
        "HOSPITAL": _of(Kind.HOSPITAL),
        "CENTRO_SALUD": _of(Kind.HOSPITAL),
        "INSTITUCION": _of(Kind.ORGANIZATION),
        "CALLE": _of(Kind.STREET),
        "TERRITORIO": _of(Kind.TERRITORY),
        "PAIS": _of(Kind.COUNTRY),
    },
    "AGE": {"EDAD_SUJETO_ASISTENCIA": _of(Kind.AGE, _PATIENT)},
    "DATE": {"FECHAS": _of(Kind.DATE)},
    "CONTACT": {
        "NUMERO_TELEFONO": _of(Kind.PHONE),
        "NUMERO_FAX": _of(Kind.FAX),
        "CORREO_ELECTRONICO": _of(Kind.EMAIL),
        "URL_WEB": _of(Kind.URL),
    },
    "ID": {
        "ID_SUJETO_ASISTENCIA": _of(Kind.RECORD_NUMBER, _PATIENT),
        "ID_ASEGURAMIENTO": _of(Kind.HEALTH_PLAN, _PATIENT),
        "NUMERO_BENEF_PLAN_SALUD": _of(Kind.HEALTH_PLAN, _PATIENT),
        "ID_CONTACTO_ASISTENCIAL": _of(Kind.NUMBER, _PATIENT),
        "ID_TITULACION_PERSONAL_SANITARIO": _of(Kind.LICENSE, _STAFF),
        "ID_EMPLEO_PERSONAL_SANITARIO": _of(Kind.NUMBER, _STAFF),
        "IDENTIF_VEHICULOS_NRSERIE_PLACAS": _of(Kind.VEHICLE),
        "IDENTIF_DISPOSITIVOS_NRSERIE": _of(Kind.DEVICE),
        "IDENTIF_BIOMETRICOS": _of(Kind.BIOMETRIC),
        "OTRO_NUMERO_IDENTIF": _of(Kind.NUMBER),
    },
    "OTHER": {
        "SEXO_SUJETO_ASISTENCIA": _of(Kind.SEX, _PATIENT),
        "FAMILIARES_SUJETO_ASISTENCIA": _of(Kind.RELATIVE, PersonRole.RELATIVE),
        "OTROS_SUJETO_ASISTENCIA": _of(Kind.OTHER, _PATIENT),
        "DIREC_PROT_INTERNET": _of(Kind.IP_ADDRESS),
    },
}

MEDDOCAN_TRAITS = {
    PhiType(category, name): traits
    for category, types in _TYPES.items()
    for name, traits in types.items()
}
