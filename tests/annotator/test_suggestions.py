"""Suggestions that wait for the annotator's word; no window is needed."""

import re

import pytest

from annotator.rejections import PlacedSuggestion
from annotator.session import AnnotationSession
from annotator.suggestions import SuggestionOrder
from shared.formats.base import Record
from shared.model import Document, Origin, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.journal import read_journal
from shared.project.project import Project

DOCTOR, PATIENT, DATE = (
    PhiType("NAME", "DOCTOR"),
    PhiType("NAME", "PATIENT"),
    PhiType("DATE", "DATE"),
)
TEXTS = {
    "1-01": "Dr. Lee saw Kai on 5/9.\nLee called Kai",
    "1-02": "LEE again, 5/9, Kai",
    "2-01": "Lee",
}


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(name, name[0], text)) for name, text in TEXTS.items()]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


@pytest.fixture
def session(project):
    with opened(project) as session:
        yield session


def opened(project, patient_id="1"):
    session = AnnotationSession(project, "ana", patient_id)
    fill(session)
    return session


def fill(session):
    """Suggest every Lee as a doctor, Kai as a patient and 5/9 as a date, less and less sure."""
    text = session.view.text
    found = [
        PlacedSuggestion(
            at.start(),
            at.end(),
            session.view.section_at(at.start()).record_id,
            phi_type,
            sure - 0.01 * number,
            "test",
        )
        for word, phi_type, sure in (
            ("lee", DOCTOR, 0.995),
            ("kai", PATIENT, 0.8),
            ("5/9", DATE, 0.6),
        )
        for number, at in enumerate(re.finditer(word, text, re.IGNORECASE), start=1)
    ]
    session.review.fill(found)


def shown(session):
    return [each.span.text_in(session.view.text) for each in session.review.shown]


def first(session, text):
    return next(
        each for each in session.review.shown if each.span.text_in(session.view.text) == text
    )


def test_everything_sure_enough_is_shown_in_order(session):
    assert shown(session) == ["Lee", "Kai", "5/9", "Lee", "Kai", "LEE", "5/9", "Kai"]


def test_a_tag_over_it_hides_a_suggestion_and_undo_brings_it_back(session):
    session.tag(Span(0, 9), DOCTOR)
    assert shown(session)[0] == "Kai"
    session.undo()
    assert shown(session)[0] == "Lee"


def test_a_tag_that_moves_off_brings_it_back(session):
    (tag,) = session.tag(Span(0, 7), DOCTOR).added
    session.resize(tag, Span(0, 3))
    assert shown(session)[0] == "Lee"


def test_accepting_is_one_step_with_origin_and_confidence(session):
    session.accept([first(session, "Kai")])
    (placed,) = session.tags
    assert (placed.span, placed.phi_type) == (Span(12, 15), PATIENT)
    assert (placed.tag.origin, placed.tag.confidence) == (Origin.SUGGESTION, 0.79)
    session.undo()
    assert len(session.review.shown) == 8


def test_the_confidence_is_in_journal_and_xml(session, project):
    session.accept([first(session, "Kai")])
    session.save()
    entry = [each for each in journal(session) if each["op"] == "edit"][-1]
    assert (entry["added"][0]["origin"], entry["added"][0]["confidence"]) == ("suggestion", 0.79)
    layer = project.read_layer("ana", session.view.patient.document("1-01")).layer
    assert [(tag.origin, tag.confidence) for tag in layer.tags] == [(Origin.SUGGESTION, 0.79)]


def test_accepting_everywhere_is_one_step(session):
    session.accept(session.review.alike(first(session, "Lee")))
    assert [each.span.text_in(session.view.text) for each in session.tags] == ["Lee", "Lee", "LEE"]
    session.undo()
    assert len(session.tags) == 0


def test_accepting_everywhere_takes_what_is_below_the_threshold_too(session):
    session.review.threshold = 0.79
    assert shown(session).count("Kai") == 1
    assert len(session.review.alike(first(session, "Kai"))) == 3


def test_accepting_all_above_is_one_step(session):
    session.accept(session.review.above(0.97))
    assert len(session.tags) == 2
    session.undo()
    assert len(session.tags) == 0


def test_tagging_as_suggested_is_accepting(session):
    session.tag(Span(12, 15), PATIENT)
    session.tag(Span(4, 7), PATIENT)
    assert [each.tag.origin for each in session.tags] == [Origin.HAND, Origin.SUGGESTION]


def test_the_threshold_shows_and_hides(session):
    told = []
    session.review.changed = told.append
    session.review.threshold = 0.9
    assert shown(session) == ["Lee", "Lee", "LEE"]
    session.review.threshold = 0.0
    assert len(shown(session)) == 8
    assert [(len(each.removed), len(each.added)) for each in told] == [(5, 0), (0, 5)]


def test_counts_at_thresholds(session):
    counts = map(session.review.count_above, [0.0, 0.7, 0.9, 0.99])
    assert list(counts) == [8, 6, 3, 0]


def test_a_rejected_suggestion_stays_away(session, project):
    session.reject(first(session, "Kai"))
    assert shown(session).count("Kai") == 2
    session.close()
    with opened(project) as again:
        assert shown(again).count("Kai") == 2
        assert (again.review.waiting, again.review.rejected) == (7, 1)


def test_rejecting_all_alike_holds_for_the_patient(session, project):
    session.reject(first(session, "Lee"), alike=True)
    assert shown(session) == ["Kai", "5/9", "Kai", "5/9", "Kai"]
    session.close()
    with opened(project) as again:
        assert "LEE" not in shown(again)


