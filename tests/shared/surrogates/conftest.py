"""Patients written as marked-up strings, with their surrogates."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from shared.language.languages import language
from shared.model import Layer
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.leak_check import Leak, LeakRules, find_leaks
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateSettings, kinds_of
from tests.builders import layer, patient

Replace = Callable[..., SurrogatePatient]


def gold_of(*sources: str, patient_id: str = "110") -> dict[str, Layer]:
    names = [f"{patient_id}-{n:02}" for n in range(1, len(sources) + 1)]
    return {name: layer(source, name, "gold") for name, source in zip(names, sources, strict=True)}


@pytest.fixture
def replaced() -> Replace:
    """Replace the PHI of a patient whose records are marked-up strings."""

    def replace(
        *sources: str, seed: int = 1, spoken: str = "en", **settings: Any
    ) -> SurrogatePatient:
        return replace_patient(
            patient(*sources),
            gold_of(*sources),
            SurrogateSettings(kinds_of(I2B2_2014), language(spoken), **settings),
            Random(seed),
        )

    return replace


@pytest.fixture
def surrogates(replaced: Replace) -> Callable[..., list[str]]:
    """The surrogates of a patient's tags in order."""

    def find(*sources: str, **settings: Any) -> list[str]:
        return [each.surrogate for each in replaced(*sources, **settings).replacements]

    return find


@pytest.fixture
def leaks(replaced: Replace) -> Callable[..., tuple[Leak, ...]]:
    """What the leak check finds in a patient whose PHI was replaced."""

    def find(*sources: str, **how: Any) -> tuple[Leak, ...]:
        return find_leaks(replaced(*sources), gold_of(*sources), LeakRules(language("en"), **how))

    return find
