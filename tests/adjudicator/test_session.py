import json
import os

import pytest

from adjudicator.decisions import DecisionChoice
from adjudicator.session import AdjudicationSession
from adjudicator.worklist import OpenOptions
from shared.errors import (
    ChangedOnDiskError,
    FileFormatError,
    LockedError,
    RequestError,
    TextMismatchError,
)
from shared.model import Layer, Span
from shared.project.assignments import State
from shared.project.chain import Head
from shared.project.journal import write_head
from shared.project.project import Project
from tests.adjudicator.projects import ANA, gold, make_project
from tests.builders import marked_up, phi


@pytest.fixture
def project(tmp_path) -> Project:
    return make_project(tmp_path)


def opened(project, **options) -> AdjudicationSession:
    return AdjudicationSession(project, "110", "carol", OpenOptions(**options))


def test_what_is_agreed_and_decided_is_written_on_close(project):
    with opened(project) as session:
        for each in session.queue:
            session.queue.decide(each, DecisionChoice.FIRST)
    assert gold(project) == [[("Lee", "DOCTOR"), ("Mercy", "HOSPITAL")], [("Kai", "PATIENT")], []]


def test_the_xml_says_nothing_of_origins(project):
    with opened(project) as session:
        session.tag(Span(0, 4), phi("DATE"))
    assert b"origin" not in project.layer_path("gold", "110-01").read_bytes()


def test_decisions_are_there_again_after_opening(project):
    with opened(project) as session:
        session.queue.decide(session.queue[0], DecisionChoice.NEITHER)
    with opened(project) as session:
        assert session.queue.decision(session.queue[0]).choice is DecisionChoice.NEITHER
        assert session.queue.decision(session.queue[0]).by == "carol"
        assert str(session.queue.progress) == "1 of 2"


def test_undo_reaches_over_opening_again(project):
    with opened(project) as session:
        session.queue.decide(session.queue[0], DecisionChoice.FIRST)
    with opened(project) as session:
        session.undo()
        assert session.queue.is_open(session.queue[0])
    assert gold(project)[1] == []


def test_annotators_are_in_the_order_of_the_project(project):
    with opened(project) as session:
        assert session.annotators == ("ana", "ben")


def test_a_tag_that_both_missed_is_added(project):
    with opened(project) as session:
        session.tag(Span(0, 4), phi("USERNAME"))
        assert str(session.queue.progress) == "0 of 2"
    assert ("Seen", "USERNAME") in gold(project)[0]


def test_a_tag_on_an_open_disagreement_decides_it(project):
    with opened(project) as session:
        kai = session.queue[0]
        session.tag(kai.span, phi("USERNAME"))
        assert session.queue.decision(kai).choice is DecisionChoice.EDITED
        assert session.queue.changed() == [kai]


def test_own_tags_decide_as_edited(project):
    with opened(project) as session:
        kai = session.queue[0]
        short = Span(kai.start - kai.shift, kai.end - kai.shift - 1)
        session.queue.decide_with(kai, [(short, phi("PATIENT"))])
    assert gold(project)[1] == [("Ka", "PATIENT")]


@pytest.mark.parametrize("action", ["retype", "resize", "remove"])
def test_editing_a_tag_of_the_gold_standard_edits_the_decision(project, action):
    with opened(project) as session:
        made = session.queue.decide(session.queue[0], DecisionChoice.FIRST).added[0]
        match action:
            case "retype":
                session.retype([made], phi("DOCTOR"))
            case "resize":
                session.resize(made, Span(made.start, made.end - 1))
            case _:
                session.remove([made])
        wanted = DecisionChoice.NEITHER if action == "remove" else DecisionChoice.EDITED
        assert session.queue.decision(session.queue[0]).choice is wanted


def test_a_decision_can_be_reopened(project):
    with opened(project) as session:
        session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        session.queue.reopen(session.queue[0])
        assert session.queue.is_open(session.queue[0])


def test_annotate_all_tags_every_place(project):
    with opened(project) as session:
        spans = [each.span for each in session.occurrences(Span(0, 4), phi("DOCTOR"))]
        session.tag_all(spans, phi("USERNAME"))
        assert [each.phi_type.name for each in session.tags].count("USERNAME") == len(spans)


