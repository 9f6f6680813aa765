"""Fabricated patients for the demo, tests and benchmarks; nobody in them is or was alive."""

from shared.synthetic.annotators import USUAL_ERROR_RATES, ErrorRates, annotate
from shared.synthetic.gold_gaps import RemovedTag, remove_repeats
from shared.synthetic.patients import (
    FabricatedPatient,
    TagKey,
    fabricate,
    fabricate_patient,
    record_counts,
)

__all__ = [
    "USUAL_ERROR_RATES",
    "ErrorRates",
    "FabricatedPatient",
    "RemovedTag",
    "TagKey",
    "annotate",
    "fabricate",
    "fabricate_patient",
    "record_counts",
    "remove_repeats",
]
