"""What tests of fabricated letters share."""

from datetime import date
from random import Random

TODAY = date(2015, 3, 4)


def rng(seed: int) -> Random:
    return Random(seed)
