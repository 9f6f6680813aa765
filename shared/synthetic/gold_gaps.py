"""Holes in a gold standard that a consistency check must find."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from random import Random

from shared.errors import RequestError
from shared.language.occurrences import edge_kind
from shared.model import Patient, Tag
from shared.synthetic.patients import FabricatedPatient


@dataclass(frozen=True, slots=True)
class RemovedTag:
    """A tag that was taken out of the gold standard of a record."""

    patient_id: str
    record_id: str
    tag: Tag


def remove_repeats(
    patients: Iterable[FabricatedPatient], count: int, seed: int
) -> tuple[list[FabricatedPatient], list[RemovedTag]]:
    """Return the patients without `count` tags drawn at random, and these tags.

    Each has a text that is still tagged elsewhere in the same patient, and stands there as a word
    of its own (the `53` of `53yo` is no candidate). Raises RequestError where there are too few.
    """
    whole = list(patients)
    rng = Random(f"{seed} repeats")
    candidates = [found for fabricated in whole for found in _candidates(fabricated)]
    rng.shuffle(candidates)
    left = Counter((patient, text) for text, patient, _ in candidates)
    removed: list[RemovedTag] = []
    for text, patient, found in candidates:
        if len(removed) < count and left[patient, text] > 1:
            left[patient, text] -= 1
            removed.append(found)
    if len(removed) < count:
        raise RequestError(
            f"only {len(removed)} tags repeat the text of another, {count} were to be removed; "
            "fabricate more patients"
        )
    return [_without(fabricated, removed) for fabricated in whole], removed


def _candidates(fabricated: FabricatedPatient) -> list[tuple[str, str, RemovedTag]]:
    patient: Patient = fabricated.patient
    found: list[tuple[str, str, RemovedTag]] = []
    for document in patient.documents:
        for tag in fabricated.gold[document.record_id].tags:
            edges = {edge_kind(document.text, tag.start), edge_kind(document.text, tag.end)}
            if edges == {"whole"}:
                text = " ".join(tag.span.text_in(document.text).split())
                found.append((text, patient.id, RemovedTag(patient.id, document.record_id, tag)))
    return found


def _without(fabricated: FabricatedPatient, removed: list[RemovedTag]) -> FabricatedPatient:
    gone: dict[str, list[str]] = {}
    for each in removed:
        if each.patient_id == fabricated.patient.id:
            gone.setdefault(each.record_id, []).append(each.tag.id)
    gold = {
        record_id: layer.changed(removed=gone.get(record_id, ()))
        for record_id, layer in fabricated.gold.items()
    }
    return replace(fabricated, gold=gold)