def test_alike_tags_and_comments_work_as_for_annotators(project):
    with opened(project) as session:
        placed = next(iter(session.tags))
        session.comment(placed, "sure")
        assert session.same_text(next(iter(session.tags)))[0].tag.comment == "sure"


class TestOpening:
    def test_waits_for_both_annotators(self, tmp_path):
        project = make_project(tmp_path, state=State.BEGUN)
        with pytest.raises(RequestError, match="ana and ben have not finished"):
            opened(project)

    def test_does_not_wait_where_the_gold_standard_came_with_the_records(self, tmp_path):
        project = make_project(tmp_path, state=State.TO_DO)
        for each, source in zip(project.patient("110").documents, ANA, strict=True):
            gold = Layer.of(each.record_id, "gold", marked_up(source)[1])
            project.write_layer("gold", each, gold, None)
        with opened(project) as session:
            assert session.is_done

    def test_does_not_wait_when_told_so(self, tmp_path):
        with opened(make_project(tmp_path, state=State.BEGUN), force=True) as session:
            assert len(session.queue) == 2

    def test_asks_about_agreements_when_told_so(self, project):
        with opened(project, review_agreements=True) as session:
            assert len(session.queue) == 3

    def test_is_refused_while_somebody_else_has_it(self, project):
        with opened(project), pytest.raises(LockedError, match="carol"):
            AdjudicationSession(project, "110", "dora")

    def test_gives_the_lock_back(self, project):
        opened(project).close()
        opened(project).close()

    def test_gives_the_lock_back_where_it_fails(self, project):
        path = project.layer_path("gold", "110-01")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"<broken")
        with pytest.raises(FileFormatError):
            opened(project)
        path.unlink()
        opened(project).close()

    def test_leaves_out_a_record_whose_layer_is_broken(self, project):
        project.layer_path("ben", "110-02").write_bytes(b"<broken")
        with opened(project) as session:
            assert [each.record_id for each in session.queue] == ["110-01"]
            assert session.notices[0].startswith("Record 110-02 is left out: ")
            session.queue.decide(session.queue[0], DecisionChoice.FIRST)
            with pytest.raises(RequestError, match="110-02 was left out"):
                session.finish()

    def test_leaves_out_a_record_whose_layers_are_of_other_texts(self, project):
        path = project.layer_path("ben", "110-02")
        path.write_bytes(path.read_bytes().replace(b"called", b"rang"))
        with opened(project) as session:
            assert len(session.notices) == 1
            assert "another text" in session.notices[0]

    def test_takes_a_record_in_again_once_it_is_mended(self, project):
        path = project.layer_path("ben", "110-02")
        whole = path.read_bytes()
        path.write_bytes(b"<broken")
        opened(project).close()
        path.write_bytes(whole)
        with opened(project) as session:
            assert len(session.queue) == 2

    def test_says_where_one_annotator_has_no_file(self, project):
        project.layer_path("ben", "110-02").unlink()
        with opened(project) as session:
            assert "no file from ben" in session.notices[0]

    def test_offsets_that_do_not_fit_leave_out_the_record(self, project):
        path = project.layer_path("ana", "110-02")
        path.write_bytes(path.read_bytes().replace(b'end="3"', b'end="4"'))
        with pytest.raises(TextMismatchError):
            project.read_layer("ana", project.patient("110").documents[1])
        with opened(project) as session:
            assert len(session.notices) == 1

    def test_refuses_a_journal_with_an_entry_it_cannot_read(self, project):
        path = project.journal_path("gold", "110")
        opened(project).close()
        with path.open("a") as file:
            file.write(json.dumps({"op": "edit", "number": 7}) + "\n")
        with pytest.raises(FileFormatError, match="cannot read"):
            opened(project)

    def test_passes_over_a_torn_line(self, project):
        with opened(project) as session:
            session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        with project.journal_path("gold", "110").open("a") as file:
            file.write('{"op": "edit", "num')
        with opened(project) as session:
            assert str(session.queue.progress) == "1 of 2"


