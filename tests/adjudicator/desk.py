"""An adjudication without files: two marked-up strings, a journal in memory."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from adjudicator.decisions import DecisionChoice, choice_of
from adjudicator.disagreement_queue import DisagreementQueue
from adjudicator.disagreements import Disagreement
from adjudicator.gold_layer import GoldLayer
from adjudicator.precedents import PrecedentBook
from shared.model import Layer, MergedView, Patient
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import layer, patient


def layers_of(sources: Sequence[str], annotator: str) -> list[Layer]:
    return [layer(each, f"110-{n:02}", annotator) for n, each in enumerate(sources, start=1)]


def noon() -> datetime:
    return datetime(2026, 5, 9, 12, tzinfo=UTC)


@dataclass
class Lines:
    """The journal: what was appended."""

    entries: list[dict[str, Any]] = field(default_factory=list)

    def append(self, entry: dict[str, Any]) -> None:
        self.entries.append(entry)


class Desk:
    """Two annotators' layers of one patient, opened by carol as often as one likes."""

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        assert patient(*first) == patient(*second), "the two must mark up the same text"
        self.take_layers(patient(*first), layers_of(first, "ana"), layers_of(second, "ben"))

    def take_layers(self, who: Patient, first: list[Layer], second: list[Layer]) -> None:
        self.view = MergedView(who)
        self.layers = [list(pair) for pair in zip(first, second, strict=True)]
        self.filed: dict[str, Layer] = {}
        self.lines = Lines()

    @classmethod
    def of(cls, who: Patient, first: list[Layer], second: list[Layer]) -> "Desk":
        desk = cls.__new__(cls)
        desk.take_layers(who, first, second)
        return desk

    def open(
        self, *, review: bool = False, precedents: PrecedentBook | None = None
    ) -> DisagreementQueue:
        gold = GoldLayer(
            self.view, self.filed, list(self.lines.entries), self.lines, "carol", now=noon
        )
        return DisagreementQueue(
            self.view,
            self.layers,
            gold,
            schema=I2B2_2014,
            filed=list(self.filed),
            review_agreements=review,
            precedents=precedents,
        )

    def relayer(self, side: int, *sources: str) -> None:
        """Let an annotator mark something else."""
        for number, each in enumerate(layers_of(sources, "ana" if side == 0 else "ben")):
            self.layers[number][side] = each


def marks(queue: DisagreementQueue) -> set[tuple[str, int, int, str]]:
    """The gold standard as record, offsets and type."""
    return {
        (each.record_id, each.tag.start, each.tag.end, each.phi_type.name)
        for each in queue.gold.tags
    }


def marks_of(layers: Sequence[Layer]) -> set[tuple[str, int, int, str]]:
    return {
        (each.record_id, tag.start, tag.end, tag.phi_type.name)
        for each in layers
        for tag in each.tags
    }


def gold_texts(queue: DisagreementQueue, view: MergedView) -> list[tuple[str, str]]:
    """What the gold standard marks and as what, in order."""
    return [(each.span.text_in(view.text), each.phi_type.name) for each in queue.gold.tags]


def said_by(disagreement: Disagreement, side: int) -> DecisionChoice:
    """The choice that takes what a side says: NEITHER where it has no tag."""
    sides = disagreement.key.sides
    return choice_of(sides, sides[side])


def about(queue: DisagreementQueue, view: MergedView, words: str) -> Disagreement:
    """The first disagreement of the queue that lies on these words."""
    return next(each for each in queue if words in each.span.text_in(view.text))
