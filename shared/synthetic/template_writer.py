"""Templates carried out: text, choices, rules and lists; what slots are is a subclass's matter."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from random import Random

from shared.errors import ModelError
from shared.model import PhiType
from shared.synthetic.builder import RecordBuilder
from shared.synthetic.dates import Days
from shared.synthetic.template import (
    Alternatives,
    Maybe,
    Node,
    Several,
    Slot,
    Template,
    TemplateRule,
)


class TemplateWriter(ABC):
    """A record under way, written by templates and the `rules` that they name.

    Slots write through it: `text` for what is no PHI, `phi` for what is.
    """

    def __init__(
        self,
        rules: Mapping[str, tuple[Template, ...]],
        rng: Random,
        width: int | None = None,
        sentence_gap: str = " ",
    ) -> None:
        self.rng = rng
        self.rules = rules
        self.builder = RecordBuilder(width)
        self._sentence_gap = sentence_gap
        self._used: dict[str, set[int]] = {}

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
        name = self.resolved(rule)
        alternatives = self.rules.get(name)
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

    def resolved(self, rule: str) -> str:
        """Return the rule that a name means here."""
        return rule

    @abstractmethod
    def fill(self, slot: Slot) -> None:
        """Write what goes into a slot. Raises ModelError for one that nobody knows."""

    def write_list(self, manner: str, entries: Iterable[Template]) -> None:
        """Write templates in a manner of lists, as `template.py` names them."""
        separator = {"*": self._sentence_gap, ",": ", ", ";": "; "}.get(manner, "\n")
        for number, entry in enumerate(entries, start=1):
            before = {"#": f"{number}. ", "-": "- "}.get(manner, "")
            self.text((separator if number > 1 else "") + before)
            if manner in "*#-":
                self.builder.capitalise_next()
            self.write(entry)

    def _write_node(self, node: Node) -> None:
        match node:
            case str():
                self.builder.append(node)
            case Slot():
                self.fill(node)
            case TemplateRule(name):
                self.write(self.pick(name))
            case Alternatives(alternatives):
                self.write(self.rng.choice(alternatives))
            case Maybe(percent, inner):
                if self.rng.random() * 100 < percent:
                    self.write(inner)
            case Several():
                count = self.rng.randint(node.low, node.high)
                self.write_list(node.manner, (self.pick(node.rule) for _ in range(count)))
