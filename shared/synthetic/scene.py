"""One record being written: carries out templates against the story of a patient."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date
from random import Random
from typing import TypeVar

from shared.errors import ModelError
from shared.model import PhiType
from shared.synthetic.builder import RecordBuilder
from shared.synthetic.dates import Days
from shared.synthetic.phrases import PhraseBook
from shared.synthetic.pools import Pools
from shared.synthetic.story import Story, Visit
from shared.synthetic.template import (
    Alternatives,
    Maybe,
    Node,
    Several,
    Slot,
    Template,
    TemplateRule,
)

Value = TypeVar("Value")
SlotWriter = Callable[["Scene", tuple[str, ...]], None]

_SUBJECTS = {"study": ".technique", "operation": ".steps", "specimen": ".gross"}
"""What else than an illness a note may be about, with the rule that each such subject has."""


class Scene:
    """The record of one visit under way.

    Slots write through it: `text` for what is no PHI, `phi` for what is.
    """

    def __init__(
        self,
        story: Story,
        visit: Visit,
        phrases: PhraseBook,
        pools: Pools,
        slots: Mapping[str, SlotWriter],
        rng: Random,
    ) -> None:
        self.story = story
        self.visit = visit
        self.pools = pools
        self.rng = rng
        self.builder = RecordBuilder(visit.width)
        self._phrases = phrases
        self._slots = slots
        self._used: dict[str, set[int]] = {}
        self._subjects = {"main": visit.condition}
        self.relative = rng.choice(story.cast.relatives)
        """The one of the family who comes along, is called, or is asked."""
        self.named: set[str] = set()
        """Keys of the people whose name this record has already, rightly spelt."""

    def text(self, text: str) -> None:
        self.builder.append(text)

    def phi(self, text: str, phi_type: PhiType, entity: str = "", days: Days | None = None) -> None:
        self.builder.append_phi(text, phi_type, entity, days)

    def write(self, template: Template) -> None:
        """Carry out a template. Raises ModelError for a slot or rule that nobody knows."""
        for node in template:
            self._write_node(node)

    def pick(self, rule: str) -> Template:
        """Draw an alternative of a rule that this record has not used yet, if one is left."""
        name = self._resolved(rule)
        alternatives = self._phrases.rules.get(name)
        if not alternatives:
            raise ModelError(f"template: nobody knows the rule {rule}")
        used = self._used.setdefault(name, set())
        free = [at for at in range(len(alternatives)) if at not in used]
        if not free:
            used.clear()
            free = list(range(len(alternatives)))
        at = self.rng.choice(free)
        used.add(at)
        return alternatives[at]

    def has_rule(self, rule: str) -> bool:
        return rule in self._phrases.rules

    def fact(self, name: str, draw: Callable[[], str]) -> str:
        """What the story says under this name, drawn where it has not been said yet."""
        return _once(self.story.words, name, draw)

    def day(self, name: str, draw: Callable[[], date]) -> date:
        """The day of the story with this name, drawn where it has not been told yet."""
        return _once(self.story.days, name, draw)

    def _write_node(self, node: Node) -> None:
        match node:
            case str():
                self.builder.append(node)
            case Slot(name, arguments):
                self._slot(name)(self, arguments)
            case TemplateRule(name):
                self.write(self.pick(name))
            case Alternatives(alternatives):
                self.write(self.rng.choice(alternatives))
            case Maybe(percent, inner):
                if self.rng.random() * 100 < percent:
                    self.write(inner)
            case Several():
                self._several(node)

    def _slot(self, name: str) -> SlotWriter:
        if name not in self._slots:
            raise ModelError(f"template: nobody knows the slot {name}")
        return self._slots[name]

    def _resolved(self, rule: str) -> str:
        prefix, dot, rest = rule.partition(".")
        if prefix in _SUBJECTS and prefix not in self._subjects:
            self._subjects[prefix] = self._draw_subject(_SUBJECTS[prefix])
        if not dot or prefix not in self._subjects:
            return rule
        name = f"{self._subjects[prefix]}.{rest}"
        return name if name in self._phrases.rules else f"any.{rest}"

    def _draw_subject(self, ending: str) -> str:
        sex = self.story.cast.patient.sex
        return self.rng.choice(
            [
                subject
                for name in self._phrases.rules
                if name.endswith(ending)
                and self._phrases.word(f"{(subject := name.removesuffix(ending))}.sex") in {"", sex}
            ]
        )

    def _several(self, node: Several) -> None:
        count = self.rng.randint(node.low, node.high)
        self.write_list(node.manner, (self.pick(node.rule) for _ in range(count)))

    def write_list(self, manner: str, entries: Iterable[Template]) -> None:
        """Write templates in a manner of lists, as `template.py` names them."""
        separator = {"*": self.visit.sentence_gap, ",": ", ", ";": "; "}.get(manner, "\n")
        for number, entry in enumerate(entries, start=1):
            before = {"#": f"{number}. ", "-": "- "}.get(manner, "")
            self.text((separator if number > 1 else "") + before)
            if manner in "*#-":
                self.builder.capitalise_next()
            self.write(entry)


def _once(known: dict[str, Value], name: str, draw: Callable[[], Value]) -> Value:
    if name not in known:
        known[name] = draw()
    return known[name]
