import pytest

from adjudicator.decisions import DecisionChoice
from shared.errors import RequestError
from shared.metrics.alignment import DifferenceKind
from shared.model import Span
from shared.project.edits import Edit
from tests.adjudicator.desk import Desk, about, gold_texts, marks, marks_of
from tests.builders import layer, phi


def desk(first: str, second: str) -> Desk:
    return Desk([first], [second])


def test_what_both_say_is_gold_at_once():
    on = desk("[Lee|DOCTOR] saw [Kai|PATIENT]", "[Lee|DOCTOR] saw Kai")
    queue = on.open()
    assert gold_texts(queue, on.view) == [("Lee", "DOCTOR")]
    assert [each.kind for each in queue] == [DifferenceKind.ONE_SIDED]


def test_agreements_are_asked_about_on_request():
    queue = desk("[Lee|DOCTOR]", "[Lee|DOCTOR]").open(review=True)
    assert not list(queue.gold.tags)
    assert [each.kind for each in queue] == [DifferenceKind.AGREEMENT]
    queue.decide(queue[0], DecisionChoice.BOTH)
    assert str(queue.progress) == "1 of 1"


def test_agreements_taken_over_are_asked_about_when_reviewed_later():
    on = desk("[Lee|DOCTOR]", "[Lee|DOCTOR]")
    on.open()
    queue = on.open(review=True)
    assert str(queue.progress) == "0 of 1"
    assert gold_texts(queue, on.view) == [("Lee", "DOCTOR")]


@pytest.mark.parametrize(
    ("choice", "gold"),
    [
        (DecisionChoice.FIRST, [("Lee", "DOCTOR")]),
        (DecisionChoice.SECOND, [("Lee", "PATIENT")]),
        (DecisionChoice.NEITHER, []),
    ],
)
def test_a_choice_makes_the_gold_standard(choice, gold):
    on = desk("[Lee|DOCTOR]", "[Lee|PATIENT]")
    queue = on.open()
    queue.decide(queue[0], choice)
    assert gold_texts(queue, on.view) == gold
    assert queue.decision(queue[0]).choice is choice


def test_both_are_refused_where_they_overlap():
    queue = desk("[Kai Lee|PATIENT]", "Kai [Lee|PATIENT]").open()
    with pytest.raises(RequestError, match="overlap"):
        queue.decide(queue[0], DecisionChoice.BOTH)
    assert str(queue.progress) == "0 of 1"


def test_both_of_a_one_sided_disagreement_is_the_one_there_is():
    on = desk("[Kai|PATIENT]", "Kai")
    queue = on.open()
    queue.decide(queue[0], DecisionChoice.BOTH)
    assert gold_texts(queue, on.view) == [("Kai", "PATIENT")]


def test_an_edited_choice_does_not_say_which_tags_it_makes():
    queue = desk("[Kai|PATIENT]", "Kai").open()
    with pytest.raises(ValueError, match="does not say"):
        queue.decide(queue[0], DecisionChoice.EDITED)


def test_deciding_again_replaces_what_was_decided():
    on = desk("[Kai Lee|PATIENT]", "Kai [Lee|PATIENT]")
    queue = on.open()
    queue.decide(queue[0], DecisionChoice.FIRST)
    edit = queue.decide(queue[0], DecisionChoice.SECOND)
    assert gold_texts(queue, on.view) == [("Lee", "PATIENT")]
    assert (len(edit.removed), len(edit.added)) == (1, 1)


def test_an_edit_says_what_changed():
    queue = desk("[Lee|DOCTOR]", "[Lee|PATIENT]").open()
    edit = queue.decide(queue[0], DecisionChoice.FIRST)
    assert edit.what == "decide as DOCTOR"
    assert [each.phi_type.name for each in edit.added] == ["DOCTOR"]


def test_own_tags_decide_as_edited():
    on = desk("[Kai Lee|PATIENT]", "Kai [Lee|PATIENT]")
    queue = on.open()
    queue.decide_with(queue[0], [(Span(0, 3), phi("PATIENT"))])
    assert gold_texts(queue, on.view) == [("Kai", "PATIENT")]
    assert queue.decision(queue[0]).choice is DecisionChoice.EDITED


def test_an_edited_tag_that_a_side_has_keeps_that_tags_id_when_taken_again():
    queue = desk("[Kai|PATIENT]", "Kai").open()
    queue.decide_with(queue[0], [(Span(0, 3), phi("PATIENT"))])
    before = [each.tag_id for each in queue.gold.tags]
    queue.decide(queue[0], DecisionChoice.FIRST)
    assert [each.tag_id for each in queue.gold.tags] == before


