"""A release: which files it has and what is in them; writing them is the caller's."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from random import Random

from shared.formats.base import Record, WriteOptions
from shared.formats.registry import FORMATS
from shared.model import Layer
from shared.surrogates.data_card import CARD, CardFacts, Counted, card_as_text, card_content
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.residual_risk import KEY, card_bytes

MARKER = "data_card.json"
"""The file by which a folder is known as a release."""
DIGEST = "digest"
"""The key of a card under which it names the release that it is of."""
_FOLDERS = ("text", "xml")
_PARTS = ("", "train/", "test/")
RECORD_FOLDERS = tuple(f"{part}{folder}" for part in _PARTS for folder in _FOLDERS)
"""Where in a release records can lie."""


@dataclass(frozen=True, slots=True)
class ReleasePlan:
    """What is released how.

    `unmark` are names of types that are replaced but not tagged in the release, as ROOM,
    DEPARTMENT and OTHER were for the shared task. `test` are the patients of the test part; where
    there are none, there is one part only. `new_ids` are other names for records, by record id.
    """

    facts: CardFacts
    unmark: frozenset[str] = frozenset()
    test: frozenset[str] = frozenset()
    new_ids: Mapping[str, str] = field(default_factory=dict[str, str])


def released_records(patients: Sequence[SurrogatePatient], plan: ReleasePlan) -> Iterator[Counted]:
    """Yield the records as they are released, with the part (train, test or "") they are in."""
    for patient in patients:
        part = ("test" if patient.patient.id in plan.test else "train") if plan.test else ""
        for document in patient.documents:
            record_id = plan.new_ids.get(document.record_id, document.record_id)
            layer = patient.layers[document.record_id]
            tags = (tag for tag in layer.tags if tag.phi_type.name not in plan.unmark)
            released = Layer.of(record_id, layer.annotator, tags)
            yield part, replace(document, record_id=record_id), released


def release_files(
    patients: Sequence[SurrogatePatient], plan: ReleasePlan
) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a release: name in the release's folder, content.

    Every record as text and as i2b2 XML with the surrogates tagged, by part where the corpus is
    split, and the data card.
    """
    records = list(released_records(patients, plan))
    digests: dict[str, str] = {}
    for part, document, layer in records:
        folder = f"{part}/" if part else ""
        record = Record(document, (layer,))
        for below, form in zip(_FOLDERS, (FORMATS["text"], FORMATS["i2b2"]), strict=True):
            for file in form.write([record], WriteOptions(bare=True)):
                name = f"{folder}{below}/{file.name}"
                digests[name] = sha256(file.data).hexdigest()
                yield name, file.data
    content = card_content(plan.facts, records, plan.unmark)
    content[DIGEST] = release_digest(content, digests)
    yield CARD, card_as_text(plan.facts, records, plan.unmark, content[DIGEST]).encode()
    yield MARKER, card_bytes(content)


def release_digest(content: Mapping[str, object], files: Mapping[str, str]) -> str:
    """The SHA-256 by which a card and its release know each other, as hexadecimal digits.

    It is of what the card says beside what may be left, which is said anew later, and of the
    SHA-256 of each of the release's other `files`, by name.
    """
    said = {key: each for key, each in content.items() if key not in (KEY, DIGEST)}
    return sha256(json.dumps([said, dict(files)], sort_keys=True).encode()).hexdigest()


def draw_test_part(
    patients: Sequence[SurrogatePatient], share: float, randomness: Random
) -> frozenset[str]:
    """Draw whole patients until they have about the share of all records."""
    order = list(patients)
    randomness.shuffle(order)
    wanted = share * sum(len(each.documents) for each in order)
    test: set[str] = set()
    count = 0
    for each in order:
        if count + len(each.documents) / 2 <= wanted:
            test.add(each.patient.id)
            count += len(each.documents)
    return frozenset(test)


def draw_new_ids(patients: Sequence[SurrogatePatient], randomness: Random) -> dict[str, str]:
    """Draw new names for records: patients numbered anew in random order, records in their own."""
    order = list(patients)
    randomness.shuffle(order)
    first = 10 ** len(str(len(order))) + 1
    return {
        document.record_id: f"{number}-{place:02}"
        for number, patient in enumerate(order, start=first)
        for place, document in enumerate(patient.documents, start=1)
    }