class TestGoldStandardThatWasThere:
    def keep(self, project, source="Seen by [Lee|USERNAME] of Mercy.") -> None:
        first = project.patient("110").documents[0]
        kept = Layer.of(first.record_id, "gold", marked_up(source)[1])
        project.write_layer("gold", first, kept, None)

    def test_is_kept(self, project):
        self.keep(project)
        before = project.layer_path("gold", "110-01").read_bytes()
        opened(project).close()
        assert project.layer_path("gold", "110-01").read_bytes() == before

    def test_what_it_lacks_is_asked(self, project):
        self.keep(project)
        with opened(project) as session:
            assert [session.queue.is_open(each) for each in session.queue] == [True, False, True]


class TestDone:
    def test_is_refused_while_something_is_open(self, project):
        with opened(project) as session:
            session.queue.decide(session.queue[0], DecisionChoice.FIRST)
            with pytest.raises(RequestError, match="1 disagreement is still open"):
                session.finish()

    def test_gives_every_record_a_gold_standard(self, project):
        with opened(project) as session:
            finish(session)
        assert project.is_adjudicated("110")

    def test_is_remembered_until_something_changes(self, project):
        with opened(project) as session:
            finish(session)
        with opened(project) as session:
            assert session.is_done
            session.undo()
            assert not session.is_done
        with opened(project) as session:
            assert not session.is_done

    def test_twice_is_once(self, project):
        with opened(project) as session:
            finish(session)
            session.finish()
        text = project.journal_path("gold", "110").read_text()
        assert text.count('"op":"done"') == 1


class TestSafety:
    def test_a_gold_standard_changed_by_somebody_else_is_not_overwritten(self, project):
        with opened(project) as session:
            session.queue.decide(session.queue[0], DecisionChoice.FIRST)
            session.save()
            path = project.layer_path("gold", "110-02")
            changed = path.read_bytes() + b"<!-- by hand -->"
            path.write_bytes(changed)
            session.undo()
            with pytest.raises(ChangedOnDiskError):
                session.save()
            assert path.read_bytes() == changed
            path.unlink()
            session._files.digests["110-02"] = None

    def test_it_is_said_on_opening(self, project):
        with opened(project) as session:
            session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        path = project.layer_path("gold", "110-02")
        path.write_bytes(path.read_bytes().replace(b"PATIENT", b"DOCTOR"))
        with opened(project) as session:
            assert "changed outside" in session.notices[0]
            assert session.queue.is_changed(session.queue[0])

    def test_a_gold_standard_that_is_gone_is_made_again(self, project):
        with opened(project) as session:
            session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        path = project.layer_path("gold", "110-02")
        before = path.read_bytes()
        path.unlink()
        with opened(project) as session:
            assert "rebuilt" in session.notices[0]
            assert str(session.queue.progress) == "1 of 2"
        assert path.read_bytes() == before
        with opened(project) as session:
            assert not session.notices

    def test_decisions_survive_the_death_of_the_program(self, project):
        child = os.fork()
        if child == 0:
            session = opened(project)
            session.queue.decide(session.queue[0], DecisionChoice.FIRST)
            session.tag(Span(0, 4), phi("USERNAME"))
            os.kill(os.getpid(), 9)
        os.waitpid(child, 0)
        with opened(project) as session:
            assert str(session.queue.progress) == "1 of 2"
            assert not session.notices
        assert gold(project)[1] == [("Kai", "PATIENT")]

    def test_a_save_that_the_journal_did_not_note_is_no_change_by_others(self, project):
        with opened(project) as session:
            session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        path = project.journal_path("gold", "110")
        lines = path.read_bytes().splitlines(keepends=True)
        path.write_bytes(b"".join(lines[:-1]))
        write_head(path, Head.of(path.read_bytes()))
        with opened(project) as session:
            assert not session.notices

    def test_no_text_of_a_record_is_in_the_journal(self, project):
        with opened(project) as session:
            finish(session)
        assert b"Kai" not in project.journal_path("gold", "110").read_bytes()


def finish(session) -> None:
    for each in session.queue:
        session.queue.decide(each, DecisionChoice.FIRST)
    session.finish()
