"""What the readers of a project tell, and what they cannot tell."""

from math import inf

import pytest

from adjudicator.decisions import DecisionChoice
from adjudicator.project_risk import ProjectRisk, project_risk, risk_of
from adjudicator.risk_statements import missed_figures, risk_statements
from adjudicator.session import AdjudicationSession
from shared.model.i2b2_2014 import I2B2_2014
from shared.risk.missed_phi import MissedPhi, less_added, missed_by_two
from shared.risk.readers import ReaderCounts, ReadPatient
from tests.adjudicator.projects import make_project

SEEN = "Seen by [Lee|DOCTOR] on [2007-05-09|DATE]."
CALL = "Call (617) 555-0123 or write to lee@mercy.org."
HALF = "Seen by [Lee|DOCTOR] on 2007-05-09."


def adjudicated(tmp_path, ana, ben, **others):
    project = make_project(tmp_path, ana, ben, **others)
    for patient_id in project.patient_ids:
        with AdjudicationSession(project, patient_id, "carol") as session:
            for each in list(session.queue):
                if session.queue.is_open(each):
                    session.queue.decide(each, DecisionChoice.FIRST)
            session.finish()
    return project


@pytest.fixture
def project(tmp_path):
    return adjudicated(tmp_path, (SEEN, CALL), (HALF, CALL))


def test_what_a_recognizer_suggests_and_nobody_judged_leaves_no_estimate(project):
    found = project_risk(project, ("rules",))
    assert found.unjudged >= 1
    middle, low, high = found.left["all"].ends
    assert middle == inf
    assert low <= found.unjudged <= high
    assert found.alike is None
    assert found.patients_with_any()[0] == inf
    missed, _ = risk_statements(found, 1)
    assert "Two people and a recognizer" in missed.says[0]
    assert "inf" not in " ".join(missed.says)
    assert missed_figures(found)["missed"]["all"]["left"]["estimate"] is None
    assert "there is no estimate between" in " ".join(missed.limits)


def test_two_readers_have_an_estimate_and_say_what_it_rests_on(project):
    found = project_risk(project, ())
    middle, low, high = found.left["all"].ends
    assert low <= middle <= high < inf
    assert not found.has_recognizer
    missed, _ = risk_statements(found, 1)
    assert missed.says[0].startswith("Two people read the records of the patient")
    assert "miss independently of each other" in missed.limits[0]


def test_where_everything_suggested_is_judged_there_is_an_estimate(tmp_path):
    project = adjudicated(tmp_path, (SEEN,), (HALF,))
    found = project_risk(project, ("rules",))
    assert found.unjudged == 0
    assert found.left["all"].missed < inf
    assert "odds ratio" in " ".join(risk_statements(found, 1)[0].limits)


def risk(missed: MissedPhi, added: int) -> ProjectRisk:
    left = less_added(missed, added)
    figures = ({"all": missed}, {"all": added}, {"all": left})
    return ProjectRisk(ReaderCounts.added([]), *figures, [])


@pytest.mark.parametrize("added", [1, 2])
def test_an_estimate_that_the_adjudicator_refuted_vouches_for_nothing(added):
    found = risk(missed_by_two({(True, True): 50}), added)
    assert found.missed["all"].high < 1
    assert found.left["all"].ends == (inf, 0.0, inf)
    said = risk_statements(found, 1)[0].says[0]
    assert "is estimated at 0 or more; no upper limit can be told" in said


@pytest.mark.parametrize("number", [0, 1, 50, 5000])
def test_nothing_missed_as_far_as_seen_is_no_interval_without_width(number):
    middle, low, high = risk(missed_by_two({(True, True): number}), 0).left["all"].ends
    assert (middle, low) == (0, 0)
    assert high > 0


def test_of_annotators_who_found_nothing_there_is_no_upper_limit(tmp_path):
    found = project_risk(adjudicated(tmp_path, (CALL,), (CALL,)), ())
    assert found.left["all"].ends == (0, 0, inf)
    assert "0.0 (0 or more; no upper limit can be told)" in risk_statements(found, 1)[0].says[0]


def read_by_two(**numbers: tuple[int, int, int, int]) -> ReaderCounts:
    """Of a patient of whose PHI of each type so many were found by both, one, the other, none."""
    types = {each.name: each.phi_type for each in I2B2_2014.types()}
    said = [(True, True), (True, False), (False, True), (False, False)]
    rows = [
        (types[name], *found)
        for name, counts in numbers.items()
        for found, count in zip(said, counts, strict=True)
        for _ in range(count)
    ]
    of_types, first, second = zip(*rows, strict=True)
    read = ReadPatient("110", of_types, {"ana": first, "ben": second})
    return ReaderCounts.of(read, I2B2_2014)


def test_what_was_added_of_one_type_does_not_clear_another():
    """The dates that were added are more than all that may have been missed of both."""
    one = read_by_two(DATE=(600, 0, 0, 0), HOSPITAL=(80, 20, 20, 0))
    both = read_by_two(DATE=(600, 0, 0, 12), HOSPITAL=(80, 20, 20, 0))
    assert risk_of(one).left["all"].low > 0
    found = risk_of(both)
    assert found.added["all"] == 12
    assert found.left["LOCATION:HOSPITAL"].high > 5
    assert found.left["all"].high == inf
    assert found.refuted == ["DATE"]
    limits = " ".join(risk_statements(found, 1)[0].limits)
    assert "more than the estimate allows for of DATE: the readers miss alike" in limits


def test_all_may_be_as_much_as_any_stratum():
    found = risk_of(read_by_two(DATE=(600, 9, 9, 1), HOSPITAL=(80, 20, 20, 4)))
    all_of_it = found.left["all"]
    assert all_of_it.high >= max(each.high for name, each in found.left.items() if name != "all")
    assert all_of_it.low <= all_of_it.missed <= all_of_it.high
    assert not found.refuted
