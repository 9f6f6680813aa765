"""Reading a drawn record, without windows."""

import pytest

from adjudicator.audit_book import SHOWN, AuditBook, adjudicated_records, standing
from adjudicator.audit_session import AuditSession, DrawnRecords
from adjudicator.decision_log import read_log
from adjudicator.session import AdjudicationSession
from adjudicator.worklist import OpenOptions
from shared.errors import LockedError, RequestError
from shared.model import PhiType, Span
from tests.adjudicator.projects import make_project

DOCTOR = PhiType("NAME", "DOCTOR")
TEXT = "[Kai|PATIENT] saw Dr. Petty."
PETTY = Span(12, 17)


@pytest.fixture
def project(tmp_path):
    """Two adjudicated patients in whose records both annotators missed a name."""
    sources = (TEXT, "Nothing.")
    project = make_project(tmp_path, sources, sources, p111=(sources, sources))
    for patient_id in project.patient_ids:
        with AdjudicationSession(project, patient_id, "carol") as session:
            session.finish()
    return project


def draw(project, tags="hidden"):
    archive = adjudicated_records(project)
    return DrawnRecords.of(
        project, AuditBook(project).draw(archive, len(archive), "carol", tags, None)
    )


def read(session):
    session.record_visible(Span(0, len(session.view.text)))


def names(project, patient_id="110"):
    document = project.patient(patient_id).documents[0]
    layer = project.read_layer("gold", document).layer
    return [each.span.text_in(document.text) for each in layer.tags]


def test_a_record_has_no_tags_where_they_are_hidden_and_those_of_gold_where_not(project):
    with AuditSession(draw(project), "110-01", "dan") as session:
        assert len(session.tags) == 0
    with AuditSession(draw(project, SHOWN), "110-01", "dan") as session:
        assert len(session.tags) == 1
    with AuditSession(draw(project, SHOWN), "110-01", "dan") as session:
        assert len(session.tags) == 1


def test_only_what_was_on_the_screen_to_its_end_counts(project):
    records = draw(project)
    with AuditSession(records, "110-01", "dan") as session:
        session.record_visible(Span(0, 10))
        with pytest.raises(RequestError, match="read to its end"):
            session.finish()
        assert not records.book.latest().read
        read(session)
        session.finish()
    assert records.book.latest().read == {"110-01"}


def test_what_the_adjudicator_has_read_is_not_read_for_the_audit(project):
    with AdjudicationSession(project, "110", "carol") as session:
        read(session)
    with AuditSession(draw(project), "110-01", "dan") as session:
        assert session.reading.unread_records() == ["110-01"]


def test_one_draw_does_not_count_as_read_for_the_next(project):
    with AuditSession(draw(project), "110-01", "dan") as session:
        read(session)
        session.finish()
    with AuditSession(draw(project), "110-01", "dan") as session:
        assert session.reading.unread_records() == ["110-01"]


def test_what_was_left_goes_into_gold_and_the_patient_stays_done(project):
    records = draw(project)
    with AuditSession(records, "110-01", "dan") as session:
        read(session)
        session.tag(Span(0, 3), PhiType("NAME", "PATIENT"))
        session.tag(PETTY, DOCTOR)
        assert [each.span for each in session.uncovered()] == [PETTY]
        session.finish()
    assert names(project) == ["Kai", "Petty"]
    assert project.is_adjudicated("110")
    audit = records.book.latest()
    assert (audit.with_phi, audit.found) == ({"110-01"}, 1)
    assert audit.readings[0].by == "dan"
    now = standing(audit, adjudicated_records(project))
    assert (now.changed, now.pending, now.mended) == ((), (), ())
    problems = []
    assert not any(each.is_edited_after for each in read_log(project, ["110"], problems))
    assert not problems


def test_undone_in_gold_it_is_said_to_be_missing(project):
    records = draw(project)
    with AuditSession(records, "110-01", "dan") as session:
        read(session)
        session.tag(PETTY, DOCTOR)
        session.finish()
    with AdjudicationSession(project, "110", "carol") as session:
        session.undo()
        session.finish()
    now = standing(records.book.latest(), adjudicated_records(project))
    assert now.pending == now.changed == ("110-01",)
    assert records.book.latest().with_phi == {"110-01"}


def test_what_the_reader_says_is_none_is_not_added(project):
    records = draw(project)
    with AuditSession(records, "110-01", "dan") as session:
        read(session)
        session.tag(PETTY, DOCTOR)
        session.finish(none=[(PETTY, DOCTOR)])
    assert names(project) == ["Kai"]
    assert records.book.latest().readings[0].none == 1
    assert not records.book.latest().with_phi


def test_while_somebody_has_the_patient_open_nothing_is_kept(project):
    records = draw(project)
    with AuditSession(records, "110-01", "dan") as session:
        read(session)
        session.tag(PETTY, DOCTOR)
        with AdjudicationSession(project, "110", "carol"), pytest.raises(LockedError):
            session.finish()
        assert not records.book.latest().read
        session.finish()
    assert names(project) == ["Kai", "Petty"]


def test_where_nothing_is_left_nobody_needs_the_patient(project):
    records = draw(project)
    with AdjudicationSession(project, "110", "carol"), AuditSession(records, "110-01", "d") as one:
        read(one)
        one.finish()
    assert records.book.latest().read == {"110-01"}


def test_a_record_that_is_adjudicated_no_more_is_not_read(project):
    records = draw(project)
    with AdjudicationSession(project, "110", "carol", OpenOptions()) as session:
        session.reopen()
    with pytest.raises(RequestError, match="not adjudicated any more"):
        AuditSession(records, "110-01", "dan")


def test_what_was_marked_survives_and_the_source_is_untouched(project):
    records = draw(project)
    before = (project.root / "records" / "110" / "110-01.txt").read_bytes()
    with AuditSession(records, "110-01", "dan") as session:
        session.tag(PETTY, DOCTOR)
    with AuditSession(records, "110-01", "dan") as session:
        assert [each.span for each in session.tags] == [PETTY]
    assert (project.root / "records" / "110" / "110-01.txt").read_bytes() == before
    assert names(project) == ["Kai"]
