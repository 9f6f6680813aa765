"""Placeholders in place of PHI: `[DATE-3]`, the same for the same person, place and date."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from shared.model import Patient
from shared.surrogates.identities import Identity, identities_of
from shared.surrogates.mentions import PhiMention, Surrogate, numbered_placeholder
from shared.surrogates.surrogate_kinds import SurrogateSettings


def tagged(
    patient: Patient,
    mentions: Sequence[PhiMention],
    settings: SurrogateSettings,
    _randomness: Random,
) -> dict[int, Surrogate]:
    """Return the placeholder of every mention; those of a type are counted as they come."""
    return numbered(mentions, identities_of(patient, mentions, settings))


def numbered(
    mentions: Sequence[PhiMention], identities: Mapping[int, Identity]
) -> dict[int, Surrogate]:
    """Return placeholders for these mentions; those of a type are counted as they come."""
    numbers: dict[Identity, int] = {}
    counts: dict[str, int] = {}
    for each in mentions:
        identity = identities[each.number]
        if identity not in numbers:
            numbers[identity] = counts[identity[0]] = counts.get(identity[0], 0) + 1
    return placeholders(mentions, lambda each: str(numbers[identities[each.number]]))


def placeholders(
    mentions: Sequence[PhiMention], name: Callable[[PhiMention], str]
) -> dict[int, Surrogate]:
    """Return the placeholder of every mention, with what tells it from others of its type."""
    texts = {each.number: numbered_placeholder(each.tag.phi_type, name(each)) for each in mentions}
    return {number: Surrogate(text, text) for number, text in texts.items()}
