import pytest

from adjudicator.decisions import Choice
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
    adjudication = on.open()
    assert gold_texts(adjudication, on.view) == [("Lee", "DOCTOR")]
    assert [each.kind for each in adjudication.queue] == [DifferenceKind.ONE_SIDED]


def test_agreements_are_asked_about_on_request():
    adjudication = desk("[Lee|DOCTOR]", "[Lee|DOCTOR]").open(review=True)
    assert not list(adjudication.gold.tags)
    assert [each.kind for each in adjudication.queue] == [DifferenceKind.AGREEMENT]
    adjudication.decide(adjudication.queue[0], Choice.BOTH)
    assert str(adjudication.progress) == "1 of 1"


def test_agreements_taken_over_are_asked_about_when_reviewed_later():
    on = desk("[Lee|DOCTOR]", "[Lee|DOCTOR]")
    on.open()
    adjudication = on.open(review=True)
    assert str(adjudication.progress) == "0 of 1"
    assert gold_texts(adjudication, on.view) == [("Lee", "DOCTOR")]


@pytest.mark.parametrize(
    ("choice", "gold"),
    [
        (Choice.FIRST, [("Lee", "DOCTOR")]),
        (Choice.SECOND, [("Lee", "PATIENT")]),
        (Choice.NEITHER, []),
    ],
)
def test_a_choice_makes_the_gold_standard(choice, gold):
    on = desk("[Lee|DOCTOR]", "[Lee|PATIENT]")
    adjudication = on.open()
    adjudication.decide(adjudication.queue[0], choice)
    assert gold_texts(adjudication, on.view) == gold
    assert adjudication.decision(adjudication.queue[0]).choice is choice


def test_both_are_refused_where_they_overlap():
    adjudication = desk("[Kai Lee|PATIENT]", "Kai [Lee|PATIENT]").open()
    with pytest.raises(RequestError, match="overlap"):
        adjudication.decide(adjudication.queue[0], Choice.BOTH)
    assert str(adjudication.progress) == "0 of 1"


def test_both_of_a_one_sided_disagreement_is_the_one_there_is():
    on = desk("[Kai|PATIENT]", "Kai")
    adjudication = on.open()
    adjudication.decide(adjudication.queue[0], Choice.BOTH)
    assert gold_texts(adjudication, on.view) == [("Kai", "PATIENT")]


def test_an_edited_choice_does_not_say_which_tags_it_makes():
    adjudication = desk("[Kai|PATIENT]", "Kai").open()
    with pytest.raises(ValueError, match="does not say"):
        adjudication.decide(adjudication.queue[0], Choice.EDITED)


def test_deciding_again_replaces_what_was_decided():
    on = desk("[Kai Lee|PATIENT]", "Kai [Lee|PATIENT]")
    adjudication = on.open()
    adjudication.decide(adjudication.queue[0], Choice.FIRST)
    edit = adjudication.decide(adjudication.queue[0], Choice.SECOND)
    assert gold_texts(adjudication, on.view) == [("Lee", "PATIENT")]
    assert (len(edit.removed), len(edit.added)) == (1, 1)


def test_an_edit_says_what_changed():
    adjudication = desk("[Lee|DOCTOR]", "[Lee|PATIENT]").open()
    edit = adjudication.decide(adjudication.queue[0], Choice.FIRST)
    assert edit.what == "decide as DOCTOR"
    assert [each.phi_type.name for each in edit.added] == ["DOCTOR"]


def test_own_tags_decide_as_edited():
    on = desk("[Kai Lee|PATIENT]", "Kai [Lee|PATIENT]")
    adjudication = on.open()
    adjudication.edit(adjudication.queue[0], [(Span(0, 3), phi("PATIENT"))])
    assert gold_texts(adjudication, on.view) == [("Kai", "PATIENT")]
    assert adjudication.decision(adjudication.queue[0]).choice is Choice.EDITED


def test_an_edited_tag_that_a_side_has_keeps_that_tags_id_when_taken_again():
    adjudication = desk("[Kai|PATIENT]", "Kai").open()
    adjudication.edit(adjudication.queue[0], [(Span(0, 3), phi("PATIENT"))])
    before = [each.tag_id for each in adjudication.gold.tags]
    adjudication.decide(adjudication.queue[0], Choice.FIRST)
    assert [each.tag_id for each in adjudication.gold.tags] == before