def test_a_rejection_says_nothing_about_another_type(session):
    session.reject(first(session, "Lee"), alike=True)
    session.review.fill([PlacedSuggestion(4, 7, "1-01", PATIENT, 0.9, "test")])
    assert shown(session) == ["Lee"]


def test_a_rejection_says_nothing_about_another_patient(session, project):
    session.reject(first(session, "Lee"), alike=True)
    with opened(project, "2") as other:
        assert shown(other) == ["Lee"]


def test_the_journal_says_where_and_never_what(session):
    session.reject(first(session, "Lee"), alike=True)
    entry = journal(session)[-1]
    del entry["at"]
    assert entry == {
        "op": "reject",
        "by": "ana",
        "record": "1-01",
        "start": 4,
        "end": 7,
        "category": "NAME",
        "type": "DOCTOR",
        "alike": True,
    }


def test_rejections_and_edits_are_undone_and_redone_in_order(session):
    session.tag(Span(0, 2), DOCTOR)
    session.reject(first(session, "Kai"))
    session.tag(Span(8, 11), DOCTOR)
    assert session.undo().what == "tag as DOCTOR"
    assert session.undo().what == "reject suggestion"
    assert shown(session).count("Kai") == 3
    assert session.undo().what == "tag as DOCTOR"
    assert session.undo() is None
    assert len(session.redo().added) == 1
    assert session.redo().what == "reject suggestion"
    assert shown(session).count("Kai") == 2
    assert len(session.redo().added) == 1
    assert session.redo() is None


def test_a_new_edit_ends_what_could_be_redone(session):
    session.reject(first(session, "Kai"))
    session.undo()
    session.tag(Span(0, 2), DOCTOR)
    session.undo()
    session.redo()
    assert session.redo() is None
    assert shown(session).count("Kai") == 3


def test_undoing_a_rejection_is_remembered(session, project):
    session.reject(first(session, "Kai"))
    session.undo()
    session.close()
    with opened(project) as again:
        assert shown(again).count("Kai") == 3
        assert again.redo().what == "reject suggestion"
        assert shown(again).count("Kai") == 2


def test_removing_an_accepted_suggestion_turns_it_down_for_good(session, project):
    edit = session.accept([first(session, "Kai")])
    session.remove(edit.added)
    assert (session.review.waiting, session.review.rejected) == (7, 1)
    session.close()
    with opened(project) as again:
        assert (again.review.waiting, again.review.rejected) == (7, 1)
        again.undo()
        assert (len(again.tags), again.review.rejected) == (1, 0)
        again.undo()
        assert (len(again.tags), again.review.waiting) == (0, 8)
        again.redo()
        again.redo()
        assert (len(again.tags), again.review.waiting, again.review.rejected) == (0, 7, 1)


def test_undoing_an_accepted_suggestion_turns_nothing_down(session):
    session.accept([first(session, "Kai")])
    session.undo()
    assert (session.review.waiting, session.review.rejected) == (8, 0)


def test_removing_what_was_tagged_by_hand_turns_nothing_down(session):
    kai = first(session, "Kai").span
    session.remove(session.tag(kai, DOCTOR).added)
    assert (session.review.waiting, session.review.rejected) == (8, 0)


def test_an_accepted_suggestion_that_was_retyped_does_not_come_back_either(session):
    edit = session.accept([first(session, "Kai")])
    session.remove(session.retype(edit.added, DOCTOR).added)
    assert (session.review.waiting, session.review.rejected) == (7, 1)


def test_rejecting_leaves_a_finished_patient_finished(session, project):
    session.finish()
    session.reject(first(session, "Kai"))
    assert session.state is State.DONE


def test_walking_first_to_last_and_around(session):
    review, at = session.review, None
    starts = []
    for _ in range(9):
        at = review.following(SuggestionOrder.BY_PLACE, 0, at)
        starts.append(at.start)
    assert starts == sorted(starts[:8]) + starts[:1]
    assert review.preceding(SuggestionOrder.BY_PLACE, 0, at).start == starts[7]


def test_walking_from_the_caret(session):
    assert session.review.following(SuggestionOrder.BY_PLACE, 12).start == 12
    assert session.review.preceding(SuggestionOrder.BY_PLACE, 12).start == 4


def test_walking_least_sure_first(session):
    review, at = session.review, None
    confidences = []
    for _ in range(8):
        at = review.following(SuggestionOrder.LEAST_SURE, 0, at)
        confidences.append(at.confidence)
    assert confidences == sorted(confidences)
    assert review.following(SuggestionOrder.LEAST_SURE, 0, at).confidence == confidences[0]
    assert review.preceding(SuggestionOrder.LEAST_SURE, 0, at).confidence == confidences[-2]


def test_walking_goes_on_from_what_was_just_accepted(session):
    least = session.review.following(SuggestionOrder.LEAST_SURE, 0)
    session.accept([least])
    assert (
        session.review.following(SuggestionOrder.LEAST_SURE, 0, least).confidence > least.confidence
    )


def test_nothing_to_walk_to(session):
    session.review.fill([])
    for walk in SuggestionOrder:
        assert session.review.following(walk, 0) is None
        assert session.review.preceding(walk, 0) is None


def test_the_suggestion_at_the_caret(session):
    review = session.review
    assert [getattr(review.at(at), "start", None) for at in (3, 4, 6, 7, 8)] == [
        None,
        4,
        4,
        4,
        None,
    ]


def journal(session):
    return read_journal(session.project.journal_path("ana", session.patient_id))
