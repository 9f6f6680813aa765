import pytest

from adjudicator.decisions import DecisionChoice, DecisionMode
from adjudicator.precedents import PrecedentBook
from adjudicator.similarity import MatchLevel, patterns, shape
from shared.metrics.alignment import DifferenceKind
from shared.model import Span
from tests.adjudicator.desk import Desk, about, gold_texts
from tests.builders import layer, patient, phi


@pytest.fixture
def book():
    return PrecedentBook()


def decide(
    book, number: int, first: str, second: str, choice: DecisionChoice, times: int = 1
) -> None:
    """Decide everything about patients that are numbered from `number`."""
    for at in range(number, number + times):
        queue = desk(first, second, at).open(precedents=book)
        for each in queue:
            queue.decide(each, choice)


def desk(first: str, second: str, number: int = 500) -> Desk:
    record = f"{number}-01"
    layers = [layer(first, record, "ana")], [layer(second, record, "ben")]
    return Desk.of(patient(first, patient_id=str(number)), *layers)


def precedent(book, first: str, second: str):
    """What is known about the first disagreement of a new patient."""
    queue = desk(first, second).open(precedents=book)
    return queue.precedent(queue[0])


def said(found) -> tuple:
    return found.level, found.choice, found.count, found.others


class TestShapes:
    @pytest.mark.parametrize(
        ("text", "wanted"),
        [
            ("Lee", "Aa"),
            ("LEE", "A"),
            ("03/04/2071", "9/9/9"),
            ("May 9,\n2071", "Aa 9, 9"),
            ("O'Brien", "Aa'Aa"),
            ("MRN12", "A9"),
        ],
    )
    def test_of_texts(self, text, wanted):
        assert shape(text) == wanted

    def test_likenesses_come_closest_first(self):
        on = desk("saw [Lee|DOCTOR]", "saw Lee")
        key = on.open()[0].key
        found = [each.level for each in patterns("saw Lee", key, DifferenceKind.ONE_SIDED)]
        assert found == [
            MatchLevel.CONTEXT,
            MatchLevel.WORDS,
            MatchLevel.CONTEXT_WORD,
            MatchLevel.FORM,
        ]


