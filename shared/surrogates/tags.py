"""Placeholders in place of PHI: `[DATE-3]`, the same for the same person, place and date."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from shared.model import Patient
from shared.surrogates.identities import identities_of
from shared.surrogates.mentions import PhiMention, Surrogate, numbered_placeholder
from shared.surrogates.surrogate_kinds import Identity, SurrogateSettings


def tagged(
    patient: Patient,
    mentions: Sequence[PhiMention],
    settings: SurrogateSettings,
    _randomness: Random,
) -> dict[int, Surrogate]:
    """Return the placeholder of every mention; those of a type are counted as they come."""
    identities = identities_of(patient, mentions, settings)
    return numbered(mentions, identities, [*settings.identities.values(), *identities.values()])


def numbered(
    mentions: Sequence[PhiMention],
    identities: Mapping[int, Identity],
    order: Iterable[Identity],
) -> dict[int, Surrogate]:
    """Return placeholders for these mentions; those of a type are counted in this order."""
    numbers: dict[Identity, int] = {}
    counts: dict[str, int] = {}
    for each in order:
        if each not in numbers:
            numbers[each] = counts[each[0]] = counts.get(each[0], 0) + 1
    return placeholders(mentions, identities, lambda identity: str(numbers[identity]))


def placeholders(
    mentions: Sequence[PhiMention],
    identities: Mapping[int, Identity],
    name: Callable[[Identity], str],
) -> dict[int, Surrogate]:
    """Return the placeholder of every mention, with what tells it from others of its type.

    Under a mask nothing does.
    """
    texts = {
        each.number: numbered_placeholder(each.tag.phi_type, name(identities[each.number]))
        if each.number in identities
        else each.placeholder
        for each in mentions
    }
    return {number: Surrogate(text, text) for number, text in texts.items()}