def test_a_tag_that_two_decisions_want_stays_until_both_let_go():
    on = desk("[Kai|PATIENT] [Lee|PATIENT]", "Kai Lee")
    adjudication = on.open()
    kai, lee = (about(adjudication, on.view, each) for each in ("Kai", "Lee"))
    for each in (kai, lee):
        adjudication.edit(each, [(Span(0, 7), phi("PATIENT"))])
    adjudication.decide(kai, Choice.NEITHER)
    assert gold_texts(adjudication, on.view) == [("Kai Lee", "PATIENT")]
    adjudication.decide(lee, Choice.NEITHER)
    assert gold_texts(adjudication, on.view) == []


def test_reopening_takes_out_what_was_made():
    adjudication = desk("[Kai|PATIENT]", "Kai").open()
    adjudication.decide(adjudication.queue[0], Choice.FIRST)
    adjudication.reopen(adjudication.queue[0])
    assert adjudication.is_open(adjudication.queue[0])
    assert not list(adjudication.gold.tags)


def test_only_what_is_decided_can_be_reopened():
    adjudication = desk("[Kai|PATIENT]", "Kai").open()
    with pytest.raises(RequestError, match="not decided"):
        adjudication.reopen(adjudication.queue[0])


def test_a_tag_by_hand_settles_the_open_disagreements_it_overlaps():
    on = desk("[Kai|PATIENT] [Lee|PATIENT]", "Kai Lee")
    adjudication = on.open()
    adjudication.mark("110-01", (Span(0, 7), phi("PATIENT")))
    assert str(adjudication.progress) == "2 of 2"
    assert gold_texts(adjudication, on.view) == [("Kai Lee", "PATIENT")]


def test_a_tag_by_hand_where_nobody_disagrees_settles_nothing():
    adjudication = desk("[Kai|PATIENT] Lee", "Kai Lee").open()
    assert adjudication.mark("110-01", (Span(4, 7), phi("PATIENT"))) is None


def test_undoing_opens_a_decision_again_and_redoing_closes_it():
    adjudication = desk("[Kai|PATIENT]", "Kai").open()
    adjudication.decide(adjudication.queue[0], Choice.FIRST)
    adjudication.noted(adjudication.gold.undo())
    assert adjudication.is_open(adjudication.queue[0])
    adjudication.noted(adjudication.gold.redo())
    assert not adjudication.is_open(adjudication.queue[0])


def test_what_opening_took_over_cannot_be_undone():
    adjudication = desk("[Kai|PATIENT]", "[Kai|PATIENT]").open()
    assert not adjudication.gold.can_undo
    assert adjudication.gold.undo() is None
    assert len(list(adjudication.gold.tags)) == 1


def test_next_open_looks_around_from_the_end():
    adjudication = desk("[Kai|PATIENT] [Lee|PATIENT]", "Kai Lee").open()
    first, second = adjudication.queue
    assert adjudication.next_open() is first
    assert adjudication.next_open(first) is second
    assert adjudication.next_open(second) is first
    adjudication.decide(first, Choice.FIRST)
    adjudication.decide(second, Choice.FIRST)
    assert adjudication.next_open(first) is None


