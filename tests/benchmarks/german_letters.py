"""German letters, fabricated: two folders of i2b2 XML whose templates have no sentence in common.

    python tests/benchmarks/german_letters.py OUT [PATIENTS]

`OUT/train` and `OUT/test` then go into `tandem train` and `tandem evaluate --without PASS`, which
measure what a pass is worth on text of a language that it was not made for. Names, streets and
numbers are drawn by Faker and checked against nobody; the clinical sentences are written for this.
"""

import re
import sys
from datetime import date, timedelta
from pathlib import Path
from random import Random

from faker import Faker

sys.path.insert(0, str(Path(__file__).parents[2]))

from shared.formats.i2b2_xml import format_record
from shared.model import Document, Layer, PhiType, Span, Tag

TRAIN = (
    """Klinikum {HOSPITAL}, {DEPARTMENT}
{STREET}, {ZIP} {CITY}
Telefon {PHONE}, Fax {FAX}

{CITY}, den {DATE_LONG}

Sehr geehrte Frau Kollegin {DOCTOR_LAST},

wir berichten über Ihren Patienten {PATIENT}, geb. am {BIRTH}, wohnhaft {STREET}, {ZIP} {CITY},
der sich vom {DATE} bis {DATE} in unserer stationären Behandlung befand.

Diagnosen: arterielle Hypertonie, Diabetes mellitus Typ 2, Zustand nach Hinterwandinfarkt {YEAR}.

Anamnese: Der {AGE}-jährige {PROFESSION} stellte sich mit seit dem {DATE_SHORT} zunehmender
Luftnot vor. Seine Frau {FIRST} begleitete ihn. Herr {LAST} nimmt Metoprolol 47,5 mg 1-0-1.

Die Echokardiographie vom {DATE} zeigte eine Ejektionsfraktion von 45 %. Wir bitten Herrn {LAST},
sich am {DATE} bei Dr. {DOCTOR} vorzustellen.

Mit freundlichen Grüßen

{DOCTOR}
Oberarzt
Fallnummer {RECORD}""",
    """ENTLASSUNGSBRIEF     Pat.-Nr.: {RECORD}
Patientin: {LAST}, {FIRST}     Geburtsdatum: {BIRTH}
Versichertennummer: {PLAN}

Aufnahme {DATE}, Entlassung {DATE}.

Frau {LAST} ({AGE} J.) wurde uns von der Praxis Dr. {DOCTOR} aus {CITY} zugewiesen. Bei Aufnahme
RR 160/95 mmHg, HF 88/min, SpO2 94 %. Im {MONTH} war im {HOSPITAL} eine Gastroskopie erfolgt.

Therapie: Pantoprazol 40 mg 1-0-0, Ramipril 5 mg 1-0-0. Kontrolle in 14 Tagen.

Rückfragen unter {PHONE} oder {EMAIL}.
gez. {DOCTOR}, Assistenzärztin""",
)
TEST = (
    """{HOSPITAL} * {STREET} * {ZIP} {CITY}

Befundbericht vom {DATE}

Betrifft: {PATIENT}, *{BIRTH}

Sehr geehrter Herr Dr. {DOCTOR_LAST}, haben Sie Dank für die Überweisung von Frau {PATIENT}, die
ich am {DATE_LONG} erstmals sah. Sie arbeitet als {PROFESSION} in {CITY} und ist {AGE} Jahre alt.
Ihr Bruder {RELATIVE} ist an einem Kolonkarzinom erkrankt (ED {YEAR}).

Befund: Abdomen weich, kein Druckschmerz. Kreatinin 1,2 mg/dl, Hb 13,4 g/dl.

{LAST} erhielt den Rat, im {MONTH} wiederzukommen. Telefonisch erreichbar: {PHONE}.

Herzliche Grüße
Ihre {DOCTOR}
MRN {RECORD}""",
    """Verlaufsnotiz {DATE}, {DEPARTMENT}
Pat. {LAST}, {AGE} J., Aufnahme am {DATE_SHORT} über die Notaufnahme des {HOSPITAL}.
Hr. {LAST} klagt weiter über Schwindel. Visite mit OÄ {DOCTOR_LAST}: Diuretikum pausieren.
Tochter ({FIRST}, Tel. {PHONE}) informiert. Hausarzt ist Dr. med. {DOCTOR} in {CITY}.
Verlegung nach {CITY} geplant für {DATE}. Labor vom {DATE_SHORT}: Natrium 128 mmol/l.
Aufn.-Nr. {RECORD}, Versicherung {PLAN}, E-Mail der Angehörigen {EMAIL}
{DOCTOR_INITIALS}""",
)
TYPES = {
    "HOSPITAL": "LOCATION:HOSPITAL", "DEPARTMENT": "LOCATION:DEPARTMENT",
    "STREET": "LOCATION:STREET", "ZIP": "LOCATION:ZIP", "CITY": "LOCATION:CITY",
    "PHONE": "CONTACT:PHONE", "FAX": "CONTACT:FAX", "EMAIL": "CONTACT:EMAIL",
    "PROFESSION": "PROFESSION:PROFESSION", "AGE": "AGE:AGE", "RECORD": "ID:MEDICALRECORD",
    "PLAN": "ID:HEALTHPLAN", "PATIENT": "NAME:PATIENT", "FIRST": "NAME:PATIENT",
    "RELATIVE": "NAME:PATIENT",
    "LAST": "NAME:PATIENT", "DOCTOR": "NAME:DOCTOR", "DOCTOR_LAST": "NAME:DOCTOR",
    "DOCTOR_INITIALS": "NAME:DOCTOR", "DATE": "DATE:DATE", "DATE_LONG": "DATE:DATE",
    "DATE_SHORT": "DATE:DATE", "BIRTH": "DATE:DATE", "YEAR": "DATE:DATE", "MONTH": "DATE:DATE",
}  # fmt: skip
MONTHS = (
    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()
)
HOSPITALS = ("St.-Elisabeth-Krankenhaus", "Marienhospital", "Kreisklinik", "Diakonissenhaus")
DEPARTMENTS = ("Abteilung für Kardiologie", "Station 4B", "Klinik für Innere Medizin II")


