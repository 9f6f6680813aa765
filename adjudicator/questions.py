"""What is asked of the adjudicator about one disagreement, in words, for a window to show.

Annotators come in the order in which they are shown, which is not the project's where it is blind.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from adjudicator.decisions import (
    SIDES,
    Decision,
    DecisionChoice,
    choice_of,
    possible_choices,
)
from adjudicator.difference import AnnotatorView, annotator_view, context, one_line
from adjudicator.disagreements import Disagreement
from adjudicator.precedents import Precedent
from adjudicator.session import AdjudicationSession
from shared.errors import RequestError
from shared.metrics.alignment import DifferenceKind, TagMark
from shared.project.gold_remarks import Remark
from shared.text.harmless import in_sentence


@dataclass(frozen=True, slots=True)
class Reading:
    """What some annotators say alike; `places` are theirs in the order shown, counted from 0.

    `digit` is the key that takes it; that is 0, and no other, where it has no tag.
    """

    digit: int
    places: tuple[int, ...]
    marks: tuple[TagMark, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """A reading in words: who says it and what; `is_taken` where it was decided so."""

    digit: int
    who: str
    said: AnnotatorView
    is_taken: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """Everything there is to say about one disagreement; `similar` counts the others.

    A `precedent` without majority, or that there is no tag, can be read but not taken by its key.
    `reasons` are those given for this patient so far, the newest first.
    """

    title: str
    before: str
    after: str
    cards: tuple[Card, ...]
    state: str
    similar: int
    may_take_both: bool
    precedent: str = ""
    may_take_precedent: bool = False
    remark: Remark = field(default_factory=Remark)
    reasons: tuple[str, ...] = ()


def question_about(
    session: AdjudicationSession, disagreement: Disagreement, *, hidden: bool
) -> Question:
    """Return the question, with the annotators' names or without."""
    decision = session.queue.decision(disagreement)
    before, after = context(session.view, disagreement)
    cards = tuple(
        Card(
            each.digit,
            _who(session, each, hidden=hidden),
            annotator_view(session.view, disagreement, session.order[each.places[0]]),
            _is_taken(each, decision),
        )
        for each in readings(session, disagreement)
    )
    kind, precedent = kind_words(session, disagreement), session.queue.precedent(disagreement)
    return Question(
        f"{session.queue.number(disagreement) + 1}. {kind.capitalize()} · "
        f"record {disagreement.record_id}",
        before,
        after,
        cards,
        _state_sentence(session, disagreement),
        len(session.queue.same_text(disagreement)),
        DecisionChoice.BOTH in possible_choices(disagreement),
        _precedent_sentence(session, disagreement, precedent) if precedent else "",
        bool(precedent and precedent.marks and precedent.has_majority),
        session.queue.remark_on(disagreement) or Remark(),
        tuple(session.queue.reasons()),
    )


def readings(session: AdjudicationSession, disagreement: Disagreement) -> list[Reading]:
    """What the annotators say, each reading once.

    Two annotators keep their places and digits, whichever of them has a tag. Of more, what most of
    them say comes first, and last that there is no tag.
    """
    saying: dict[tuple[TagMark, ...], list[int]] = {}
    for place, number in enumerate(session.order):
        saying.setdefault(disagreement.key.sides[number], []).append(place)
    if len(session.order) == 2:
        digits = {marks: places[0] + 1 for marks, places in saying.items()}
    else:
        ranked = sorted(saying, key=lambda marks: (not marks, -len(saying[marks])))
        digits = {marks: number for number, marks in enumerate(ranked, start=1)}
    return [
        Reading(digit if marks else 0, tuple(saying[marks]), marks)
        for marks, digit in digits.items()
    ]


def choice_of_digit(
    session: AdjudicationSession, disagreement: Disagreement, digit: int, *, hidden: bool
) -> DecisionChoice:
    """The choice that a digit from 1 on makes. Raises RequestError where it takes no tag."""
    sides = disagreement.key.sides
    if len(session.order) == 2:
        number = session.order[digit - 1]
        if sides[number]:
            return choice_of(sides, sides[number])
        who = f"the {SIDES[digit - 1]} annotator" if hidden else session.annotators[number]
        raise RequestError(f"here {who} has no tag; 0 for no tag")
    known = [each for each in readings(session, disagreement) if each.digit]
    if digit <= len(known):
        return choice_of(sides, known[digit - 1].marks)
    only = "is only 1 reading" if len(known) == 1 else f"are only {len(known)} readings"
    raise RequestError(f"there {only} with a tag here; 0 for no tag")


