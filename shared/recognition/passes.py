"""The passes that a patient's suggestions go through after the models, in order.

Each earns its place by what strict F1 loses without it on text that it was not made for; what was
measured to lose less than .001 everywhere is gone. `tandem evaluate --without PASS` measures it on
other records.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from shared.errors import RequestError
from shared.recognition.postprocessing.ambiguous_dates import classify_dates
from shared.recognition.postprocessing.listed_places import boost_listed_places
from shared.recognition.postprocessing.mention_propagation import propagate_mentions
from shared.recognition.postprocessing.name_completion import complete_names
from shared.recognition.postprocessing.name_roles import assign_name_roles
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.postprocessing.record_numbers import classify_numbers
from shared.recognition.rules import find_high_precision_patterns

MENTION_PROPAGATION = "mention_propagation"


class Gains(NamedTuple):
    """By how much strict F1 is better for a pass.

    `visits`: on visit notes of another source with fabricated PHI inserted, by `broad`; `heldout`:
    on fabricated notes of templates that it was not trained on, by `broad`; `meddocan`: on
    MEDDOCAN dev, by `general` trained on its train part; `letters`: on fabricated German letters
    (`tests/benchmarks/german_letters.py`), by `broad` trained on others with other templates. It
    was two CRFs then, without the network that it has now.
    """

    visits: float
    heldout: float
    meddocan: float
    letters: float


@dataclass(frozen=True, slots=True)
class Pass:
    """What a pass `decides`, and what it gains."""

    name: str
    decides: str
    gains: Gains
    run: Callable[[PatientSuggestions], PatientSuggestions]


PASSES = {
    each.name: each
    for each in (
        Pass(
            "high_precision_rules",
            "what has a form of its own is found where no model was sure of anything",
            Gains(0.0001, 0.0006, 0.0009, 0.1323),
            find_high_precision_patterns,
        ),
        Pass(
            "listed_places",
            "countries and states that only lists of such have are surer",
            Gains(0.0015, 0.0001, -0.0001, 0.0),
            boost_listed_places,
        ),
        Pass(
            "ambiguous_dates",
            "what may be a day or a share is a day where full dates are near",
            Gains(0.0002, 0.0016, -0.0001, -0.0001),
            classify_dates,
        ),
        Pass(
            "name_completion",
            "where a name begins and ends that is written in full elsewhere",
            Gains(0.0, 0.0028, 0.0002, 0.0041),
            complete_names,
        ),
        Pass(
            "name_roles",
            "whether a name is the patient's or of the staff, and what is no part of it",
            Gains(0.0002, 0.0076, 0.0001, 0.0005),
            assign_name_roles,
        ),
        Pass(
            MENTION_PROPAGATION,
            "what is sure in one place decides the same text, and initials, in others",
            Gains(0.0025, 0.0128, -0.0001, 0.0165),
            propagate_mentions,
        ),
        Pass(
            "record_numbers",
            "which numbers are record numbers, and which telephone is a fax",
            Gains(0.0, 0.0021, -0.0003, 0.0),
            classify_numbers,
        ),
    )
}


def apply_passes(patient: PatientSuggestions, names: Iterable[str]) -> PatientSuggestions:
    """Return a patient's suggestions after the passes of these names, in their order."""
    for name in names:
        patient = PASSES[name].run(patient)
    return patient


def check_passes(names: Iterable[str]) -> None:
    """Raise RequestError for a name that no pass has."""
    for name in names:
        if name not in PASSES:
            raise RequestError(f"there is no pass {name}; there are {', '.join(PASSES)}")