class TestFinding:
    def test_nothing_was_decided(self, book):
        assert precedent(book, "[Lee|DOCTOR]", "Lee") is None

    def test_the_same_words_after_the_same_word(self, book):
        decide(book, 1, "saw [Lee|DOCTOR]", "saw Lee", DecisionChoice.FIRST, times=3)
        found = precedent(book, "saw [Lee|DOCTOR]", "saw Lee")
        assert said(found) == (MatchLevel.CONTEXT, DecisionChoice.FIRST, 3, 0)

    def test_the_same_words_elsewhere(self, book):
        decide(book, 1, "at 2/2 or [2/2|DATE]", "at 2/2 or 2/2", DecisionChoice.NEITHER)
        found = precedent(book, "strength [2/2|DATE]", "strength 2/2")
        assert said(found) == (MatchLevel.WORDS, DecisionChoice.NEITHER, 1, 0)

    def test_the_like_after_the_same_word(self, book):
        decide(book, 1, "MRN [12-345|MEDICALRECORD]", "MRN [12-345|IDNUM]", DecisionChoice.FIRST)
        found = precedent(book, "mrn: [77-1|MEDICALRECORD]", "mrn: [77-1|IDNUM]")
        assert said(found) == (MatchLevel.CONTEXT_WORD, DecisionChoice.FIRST, 1, 0)

    @pytest.mark.parametrize(
        ("first", "second", "other_first", "other_second"),
        [
            ("[Lee,|DOCTOR] x", "[Lee|DOCTOR], x", "[Kai Roe,|DOCTOR]", "[Kai Roe|DOCTOR],"),
            ("[Dr. Lee|DOCTOR]", "Dr. [Lee|DOCTOR]", "[Dr. Roe|DOCTOR]", "Dr. [Roe|DOCTOR]"),
            ("[Lee's|PATIENT]", "[Lee|PATIENT]'s", "[Roe's|PATIENT]", "[Roe|PATIENT]'s"),
            ("[1/2/71|DATE]", "1/2/71", "[11/12/2071|DATE]", "11/12/2071"),
            (
                "[Kai Lee|PATIENT]",
                "[Kai|PATIENT] [Lee|PATIENT]",
                "[Jo Roe|PATIENT]",
                "[Jo|PATIENT] [Roe|PATIENT]",
            ),
        ],
    )
    def test_the_same_form(self, book, first, second, other_first, other_second):
        decide(book, 1, first, second, DecisionChoice.FIRST, times=2)
        found = precedent(book, other_first, other_second)
        assert (
            said(found) == (MatchLevel.FORM, DecisionChoice.FIRST, 2, 0)
            or said(found)[0] is MatchLevel.CONTEXT_WORD
        )
        assert found.choice is DecisionChoice.FIRST

    def test_a_title_is_not_a_first_name(self, book):
        decide(book, 1, "[Dr Lee|DOCTOR]", "Dr [Lee|DOCTOR]", DecisionChoice.SECOND, times=2)
        assert precedent(book, "[Kai Lee|DOCTOR]", "Kai [Lee|DOCTOR]") is None

    def test_whoever_says_it(self, book):
        decide(book, 1, "[Dr. Lee|DOCTOR]", "Dr. [Lee|DOCTOR]", DecisionChoice.SECOND)
        found = precedent(book, "Dr. [Roe|DOCTOR]", "[Dr. Roe|DOCTOR]")
        assert found.choice is DecisionChoice.FIRST

    def test_of_several_the_most_frequent_with_those_that_say_otherwise(self, book):
        decide(book, 1, "[Lee|DOCTOR]", "[Lee|PATIENT]", DecisionChoice.FIRST, times=3)
        decide(book, 9, "[Lee|DOCTOR]", "[Lee|PATIENT]", DecisionChoice.SECOND)
        assert said(precedent(book, "[Lee|DOCTOR]", "[Lee|PATIENT]"))[1:] == (
            DecisionChoice.FIRST,
            3,
            1,
        )

    def test_an_edit_of_the_same_words(self, book):
        queue = desk("[Kai Lee Roe|PATIENT]", "Kai Lee Roe", 1).open(precedents=book)
        queue.decide_with(queue[0], [(Span(4, 11), phi("DOCTOR"))])
        found = precedent(book, "x [Kai Lee Roe|PATIENT]", "x Kai Lee Roe")
        assert (found.choice, found.marks) == (
            DecisionChoice.EDITED,
            ((Span(6, 13), phi("DOCTOR")),),
        )

    def test_an_edit_of_words_set_otherwise_is_none(self, book):
        queue = desk("[Kai Lee|PATIENT]", "Kai Lee", 1).open(precedents=book)
        queue.decide_with(queue[0], [(Span(4, 7), phi("DOCTOR"))])
        assert precedent(book, "[Kai\n\nLee|PATIENT]", "Kai\n\nLee") is None

    def test_what_was_taken_back_counts_no_more(self, book):
        queue = desk("[Lee|DOCTOR]", "Lee", 1).open(precedents=book)
        queue.decide(queue[0], DecisionChoice.FIRST)
        queue.gold.undo()
        assert precedent(book, "[Lee|DOCTOR]", "Lee") is None

    def test_this_patient_counts_too(self, book):
        on = desk("[Lee|DOCTOR] [Lee|DOCTOR]", "Lee Lee")
        queue = on.open(precedents=book)
        queue.decide(queue[0], DecisionChoice.FIRST)
        assert said(queue.precedent(queue[1]))[1:] == (
            DecisionChoice.FIRST,
            1,
            0,
        )

    def test_what_is_decided_has_none(self, book):
        queue = desk("[Lee|DOCTOR]", "Lee").open(precedents=book)
        queue.decide(queue[0], DecisionChoice.FIRST)
        assert queue.precedent(queue[0]) is None

    def test_what_opening_took_over_is_none(self, book):
        desk("[Lee|DOCTOR]", "[Lee|DOCTOR]", 1).open(precedents=book)
        assert precedent(book, "[Lee|DOCTOR]", "Lee") is None