def test_a_tag_that_two_decisions_want_stays_until_both_let_go():
    on = desk("[Kai|PATIENT] [Lee|PATIENT]", "Kai Lee")
    queue = on.open()
    kai, lee = (about(queue, on.view, each) for each in ("Kai", "Lee"))
    for each in (kai, lee):
        queue.decide_with(each, [(Span(0, 7), phi("PATIENT"))])
    queue.decide(kai, DecisionChoice.NEITHER)
    assert gold_texts(queue, on.view) == [("Kai Lee", "PATIENT")]
    queue.decide(lee, DecisionChoice.NEITHER)
    assert gold_texts(queue, on.view) == []


def test_reopening_takes_out_what_was_made():
    queue = desk("[Kai|PATIENT]", "Kai").open()
    queue.decide(queue[0], DecisionChoice.FIRST)
    queue.reopen(queue[0])
    assert queue.is_open(queue[0])
    assert not list(queue.gold.tags)


def test_only_what_is_decided_can_be_reopened():
    queue = desk("[Kai|PATIENT]", "Kai").open()
    with pytest.raises(RequestError, match="not decided"):
        queue.reopen(queue[0])


def test_a_tag_by_hand_settles_the_open_disagreements_it_overlaps():
    on = desk("[Kai|PATIENT] [Lee|PATIENT]", "Kai Lee")
    queue = on.open()
    queue.mark("110-01", (Span(0, 7), phi("PATIENT")))
    assert str(queue.progress) == "2 of 2"
    assert gold_texts(queue, on.view) == [("Kai Lee", "PATIENT")]


def test_a_tag_by_hand_where_nobody_disagrees_settles_nothing():
    queue = desk("[Kai|PATIENT] Lee", "Kai Lee").open()
    assert queue.mark("110-01", (Span(4, 7), phi("PATIENT"))) is None


def test_undoing_opens_a_decision_again_and_redoing_closes_it():
    queue = desk("[Kai|PATIENT]", "Kai").open()
    queue.decide(queue[0], DecisionChoice.FIRST)
    queue.gold.undo()
    assert queue.is_open(queue[0])
    queue.gold.redo()
    assert not queue.is_open(queue[0])


def test_what_opening_took_over_cannot_be_undone():
    queue = desk("[Kai|PATIENT]", "[Kai|PATIENT]").open()
    assert not queue.gold.can_undo
    assert queue.gold.undo() is None
    assert len(list(queue.gold.tags)) == 1


def test_next_open_looks_around_from_the_end():
    queue = desk("[Kai|PATIENT] [Lee|PATIENT]", "Kai Lee").open()
    first, second = queue
    assert queue.next_open() is first
    assert queue.next_open(first) is second
    assert queue.next_open(second) is first
    queue.decide(first, DecisionChoice.FIRST)
    queue.decide(second, DecisionChoice.FIRST)
    assert queue.next_open(first) is None


def test_the_journal_says_who_decided_what_and_holds_no_text():
    on = desk("Seen by [Yamamoto|DOCTOR]", "Seen by [Yamamoto|PATIENT]")
    queue = on.open()
    queue.decide(queue[0], DecisionChoice.SECOND)
    line = on.lines.entries[-1]
    assert (line["op"], line["by"], line["at"]) == (
        "edit",
        "carol",
        "2026-05-09T12:00:00.000+00:00",
    )
    assert line["decisions"] == [
        {
            "record": "110-01",
            "kind": "type",
            "sides": [[[8, 16, "NAME", "DOCTOR"]], [[8, 16, "NAME", "PATIENT"]]],
            "choice": "second",
            "ids": ["P0"],
            "tags": [[8, 16, "NAME", "PATIENT"]],
        }
    ]
    assert "Yamamoto" not in str(on.lines.entries)


