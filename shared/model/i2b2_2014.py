"""The schema of the 2014 i2b2/UTHealth corpus: Stubbs and Uzuner (2015), figure 1 and section 8.

IDNUM counts to the HIPAA types as in the paper; the official scorer leaves it out by an oversight.
Digits open a category, letters tag with the most frequent types at once. The letters that the
windows need for themselves (A E N P X) are not used.
"""

from shared.model.phi_traits import EntityKind as Kind
from shared.model.phi_traits import PersonRole, PhiTraits
from shared.model.phi_type import PhiType
from shared.model.schema import OKABE_ITO, Schema, SchemaCategory, SchemaType

_PATIENT, _STAFF = PersonRole.PATIENT, PersonRole.STAFF
_of = PhiTraits.of
_TYPES = {
    "NAME": {
        "PATIENT": ("t", _of(Kind.PERSON, _PATIENT)),
        "DOCTOR": ("o", _of(Kind.PERSON, _STAFF)),
        "USERNAME": ("u", _of(Kind.USERNAME, _STAFF)),
    },
    "PROFESSION": {"PROFESSION": ("w", _of(Kind.PROFESSION, _PATIENT))},
    "LOCATION": {
        "ROOM": ("b", _of(Kind.ROOM)),
        "DEPARTMENT": ("k", _of(Kind.DEPARTMENT)),
        "HOSPITAL": ("h", _of(Kind.HOSPITAL)),
        "ORGANIZATION": ("j", _of(Kind.ORGANIZATION)),
        "STREET": ("r", _of(Kind.STREET)),
        "CITY": ("c", _of(Kind.CITY)),
        "STATE": ("s", _of(Kind.STATE)),
        "COUNTRY": ("y", _of(Kind.COUNTRY)),
        "ZIP": ("z", _of(Kind.POSTAL_CODE)),
        "LOCATION-OTHER": ("l", _of(Kind.PLACE)),
    },
    "AGE": {"AGE": ("g", _of(Kind.AGE))},
    "DATE": {"DATE": ("d", _of(Kind.DATE))},
    "CONTACT": {
        "PHONE": ("f", _of(Kind.PHONE)),
        "FAX": ("", _of(Kind.FAX)),
        "EMAIL": ("", _of(Kind.EMAIL)),
        "URL": ("", _of(Kind.URL)),
        "IPADDR": ("", _of(Kind.IP_ADDRESS)),
    },
    "ID": {
        "SSN": ("", _of(Kind.SSN)),
        "MEDICALRECORD": ("m", _of(Kind.RECORD_NUMBER, _PATIENT)),
        "HEALTHPLAN": ("", _of(Kind.HEALTH_PLAN)),
        "ACCOUNT": ("", _of(Kind.ACCOUNT)),
        "LICENSE": ("", _of(Kind.LICENSE, _STAFF)),
        "VEHICLE": ("", _of(Kind.VEHICLE)),
        "DEVICE": ("", _of(Kind.DEVICE)),
        "BIOID": ("", _of(Kind.BIOMETRIC)),
        "IDNUM": ("i", _of(Kind.NUMBER)),
    },
    "OTHER": {"OTHER": ("", _of(Kind.OTHER))},
}

I2B2_2014 = Schema(
    "i2b2-2014",
    tuple(
        SchemaCategory(
            category,
            tuple(
                SchemaType(PhiType(category, name), traits.is_hipaa, key, traits)
                for name, (key, traits) in types.items()
            ),
            key=str(number),
            colour=colour,
        )
        for number, ((category, types), colour) in enumerate(
            zip(_TYPES.items(), OKABE_ITO, strict=True), start=1
        )
    ),
)
