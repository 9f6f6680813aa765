"""What holds for every patient and whatever two annotators and an adjudicator do."""

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.decisions import possible_choices
from adjudicator.disagreement_queue import DisagreementQueue
from shared.model import Layer, Span
from shared.project.edits import Edit
from tests.adjudicator.desk import Desk, marks, marks_of, said_by
from tests.strategies import patients, phi_types, tags


@st.composite
def desks(draw: st.DrawFn) -> Desk:
    """A patient and two layers with tags that overlap, nest, agree and are there twice."""
    who = draw(patients(max_records=2).filter(lambda each: all(d.text for d in each.documents)))
    sides: list[list[Layer]] = [[], []]
    for document in who.documents:
        common = draw(st.lists(tags(len(document.text)), max_size=3))
        for side, annotator in zip(sides, ("ana", "ben"), strict=True):
            own = draw(st.lists(tags(len(document.text)), max_size=4))
            side.append(Layer.of(document.record_id, annotator, [*common, *own]))
    return Desk.of(who, *sides)


def state(queue: DisagreementQueue) -> object:
    """Everything that a person can see: tags, decisions, what is open."""
    tags_now = sorted((each.record_id, each.tag_id, each.tag.mark) for each in queue.gold.tags)
    decisions = {each.key: (each.choice, each.marks) for each in queue.gold.book}
    return tags_now, decisions, queue.progress


def take_side(queue: DisagreementQueue, side: int) -> None:
    for each in queue:
        queue.decide(each, said_by(each, side))


def work(data: st.DataObject, on: Desk, queue: DisagreementQueue) -> None:
    """Do something that an adjudicator may do."""
    what = data.draw(
        st.sampled_from(["decide", "alike", "edit", "reopen", "mark", "remove", "undo", "redo"])
    )
    gold = list(queue.gold.tags)
    if what in ("undo", "redo"):
        queue.gold.undo() if what == "undo" else queue.gold.redo()
    elif what == "remove" and gold:
        placed = data.draw(st.sampled_from(gold))
        queue.gold.apply(Edit("remove tag", (placed,)))
    elif what == "mark":
        document = data.draw(st.sampled_from(on.view.patient.documents))
        start = data.draw(st.integers(0, len(document.text) - 1))
        mark = Span(start, start + 1), data.draw(phi_types)
        queue.mark(document.record_id, mark)
    elif queue:
        each = data.draw(st.sampled_from(list(queue)))
        if what in ("decide", "alike"):
            choice = data.draw(st.sampled_from(possible_choices(each)))
            alike = queue.alike(each, choice)
            queue.decide_all(alike if what == "alike" else alike[:1])
        elif what == "edit":
            queue.decide_with(each, [(each.key.span, data.draw(phi_types))])
            queue.decide_all(queue.alike_as_decided(each))
        elif what == "reopen" and queue.decision(each):
            queue.reopen(each)


@given(desks(), st.sampled_from([0, 1]), st.booleans())
def test_one_side_everywhere_is_that_sides_layer(on, side, review):
    queue = on.open(review=review)
    take_side(queue, side)
    assert marks(queue) == marks_of([pair[side] for pair in on.layers])
    assert queue.progress.decided == queue.progress.total


@given(st.data(), desks())
def test_the_order_of_deciding_makes_no_difference(data, on):
    first, second = on.open(), Desk.of(on.view.patient, *zip(*on.layers, strict=True)).open()
    choices = {each.key: data.draw(st.sampled_from(possible_choices(each))) for each in first}
    edited = {key: data.draw(phi_types) for key in choices if data.draw(st.booleans())}
    for each in first:
        _carry_out(first, each, choices, edited)
    for each in data.draw(st.permutations(list(second))):
        _carry_out(second, each, choices, edited)
    assert marks(first) == marks(second)


@given(st.data(), desks())
def test_undoing_everything_is_the_start(data, on):
    queue = on.open()
    start = state(queue)
    for _ in range(data.draw(st.integers(0, 8))):
        work(data, on, queue)
    while queue.gold.undo() is not None:
        pass
    assert state(queue) == start


@given(st.data(), desks())
def test_redoing_everything_is_the_end(data, on):
    queue = on.open()
    take_side(queue, 0)
    end = state(queue)
    while queue.gold.undo() is not None:
        pass
    while queue.gold.redo() is not None:
        pass
    assert state(queue) == end


@given(st.data(), desks())
def test_opening_again_is_the_same(data, on):
    queue = on.open()
    for _ in range(data.draw(st.integers(0, 8))):
        work(data, on, queue)
    assert state(on.open()) == state(queue)


@given(st.data(), desks())
def test_what_is_decided_is_in_the_gold_standard(data, on):
    queue = on.open()
    for _ in range(data.draw(st.integers(0, 8))):
        work(data, on, queue)
    gold = {(each.record_id, each.tag.mark) for each in queue.gold.tags}
    for decision in queue.gold.book:
        assert {(decision.key.record_id, each) for each in decision.marks} <= gold


def _carry_out(queue, disagreement, choices, edited):
    if disagreement.key in edited:
        queue.decide_with(disagreement, [(disagreement.key.span, edited[disagreement.key])])
    else:
        queue.decide(disagreement, choices[disagreement.key])
