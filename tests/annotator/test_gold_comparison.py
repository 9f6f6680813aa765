"""What an annotator sees of the gold standard: nothing too early, nothing of anybody else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.gold_comparison import compare_with_gold
from annotator.session import AnnotationSession
from shared.errors import FileFormatError, RequestError
from shared.formats.base import Record
from shared.model import Document, Layer, MergedView, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.edits import PlacedTag
from shared.project.notes import NoteBook, NoteKind, NotePlace
from shared.project.project import Project
from shared.project.settings import GOLD
from tests.adjudicator.projects import add_third, make_project
from tests.annotator.gold import adjudicate, let_gold_be_shown, project_that_shows_gold, reopen
from tests.strategies import tags

BOTH = (
    ["Seen by [Lee|DOCTOR] of [Mercy|HOSPITAL] on [May 9|DATE], [Ann|PATIENT] came.", "Nothing."],
    ["Seen by [Lee|PATIENT] of [Mercy|HOSPITAL] on [May|DATE] 9, Ann came.", "Nothing."],
)


@pytest.fixture
def project(tmp_path):
    made = project_that_shows_gold(tmp_path, *BOTH)
    adjudicate(made, Lee="PATIENT", reasons=[("Lee", "Ben is right: she is the patient's aunt")])
    return made


def own_tags(project, annotator, patient_id="110"):
    with AnnotationSession(project, annotator, patient_id) as session:
        return tuple(session.tags)


def compared(project, annotator):
    own = own_tags(project, annotator)
    return compare_with_gold(project, annotator, "110", own)


def told(comparison):
    def said(marks):
        return [(span.text_in(comparison.view.text), phi_type.name) for span, phi_type in marks]

    return [(each.kind_words, said(each.own), said(each.gold)) for each in comparison.differences]


def test_each_sees_where_gold_says_otherwise(project):
    assert told(compared(project, "ana")) == [("type", [("Lee", "DOCTOR")], [("Lee", "PATIENT")])]
    assert told(compared(project, "ben")) == [
        ("too short", [("May", "DATE")], [("May 9", "DATE")]),
        ("missed", [], [("Ann", "PATIENT")]),
    ]


def test_what_gold_has_not_is_extra(tmp_path):
    project = project_that_shows_gold(tmp_path, ["[Kai|PATIENT] came"], ["Kai came"])
    adjudicate(project, Kai="")
    assert told(compared(project, "ana")) == [("extra", [("Kai", "PATIENT")], [])]
    assert told(compared(project, "ben")) == []


def test_what_is_alike_is_counted_by_tags(project):
    alike = [phi_type.name for _, phi_type in compared(project, "ana").same]
    assert alike == ["HOSPITAL", "DATE", "PATIENT"]


def test_places_are_those_of_the_merged_view(tmp_path):
    sides = ["Nothing at all.", "[Kai|PATIENT] came"], ["Nothing at all.", "Kai came"]
    project = project_that_shows_gold(tmp_path, *sides)
    adjudicate(project)
    (difference,) = compared(project, "ben").differences
    assert (difference.start, difference.record_id) == (len("Nothing at all.\n"), "110-02")


class TestReasons:
    def test_the_adjudicators_reason_is_shown_without_the_other_annotators_name(self, project):
        (difference,) = compared(project, "ana").differences
        assert difference.reasons == ("[another annotator] is right: she is the patient's aunt",)

    def test_a_reason_elsewhere_is_not_shown(self, project):
        assert not any(each.reasons for each in compared(project, "ben").differences)

    def test_the_last_reason_counts(self, project):
        with_reason(project, "first thought")
        with_reason(project, "second thought")
        (difference,) = compared(project, "ana").differences
        assert difference.reasons == ("second thought",)

    def test_names_are_left_out_in_any_script_and_case_but_not_within_words(self, project):
        with_reason(project, "BEN说得对, benign, ben-e")
        (difference,) = compared(project, "ana").differences
        assert difference.reasons == ("[another annotator]说得对, benign, [another annotator]-e",)

    def test_nothing_else_of_the_decisions_is_there(self, project):
        project = add_third(project, BOTH[1])
        words = repr(compared(project, "ana").differences)
        assert not any(each in words for each in ("ben", "cem", "carol", "first", "second", "both"))


class TestAnswers:
    def ask(self, project, who, words, answer):
        text = project.patient("110").document("110-01").text
        place = NotePlace("110-01", Span(at := text.index(words), at + len(words)))
        NoteBook(project, who).write("110", NoteKind.QUESTION, place, f"What is {words}?")
        adjudicator = NoteBook(project, GOLD)
        adjudicator.refresh()
        asked = next(each for each in adjudicator.threads("110") if each.note.writer == who)
        adjudicator.answer(asked, answer)

    def test_the_answer_to_ones_own_question_stands_with_the_difference(self, project):
        self.ask(project, "ana", "Lee", "A patient, as Ben has it")
        (difference,) = compared(project, "ana").differences
        assert difference.reasons[1:] == (
            "A patient, as [another annotator] has it (to “What is Lee?”)",
        )

    def test_nothing_of_anybody_elses_question_is_shown(self, project):
        self.ask(project, "ben", "Lee", "A patient")
        (difference,) = compared(project, "ana").differences
        assert len(difference.reasons) == 1

    def test_nor_an_answer_on_another_place(self, project):
        self.ask(project, "ana", "Mercy", "A hospital")
        (difference,) = compared(project, "ana").differences
        assert len(difference.reasons) == 1


def with_reason(project, reason):
    from adjudicator.session import AdjudicationSession

    with AdjudicationSession(project, "110", "carol") as session:
        about = next(each for each in session.queue if each.types[0].name == "DOCTOR")
        session.queue.remark(about, reason, discuss=False)


class TestNotYet:
    def test_where_the_project_does_not_say_so(self, tmp_path):
        project = make_project(tmp_path, *BOTH)
        adjudicate(project)
        refuses(project, "ana", "this project does not show the gold standard to annotators")

    def test_where_it_says_so_no_more_since_it_was_opened(self, project):
        let_gold_be_shown(project, shown=False)
        refuses(project, "ana", "this project does not show")

    def test_before_adjudication(self, tmp_path):
        refuses(project_that_shows_gold(tmp_path, *BOTH), "ana", "is not adjudicated yet")

    def test_while_it_is_adjudicated(self, tmp_path):
        project = project_that_shows_gold(tmp_path, *BOTH)
        adjudicate(project, done=False)
        refuses(project, "ana", "is not adjudicated yet")

    def test_after_the_adjudicator_has_reopened_the_patient(self, project):
        reopen(project)
        refuses(project, "ana", "is not adjudicated yet")

    def test_while_it_is_skipped(self, project):
        from adjudicator.session import AdjudicationSession

        with AdjudicationSession(project, "110", "carol") as session:
            session.skip("scans")
        refuses(project, "ana", "is not adjudicated yet")

    def test_before_the_annotator_is_done_whatever_gold_there_is(self, project):
        project.set_state("110", "ana", State.BEGUN)
        refuses(project, "ana", "is not done; mark it as done before you compare it")

    def test_after_the_annotator_has_changed_something_again(self, project):
        with AnnotationSession(project, "ana", "110") as session:
            session.tag(Span(0, 4), PhiType("NAME", "PATIENT"))
        refuses(project, "ana", "is not done")

    def test_who_has_no_share_in_the_patient(self, project):
        path = project.root / "assignments.csv"
        path.write_text(path.read_text().replace("110,ben,done\n", ""))
        own = own_tags(project, "ana")
        with pytest.raises(RequestError, match="patient 110 is not assigned to ben"):
            compare_with_gold(project, "ben", "110", own)


class TestBroken:
    def test_gold_that_is_missing_is_not_taken_for_no_tags(self, project):
        project.layer_path(GOLD, "110-02").unlink()
        refuses(project, "ana", "110-02.xml: is missing", FileFormatError)

    def test_gold_that_is_broken(self, project):
        project.layer_path(GOLD, "110-01").write_text("<root>")
        refuses(project, "ana", "110-01.xml", FileFormatError)

    def test_gold_that_somebody_restored_from_an_older_copy(self, project):
        path = project.layer_path(GOLD, "110-01")
        path.write_bytes(path.read_bytes().replace(b"PATIENT", b"DOCTOR"))
        refuses(project, "ana", "was changed since the patient was adjudicated", FileFormatError)

    @pytest.mark.parametrize(
        "line", ['{"x": 1}', '{"op": "note", "record": "110-01"}', "nonsense", '{"op": "note"}']
    )
    def test_a_journal_that_cannot_be_read(self, project, line):
        path = project.journal_path(GOLD, "110")
        path.write_text(f"{line}\n{path.read_text()}")
        refuses(project, "ana", "110.jsonl", FileFormatError)


def refuses(project, annotator, words, error=RequestError):
    own = own_tags(project, annotator)
    with pytest.raises(error, match=words):
        compare_with_gold(project, annotator, "110", own)


@given(tag_layers=st.data())
def test_whatever_is_tagged_is_told_once_and_nothing_else(shown_project, tag_layers):
    text = shown_project.patient("1").documents[0].text
    own, gold = (tag_layers.draw(st.lists(tags(len(text)), max_size=6)) for _ in range(2))
    found = comparison_of(shown_project, own, gold)
    same = set(found.same)
    for of_whom, side in ((own, "own"), (gold, "gold")):
        told = [mark for each in found.differences for mark in getattr(each, side)]
        assert len(told) == len(set(told))
        assert same.isdisjoint(told)
        assert same | set(told) == {each.mark for each in of_whom}
    alike = {each.mark for each in own} == {each.mark for each in gold}
    assert alike is not bool(found.differences)


@pytest.fixture(scope="module")
def shown_project(tmp_path_factory):
    records = [Record(Document("1-01", "1", "Seen by Lee on May 9, with Ann."))]
    root = tmp_path_factory.mktemp("shown") / "p"
    made = Project.create(
        root, "p", I2B2_2014, records, ["ana", "ben"], 1, show_gold_to_annotators=True
    )
    made.set_state("1", "ana", State.DONE)
    return made


def comparison_of(project, own, gold):
    document = project.patient("1").documents[0]
    view = MergedView(project.patient("1"))
    before = project.read_layer(GOLD, document).digest
    project.write_layer(GOLD, document, Layer.of("1-01", GOLD, gold), before)
    mine = [PlacedTag.of(view, "1-01", each) for each in Layer.of("1-01", "ana", own).tags]
    return compare_with_gold(project, "ana", "1", mine)
