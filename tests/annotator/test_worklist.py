"""Patients in the order of what would be learnt from them."""

import pytest

from annotator.recognizers import SuggestionBatch
from annotator.rejections import PlacedSuggestion
from annotator.worklist import (
    AnnotatorWorklist,
    in_order,
    mean_uncertainty,
    uncertainties,
)
from shared.formats.base import Record
from shared.model import Document, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import Assignment, State
from shared.project.project import Project
from shared.project.settings import Policy

DOCTOR = PhiType("NAME", "DOCTOR")


def suggestion(confidence):
    return PlacedSuggestion(0, 3, "1-01", DOCTOR, confidence, "test")


@pytest.mark.parametrize(
    ("confidences", "uncertainty"),
    [([], 0), ([1.0], 0), ([0.5], 1), ([0.0], 0), ([0.75, 0.5], 0.75)],
)
def test_doubt_is_greatest_where_it_is_even(confidences, uncertainty):
    assert mean_uncertainty(map(suggestion, confidences)) == uncertainty


class Unsure:
    """Is less sure the longer the text; finds twice, as recognizers do."""

    def suggest(self, view, policy):
        yield SuggestionBatch((), "the rules")
        yield SuggestionBatch((suggestion(1 - len(view.text) / 100),), "all")


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"{n}-01", str(n), "x" * n * 10)) for n in range(1, 5)]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


def test_the_last_word_of_the_recognizers_counts(project):
    assert uncertainties(project, "ana", ["1", "3"], Unsure()) == pytest.approx(
        {"1": 0.2, "3": 0.6}
    )


def test_patients_without_suggestions_are_not_looked_at(project):
    project.set_suggestions(project.suggestions.changed("ana", Policy.RULES, "1"))
    assert list(uncertainties(project, "ana", ["1", "3"], Unsure())) == ["3"]


def test_what_is_to_do_comes_last_and_the_most_doubtful_first():
    states = {
        "1": State.TO_DO,
        "2": State.DONE,
        "3": State.TO_DO,
        "4": State.BEGUN,
        "5": State.TO_DO,
    }
    worklist = AnnotatorWorklist(
        tuple(Assignment(each, "ana", state) for each, state in states.items())
    )
    ordered = in_order(worklist, {"1": 0.2, "3": 0.6, "4": 0.9})
    assert [work.patient_id for work in ordered.works] == ["2", "4", "3", "1", "5"]
    assert ordered.next_open("4") == "3"