def kind_words(session: AdjudicationSession, disagreement: Disagreement) -> str:
    """The kind; of two extents also whether the one shown first is short, long, or both."""
    sides = disagreement.key.sides
    if disagreement.kind is not DifferenceKind.EXTENT or len(sides) > 2:
        return disagreement.kind.value
    (first, _), (second, _) = (sides[number][0] for number in session.order)
    if second.contains(first):
        return "extent, first shorter"
    return "extent, first longer" if first.contains(second) else "extent, short and long"


def state_words(session: AdjudicationSession, disagreement: Disagreement) -> str:
    """The state of a disagreement in a word or two: open, changed, or what it was decided as."""
    decision = session.queue.decision(disagreement)
    if decision is not None:
        words = marked_types(decision.marks)
    else:
        words = "changed" if session.queue.is_changed(disagreement) else "open"
    remark = session.queue.remark_on(disagreement)
    return f"{words} ?" if remark and remark.discuss else words


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
    """The types of marks in order, as in `DATE + CITY`."""
    return " + ".join(phi_type.name for _, phi_type in sorted(marks)) or "no tag"


def times_words(precedent: Precedent) -> str:
    """How often it was decided so, and otherwise."""
    times = "once" if precedent.count == 1 else f"{precedent.count:,} times"
    return f"{times}, differently {precedent.others:,}" if precedent.others else times


def nothing_open(session: AdjudicationSession) -> str:
    """What is said where no disagreement is open, as far as that is known."""
    if not session.queue and not session.is_annotated:
        then = "The patient is done." if session.is_done else "Ctrl+D marks the patient as done."
        return f"No annotator has begun, so there is nothing to decide. {then}"
    if session.is_done:
        return "Everything is decided, and the patient is done."
    so_far = "Everything is decided" if session.queue else "The annotators agree everywhere"
    if session.left_out:
        return f"{so_far} but in record {', '.join(session.left_out)}, which could not be read."
    if session.unfinished:
        return f"{so_far} so far; {', '.join(session.unfinished)} may still change their tags."
    return f"{so_far}. Ctrl+D marks the patient as done."


def nothing_here(session: AdjudicationSession) -> str:
    """What is said where the caret is at no disagreement."""
    if session.queue.progress.left:
        return "There is no disagreement at the caret. F8 goes to the next open one."
    if not session.queue:
        return nothing_open(session)
    return "There is no disagreement at the caret. N goes to the next one; everything is decided."


def _is_taken(reading: Reading, decision: Decision | None) -> bool:
    if decision is None:
        return False
    in_both = decision.choice is DecisionChoice.BOTH and bool(reading.marks)
    return in_both or decision.marks == reading.marks


def _who(session: AdjudicationSession, reading: Reading, *, hidden: bool) -> str:
    names = ", ".join(session.annotators[session.order[place]] for place in reading.places)
    count = len(reading.places)
    if len(session.order) == 2:
        title = "Both" if count == 2 else SIDES[reading.places[0]].capitalize()
        return title if hidden else f"{title} · {names}"
    return f"by {count} of {len(session.order)}" + ("" if hidden else f" · {names}")


def _precedent_sentence(
    session: AdjudicationSession, disagreement: Disagreement, precedent: Precedent
) -> str:
    what = _result(session, disagreement, precedent.marks)
    return f"{what}: decided this way {times_words(precedent)} ({precedent.level.value})"


def _state_sentence(session: AdjudicationSession, disagreement: Disagreement) -> str:
    decision = session.queue.decision(disagreement)
    if decision is None:
        return (
            "Changed since it was decided." if session.queue.is_changed(disagreement) else "Open."
        )
    what = _result(session, disagreement, decision.marks)
    when = decision.at[:16].replace("T", " ")
    return f"Decided: {what}, by {decision.by}, {when} UTC."


def _result(session: AdjudicationSession, about: Disagreement, marks: tuple[TagMark, ...]) -> str:
    types = marked_types(marks)
    return f"{in_sentence(marked_text(session, about, marks))} {types}" if marks else types
