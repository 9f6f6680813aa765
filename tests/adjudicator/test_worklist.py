import os

import pytest

from adjudicator.decisions import DecisionChoice
from adjudicator.session import AdjudicationSession
from adjudicator.worklist import (
    OpenOptions,
    Stage,
    WorklistReader,
    annotators_by_patient,
)
from shared.errors import RequestError
from shared.model import Layer
from shared.project.assignments import State
from tests.adjudicator.projects import make_project
from tests.adjudicator.release.sessions import make


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, p120=(["[Kai|PATIENT]"], ["Kai"]))


def stages(project) -> list[Stage]:
    return [work.stage for work in WorklistReader(project).read().works]


def test_patients_are_to_do_once_both_have_finished(project):
    assert stages(project) == [Stage.READY, Stage.READY]


def test_patients_wait_for_whom_has_not_finished(project):
    project.set_state("110", "ben", State.BEGUN)
    work = WorklistReader(project).read().works[0]
    assert (work.stage, work.waits_for) == (Stage.WAITING, ("ben",))


def test_an_opened_patient_waits_for_whom_has_not_finished(project):
    AdjudicationSession(project, "110", "carol").close()
    project.set_state("110", "ben", State.BEGUN)
    worklist = WorklistReader(project).read()
    assert (worklist.works[0].stage, worklist.works[0].waits_for) == (Stage.WAITING, ("ben",))
    assert worklist.next_open() == "120"


def test_an_opened_patient_is_begun(project):
    AdjudicationSession(project, "110", "carol").close()
    assert stages(project)[0] is Stage.BEGUN


def test_a_finished_patient_is_done(project):
    with AdjudicationSession(project, "120", "carol") as session:
        session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        session.finish()
    worklist = WorklistReader(project).read()
    assert worklist.works[1].stage is Stage.DONE
    assert worklist.done == 1


def test_a_gold_standard_that_was_imported_is_done(project):
    document = project.patient("120").documents[0]
    project.write_layer("gold", document, Layer.of("120-01", "gold", ()), None)
    assert stages(project)[1] is Stage.DONE


def test_decisions_that_cannot_be_read_are_broken(project):
    AdjudicationSession(project, "110", "carol").close()
    project.journal_path("gold", "110").write_text("nothing\n")
    assert stages(project) == [Stage.BROKEN, Stage.READY]


def test_next_open_passes_over_those_that_wait(project):
    project.set_state("120", "ben", State.BEGUN)
    assert WorklistReader(project).read().next_open("110") == "110"


def test_next_open_is_none_where_all_wait(project):
    for patient_id in ("110", "120"):
        project.set_state(patient_id, "ben", State.BEGUN)
    assert WorklistReader(project).read().next_open() is None


def test_annotators_are_in_the_order_of_the_project(project):
    assert annotators_by_patient(project)["110"] == ("ana", "ben")


def test_reading_again_reads_a_journal_only_where_it_has_changed(project):
    AdjudicationSession(project, "110", "carol").close()
    reader, path = WorklistReader(project), project.journal_path("gold", "110")
    assert reader.read().works[0].stage is Stage.BEGUN
    told, size = path.stat(), len(path.read_bytes())
    path.write_bytes(b"?" * (size - 1) + b"\n")
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns))
    assert reader.read().works[0].stage is Stage.BEGUN
    os.utime(path, ns=(told.st_atime_ns, told.st_mtime_ns + 1))
    assert reader.read().works[0].stage is Stage.BROKEN


def test_what_is_known_of_a_patient_is_not_read(project):
    project.journal_path("gold", "110").parent.mkdir(parents=True)
    project.journal_path("gold", "110").write_text("nothing\n")
    known = {"110": Stage.DONE}
    assert WorklistReader(project).read(known).works[0].stage is Stage.DONE


def test_a_journal_that_says_nothing_of_times_is_no_change(project):
    with AdjudicationSession(project, "120", "carol") as session:
        session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        session.finish()
    project.journal_path("ben", "120").parent.mkdir(parents=True, exist_ok=True)
    project.journal_path("ben", "120").write_text('{"x":1}\n{"op":"edit"}\n')
    assert WorklistReader(project).read().works[1].changed_by == ()
    with project.journal_path("gold", "120").open("a") as journal:
        journal.write('{"op":"done","at":"long ago"}\n')
    assert WorklistReader(project).read().works[1].changed_by == ()


def imported(tmp_path):
    """A project whose gold standard came with the records, of which an adjudicator took a tag."""
    project = make(tmp_path, {"110-01": "[Kai|PATIENT] saw Dr. [Lee|DOCTOR]."})
    with AdjudicationSession(project, "110", "carol") as session:
        session.remove([next(iter(session.tags))])
        session.save()
    return project


def test_an_imported_gold_standard_that_was_edited_waits_for_nobody(tmp_path):
    project = imported(tmp_path)
    work = WorklistReader(project).read().works[0]
    assert (work.stage, work.waits_for) == (Stage.BEGUN, ())
    with AdjudicationSession(project, "110", "carol") as session:
        assert [each.phi_type.name for each in session.tags] == ["DOCTOR"]


def test_an_imported_gold_standard_that_was_edited_waits_for_whom_has_begun(tmp_path):
    project = imported(tmp_path)
    project.set_state("110", "ben", State.BEGUN)
    work = WorklistReader(project).read().works[0]
    assert (work.stage, work.waits_for) == (Stage.WAITING, ("ana", "ben"))
    with pytest.raises(RequestError, match="ana and ben have not finished"):
        AdjudicationSession(project, "110", "carol")


def test_a_gold_standard_that_an_adjudicator_began_waits_although_nobody_annotates(tmp_path):
    project = make_project(tmp_path, state=State.TO_DO)
    with AdjudicationSession(project, "110", "carol", OpenOptions(force=True)) as session:
        session.remove([next(iter(session.tags))])
        session.save()
    with pytest.raises(RequestError, match="have not finished"):
        AdjudicationSession(project, "110", "carol")
