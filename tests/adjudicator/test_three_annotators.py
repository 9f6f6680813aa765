import pytest

from adjudicator.decisions import DecisionChoice
from adjudicator.questions import choice_of_digit, question_about
from adjudicator.session import AdjudicationSession
from adjudicator.worklist import OpenOptions, Stage, WorklistReader, most_annotators
from shared.errors import RequestError
from shared.project.assignments import State
from tests.adjudicator.projects import add_third, gold, make_project

ANA = ("[Lee|DOCTOR] of [Mercy|HOSPITAL] saw [Kai|PATIENT].", "[Kai|PATIENT] called.")
BEN = ("[Lee|PATIENT] of Mercy saw [Kai|PATIENT].", "Kai called.")
CEM = ("[Lee|USERNAME] of [Mercy|HOSPITAL] saw [Kai|PATIENT].", "Kai called.")


@pytest.fixture
def project(tmp_path):
    return add_third(make_project(tmp_path, ANA, BEN), CEM)


def opened(project, **options) -> AdjudicationSession:
    return AdjudicationSession(project, "110", "carol", OpenOptions(**options))


def about(session, words: str):
    return next(each for each in session.queue if each.span.text_in(session.view.text) == words)


def test_what_two_of_three_say_is_a_disagreement(project):
    with opened(project) as session:
        kinds = {each.span.text_in(session.view.text): str(each.kind) for each in session.queue}
    assert kinds == {"Kai": "one-sided", "Mercy": "one-sided", "Lee": "type"}


def test_what_all_three_say_is_taken_over(project):
    opened(project).close()
    assert gold(project)[0] == [("Kai", "PATIENT")]


@pytest.mark.parametrize(
    ("choice", "wanted"),
    [
        (DecisionChoice.FIRST, [("Lee", "DOCTOR")]),
        (DecisionChoice.SECOND, [("Lee", "PATIENT")]),
        (DecisionChoice.THIRD, [("Lee", "USERNAME")]),
        (DecisionChoice.NEITHER, []),
    ],
)
def test_each_can_be_taken(project, choice, wanted):
    with opened(project) as session:
        session.queue.decide(about(session, "Lee"), choice)
    assert [each for each in gold(project)[0] if each[0] == "Lee"] == wanted


def test_all_are_refused_where_they_overlap(project):
    with opened(project) as session, pytest.raises(RequestError, match="several annotators over"):
        session.queue.decide(about(session, "Lee"), DecisionChoice.BOTH)


def test_all_are_one_where_those_who_tag_say_the_same(project):
    with opened(project) as session:
        session.queue.decide(about(session, "Mercy"), DecisionChoice.BOTH)
    assert ("Mercy", "HOSPITAL") in gold(project)[0]


def test_there_is_no_fourth(project):
    with opened(project) as session, pytest.raises(RequestError, match="no fourth annotator"):
        session.queue.decide(session.queue[0], DecisionChoice.FOURTH)


def test_decisions_are_there_again_after_opening(project):
    with opened(project) as session:
        session.queue.decide(about(session, "Lee"), DecisionChoice.THIRD)
    with opened(project) as session:
        assert session.queue.decision(about(session, "Lee")).choice is DecisionChoice.THIRD


def test_one_who_has_not_finished_is_waited_for(project):
    project.set_state("110", "cem", State.BEGUN)
    work = WorklistReader(project).read().works[0]
    assert (work.stage, work.waits_for) == (Stage.WAITING, ("cem",))
    with pytest.raises(RequestError, match="cem has not finished"):
        opened(project)


def test_one_who_has_not_finished_can_be_done_without_waiting(project):
    project.set_state("110", "cem", State.BEGUN)
    with opened(project, force=True) as session:
        assert len(session.queue) == 3


def test_one_who_has_not_begun_a_record_is_said(project):
    project.layer_path("cem", "110-02").unlink()
    with opened(project) as session:
        assert session.notices == ["Record 110-02 has no file from cem; it counts as untagged."]


def test_the_most_annotators_of_a_patient(project):
    assert most_annotators(project) == 3


def test_a_patient_of_one_annotator_is_refused(tmp_path):
    project = make_project(tmp_path)
    (project.root / "assignments.csv").write_text("patient,annotator,state\n110,ana,done\n")
    with pytest.raises(RequestError, match="110 has 1 annotators"):
        opened(project)


class TestBlind:
    def test_the_order_is_drawn_for_good(self, project):
        with opened(project, blind=True) as session:
            order = session.order
            assert sorted(order) == [0, 1, 2]
        with opened(project, blind=True) as session:
            assert session.order == order

    def test_patients_have_orders_of_their_own(self, tmp_path):
        others = {f"p{number}": (["[Kai|PATIENT]"], ["Kai"]) for number in range(120, 140)}
        project = make_project(tmp_path, **others)
        orders = set()
        for patient_id in project.patient_ids:
            session = AdjudicationSession(project, patient_id, "carol", OpenOptions(blind=True))
            orders.add(session.order)
            session.close()
        assert orders == {(0, 1), (1, 0)}

    def test_what_is_shown_in_a_place_is_what_is_taken(self, project):
        with opened(project, blind=True) as session:
            lee = about(session, "Lee")
            for place, card in enumerate(question_about(session, lee, hidden=True).cards):
                shown = card.said.types[0].phi_type
                session.queue.decide(lee, choice_of_digit(session, lee, card.digit, hidden=True))
                assert session.queue.gold.tags_of(session.queue.decision(lee))[0].phi_type == shown
                taken = [each.is_taken for each in question_about(session, lee, hidden=True).cards]
                assert taken.index(True) == place

    def test_decisions_stay_in_the_order_of_the_project(self, project):
        with opened(project, blind=True) as session:
            lee = about(session, "Lee")
            session.queue.decide(lee, choice_of_digit(session, lee, 1, hidden=True))
            decided = session.queue.decision(lee)
            taken = session.annotators[session.order[0]]
        with opened(project) as session:
            again = session.queue.decision(about(session, "Lee"))
            assert again == decided
            assert session.annotators[again.choice.side] == taken

    def test_names_are_nowhere(self, project):
        project.layer_path("cem", "110-02").unlink()
        with opened(project, blind=True) as session:
            question = question_about(session, about(session, "Lee"), hidden=True)
            said = f"{question} {session.notices}"
        assert not any(name in said for name in ("ana", "ben", "cem"))
