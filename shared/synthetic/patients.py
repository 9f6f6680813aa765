"""Fabricated patients: longitudinal records with every PHI known, as many as wanted."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from shared.errors import RequestError
from shared.model import Document, Layer, Origin, Patient, Tag
from shared.synthetic.builder import SlotMention
from shared.synthetic.cast import CastBuilder
from shared.synthetic.dates import Days
from shared.synthetic.phrases import phrases
from shared.synthetic.pools import TEMPLATES_TO_LEARN, Templates, pools
from shared.synthetic.scene import Scene
from shared.synthetic.slots import SLOTS
from shared.synthetic.story import Story, Visit, tell_story
from shared.synthetic.typing_errors import with_typing_errors

LEAST_RECORDS = 2
MOST_RECORDS = 5
_FIRST_NUMBERS: Mapping[Templates, int] = {
    "standard": 101,
    "held-out": 5001,
    **{each: 20001 + 10000 * at for at, each in enumerate(TEMPLATES_TO_LEARN)},
}

TagKey = tuple[str, str]
"""A tag of a patient: record id and tag id."""


@dataclass(frozen=True, slots=True)
class FabricatedPatient:
    """A patient with the gold standard of its records (by record id) and what the tags stand for.

    `people`, `places` and `numbers` give for a tag the key of the person, of the place (hospital,
    street, city, state, country, organization, ...) or of the contact or identifier that it names:
    tags of one key corefer. `dates` gives the days that a date means; tags without an entry (days
    of every week, ages) mean no day.
    """

    patient: Patient
    gold: Mapping[str, Layer]
    people: Mapping[TagKey, str]
    places: Mapping[TagKey, str]
    numbers: Mapping[TagKey, str]
    dates: Mapping[TagKey, Days]


def fabricate(
    patients: int, seed: int, *, records: int | None = None, templates: Templates = "standard"
) -> Iterator[FabricatedPatient]:
    """Yield fabricated patients, one at a time.

    The same arguments give the same patients. `records` is their number of records in all; without
    it every patient has 2 to 5, mostly 5. The `held-out` templates share no sentence that carries
    PHI, no illness and no name list with the others. The `practice` templates are the standard ones
    and many more, in notes short and thick with PHI, for recognizers to learn from; so are those
    that are called by a number, each by an author of its own. Raises RequestError where so many
    records cannot be shared out.
    """
    first = _FIRST_NUMBERS[templates]
    for number, count in enumerate(record_counts(patients, seed, records), start=first):
        yield fabricate_patient(
            str(number), count, templates, Random(f"{seed} {templates} {number}")
        )


def record_counts(patients: int, seed: int, records: int | None = None) -> list[int]:
    """Return how many records each patient has: 2 to 5, `records` in all if that is given.

    Raises RequestError where there is no such way.
    """
    if patients < 0:
        raise RequestError(f"{patients} patients cannot be fabricated; ask for none or more")
    rng = Random(f"{seed} records")
    counts = rng.choices(range(LEAST_RECORDS, MOST_RECORDS + 1), (5, 9, 22, 64), k=patients)
    if records is None:
        return counts
    if not LEAST_RECORDS * patients <= records <= MOST_RECORDS * patients:
        raise RequestError(
            f"{patients} patients have {LEAST_RECORDS * patients} to {MOST_RECORDS * patients} "
            f"records, not {records}; ask for another number"
        )
    while (missing := records - sum(counts)) != 0:
        step = 1 if missing > 0 else -1
        at = rng.randrange(patients)
        if LEAST_RECORDS <= counts[at] + step <= MOST_RECORDS:
            counts[at] += step
    return counts


def fabricate_patient(
    patient_id: str, records: int, templates: Templates, rng: Random
) -> FabricatedPatient:
    """Return one patient with any number of records; the years run on with them."""
    story = tell_story(
        patient_id, records, phrases(templates), CastBuilder(pools(templates), rng), rng
    )
    scenes = {visit.record_id: _played(story, visit, templates, rng) for visit in story.visits}
    documents = tuple(
        Document(
            record_id,
            patient_id,
            with_typing_errors(scene.builder.text, rng)
            if templates in TEMPLATES_TO_LEARN
            else scene.builder.text,
        )
        for record_id, scene in scenes.items()
    )
    mentions = {
        (record_id, f"P{index}"): mention
        for record_id, scene in scenes.items()
        for index, mention in enumerate(scene.builder.mentions)
    }
    return FabricatedPatient(
        patient=Patient(patient_id, documents),
        gold={record_id: _layer(record_id, mentions) for record_id in scenes},
        people=_entities(mentions, "NAME"),
        places=_entities(mentions, "LOCATION"),
        numbers=_entities(mentions, "CONTACT") | _entities(mentions, "ID"),
        dates={key: mention.days for key, mention in mentions.items() if mention.days},
    )


def _played(story: Story, visit: Visit, templates: Templates, rng: Random) -> Scene:
    scene = Scene(story, visit, phrases(templates), pools(templates), SLOTS, rng)
    scene.write(rng.choice(phrases(templates).notes[visit.kind]))
    return scene


def _layer(record_id: str, mentions: Mapping[TagKey, SlotMention]) -> Layer:
    tags = (
        Tag(mention.span, mention.phi_type, id=tag_id, origin=Origin.ADJUDICATION)
        for (record, tag_id), mention in mentions.items()
        if record == record_id
    )
    return Layer.of(record_id, "gold", tags)


def _entities(mentions: Mapping[TagKey, SlotMention], category: str) -> dict[TagKey, str]:
    return {
        key: mention.entity
        for key, mention in mentions.items()
        if mention.entity and mention.phi_type.category == category
    }
