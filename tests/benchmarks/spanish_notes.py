"""Fabricated patients in Spanish, with their right tags; nobody in them is or was alive."""

from random import Random

from shared.language.languages import language
from shared.language.name_lists import name_lists
from shared.model import Document, Layer
from tests.builders import marked_up

_CITIES = ("Valdemora", "Torrelobos", "Guadalmina", "Peñafuerte", "Villarcayo", "Almendrales")
_MONTHS = (
    *("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto"),
    *("septiembre", "octubre", "noviembre", "diciembre"),
)
_NOTES = (
    """Nombre: [{given} {one} {two}|PATIENT]
NHC: [{record}|MEDICALRECORD]
Domicilio: [Calle {street} {house}|STREET]
Localidad: [{city}|CITY]
CP: [{code}|ZIP]
Datos asistenciales: [{hospital}|HOSPITAL]
Fecha de ingreso: [{day}/{month:02}/{year}|DATE]
Médico: Dr. [{doctor} {surname}|DOCTOR]

Informe clínico: paciente de [{age}|AGE] años que acude por disnea de esfuerzo y dolor torácico
de tres semanas de evolución. Intervención de hernia en [{before} de {past}|DATE]. Sin alergias
conocidas. TA 130/80, FC 76, saturación 97 %. El [{day} de {named} de {year}|DATE] se practicó
ecocardiograma, que mostró una fracción de eyección del 55 %. [{given}|PATIENT] no refiere fiebre
ni pérdida de peso. Remitida desde el [{elsewhere}|HOSPITAL]. Se comenta con la
Dra. [{other} {family}|DOCTOR] y se ajusta el tratamiento.
""",
    """[{hospital}|HOSPITAL]
CONSULTA DE CARDIOLOGÍA   [{day}/{month:02}/{year}|DATE]

La paciente, Dña. [{given} {one}|PATIENT], vive en [{city}|CITY], en la
[Calle {street} {house}|STREET], con su marido [{husband}|PATIENT]. Desde el alta del
[{hospital}|HOSPITAL] se encuentra mejor. La Sra. [{one}|PATIENT] camina dos kilómetros al día y
toma enalapril 10 mg cada 12 horas. Auscultación normal, abdomen blando, sin edemas.
La vio el Dr. [{surname}|DOCTOR] el [{day}/{month:02}/{year}|DATE]; próxima revisión en seis meses.

Firmado: Dr. [{doctor} {surname}|DOCTOR]
""",
    """Informe de urgencias
Paciente: [{given} {one} {two}|PATIENT]   Fecha: [{day} de {named} de {year}|DATE]

Acude por mareo. [{given}|PATIENT] explica que el Dr. [{doctor} {surname}|DOCTOR] le cambió la
medicación. Su hijo [{son}|PATIENT], natural de [{city}|CITY], la acompaña. Exploración anodina,
glucemia 104 mg/dl, electrocardiograma sin cambios. Valorada por la Dra. [{family}|DOCTOR], del
[{hospital}|HOSPITAL], se da de alta a la Sra. [{one}|PATIENT].
Trae informes del [{elsewhere}|HOSPITAL]. Avisar al marido, [{husband}|PATIENT], en la
[Calle {street} {house}|STREET].
""",
)


def spanish_patients(count: int, seed: int) -> list[list[tuple[Document, Layer]]]:
    """Return the records of so many patients with their gold standard, the same for one seed."""
    return [_patient(f"S{number}", Random(f"{seed} es {number}")) for number in range(count)]


def _patient(patient_id: str, rng: Random) -> list[tuple[Document, Layer]]:
    told = _told(rng)
    found: list[tuple[Document, Layer]] = []
    for number, note in enumerate(_NOTES, start=1):
        text, tags = marked_up(note.format(**told))
        record = f"{patient_id}-{number:02}"
        found.append((Document(record, patient_id, text), Layer.of(record, "gold", tags)))
    return found


def _told(rng: Random) -> dict[str, object]:
    spanish = language("es")
    lists = name_lists(spanish)
    men, women, families = (
        rng.sample(each.every_common, 8) for each in (lists.men, lists.women, lists.family)
    )
    month = rng.randint(1, 12)
    return {
        "given": women[0],
        "one": families[0],
        "two": families[1],
        "doctor": men[0],
        "surname": families[2],
        "other": women[1],
        "family": families[3],
        "husband": men[1],
        "son": men[2],
        "street": rng.choice(spanish.places.streets),
        "house": rng.randint(2, 98),
        "city": rng.choice(_CITIES),
        "code": rng.randint(10000, 49999),
        "hospital": f"Hospital {rng.choice(spanish.places.stems)}",
        "elsewhere": f"Clínica {rng.choice(spanish.places.stems)}",
        "record": rng.randint(100_000, 9_999_999),
        "age": rng.randint(31, 88),
        "day": rng.randint(13, 28),
        "month": month,
        "named": _MONTHS[month - 1],
        "year": rng.randint(2061, 2079),
        "before": rng.choice(_MONTHS),
        "past": rng.randint(2040, 2059),
    }
