"""Tags as one label per token or character, and back."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from shared.model import PhiType, Tag

OUTSIDE = "O"


class Scheme(StrEnum):
    """How labels tell where a tag begins and ends."""

    BIO = "BIO"
    BIOES = "BIOES"


@dataclass(frozen=True, slots=True)
class LabelRun:
    """The units (tokens or characters) `first` to `last`, both included, as one PHI type."""

    first: int
    last: int
    phi_type: str


def type_name(phi_type: PhiType) -> str:
    """Return the type as it stands in labels and model cards: `LOCATION:CITY`."""
    return f"{phi_type.category}:{phi_type.name}"


def phi_type_named(name: str) -> PhiType:
    category, _, sub_type = name.partition(":")
    return PhiType(category, sub_type)


def label_runs(tags: Iterable[Tag], starts: Sequence[int], ends: Sequence[int]) -> list[LabelRun]:
    """Return the units that each tag touches, in order; of two tags in one unit, the longer."""
    found: list[LabelRun] = []
    for tag in sorted(tags, key=lambda tag: (tag.start - tag.end, tag.start)):
        first, last = bisect_right(ends, tag.start), bisect_left(starts, tag.end) - 1
        clear = all(run.last < first or last < run.first for run in found)
        if first <= last and clear:
            found.append(LabelRun(first, last, type_name(tag.phi_type)))
    return sorted(found, key=lambda run: run.first)


def encode(runs: Iterable[LabelRun], count: int, scheme: Scheme) -> list[str]:
    """Return `count` labels in which the runs are marked."""
    labels = [OUTSIDE] * count
    for run in runs:
        labels[run.first] = f"B-{run.phi_type}"
        inside = run.last - run.first
        labels[run.first + 1 : run.last + 1] = [f"I-{run.phi_type}"] * inside
        if scheme is Scheme.BIOES:
            labels[run.last] = f"{'E' if inside else 'S'}-{run.phi_type}"
    return labels


def decode(labels: Sequence[str]) -> list[LabelRun]:
    """Return the runs that labels of either scheme mark, taking broken ones as best it can."""
    runs: list[LabelRun] = []
    first, current = 0, ""
    for at, label in enumerate(labels):
        begins = label[0] in "BS" or label[2:] != current
        if current and begins:
            runs.append(LabelRun(first, at - 1, current))
            current = ""
        if label != OUTSIDE and begins:
            first, current = at, label[2:]
        if current and label[0] in "ES":
            runs.append(LabelRun(first, at, current))
            current = ""
    if current:
        runs.append(LabelRun(first, len(labels) - 1, current))
    return runs
