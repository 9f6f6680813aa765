"""The schema of the 2014 i2b2/UTHealth corpus: Stubbs and Uzuner (2015), figure 1 and section 8.

IDNUM counts to the HIPAA types as in the paper; the official scorer leaves it out by an oversight.
Digits open a category, letters tag with the most frequent types at once. The letters that the
windows need for themselves (A E N P X) are not used.
"""

from shared.model.phi_type import PhiType
from shared.model.schema import OKABE_ITO, Schema, SchemaCategory, SchemaType

_HIPAA = frozenset(
    "PATIENT AGE CITY STREET ZIP ORGANIZATION DATE PHONE FAX EMAIL SSN MEDICALRECORD HEALTHPLAN "
    "ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM".split()
)

_TYPES = {
    "NAME": {"PATIENT": "t", "DOCTOR": "o", "USERNAME": "u"},
    "PROFESSION": {"PROFESSION": "w"},
    "LOCATION": {
        "ROOM": "b",
        "DEPARTMENT": "k",
        "HOSPITAL": "h",
        "ORGANIZATION": "j",
        "STREET": "r",
        "CITY": "c",
        "STATE": "s",
        "COUNTRY": "y",
        "ZIP": "z",
        "LOCATION-OTHER": "l",
    },
    "AGE": {"AGE": "g"},
    "DATE": {"DATE": "d"},
    "CONTACT": {"PHONE": "f", "FAX": "", "EMAIL": "", "URL": "", "IPADDR": ""},
    "ID": {
        "SSN": "",
        "MEDICALRECORD": "m",
        "HEALTHPLAN": "",
        "ACCOUNT": "",
        "LICENSE": "",
        "VEHICLE": "",
        "DEVICE": "",
        "BIOID": "",
        "IDNUM": "i",
    },
    "OTHER": {"OTHER": ""},
}

I2B2_2014 = Schema(
    "i2b2-2014",
    tuple(
        SchemaCategory(
            category,
            tuple(
                SchemaType(PhiType(category, name), hipaa=name in _HIPAA, key=key)
                for name, key in types.items()
            ),
            key=str(number),
            colour=colour,
        )
        for number, ((category, types), colour) in enumerate(
            zip(_TYPES.items(), OKABE_ITO, strict=True), start=1
        )
    ),
)
