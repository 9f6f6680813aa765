"""Faults planted in a fabricated gold standard: what a consistency check must find.

Three sorts, each at random: tags removed whose text is tagged elsewhere; names that are tagged
elsewhere, here misspelt and untagged; dates, phones and ids that are tagged elsewhere, here in
another format and untagged. The last two change the text of a record, and shift its other tags.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from random import Random

from shared.language.occurrences import edge_kind
from shared.model import Document, Layer, Patient, Span, Tag
from shared.synthetic import FabricatedPatient, remove_repeats
from shared.synthetic.dates import write_date
from shared.synthetic.names import misspelt

_FORMATS = ("iso", "us", "us4", "dash", "long", "ordinal", "short", "dmy")
_NUMBERS = frozenset({"PHONE", "FAX", "MEDICALRECORD", "SSN", "ACCOUNT", "HEALTHPLAN", "IDNUM"})
_LEAST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Planted:
    """An untagged place that is PHI, and by which fault it came about."""

    sort: str
    record_id: str
    span: Span


def plant(
    patients: Iterable[FabricatedPatient], removed: int, misspellings: int, formats: int, seed: int
) -> tuple[list[FabricatedPatient], list[Planted]]:
    """Return the patients with so many faults of each sort, and where they are."""
    rng = Random(f"{seed} planted")
    whole = list(patients)
    whole, rewritten = _rewrite(whole, "misspelt", misspellings, _misspelt, rng)
    whole, reformatted = _rewrite(whole, "reformatted", formats, _reformatted, rng, rewritten)
    holed, gone = remove_repeats(whole, removed, seed)
    planted = [Planted("removed", each.record_id, each.tag.span) for each in gone]
    return holed, planted + _moved(rewritten, reformatted)


_Rewrite = tuple[str, str, Span, int]
"""Record, sort, the span after rewriting, and by how much what follows has moved."""
_Rewriter = Callable[[FabricatedPatient, str, Tag, str, Random], str]


def _rewrite(
    patients: list[FabricatedPatient],
    sort: str,
    count: int,
    rewriter: _Rewriter,
    rng: Random,
    before: Iterable[_Rewrite] = (),
) -> tuple[list[FabricatedPatient], list[_Rewrite]]:
    by_id = {each.patient.id: each for each in patients}
    records = [
        (each.patient.id, document.record_id)
        for each in patients
        for document in each.patient.documents
    ]
    taken = {record_id for record_id, _, _, _ in before}
    rng.shuffle(records)
    done: list[_Rewrite] = []
    for patient_id, record_id in records:
        if len(done) == count:
            break
        if record_id in taken:
            continue
        found = _rewritten(by_id[patient_id], record_id, rewriter, rng)
        if found is not None:
            by_id[patient_id], span, moved = found
            done.append((record_id, sort, span, moved))
    if len(done) < count:
        raise ValueError(f"only {len(done)} of {count} could be {sort}")
    return list(by_id.values()), done


def _rewritten(
    fabricated: FabricatedPatient, record_id: str, rewriter: _Rewriter, rng: Random
) -> tuple[FabricatedPatient, Span, int] | None:
    document = fabricated.patient.document(record_id)
    times = Counter(
        tag.span.text_in(fabricated.patient.document(record).text)
        for record, layer in fabricated.gold.items()
        for tag in layer.tags
    )
    tags = list(fabricated.gold[record_id].tags)
    rng.shuffle(tags)
    for tag in tags:
        text = tag.span.text_in(document.text)
        if times[text] < 2 or "\n" in text or not _stands_alone(document.text, tag.span):
            continue
        new = rewriter(fabricated, record_id, tag, text, rng)
        if new != text and not times[new]:
            return _replaced(fabricated, document, tag, new)
    return None


def _stands_alone(text: str, span: Span) -> bool:
    return {edge_kind(text, span.start), edge_kind(text, span.end)} == {"whole"}


def _replaced(
    fabricated: FabricatedPatient, document: Document, tag: Tag, new: str
) -> tuple[FabricatedPatient, Span, int]:
    moved = len(new) - len(tag.span)
    text = document.text[: tag.start] + new + document.text[tag.end :]
    changed = replace(document, text=text)
    documents = tuple(
        changed if each.record_id == document.record_id else each
        for each in fabricated.patient.documents
    )
    tags = [
        each if each.start < tag.start else replace(each, span=each.span.shifted(moved))
        for each in fabricated.gold[document.record_id].tags
        if each.id != tag.id
    ]
    gold = {**fabricated.gold, document.record_id: Layer.of(document.record_id, "gold", tags)}
    patient = Patient(fabricated.patient.id, documents)
    return (
        replace(fabricated, patient=patient, gold=gold),
        Span(tag.start, tag.start + len(new)),
        moved,
    )


def _misspelt(_: FabricatedPatient, record_id: str, tag: Tag, text: str, rng: Random) -> str:
    if tag.phi_type.name not in {"PATIENT", "DOCTOR"} or len(text) < 5 or not text[1:].islower():
        return text
    return misspelt(text, rng)


def _reformatted(
    fabricated: FabricatedPatient, record_id: str, tag: Tag, text: str, rng: Random
) -> str:
    if tag.phi_type.name == "DATE":
        days = fabricated.dates.get((record_id, tag.id))
        if days is None or not days.full:
            return text
        return _date(days.first, days.form, rng)
    digits = re.sub(r"\W", "", text)
    if tag.phi_type.name not in _NUMBERS or sum(map(str.isdigit, digits)) < _LEAST_DIGITS:
        return text
    return _number(digits, phone=tag.phi_type.category == "CONTACT", rng=rng)


def _date(day: date, form: str, rng: Random) -> str:
    return write_date(day, rng.choice([each for each in _FORMATS if each != form]), rng).text


def _number(digits: str, *, phone: bool, rng: Random) -> str:
    if phone and len(digits) == 10:
        area, exchange, line = digits[:3], digits[3:6], digits[6:]
        forms = (
            f"({area}) {exchange}-{line}",
            f"{area}-{exchange}-{line}",
            f"{area}.{exchange}.{line}",
            f"{area} {exchange} {line}",
            f"({area}){exchange}-{line}",
        )
        return rng.choice(forms)
    cut = rng.randint(2, len(digits) - 3)
    return rng.choice((digits, f"{digits[:cut]}-{digits[cut:]}", f"{digits[:cut]}.{digits[cut:]}"))


def _moved(*some: list[_Rewrite]) -> list[Planted]:
    return [Planted(sort, record, span) for each in some for record, sort, span, _ in each]
