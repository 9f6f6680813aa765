"""One record being written: carries out templates against the story of a patient."""

from collections.abc import Callable, Mapping
from datetime import date
from random import Random
from typing import TypeVar

from shared.errors import ModelError
from shared.synthetic.phrases import PhraseBook
from shared.synthetic.pools import Pools
from shared.synthetic.story import Story, Visit
from shared.synthetic.template import Slot
from shared.synthetic.template_writer import TemplateWriter

Value = TypeVar("Value")
SlotWriter = Callable[["Scene", tuple[str, ...]], None]

_SUBJECTS = {"study": ".technique", "operation": ".steps", "specimen": ".gross"}
"""What else than an illness a note may be about, with the rule that each such subject has."""


class Scene(TemplateWriter):
    """The record of one visit under way."""

    def __init__(
        self,
        story: Story,
        visit: Visit,
        phrases: PhraseBook,
        pools: Pools,
        slots: Mapping[str, SlotWriter],
        rng: Random,
    ) -> None:
        super().__init__(phrases.rules, rng, visit.width, visit.sentence_gap)
        self.story = story
        self.visit = visit
        self.pools = pools
        self._phrases = phrases
        self._slots = slots
        self._subjects = {"main": visit.condition}
        self.relative = rng.choice(story.cast.relatives)
        """The one of the family who comes along, is called, or is asked."""
        self.named: set[str] = set()
        """Keys of the people whose name this record has already, rightly spelt."""

    def has_rule(self, rule: str) -> bool:
        return rule in self.rules

    def fact(self, name: str, draw: Callable[[], str]) -> str:
        """What the story says under this name, drawn where it has not been said yet."""
        return _once(self.story.words, name, draw)

    def day(self, name: str, draw: Callable[[], date]) -> date:
        """The day of the story with this name, drawn where it has not been told yet."""
        return _once(self.story.days, name, draw)

    def fill(self, slot: Slot) -> None:
        if slot.name not in self._slots:
            raise ModelError(f"template: nobody knows the slot {slot.name}")
        self._slots[slot.name](self, slot.arguments)

    def resolved(self, rule: str) -> str:
        prefix, dot, rest = rule.partition(".")
        if prefix in _SUBJECTS and prefix not in self._subjects:
            self._subjects[prefix] = self._draw_subject(_SUBJECTS[prefix])
        if not dot or prefix not in self._subjects:
            return rule
        name = f"{self._subjects[prefix]}.{rest}"
        return name if name in self.rules else f"any.{rest}"

    def _draw_subject(self, ending: str) -> str:
        sex = self.story.cast.patient.sex
        return self.rng.choice(
            [
                subject
                for name in self.rules
                if name.endswith(ending)
                and self._phrases.word(f"{(subject := name.removesuffix(ending))}.sex") in {"", sex}
            ]
        )


def _once(known: dict[str, Value], name: str, draw: Callable[[], Value]) -> Value:
    if name not in known:
        known[name] = draw()
    return known[name]