def test_the_journal_says_who_decided_what_and_holds_no_text():
    on = desk("Seen by [Yamamoto|DOCTOR]", "Seen by [Yamamoto|PATIENT]")
    adjudication = on.open()
    adjudication.decide(adjudication.queue[0], Choice.SECOND)
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
        adjudication = on.open()
        edit = adjudication.decide(about(adjudication, on.view, "Lee"), Choice.FIRST, alike=True)
        assert gold_texts(adjudication, on.view) == [("Lee", "DOCTOR"), ("Lee", "DOCTOR")]
        assert edit.what == "decide as DOCTOR, 2 times"

    def test_is_one_step_to_undo(self):
        adjudication = desk("[Lee|DOCTOR] [Lee|DOCTOR]", "Lee Lee").open()
        adjudication.decide(adjudication.queue[0], Choice.FIRST, alike=True)
        adjudication.noted(adjudication.gold.undo())
        assert str(adjudication.progress) == "0 of 2"

    def test_makes_no_difference_which_side_says_it(self):
        on = desk(
            "[Lee|DOCTOR] Lee [Kai|PATIENT] [Kai|DOCTOR]",
            "Lee [Lee|DOCTOR] [Kai|DOCTOR] [Kai|PATIENT]",
        )
        adjudication = on.open()
        adjudication.decide(about(adjudication, on.view, "Lee"), Choice.FIRST, alike=True)
        adjudication.decide(about(adjudication, on.view, "Kai"), Choice.FIRST, alike=True)
        assert gold_texts(adjudication, on.view) == [
            ("Lee", "DOCTOR"),
            ("Lee", "DOCTOR"),
            ("Kai", "PATIENT"),
            ("Kai", "PATIENT"),
        ]

    def test_leaves_alone_what_was_decided_otherwise(self):
        on = desk("[Lee|DOCTOR] [Lee|DOCTOR]", "Lee Lee")
        adjudication = on.open()
        first, second = adjudication.queue
        adjudication.decide(first, Choice.NEITHER)
        adjudication.decide(second, Choice.FIRST, alike=True)
        assert adjudication.decision(first).choice is Choice.NEITHER

    def test_takes_along_what_was_decided_the_same_way(self):
        adjudication = desk("[Lee|DOCTOR] [Lee|DOCTOR]", "Lee Lee").open()
        adjudication.decide(adjudication.queue[0], Choice.FIRST, alike=True)
        adjudication.decide(adjudication.queue[0], Choice.NEITHER, alike=True)
        assert not list(adjudication.gold.tags)

    def test_moves_an_edited_tag_to_the_other_places(self):
        on = desk("[Kai Lee|PATIENT]; [Kai Lee|PATIENT]", "Kai [Lee|PATIENT]; Kai [Lee|PATIENT]")
        adjudication = on.open()
        adjudication.edit(adjudication.queue[0], [(Span(0, 3), phi("PATIENT"))], alike=True)
        assert gold_texts(adjudication, on.view) == [("Kai", "PATIENT"), ("Kai", "PATIENT")]

    def test_does_not_move_an_edited_tag_to_other_characters(self):
        adjudication = desk("[Kai Lee|PATIENT]; [Kai\n Lee|PATIENT]", "Kai Lee; Kai\n Lee").open()
        adjudication.edit(adjudication.queue[0], [(Span(0, 7), phi("DOCTOR"))], alike=True)
        assert str(adjudication.progress) == "1 of 2"


class TestEditingByHand:
    def test_a_decision_follows_its_tag(self):
        adjudication = desk("[Kai|PATIENT]", "Kai").open()
        edit = adjudication.decide(adjudication.queue[0], Choice.FIRST)
        moved = adjudication.gold.moved(edit.added[0], Span(0, 2))
        adjudication.noted(adjudication.gold.apply(_swap(edit.added[0], moved)))
        decision = adjudication.decision(adjudication.queue[0])
        assert (decision.choice, decision.marks) == (
            Choice.EDITED,
            ((Span(0, 2), phi("PATIENT")),),
        )

    def test_a_decision_whose_only_tag_is_removed_is_neither(self):
        adjudication = desk("[Kai|PATIENT]", "Kai").open()
        edit = adjudication.decide(adjudication.queue[0], Choice.FIRST)
        adjudication.noted(adjudication.gold.apply(edit.reversed()))
        assert adjudication.decision(adjudication.queue[0]).choice is Choice.NEITHER

    def test_an_agreement_that_was_removed_stays_removed(self):
        on = desk("[Kai|PATIENT]", "[Kai|PATIENT]")
        adjudication = on.open()
        placed = next(iter(adjudication.gold.tags))
        adjudication.gold.apply(_swap(placed, None))
        assert gold_texts(on.open(), on.view) == []