class TestAlike:
    def test_one_decision_for_all_that_say_the_same_of_the_same_words(self):
        on = desk("[Lee|DOCTOR] [Lee|DOCTOR] [Roe|DOCTOR]", "[Lee|PATIENT] [Lee|PATIENT] Roe")
        queue = on.open()
        edit = queue.decide_all(queue.alike(about(queue, on.view, "Lee"), DecisionChoice.FIRST))
        assert gold_texts(queue, on.view) == [("Lee", "DOCTOR"), ("Lee", "DOCTOR")]
        assert edit.what == "decide as DOCTOR, 2 times"

    def test_is_one_step_to_undo(self):
        queue = desk("[Lee|DOCTOR] [Lee|DOCTOR]", "Lee Lee").open()
        queue.decide_all(queue.alike(queue[0], DecisionChoice.FIRST))
        queue.gold.undo()
        assert str(queue.progress) == "0 of 2"

    def test_makes_no_difference_which_side_says_it(self):
        on = desk(
            "[Lee|DOCTOR] Lee [Kai|PATIENT] [Kai|DOCTOR]",
            "Lee [Lee|DOCTOR] [Kai|DOCTOR] [Kai|PATIENT]",
        )
        queue = on.open()
        queue.decide_all(queue.alike(about(queue, on.view, "Lee"), DecisionChoice.FIRST))
        queue.decide_all(queue.alike(about(queue, on.view, "Kai"), DecisionChoice.FIRST))
        assert gold_texts(queue, on.view) == [
            ("Lee", "DOCTOR"),
            ("Lee", "DOCTOR"),
            ("Kai", "PATIENT"),
            ("Kai", "PATIENT"),
        ]

    def test_leaves_alone_what_was_decided_otherwise(self):
        on = desk("[Lee|DOCTOR] [Lee|DOCTOR]", "Lee Lee")
        queue = on.open()
        first, second = queue
        queue.decide(first, DecisionChoice.NEITHER)
        queue.decide_all(queue.alike(second, DecisionChoice.FIRST))
        assert queue.decision(first).choice is DecisionChoice.NEITHER

    def test_takes_along_what_was_decided_the_same_way(self):
        queue = desk("[Lee|DOCTOR] [Lee|DOCTOR]", "Lee Lee").open()
        queue.decide_all(queue.alike(queue[0], DecisionChoice.FIRST))
        queue.decide_all(queue.alike(queue[0], DecisionChoice.NEITHER))
        assert not list(queue.gold.tags)

    def test_moves_an_edited_tag_to_the_other_places(self):
        on = desk("[Kai Lee|PATIENT]; [Kai Lee|PATIENT]", "Kai [Lee|PATIENT]; Kai [Lee|PATIENT]")
        queue = on.open()
        queue.decide_with(queue[0], [(Span(0, 3), phi("PATIENT"))])
        queue.decide_all(queue.alike_as_decided(queue[0]))
        assert gold_texts(queue, on.view) == [("Kai", "PATIENT"), ("Kai", "PATIENT")]

    def test_does_not_move_an_edited_tag_to_other_characters(self):
        queue = desk("[Kai Lee|PATIENT]; [Kai\n Lee|PATIENT]", "Kai Lee; Kai\n Lee").open()
        queue.decide_with(queue[0], [(Span(0, 7), phi("DOCTOR"))])
        queue.decide_all(queue.alike_as_decided(queue[0]))
        assert str(queue.progress) == "1 of 2"


class TestEditingByHand:
    def test_a_decision_follows_its_tag(self):
        queue = desk("[Kai|PATIENT]", "Kai").open()
        edit = queue.decide(queue[0], DecisionChoice.FIRST)
        moved = queue.gold.moved(edit.added[0], Span(0, 2))
        queue.gold.apply(_swap(edit.added[0], moved))
        decision = queue.decision(queue[0])
        assert (decision.choice, decision.marks) == (
            DecisionChoice.EDITED,
            ((Span(0, 2), phi("PATIENT")),),
        )

    def test_a_decision_whose_only_tag_is_removed_is_neither(self):
        queue = desk("[Kai|PATIENT]", "Kai").open()
        edit = queue.decide(queue[0], DecisionChoice.FIRST)
        queue.gold.apply(edit.reversed())
        assert queue.decision(queue[0]).choice is DecisionChoice.NEITHER

    def test_an_agreement_that_was_removed_stays_removed(self):
        on = desk("[Kai|PATIENT]", "[Kai|PATIENT]")
        queue = on.open()
        placed = next(iter(queue.gold.tags))
        queue.gold.apply(_swap(placed, None))
        assert gold_texts(on.open(), on.view) == []


