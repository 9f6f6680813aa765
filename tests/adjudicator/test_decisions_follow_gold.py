"""Whatever is done to the gold standard, the decisions say what is in it."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from adjudicator.decision_book import DecisionBook
from adjudicator.decisions import DecisionChoice, DecisionMode, possible_choices
from adjudicator.disagreement_queue import DisagreementQueue
from shared.errors import RequestError
from shared.model import Layer, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.edits import PlacedTag
from shared.project.tag_operations import TagOperations
from tests.adjudicator.desk import Desk, about
from tests.adjudicator.test_properties import desks
from tests.builders import patient
from tests.strategies import phi_types

AGE, DATE, DOCTOR = PhiType("AGE", "AGE"), PhiType("DATE", "DATE"), PhiType("NAME", "DOCTOR")
ANA = ["She is [95|AGE] and saw [Dr. Lee|DOCTOR] on [May 9|DATE]."]
BEN = ["She is 95 and saw Dr. [Lee|DOCTOR] on [May|DATE] 9."]
NEITHER, FIRST, EDITED = DecisionChoice.NEITHER, DecisionChoice.FIRST, DecisionChoice.EDITED


def hands_on(desk: Desk, queue: DisagreementQueue) -> TagOperations:
    return TagOperations(desk.view, queue.gold, I2B2_2014)


def place(desk: Desk, words: str) -> Span:
    start = desk.view.text.index(words)
    return Span(start, start + len(words))


def decided(queue: DisagreementQueue, desk: Desk, words: str):
    found = queue.decision(about(queue, desk.view, words))
    return (found.choice, [phi_type.name for _, phi_type in found.marks]) if found else None


def check_agreement(desk: Desk, queue: DisagreementQueue) -> None:
    """Every decision has the tags in its place, but those that others made about that place."""
    made = {}
    for decision in queue.gold.book:
        for tag_id in decision.made:
            made.setdefault((decision.key.record_id, tag_id), []).append(decision.key)
    gold = [(each.record_id, each.tag_id, each.tag.mark) for each in queue.gold.tags]
    for decision in queue.gold.book:
        key = decision.key
        here = {mark for record_id, _, mark in gold if record_id == key.record_id}
        assert set(decision.marks) <= here
        assert queue.gold.as_it_stands(decision) == decision
        for record_id, tag_id, mark in gold if not decision.choice.is_automatic else ():
            if record_id == key.record_id and mark[0].overlaps(key.span):
                makers = [each for each in made.get((record_id, tag_id), ()) if each != key]
                beside = any(each.span.overlaps(key.span) for each in makers)
                assert mark in decision.marks or beside
        assert not (decision.marks and decision.choice is NEITHER)
        if decision.choice.side is not None:
            assert set(decision.marks) == set(key.sides[decision.choice.side])
    read = DecisionBook(desk.lines.entries)
    assert {each.key: each for each in read} == {each.key: each for each in queue.gold.book}


def test_no_tag_is_no_longer_said_of_what_a_fix_tagged():
    desk = Desk(ANA, BEN)
    queue = desk.open()
    queue.decide(about(queue, desk.view, "95"), NEITHER)
    hands_on(desk, queue).replace([(None, [(place(desk, "95"), AGE)])])
    assert decided(queue, desk, "95") == (FIRST, ["AGE"])
    check_agreement(desk, desk.open())


def test_annotate_all_a_new_type_and_an_edge_are_followed():
    desk = Desk(ANA, BEN)
    queue = desk.open()
    for each in queue:
        queue.decide(each, NEITHER)
    hands = hands_on(desk, queue)
    hands.tag_all([place(desk, "Lee"), place(desk, "May")], DOCTOR)
    assert decided(queue, desk, "Lee") == (DecisionChoice.SECOND, ["DOCTOR"])
    assert decided(queue, desk, "May") == (EDITED, ["DOCTOR"])
    hands.retype([queue.gold.at("110-01", (place(desk, "May"), DOCTOR))], DATE)
    assert decided(queue, desk, "May") == (DecisionChoice.SECOND, ["DATE"])
    hands.resize(queue.gold.at("110-01", (place(desk, "May"), DATE)), place(desk, "May 9"))
    assert decided(queue, desk, "May") == (FIRST, ["DATE"])
    check_agreement(desk, desk.open())


def test_an_undo_gives_back_what_was_decided():
    desk = Desk(ANA, BEN)
    queue = desk.open()
    queue.decide(about(queue, desk.view, "95"), NEITHER)
    hands_on(desk, queue).tag_all([place(desk, "95")], AGE)
    queue.gold.undo()
    assert decided(queue, desk, "95") == (NEITHER, [])
    queue.gold.redo()
    assert decided(queue, desk, "95") == (FIRST, ["AGE"])


def test_no_tag_takes_away_what_a_hand_put_there_before():
    desk = Desk(ANA, BEN)
    queue = desk.open()
    hands_on(desk, queue).tag_all([place(desk, "95")], DATE)
    queue.decide(about(queue, desk.view, "95"), NEITHER)
    assert not list(queue.gold.tags)


def test_a_tag_drawn_over_two_places_is_in_both_and_goes_with_the_one_that_made_it():
    desk = Desk(["[Lee|DOCTOR], [May|DOCTOR] came."], ["Lee, May came."])
    queue = desk.open()
    lee, may = about(queue, desk.view, "Lee"), about(queue, desk.view, "May")
    queue.decide(lee, FIRST)
    queue.decide(may, NEITHER)
    tag = next(iter(queue.gold.tags))
    hands_on(desk, queue).resize(tag, place(desk, "Lee, May"))
    assert decided(queue, desk, "May")[0] is EDITED
    queue.decide(lee, FIRST)
    assert decided(queue, desk, "May") == (NEITHER, [])
    check_agreement(desk, desk.open())


def test_a_tag_that_one_of_two_overlapping_places_gives_up_is_in_the_other():
    who, record_id = patient("Kai Lee May, Ann came."), "110-01"
    tags = [Tag(Span(*each), DOCTOR) for each in ((0, 7), (4, 11), (13, 16))]
    desk = Desk.of(who, [Layer.of(record_id, "ana", [])], [Layer.of(record_id, "ben", tags)])
    queue = desk.open()
    first, second, _ = queue
    queue.mark(record_id, (place(desk, "Kai Lee May, Ann"), AGE))  # all three made this
    queue.decide(second, NEITHER)
    assert queue.decision(second).choice is NEITHER  # the first, which overlaps it, has the tag
    queue.decide(first, NEITHER)
    assert [queue.decision(each).choice for each in (first, second)] == [EDITED, EDITED]
    check_agreement(desk, queue)
    check_agreement(desk, desk.open())


def test_a_decision_of_an_older_journal_that_did_not_follow_is_shown_as_edited_after():
    desk = Desk(ANA, BEN)
    queue = desk.open()
    queue.decide(about(queue, desk.view, "95"), NEITHER)
    hands_on(desk, queue).tag_all([place(desk, "95")], AGE)
    del desk.lines.entries[-1]["decisions"]
    again = desk.open()
    found = again.decision(about(again, desk.view, "95"))
    assert (found.mode, found.choice) == (DecisionMode.EDITED_AFTER, FIRST)
    assert not again.is_open(about(again, desk.view, "95"))


def work(data: st.DataObject, desk: Desk, queue: DisagreementQueue) -> None:
    """Do one of all the things that a window can do to the gold standard."""
    gold, what = list(queue.gold.tags), data.draw(st.sampled_from(_ABLE))
    tag = data.draw(st.sampled_from(gold)) if gold else None
    one = data.draw(st.sampled_from(list(queue))) if queue else None
    if what in ("undo", "redo"):
        getattr(queue.gold, what)()
    elif one and what == "decide":
        queue.decide(one, data.draw(st.sampled_from(possible_choices(one))))
    elif one and what == "edit":
        queue.decide_with(one, [(one.key.span, data.draw(phi_types))])
    elif one and what == "reopen":
        queue.reopen(one)
    else:
        work_by_hand(data, desk, queue, tag)


def work_by_hand(
    data: st.DataObject, desk: Desk, queue: DisagreementQueue, tag: PlacedTag | None
) -> None:
    hands = hands_on(desk, queue)
    record = data.draw(st.sampled_from(desk.view.patient.documents))
    start = data.draw(st.integers(0, len(record.text) - 1))
    own = Span(start, data.draw(st.integers(start + 1, len(record.text))))
    span, phi_type = desk.view.merged_span(record.record_id, own), data.draw(phi_types)
    able: dict[str, Callable[[], object]] = {
        "tag": lambda: queue.mark(record.record_id, (own, phi_type)) or hands.tag(span, phi_type),
        "tag all": lambda: hands.tag_all([span], phi_type),
        "fix": lambda: hands.replace([(tag, [(span, phi_type)])]),
    }
    if tag:
        able |= {
            "remove": lambda: hands.remove([tag]),
            "retype": lambda: hands.retype([tag], phi_type),
            "resize": lambda: hands.resize(tag, span),
        }
    able[data.draw(st.sampled_from(sorted(able)))]()


_ABLE = (*("undo", "redo", "decide", "decide", "edit", "reopen"), *["by hand"] * 6)


@given(st.data(), desks(), st.booleans())
def test_decisions_and_gold_standard_agree_after_every_step(data, desk, review):
    queue = desk.open(review=review)
    check_agreement(desk, queue)
    for _ in range(data.draw(st.integers(1, 12))):
        if data.draw(st.integers(0, 5)) == 0:
            queue = desk.open(review=review)
        try:
            work(data, desk, queue)
        except RequestError:
            continue  # said, and nothing was done
        check_agreement(desk, queue)
    tags = sorted((each.record_id, each.tag_id, each.tag.mark) for each in queue.gold.tags)
    again = desk.open(review=review)
    assert tags == sorted((each.record_id, each.tag_id, each.tag.mark) for each in again.gold.tags)
    check_agreement(desk, again)
