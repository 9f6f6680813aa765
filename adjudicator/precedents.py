"""What was decided before about the like, and how often.

A decision of this project about the same words, else about the same form of difference, is a
precedent. It is shown, and never applied by itself.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass

from adjudicator.decisions import Choice, choice_of, joined
from adjudicator.disagreements import DisagreementKey
from adjudicator.forms import Form, Likeness, Statement, forms
from shared.metrics.alignment import DifferenceKind, TagMark

CLEAR = 0.95
"""At least this share of the decisions has to say the same, for a precedent to be ticked."""
_FEWEST = 2
"""So many decisions make a precedent clear where only the form is the same."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a decision came to, in words that hold elsewhere too.

    `choice` is FIRST where it follows the side that says `statement`, else BOTH, NEITHER or EDITED.
    `own` are edited marks, counted from the start of the disagreement, and the text they are for.
    """

    choice: Choice
    statement: Statement = ()
    own: tuple[TagMark, ...] = ()
    text: str = ""


Ruling = tuple[tuple[Hashable, Outcome], ...]
"""One decision as a precedent: the key of each form that it has, and what it came to there."""


@dataclass(frozen=True, slots=True)
class Precedent:
    """An earlier decision, as it would be taken here; `marks` are in offsets of the record.

    `count` decisions about the like came to this, `others` to something else.
    """

    likeness: Likeness
    choice: Choice
    marks: tuple[TagMark, ...]
    count: int
    others: int = 0

    @property
    def is_clear(self) -> bool:
        """True where it may be ticked in a list: (nearly) all decisions say the same."""
        enough = self.likeness.is_of_words or self.count >= _FEWEST
        return enough and self.count / (self.count + self.others) >= CLEAR


class PrecedentBook:
    """The decisions of a project by what they are like.

    Each patient's are kept apart, so that those of an open patient can follow what is decided.
    """

    def __init__(self) -> None:
        self._rulings: dict[str, dict[DisagreementKey, Ruling]] = {}
        self._counts: dict[Hashable, Counter[Outcome]] = {}

    def __len__(self) -> int:
        return sum(len(of_patient) for of_patient in self._rulings.values())

    def replace(self, patient_id: str, rulings: Mapping[DisagreementKey, Ruling]) -> None:
        """Take over what was decided about a patient, in place of what was known of it."""
        for key in list(self._rulings.get(patient_id, ())):
            self.set(patient_id, key, ())
        for key, each in rulings.items():
            self.set(patient_id, key, each)

    def set(self, patient_id: str, about: DisagreementKey, ruling: Ruling) -> None:
        """Take note of one decision; an empty ruling forgets it."""
        known = self._rulings.setdefault(patient_id, {})
        for key, outcome in known.pop(about, ()):
            self._counts[key][outcome] -= 1
        if ruling:
            known[about] = ruling
        for key, outcome in ruling:
            self._counts.setdefault(key, Counter())[outcome] += 1

    def find(self, text: str, about: DisagreementKey, kind: DifferenceKind) -> Precedent | None:
        """Return what was decided about the like; of several likenesses the closest counts.

        From the form alone, nobody is told that something is no PHI.
        """
        for form in forms(text, about, kind):
            counts = +self._counts.get(form.key, Counter[Outcome]())
            if counts:
                return _precedent(form, counts, text, about)
        return None


def ruling(
    text: str, about: DisagreementKey, kind: DifferenceKind, marks: tuple[TagMark, ...]
) -> Ruling:
    """Return the decision for these marks as a precedent; `text` is that of the record."""
    choice = choice_of(about.sides, marks)
    return tuple(
        (each.key, _outcome(each, choice, text, about, marks)) for each in forms(text, about, kind)
    )


def _outcome(
    form: Form, choice: Choice, text: str, about: DisagreementKey, marks: Iterable[TagMark]
) -> Outcome:
    if choice.side is not None:
        return Outcome(Choice.FIRST, form.statements[choice.side])
    within = all(about.span.contains(span) for span, _ in marks)
    if choice is not Choice.EDITED or not form.likeness.is_of_words or not within:
        return Outcome(choice)
    start = about.span.start
    own = tuple((span.shifted(-start), phi_type) for span, phi_type in marks)
    return Outcome(choice, own=own, text=about.span.text_in(text))


def _precedent(
    form: Form, counts: Counter[Outcome], text: str, about: DisagreementKey
) -> Precedent | None:
    outcome, count = counts.most_common(1)[0]
    if outcome.choice is Choice.NEITHER and not form.likeness.is_of_words:
        return None
    taken = _taken(form, outcome, text, about)
    return taken and Precedent(form.likeness, *taken, count, counts.total() - count)


def _taken(
    form: Form, outcome: Outcome, text: str, about: DisagreementKey
) -> tuple[Choice, tuple[TagMark, ...]] | None:
    """What an outcome comes to here; None where that cannot be said."""
    match outcome.choice:
        case Choice.FIRST:
            saying = [
                side
                for side, statement in zip(about.sides, form.statements, strict=True)
                if statement == outcome.statement
            ]
            marks = saying[0] if len(set(saying)) == 1 else None
        case Choice.EDITED:
            same = bool(outcome.own) and outcome.text == about.span.text_in(text)
            start = about.span.start
            moved = tuple((span.shifted(start), phi_type) for span, phi_type in outcome.own)
            marks = moved if same else None
        case _:
            marks = joined(about.sides) if outcome.choice is Choice.BOTH else ()
    return None if marks is None else (choice_of(about.sides, marks), marks)