class TestWhatAnnotatorsChangeLater:
    def test_other_decisions_stay(self):
        on = desk("[Kai|PATIENT] Lee", "Kai Lee")
        adjudication = on.open()
        adjudication.decide(adjudication.queue[0], Choice.FIRST)
        on.relayer(1, "Kai [Lee|PATIENT]")
        again = on.open()
        assert str(again.progress) == "1 of 2"
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]

    def test_what_changed_comes_back_marked_and_keeps_its_tag_until_decided(self):
        on = desk("[Kai|PATIENT]", "Kai")
        adjudication = on.open()
        adjudication.decide(adjudication.queue[0], Choice.FIRST)
        on.relayer(1, "[Kai|DOCTOR]")
        again = on.open()
        assert again.is_changed(again.queue[0])
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]
        again.decide(again.queue[0], Choice.SECOND)
        assert gold_texts(again, on.view) == [("Kai", "DOCTOR")]
        assert not again.is_changed(again.queue[0])

    def test_undo_reaches_over_the_change(self):
        on = desk("[Kai|PATIENT]", "Kai")
        adjudication = on.open()
        adjudication.decide(adjudication.queue[0], Choice.FIRST)
        on.relayer(1, "[Kai|DOCTOR]")
        again = on.open()
        again.decide(again.queue[0], Choice.SECOND)
        again.noted(again.gold.undo())
        assert again.is_changed(again.queue[0])
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]

    def test_a_new_agreement_is_taken_over(self):
        on = desk("[Kai|PATIENT]", "Kai")
        on.open()
        on.relayer(1, "[Kai|PATIENT]")
        again = on.open()
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]
        assert not again.queue

    def test_a_new_agreement_against_a_decision_is_asked_about(self):
        on = desk("[Kai|PATIENT]", "Kai")
        adjudication = on.open()
        adjudication.decide(adjudication.queue[0], Choice.NEITHER)
        on.relayer(1, "[Kai|PATIENT]")
        again = on.open()
        assert [each.kind for each in again.queue] == [DifferenceKind.AGREEMENT]
        assert again.is_changed(again.queue[0])
        assert not list(again.gold.tags)

    def test_a_tag_that_was_decided_stays_where_the_annotators_give_it_up(self):
        on = desk("[Kai|PATIENT]", "Kai")
        adjudication = on.open()
        adjudication.decide(adjudication.queue[0], Choice.FIRST)
        on.relayer(0, "Kai")
        again = on.open()
        assert not again.queue
        assert gold_texts(again, on.view) == [("Kai", "PATIENT")]

    def test_an_agreement_that_one_gives_up_comes_back(self):
        on = desk("[Kai|PATIENT]", "[Kai|PATIENT]")
        on.open()
        on.relayer(1, "Kai")
        again = on.open()
        assert [each.kind for each in again.queue] == [DifferenceKind.ONE_SIDED]
        again.decide(again.queue[0], Choice.NEITHER)
        assert not list(again.gold.tags)


class TestGoldStandardThatWasThere:
    def kept(self, gold: str, first: str, second: str) -> Desk:
        on = desk(first, second)
        on.filed = {"110-01": layer(gold, annotator="gold")}
        return on

    def test_is_kept_and_counts_as_decided(self):
        on = self.kept("[Kai|DOCTOR] Lee", "[Kai|PATIENT] Lee", "Kai Lee")
        adjudication = on.open()
        assert gold_texts(adjudication, on.view) == [("Kai", "DOCTOR")]
        assert adjudication.decision(adjudication.queue[0]).choice is Choice.KEPT

    def test_what_it_lacks_is_to_decide_agreed_or_not(self):
        on = self.kept(
            "Kai Lee [Roe|DOCTOR]", "[Kai|PATIENT] [Lee|PATIENT] Roe", "[Kai|PATIENT] Lee Roe"
        )
        adjudication = on.open()
        assert str(adjudication.progress) == "0 of 2"
        assert gold_texts(adjudication, on.view) == [("Roe", "DOCTOR")]

    def test_is_asked_about_no_second_time(self):
        on = self.kept("[Kai|DOCTOR] Lee", "[Kai|PATIENT] [Lee|PATIENT]", "Kai [Lee|PATIENT]")
        on.open()
        assert len(on.lines.entries) == 1
        assert str(on.open().progress) == "1 of 2"


def test_a_gold_standard_that_lost_a_decided_tag_opens_the_decision_again():
    on = desk("[Kai|PATIENT]", "Kai")
    adjudication = on.open()
    adjudication.decide(adjudication.queue[0], Choice.FIRST)
    on.lines.entries.append({"op": "saved", "upto": 2})
    on.filed = {"110-01": layer("Kai", annotator="gold")}
    again = on.open()
    assert again.is_changed(again.queue[0])


def test_first_everywhere_is_the_first_layer():
    first = ["[Kai Lee|PATIENT] saw [Roe|DOCTOR]", "on [5/9|DATE] at [Mercy|HOSPITAL]"]
    second = ["[Kai|PATIENT] [Lee|PATIENT] saw [Roe|DOCTOR]", "on 5/9 at [Mercy|ORGANIZATION]"]
    on = Desk(first, second)
    adjudication = on.open()
    for each in adjudication.queue:
        adjudication.decide(each, Choice.FIRST)
    assert marks(adjudication) == marks_of([pair[0] for pair in on.layers])


def _swap(old, new):
    return Edit("swap", (old,), (new,) if new else ())