class Letters:
    """Draws what stands in the slots of one patient's letters."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._faker = Faker("de_DE")
        self._faker.seed_instance(random.getrandbits(32))
        self._first, self._last = self._faker.first_name(), self._faker.last_name()
        self._doctor = (self._faker.first_name(), self._faker.last_name())
        self._born = date(1930, 1, 1) + timedelta(days=random.randrange(25_000))

    def letter(self, record_id: str, template: str) -> bytes:
        """One letter with its tags, as i2b2 XML."""
        return format_record(*self.tagged(record_id, template))

    def tagged(self, record_id: str, template: str) -> tuple[str, Layer]:
        """The text of one letter, and its tags."""
        pieces: list[str] = []
        tags: list[Tag] = []
        at = 0
        for index, piece in enumerate(re.split(r"\{([A-Z_]+)\}", template)):
            text = self._drawn(piece) if index % 2 else piece
            if index % 2:
                category, _, name = TYPES[piece].partition(":")
                tags.append(Tag(Span(at, at + len(text)), PhiType(category, name)))
            pieces.append(text)
            at += len(text)
        return "".join(pieces), Layer.of(record_id, "gold", tags)

    def _drawn(self, slot: str) -> str:
        faker, day = self._faker, self._day()
        first, last = self._doctor
        draws = {
            "HOSPITAL": lambda: self._random.choice(HOSPITALS),
            "DEPARTMENT": lambda: self._random.choice(DEPARTMENTS),
            "STREET": faker.street_address, "ZIP": faker.postcode, "CITY": faker.city_name,
            "PHONE": faker.phone_number, "FAX": faker.phone_number, "EMAIL": faker.email,
            "PROFESSION": faker.job_male, "AGE": lambda: str(2012 - self._born.year),
            "RECORD": lambda: faker.numerify("########"),
            "PLAN": lambda: faker.bothify("?#########").upper(),
            "PATIENT": lambda: f"{self._first} {self._last}", "FIRST": faker.first_name,
            "RELATIVE": lambda: f"{faker.first_name()} {self._last}",
            "LAST": lambda: self._last, "DOCTOR": lambda: f"{first} {last}",
            "DOCTOR_LAST": lambda: last, "DOCTOR_INITIALS": lambda: first[0] + last[0],
            "DATE": lambda: f"{day:%d.%m.%Y}", "DATE_SHORT": lambda: f"{day.day}.{day.month}.",
            "DATE_LONG": lambda: f"{day.day}. {MONTHS[day.month - 1]} {day.year}",
            "BIRTH": lambda: f"{self._born:%d.%m.%Y}", "YEAR": lambda: str(day.year),
            "MONTH": lambda: f"{MONTHS[day.month - 1]} {day.year}",
        }  # fmt: skip
        return draws[slot]()

    def _day(self) -> date:
        return date(2011, 1, 1) + timedelta(days=self._random.randrange(700))


def german_patients(count: int, seed: int) -> list[list[tuple[Document, Layer]]]:
    """Patients with all the letters, each letter with its gold standard."""
    return [
        [
            (Document(f"D{number}-{at:02}", f"D{number}", text), layer)
            for at, template in enumerate((*TRAIN, *TEST), 1)
            for text, layer in [letters.tagged(f"D{number}-{at:02}", template)]
        ]
        for number in range(count)
        for letters in [Letters(Random(f"{seed} de {number}"))]
    ]


def main() -> None:
    out = Path(sys.argv[1])
    patients = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    random = Random(1)
    for folder, templates in (("train", TRAIN), ("test", TEST)):
        (out / folder).mkdir(parents=True, exist_ok=True)
        for patient in range(1, patients + 1):
            letters = Letters(random)
            for number, template in enumerate(templates, 1):
                record_id = f"{folder[0]}{patient:03}-{number:02}"
                (out / folder / f"{record_id}.xml").write_bytes(letters.letter(record_id, template))


if __name__ == "__main__":
    main()
