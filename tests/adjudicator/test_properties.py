"""What holds for every patient and whatever two annotators and an adjudicator do."""

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.adjudication import Adjudication
from adjudicator.decisions import SIDES, Choice, possible_choices
from shared.model import Layer, Span
from shared.project.edits import Edit
from tests.adjudicator.desk import Desk, marks, marks_of
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


def state(adjudication: Adjudication) -> object:
    """Everything that a person can see: tags, decisions, what is open."""
    tags_now = sorted(
        (each.record_id, each.tag_id, each.tag.mark) for each in adjudication.gold.tags
    )
    decisions = {each.key: (each.choice, each.marks) for each in adjudication.gold.book}
    return tags_now, decisions, adjudication.progress


def decide_all(adjudication: Adjudication, choice: Choice) -> None:
    for each in adjudication.queue:
        adjudication.decide(each, choice)


def work(data: st.DataObject, on: Desk, adjudication: Adjudication) -> None:
    """Do something that an adjudicator may do."""
    what = data.draw(
        st.sampled_from(["decide", "alike", "edit", "reopen", "mark", "remove", "undo", "redo"])
    )
    gold = list(adjudication.gold.tags)
    if what in ("undo", "redo"):
        edit = adjudication.gold.undo() if what == "undo" else adjudication.gold.redo()
        adjudication.noted(edit or Edit("nothing"))
    elif what == "remove" and gold:
        placed = data.draw(st.sampled_from(gold))
        adjudication.noted(adjudication.gold.apply(Edit("remove tag", (placed,))))
    elif what == "mark":
        document = data.draw(st.sampled_from(on.view.patient.documents))
        start = data.draw(st.integers(0, len(document.text) - 1))
        mark = Span(start, start + 1), data.draw(phi_types)
        adjudication.mark(document.record_id, mark)
    elif adjudication.queue:
        each = data.draw(st.sampled_from(adjudication.queue))
        if what in ("decide", "alike"):
            choice = data.draw(st.sampled_from(possible_choices(each)))
            adjudication.decide(each, choice, alike=what == "alike")
        elif what == "edit":
            adjudication.edit(each, [(each.key.span, data.draw(phi_types))], alike=True)
        elif what == "reopen" and adjudication.decision(each):
            adjudication.reopen(each)


@given(desks(), st.sampled_from([0, 1]), st.booleans())
def test_one_side_everywhere_is_that_sides_layer(on, side, review):
    adjudication = on.open(review=review)
    decide_all(adjudication, SIDES[side])
    assert marks(adjudication) == marks_of([pair[side] for pair in on.layers])
    assert adjudication.progress.decided == adjudication.progress.total


@given(st.data(), desks())
def test_the_order_of_deciding_makes_no_difference(data, on):
    first, second = on.open(), Desk.of(on.view.patient, *zip(*on.layers, strict=True)).open()
    choices = {each.key: data.draw(st.sampled_from(possible_choices(each))) for each in first.queue}
    edited = {key: data.draw(phi_types) for key in choices if data.draw(st.booleans())}
    for each in first.queue:
        _carry_out(first, each, choices, edited)
    for each in data.draw(st.permutations(second.queue)):
        _carry_out(second, each, choices, edited)
    assert marks(first) == marks(second)


@given(st.data(), desks())
def test_undoing_everything_is_the_start(data, on):
    adjudication = on.open()
    start = state(adjudication)
    for _ in range(data.draw(st.integers(0, 8))):
        work(data, on, adjudication)
    while (edit := adjudication.gold.undo()) is not None:
        adjudication.noted(edit)
    assert state(adjudication) == start


@given(st.data(), desks())
def test_redoing_everything_is_the_end(data, on):
    adjudication = on.open()
    decide_all(adjudication, Choice.FIRST)
    end = state(adjudication)
    while (edit := adjudication.gold.undo()) is not None:
        adjudication.noted(edit)
    while (edit := adjudication.gold.redo()) is not None:
        adjudication.noted(edit)
    assert state(adjudication) == end


@given(st.data(), desks())
def test_opening_again_is_the_same(data, on):
    adjudication = on.open()
    for _ in range(data.draw(st.integers(0, 8))):
        work(data, on, adjudication)
    assert state(on.open()) == state(adjudication)


@given(st.data(), desks())
def test_what_is_decided_is_in_the_gold_standard(data, on):
    adjudication = on.open()
    for _ in range(data.draw(st.integers(0, 8))):
        work(data, on, adjudication)
    gold = {(each.record_id, each.tag.mark) for each in adjudication.gold.tags}
    for decision in adjudication.gold.book:
        assert {(decision.key.record_id, each) for each in decision.marks} <= gold


def _carry_out(adjudication, disagreement, choices, edited):
    if disagreement.key in edited:
        adjudication.edit(disagreement, [(disagreement.key.span, edited[disagreement.key])])
    else:
        adjudication.decide(disagreement, choices[disagreement.key])
