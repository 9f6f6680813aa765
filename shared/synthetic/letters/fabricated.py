"""Patients with letters of hospitals, and the right tags of each letter."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from shared.model import Document, Layer, Origin, Patient, Tag
from shared.synthetic.letters.people import draw_patient
from shared.synthetic.letters.sources import SETS_TO_MEASURE, LetterBook, LetterSet, letter_book
from shared.synthetic.letters.writer import AsciiBuilder, LetterWriter
from shared.synthetic.typing_errors import with_typing_errors

_LEAST, _MOST = 2, 4
_WIDTHS = (None, None, 72, 78, 90)
_ASCII_RATE, _ONE_LINE_RATE = 0.1, 0.08


@dataclass(frozen=True, slots=True)
class FabricatedLetters:
    """A patient's letters with the gold standard of each, by record id."""

    patient: Patient
    gold: Mapping[str, Layer]


def fabricate_letters(
    code: str, patients: int, seed: int, *, letters: LetterSet = "first"
) -> Iterator[FabricatedLetters]:
    """Yield patients with two to four letters in a language, the same for the same arguments.

    Letters with names of their own are now and then without umlauts, or all in one line; others of
    the sets to learn from are now and then typed as badly as people in a hurry do.
    """
    book = letter_book(code, letters)
    for number in range(1, patients + 1):
        rng = Random(f"{seed} {code} {letters} {number}")
        yield _fabricated(book, f"{code}-{letters}-{number:04}", letters, rng)


def _fabricated(
    book: LetterBook, patient_id: str, letters: LetterSet, rng: Random
) -> FabricatedLetters:
    patient = draw_patient(book, patient_id, rng)
    today = date(2009, 1, 1) + timedelta(days=rng.randrange(5000))
    count = min(rng.randint(_LEAST, _MOST), len(book.letters))
    documents: list[Document] = []
    gold: dict[str, Layer] = {}
    for number, template in enumerate(rng.sample(book.letters, count), start=1):
        record_id = f"{patient_id}-{number:02}"
        writer = LetterWriter(book, patient, today, rng, rng.choice(_WIDTHS))
        if book.own_names and rng.random() < _ASCII_RATE:
            writer.builder = AsciiBuilder(None)
        writer.write(template)
        text = writer.builder.text
        if book.own_names:
            text = text.replace("\n", " ") if rng.random() < _ONE_LINE_RATE else text
        elif letters not in SETS_TO_MEASURE:
            text = with_typing_errors(text, rng)
        documents.append(Document(record_id, patient_id, text))
        tags = (
            Tag(each.span, each.phi_type, id=f"P{at}", origin=Origin.ADJUDICATION)
            for at, each in enumerate(writer.builder.mentions)
        )
        gold[record_id] = Layer.of(record_id, "gold", tags)
        today += timedelta(days=rng.choice((2, 9, 40, 200, 500)))
    return FabricatedLetters(Patient(patient_id, tuple(documents)), gold)
