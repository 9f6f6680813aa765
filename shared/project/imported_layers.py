"""Layers that annotators made elsewhere, brought into a new project with its records."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from shared.errors import RequestError
from shared.formats.base import Record
from shared.formats.xml_characters import xml_copy
from shared.model import Layer
from shared.project.assignments import MOST_ANNOTATORS, Assignment, State
from shared.project.settings import GOLD

ImportedLayers = Mapping[str, Mapping[str, Layer]]
"""Layers by annotator, or gold, and record."""


def imported_layers(
    records: Iterable[Record], by_annotator: Mapping[str, Sequence[Record]]
) -> dict[str, dict[str, Layer]]:
    """Return the layers of tagged records, which must be about these records.

    Raises RequestError where one is about another record, or the same with another text.
    """
    texts = {each.document.record_id: each.document.text for each in records}
    found: dict[str, dict[str, Layer]] = {}
    for name, tagged in by_annotator.items():
        layers = found.setdefault(name, {})
        for each in tagged:
            record_id = each.document.record_id
            if record_id not in texts:
                raise RequestError(
                    f"the layer of {name} has record {record_id}, which the project has not"
                )
            if each.document.text not in (texts[record_id], xml_copy(texts[record_id])):
                raise RequestError(
                    f"the layer of {name} was made for another text of record {record_id}"
                )
            layers[record_id] = replace(each.layer, annotator=name)
    return found


def assigned_by_layers(
    assigned: Sequence[Assignment],
    layers: ImportedLayers,
    patients: Mapping[str, Sequence[str]],
    annotators: Sequence[str],
) -> tuple[Assignment, ...]:
    """Return who has which patient where those who have layers of it have it, with their states.

    They take the places of those who were drawn. `patients` has the records of each. Who has a
    layer of every record is done, of some has begun. Raises RequestError where a patient has layers
    of more annotators than can be adjudicated.
    """
    drawn: dict[str, list[str]] = {}
    for each in assigned:
        drawn.setdefault(each.patient_id, []).append(each.annotator)
    found: list[Assignment] = []
    for patient_id, record_ids in patients.items():
        states = {
            name: _state(layers.get(name, {}), record_ids) for name in annotators if name != GOLD
        }
        have = [name for name, state in states.items() if state is not State.TO_DO]
        if len(have) > MOST_ANNOTATORS:
            raise RequestError(
                f"patient {patient_id} has layers of {len(have)} annotators; {MOST_ANNOTATORS} is "
                "the most"
            )
        others = [name for name in drawn[patient_id] if name not in have]
        size = max(len(have), len(drawn[patient_id]))
        chosen = {*have, *others[: size - len(have)]}
        found += (
            Assignment(patient_id, name, states[name]) for name in annotators if name in chosen
        )
    return tuple(found)


def _state(layers: Mapping[str, Layer], record_ids: Sequence[str]) -> State:
    there = sum(each in layers for each in record_ids)
    if not there:
        return State.TO_DO
    return State.DONE if there == len(record_ids) else State.BEGUN
