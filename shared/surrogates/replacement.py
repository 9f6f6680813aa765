"""All surrogates of one patient: from the gold standard to new records with tags, and a review."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

from shared.model import Document, Layer, Patient, Span, Tag
from shared.surrogates.leak_check import Leak, LeakRules, leaks_of, surrogates_at
from shared.surrogates.mentions import (
    PhiMention,
    Replacement,
    Surrogate,
    SurrogatePatient,
    by_records,
    mentions_of,
)
from shared.surrogates.people.kinship import with_named_relatives
from shared.surrogates.release_modes import MODES
from shared.surrogates.remainders import find_remainders
from shared.surrogates.splice import SplicedText, splice
from shared.surrogates.surrogate_kinds import SurrogateSettings

CHOSEN_EARLIER = "chosen for an earlier release"
DRAWS = 8
LETTERS_DRAWN = 8_000_000
"""So many characters of records are drawn for at most: of very large patients hardly any draw is
without a collision, and all draws cost as much as the first."""


def replace_without_collisions(
    patient: Patient,
    gold: Mapping[str, Layer],
    settings: SurrogateSettings,
    rules: LeakRules,
    randomness: Callable[[int], Random],
) -> tuple[SurrogatePatient, tuple[Leak, ...]]:
    """Replace every PHI of a patient, and return that with the leaks that are left.

    `randomness(n)` is the generator of the n-th draw, from 0; there is another draw, up to DRAWS
    or fewer for a very large patient, while a surrogate is, or holds, something
    authentic, such as `12/31/2009` for another day. What a person chose is not drawn, so it asks
    for no other draw.
    """
    size = sum(len(each.text) for each in patient.documents)
    most = max(1, min(DRAWS if settings.is_drawn else 1, LETTERS_DRAWN // max(1, size)))
    draw = 0
    while True:
        new = replace_patient(patient, gold, settings, randomness(draw))
        draw += 1
        leaks = _leaks(new, gold, rules, is_last=draw == most)
        if leaks is not None:
            leaks += _others(find_remainders(patient, new, rules), leaks)
            leaks += _others(MODES[settings.mode].check(new, settings, rules), leaks)
            return new, tuple(leaks)


def _leaks(
    new: SurrogatePatient, gold: Mapping[str, Layer], rules: LeakRules, *, is_last: bool
) -> list[Leak] | None:
    """The leaks of a draw; None as soon as one of them asks for another draw, if there is one."""
    found: list[Leak] = []
    for leak in leaks_of(new, gold, rules):
        if not is_last and _was_drawn(leak, new):
            return None
        found.append(leak)
    return found


def _others(found: Iterable[Leak], told: Iterable[Leak]) -> list[Leak]:
    """Those at places of which nothing is told yet."""
    places: dict[str, list[Span]] = defaultdict(list)
    for each in told:
        if each.old:
            places[each.record_id].append(each.old)
    return [
        each
        for each in found
        if not (each.old and any(map(each.old.overlaps, places.get(each.record_id, ()))))
    ]


def _was_drawn(leak: Leak, new: SurrogatePatient) -> bool:
    """Whether a leak lies in a surrogate that no person chose."""
    within = surrogates_at(new, leak)
    return leak.in_surrogate and not (within and all(each.chosen for each in within))


def replace_patient(
    patient: Patient,
    gold: Mapping[str, Layer],
    settings: SurrogateSettings,
    randomness: Random,
) -> SurrogatePatient:
    """Replace every PHI of a patient, the same person, place and date the same in all records.

    `gold` is the gold standard by record id. Raises ModelError where a record has none.
    """
    tagged, dropped = mentions_of(patient, gold, settings.kinds)
    mentions = with_named_relatives(tagged, patient, settings)
    rules = MODES[settings.mode]
    surrogates = rules.make(patient, mentions, settings, randomness)
    chosen = _chosen(mentions, settings, surrogates)
    surrogates |= chosen
    documents: list[Document] = []
    layers: dict[str, Layer] = {}
    replacements: list[Replacement] = []
    spliced: dict[str, SplicedText] = {}
    by_record = by_records(mentions)
    for document in patient.documents:
        own = by_record.get(document.record_id, ())
        new = splice(
            document.text,
            [each.tag.span for each in own],
            [surrogates[each.number].text for each in own],
            [rules.articles(each, settings.language) for each in own],
        )
        documents.append(replace(document, text=new.text))
        spliced[document.record_id] = new
        here = [
            Replacement.of(each, surrogates[each.number], span, chosen=each.number in chosen)
            for each, span in zip(own, new.spans, strict=True)
        ]
        replacements += here
        layers[document.record_id] = _layer(gold[document.record_id], here)
    return SurrogatePatient(
        Patient(patient.id, tuple(documents)), layers, tuple(replacements), tuple(dropped), spliced
    )


def _chosen(
    mentions: Sequence[PhiMention], settings: SurrogateSettings, drawn: Mapping[int, Surrogate]
) -> dict[int, Surrogate]:
    """What a person chose, by number of the mention; a choice for one goes before one for all."""
    chosen: dict[int, Surrogate] = {}
    by_place = {(each.record_id, each.tag.span): each for each in mentions}
    for choice in sorted(settings.choices, key=lambda each: not each.same_text):
        mention = by_place.get((choice.record_id, choice.span))
        if mention is None:
            continue
        for each in same_text(mention, mentions) if choice.same_text else [mention]:
            own = drawn[each.number]
            if not choice.approved or own.text == choice.surrogate:
                old = not choice.approved and choice.draft not in ("", settings.draft)
                reasons = (CHOSEN_EARLIER,) if old else ()
                chosen[each.number] = Surrogate(
                    choice.surrogate, own.group, reasons, kept=own.kept and choice.approved
                )
    return chosen


def same_text(one: PhiMention, mentions: Iterable[PhiMention]) -> list[PhiMention]:
    """Return the mentions with the same words and type, itself among them."""
    return [
        each
        for each in mentions
        if each.words == one.words and each.tag.phi_type == one.tag.phi_type
    ]


def _layer(gold: Layer, replacements: Iterable[Replacement]) -> Layer:
    """The tags at their new places, numbered anew.

    Ids, comments and unknown parts stay behind: they may hold PHI.
    """
    tags = (
        Tag(each.span, each.tag.phi_type, f"P{number}", origin=each.tag.origin)
        for number, each in enumerate(replacements)
    )
    return Layer.of(gold.record_id, gold.annotator, tags)
