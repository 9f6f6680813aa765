"""Surrogates drawn again where by chance one of them is something authentic of the patient."""

from collections.abc import Callable, Mapping
from random import Random

from shared.model import Layer, Patient
from shared.surrogates.leak_check import Leak, LeakRules, find_leaks, surrogates_at
from shared.surrogates.replacement import SurrogatePatient, replace_patient
from shared.surrogates.surrogate_kinds import SurrogateSettings

DRAWS = 8


def replace_without_collisions(
    patient: Patient,
    gold: Mapping[str, Layer],
    settings: SurrogateSettings,
    rules: LeakRules,
    randomness: Callable[[int], Random],
) -> tuple[SurrogatePatient, tuple[Leak, ...]]:
    """Replace every PHI of a patient, and return that with the leaks that are left.

    `randomness(n)` is the generator of the n-th draw, from 0; there is another draw, up to DRAWS,
    while a surrogate is, or holds, something authentic, such as `12/31/2009` for another day. What
    a person chose is not drawn, so it asks for no other draw.
    """
    draw = 0
    while True:
        new = replace_patient(patient, gold, settings, randomness(draw))
        leaks = find_leaks(new, gold, rules)
        draw += 1
        if draw == DRAWS or not any(_was_drawn(leak, new) for leak in leaks):
            return new, leaks


def _was_drawn(leak: Leak, new: SurrogatePatient) -> bool:
    """Whether a leak lies in a surrogate that no person chose."""
    if not leak.in_surrogate:
        return False
    within = surrogates_at(new, leak)
    return not within or not all(each.chosen for each in within)
