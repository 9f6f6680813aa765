"""What is asked of the adjudicator about one disagreement, in words, for a window to show.

Sides come in the order in which they are shown, which is not the project's where it is blind.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from adjudicator.decisions import SIDES, DecisionChoice, Remark, possible_choices
from adjudicator.difference import AnnotatorView, annotator_view, context, one_line
from adjudicator.disagreements import Disagreement
from adjudicator.precedents import Precedent
from adjudicator.session import AdjudicationSession
from shared.metrics.alignment import DifferenceKind, TagMark


@dataclass(frozen=True, slots=True)
class Side:
    """One annotator's part of a disagreement; `is_taken` where the decision follows it."""

    who: str
    said: AnnotatorView
    is_taken: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Everything there is to say about one disagreement; `similar` counts the others.

    `reasons` are those given for this patient so far, the newest first.
    """

    title: str
    before: str
    after: str
    sides: tuple[Side, ...]
    state: str
    similar: int
    may_take_both: bool
    precedent: str = ""
    note: Remark = field(default_factory=Remark)
    reasons: tuple[str, ...] = ()


def question_about(
    session: AdjudicationSession, disagreement: Disagreement, *, hidden: bool
) -> Question:
    """Return the question, with the annotators' names or without."""
    decision = session.queue.decision(disagreement)
    before, after = context(session.view, disagreement)
    taken = decision.choice if decision else None
    sides = tuple(
        Side(
            _called(session, place, hidden=hidden),
            annotator_view(session.view, disagreement, number),
            taken in (SIDES[number], DecisionChoice.BOTH, DecisionChoice.AGREED),
        )
        for place, number in enumerate(session.order)
    )
    kind = kind_words(session, disagreement)
    return Question(
        f"{session.queue.number(disagreement) + 1}. {kind.capitalize()} · "
        f"record {disagreement.record_id}",
        before,
        after,
        sides,
        _state_sentence(session, disagreement),
        len(session.queue.same_text(disagreement)),
        DecisionChoice.BOTH in possible_choices(disagreement),
        _precedent_sentence(session, disagreement),
        session.queue.remark_on(disagreement) or Remark(),
        tuple(session.queue.reasons()),
    )


def kind_words(session: AdjudicationSession, disagreement: Disagreement) -> str:
    """The kind; of two extents also whether the one shown first is short, long, or both."""
    sides = disagreement.key.sides
    if disagreement.kind is not DifferenceKind.EXTENT or len(sides) > 2:
        return disagreement.kind.value
    (first, _), (second, _) = (sides[number][0] for number in session.order)
    if second.contains(first):
        return "extent, first shorter"
    return "extent, first longer" if first.contains(second) else "extent, short and long"


def shown_choice(session: AdjudicationSession, choice: DecisionChoice) -> DecisionChoice:
    """The choice as it is shown: which place the annotator whose tags were taken has there."""
    side = choice.side
    return choice if side is None else SIDES[session.order.index(side)]


def meant_choice(session: AdjudicationSession, shown: DecisionChoice) -> DecisionChoice:
    """The choice that is meant by what is shown in a place, the other way round.

    Raises RequestError where nobody is shown there.
    """
    place = shown.side
    if place is None or place >= len(session.order):
        return shown
    return SIDES[session.order[place]]


def state_word(session: AdjudicationSession, disagreement: Disagreement) -> str:
    """The state of a disagreement in one word: open, changed, or what was chosen."""
    decision = session.queue.decision(disagreement)
    if decision is not None:
        word = shown_choice(session, decision.choice).value
    else:
        word = "changed" if session.queue.is_changed(disagreement) else "open"
    note = session.queue.remark_on(disagreement)
    return f"{word} ?" if note and note.discuss else word


def marked_text(session: AdjudicationSession, about: Disagreement, marks: Iterable[TagMark]) -> str:
    """The text of a disagreement on one line, what the marks cover in brackets."""
    shift, at, text = about.shift, about.start, session.view.text
    said = ""
    for span, _ in sorted(marks):
        start, end = max(at, span.start + shift), span.end + shift
        said += f"{text[at:start]}[{text[start:end]}]"
        at = max(at, end)
    return one_line(said + text[at : about.end]).strip()


def marked_types(marks: Iterable[TagMark]) -> str:
    return ", ".join(dict.fromkeys(phi_type.name for _, phi_type in marks)) or "no tag"


def times_words(precedent: Precedent) -> str:
    """How often it was decided so, and otherwise."""
    times = "once" if precedent.count == 1 else f"{precedent.count:,} times"
    return f"{times}, differently {precedent.others:,}" if precedent.others else times


def nothing_open(session: AdjudicationSession) -> str:
    if not session.queue:
        return "The annotators agree everywhere. Ctrl+D marks the patient as done."
    return "Everything is decided. Ctrl+D marks the patient as done."


def _called(session: AdjudicationSession, place: int, *, hidden: bool) -> str:
    number = SIDES[place].value.capitalize()
    return number if hidden else f"{number} · {session.annotators[session.order[place]]}"


def _precedent_sentence(session: AdjudicationSession, disagreement: Disagreement) -> str:
    precedent = session.queue.precedent(disagreement)
    if precedent is None:
        return ""
    what = marked_types(precedent.marks)
    if precedent.marks:
        what = f"{marked_text(session, disagreement, precedent.marks)} {what}"
    return f"{what}: decided this way {times_words(precedent)} ({precedent.level.value})"


def _state_sentence(session: AdjudicationSession, disagreement: Disagreement) -> str:
    decision = session.queue.decision(disagreement)
    if decision is None:
        return (
            "Changed since it was decided." if session.queue.is_changed(disagreement) else "Open."
        )
    what = shown_choice(session, decision.choice).value
    when = decision.at[:16].replace("T", " ")
    return f"Decided: {what}, by {decision.by}, {when} UTC."