class TestClear:
    def clear(self, book, first: str, second: str) -> bool:
        return precedent(book, first, second).is_clear

    def test_one_decision_about_the_same_words(self, book):
        decide(book, 1, "[Lee|DOCTOR]", "Lee", DecisionChoice.NEITHER)
        assert self.clear(book, "[Lee|DOCTOR]", "Lee")

    def test_one_decision_about_the_same_form_is_not(self, book):
        decide(book, 1, "[1/2/71|DATE]", "1/2/71", DecisionChoice.FIRST)
        assert not self.clear(book, "[3/4/72|DATE]", "3/4/72")

    def test_two_are(self, book):
        decide(book, 1, "[1/2/71|DATE]", "1/2/71", DecisionChoice.FIRST, times=2)
        assert self.clear(book, "[3/4/72|DATE]", "3/4/72")

    def test_no_phi_is_never_concluded_from_the_form(self, book):
        decide(book, 1, "[1/2/71|DATE]", "1/2/71", DecisionChoice.NEITHER, times=9)
        assert precedent(book, "[3/4/72|DATE]", "3/4/72") is None

    def test_contested_is_not(self, book):
        decide(book, 1, "[Lee|DOCTOR]", "Lee", DecisionChoice.FIRST, times=9)
        decide(book, 20, "[Lee|DOCTOR]", "Lee", DecisionChoice.NEITHER)
        assert not self.clear(book, "[Lee|DOCTOR]", "Lee")


class TestTaking:
    def test_nothing_is_decided_by_itself(self, book):
        decide(book, 1, "[Lee|DOCTOR]", "Lee", DecisionChoice.FIRST, times=5)
        queue = desk("[Lee|DOCTOR]", "Lee").open(precedents=book)
        assert str(queue.progress) == "0 of 1"

    def test_all_clear_ones_in_one_step(self, book):
        decide(
            book, 1, "[Lee|DOCTOR] on [1/2/71|DATE]", "Lee on 1/2/71", DecisionChoice.FIRST, times=2
        )
        on = desk("[Lee|DOCTOR] on [3/4/72|DATE] in [Rome|CITY]", "Lee on 3/4/72 in Rome")
        queue = on.open(precedents=book)
        queue.decide_all([each.request() for each in queue.proposals()])
        assert str(queue.progress) == "2 of 3"
        decision = queue.decision(about(queue, on.view, "Lee"))
        assert (decision.choice, decision.mode) == (DecisionChoice.FIRST, DecisionMode.REVIEWED)
        queue.gold.undo()
        assert str(queue.progress) == "0 of 3"

    def test_the_least_certain_come_first(self, book):
        decide(
            book, 1, "[Lee|DOCTOR] on [1/2/71|DATE]", "Lee on 1/2/71", DecisionChoice.FIRST, times=2
        )
        on = desk("[Lee|DOCTOR] on [3/4/72|DATE]", "Lee on 3/4/72")
        found = on.open(precedents=book).proposals()
        assert [each.disagreement.span.text_in(on.view.text) for each in found] == ["3/4/72", "Lee"]

    def test_how_it_was_decided_is_kept(self, book):
        on = desk("[Lee|DOCTOR]", "Lee")
        decide(book, 1, "[Lee|DOCTOR]", "Lee", DecisionChoice.FIRST)
        queue = on.open(precedents=book)
        queue.decide_all([each.request(DecisionMode.AS_BEFORE) for each in queue.proposals()])
        again = on.open()
        assert again.decision(again[0]).mode is DecisionMode.AS_BEFORE


class TestAlikeByForm:
    def test_each_gets_what_was_decided_about_the_first(self):
        on = desk("[Dr. Lee|DOCTOR]; Dr. [Roe|DOCTOR]", "Dr. [Lee|DOCTOR]; [Dr. Roe|DOCTOR]")
        queue = on.open()
        first, second = queue
        queue.decide(first, DecisionChoice.SECOND)
        found = queue.similar_by_pattern(first)
        assert [(each.disagreement, each.precedent.choice) for each in found] == [
            (second, DecisionChoice.FIRST)
        ]
        queue.decide_all([each.request() for each in found])
        assert gold_texts(queue, on.view) == [("Lee", "DOCTOR"), ("Roe", "DOCTOR")]

    def test_an_open_one_says_nothing(self):
        queue = desk("[1/2|DATE] [1/3|DATE]", "1/2 1/3").open()
        assert queue.similar_by_pattern(queue[0]) == []
