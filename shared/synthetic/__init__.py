"""Fabricated patients for the demo, tests and benchmarks; nobody in them is or was alive."""

from shared.synthetic.patients import FabricatedPatient, TagKey, fabricate, record_counts

__all__ = ["FabricatedPatient", "TagKey", "fabricate", "record_counts"]
