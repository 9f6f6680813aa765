"""What is asked of the adjudicator about one disagreement, in words, for a window to show."""

from collections.abc import Sequence
from dataclasses import dataclass

from adjudicator.decisions import Choice, possible_choices
from adjudicator.difference import SideSaid, context, side_said
from adjudicator.disagreements import Disagreement
from adjudicator.session import AdjudicationSession

_NUMBERS = ("First", "Second")


@dataclass(frozen=True, slots=True)
class Side:
    """One annotator's part of a disagreement; `is_taken` where the decision follows it."""

    who: str
    said: SideSaid
    is_taken: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Everything there is to say about one disagreement; `alike` counts the others."""

    title: str
    before: str
    after: str
    sides: tuple[Side, ...]
    state: str
    alike: int
    may_take_both: bool


def question_about(
    session: AdjudicationSession, disagreement: Disagreement, names: Sequence[str]
) -> Question:
    """Return the question; `names` are what the annotators are called."""
    decision = session.decision(disagreement)
    before, after = context(session.view, disagreement)
    taken = decision.choice if decision else None
    sides = tuple(
        Side(who, side_said(session.view, disagreement, number), _takes(taken, number))
        for number, who in enumerate(names)
    )
    number = session.number(disagreement) + 1
    return Question(
        f"{number}. {disagreement.kind.value.capitalize()} · record {disagreement.record_id}",
        before,
        after,
        sides,
        _state_sentence(session, disagreement),
        len(session.alike_disagreements(disagreement)),
        Choice.BOTH in possible_choices(disagreement),
    )


def side_titles(names: Sequence[str], *, hidden: bool) -> list[str]:
    """Return what the annotators are called, their names hidden or not."""
    titles = zip(_NUMBERS, names, strict=True)
    return [number if hidden else f"{number} · {name}" for number, name in titles]


def state_word(session: AdjudicationSession, disagreement: Disagreement) -> str:
    """The state of a disagreement in one word: open, changed, or what was chosen."""
    decision = session.decision(disagreement)
    if decision is not None:
        return decision.choice.value
    return "changed" if session.is_changed(disagreement) else "open"


def nothing_open(session: AdjudicationSession) -> str:
    """What to say when there is nothing left to decide."""
    if not session.queue:
        return "The annotators agree everywhere. Ctrl+D marks the patient as done."
    return "Everything is decided. Ctrl+D marks the patient as done."


def _state_sentence(session: AdjudicationSession, disagreement: Disagreement) -> str:
    decision = session.decision(disagreement)
    if decision is None:
        return "Changed since it was decided." if session.is_changed(disagreement) else "Open."
    when = decision.at[:16].replace("T", " ")
    return f"Decided: {decision.choice.value}, by {decision.by}, {when} UTC."


def _takes(choice: Choice | None, side: int) -> bool:
    return choice in ((Choice.FIRST, Choice.SECOND)[side], Choice.BOTH, Choice.AGREED)
