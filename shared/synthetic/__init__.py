"""Fabricated patients for the demo, tests and benchmarks; nobody in them is or was alive."""

from shared.synthetic.annotators import USUAL_FAULTS, Faults, annotate
from shared.synthetic.patients import FabricatedPatient, TagKey, fabricate, record_counts
from shared.synthetic.repeats import RemovedTag, remove_repeats

__all__ = [
    "USUAL_FAULTS",
    "FabricatedPatient",
    "Faults",
    "RemovedTag",
    "TagKey",
    "annotate",
    "fabricate",
    "record_counts",
    "remove_repeats",
]