class TestWhatAnnotatorsChangeLater:
    def test_other_decisions_stay(self):
        on = desk("[Kai|PATIENT] Lee", "Kai Lee")
        queue = on.open()
        queue.decide(queue[0], DecisionChoice.FIRST)
        on.relayer(1, "Kai [Lee|PATIENT]")
        again = on.open()
        assert str(again.progress) == "1 of 2"
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]

    def test_what_changed_comes_back_marked_and_keeps_its_tag_until_decided(self):
        on = desk("[Kai|PATIENT]", "Kai")
        queue = on.open()
        queue.decide(queue[0], DecisionChoice.FIRST)
        on.relayer(1, "[Kai|DOCTOR]")
        again = on.open()
        assert again.is_changed(again[0])
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]
        again.decide(again[0], DecisionChoice.SECOND)
        assert gold_texts(again, on.view) == [("Kai", "DOCTOR")]
        assert not again.is_changed(again[0])

    def test_undo_reaches_over_the_change(self):
        on = desk("[Kai|PATIENT]", "Kai")
        queue = on.open()
        queue.decide(queue[0], DecisionChoice.FIRST)
        on.relayer(1, "[Kai|DOCTOR]")
        again = on.open()
        again.decide(again[0], DecisionChoice.SECOND)
        again.gold.undo()
        assert again.is_changed(again[0])
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]

    def test_a_new_agreement_is_taken_over(self):
        on = desk("[Kai|PATIENT]", "Kai")
        on.open()
        on.relayer(1, "[Kai|PATIENT]")
        again = on.open()
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]
        assert not again

    def test_a_new_agreement_against_a_decision_is_asked_about(self):
        on = desk("[Kai|PATIENT]", "Kai")
        queue = on.open()
        queue.decide(queue[0], DecisionChoice.NEITHER)
        on.relayer(1, "[Kai|PATIENT]")
        again = on.open()
        assert [each.kind for each in again] == [DifferenceKind.AGREEMENT]
        assert again.is_changed(again[0])
        assert not list(again.gold.tags)

    def test_a_tag_that_was_decided_stays_where_the_annotators_give_it_up(self):
        on = desk("[Kai|PATIENT]", "Kai")
        queue = on.open()
        queue.decide(queue[0], DecisionChoice.FIRST)
        on.relayer(0, "Kai")
        again = on.open()
        assert not again
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]

    def test_an_agreement_that_one_gives_up_comes_back(self):
        on = desk("[Kai|PATIENT]", "[Kai|PATIENT]")
        on.open()
        on.relayer(1, "Kai")
        again = on.open()
        assert [each.kind for each in again] == [DifferenceKind.ONE_SIDED]
        again.decide(again[0], DecisionChoice.NEITHER)
        assert not list(again.gold.tags)


class TestGoldStandardThatWasThere:
    def kept(self, gold: str, first: str, second: str) -> Desk:
        on = desk(first, second)
        on.filed = {"110-01": layer(gold, annotator="gold")}
        return on

    def test_is_kept_and_counts_as_decided(self):
        on = self.kept("[Kai|DOCTOR] Lee", "[Kai|PATIENT] Lee", "Kai Lee")
        queue = on.open()
        assert gold_texts(queue, on.view) == [("Kai", "DOCTOR")]
        assert queue.decision(queue[0]).choice is DecisionChoice.KEPT

    def test_what_it_lacks_is_to_decide_agreed_or_not(self):
        on = self.kept(
            "Kai Lee [Roe|DOCTOR]", "[Kai|PATIENT] [Lee|PATIENT] Roe", "[Kai|PATIENT] Lee Roe"
        )
        queue = on.open()
        assert str(queue.progress) == "0 of 2"
        assert gold_texts(queue, on.view) == [("Roe", "DOCTOR")]

    def test_is_asked_about_no_second_time(self):
        on = self.kept("[Kai|DOCTOR] Lee", "[Kai|PATIENT] [Lee|PATIENT]", "Kai [Lee|PATIENT]")
        on.open()
        assert len(on.lines.entries) == 1
        assert str(on.open().progress) == "1 of 2"


def test_a_gold_standard_that_lost_a_decided_tag_opens_the_decision_again():
    on = desk("[Kai|PATIENT]", "Kai")
    queue = on.open()
    queue.decide(queue[0], DecisionChoice.FIRST)
    on.lines.entries.append({"op": "saved", "upto": 2})
    on.filed = {"110-01": layer("Kai", annotator="gold")}
    again = on.open()
    assert again.is_changed(again[0])


def test_first_everywhere_is_the_first_layer():
    first = ["[Kai Lee|PATIENT] saw [Roe|DOCTOR]", "on [5/9|DATE] at [Mercy|HOSPITAL]"]
    second = ["[Kai|PATIENT] [Lee|PATIENT] saw [Roe|DOCTOR]", "on 5/9 at [Mercy|ORGANIZATION]"]
    on = Desk(first, second)
    queue = on.open()
    for each in queue:
        queue.decide(each, DecisionChoice.FIRST)
    assert marks(queue) == marks_of([pair[0] for pair in on.layers])


def _swap(old, new):
    return Edit("swap", (old,), (new,) if new else ())
