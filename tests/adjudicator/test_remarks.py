import json
from dataclasses import replace

import pytest

from adjudicator.decision_log import count_by_kind, read_log, to_markdown
from adjudicator.decisions import DecisionChoice
from adjudicator.other_patients import ProjectPrecedents
from adjudicator.session import AdjudicationSession
from shared.commands.main import main
from shared.model import PhiType, Span
from shared.project.notes import NoteBook, NoteKind, NotePlace
from tests.adjudicator.projects import make_project


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, p120=(["[Kai|PATIENT]"], ["Kai"]))


def opened(project, patient_id="110") -> AdjudicationSession:
    return AdjudicationSession(project, patient_id, "carol")


def flag(project, reason="who is Kai?") -> None:
    with opened(project) as session:
        session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        session.queue.remark(session.queue[0], reason, discuss=True)


def run(project, *arguments) -> int:
    return main(["adjudicate", str(project.root), *map(str, arguments)])


def log_of(project, *, with_text=False):
    problems = []
    entries = list(read_log(project, ["110"], problems, with_text=with_text))
    assert problems == []
    return entries


class TestRemarks:
    def test_are_there_again_after_opening(self, project):
        flag(project)
        with opened(project) as session:
            note = session.queue.remark_on(session.queue[0])
            assert (note.reason, note.discuss, note.by) == ("who is Kai?", True, "carol")

    def test_decide_nothing(self, project):
        with opened(project) as session:
            session.queue.remark(session.queue[0], "unsure", discuss=True)
            assert session.queue.is_open(session.queue[0])

    def test_the_last_one_counts(self, project):
        flag(project)
        with opened(project) as session:
            session.queue.remark(session.queue[0], " ", discuss=False)
        with opened(project) as session:
            assert session.queue.remark_on(session.queue[0]) is None

    def test_undo_passes_them_over(self, project):
        flag(project)
        with opened(project) as session:
            session.undo()
            assert session.queue.is_open(session.queue[0])
            assert session.queue.remark_on(session.queue[0]).discuss

    def test_reasons_are_offered_again_newest_first(self, project):
        with opened(project) as session:
            for each, reason in zip(session.queue, ("one", "two"), strict=True):
                session.queue.remark(each, reason, discuss=False)
            assert set(session.queue.reasons()) == {"one", "two"}


class TestLog:
    def test_says_who_decided_what_and_why(self, project):
        flag(project)
        entry = log_of(project)[0].as_json()
        assert entry.pop("at").startswith("20")
        assert entry == {
            "patient": "110",
            "record": "110-02",
            "kind": "one-sided",
            "said": [
                {"annotator": "ana", "tags": [{"start": 0, "end": 3, "type": "NAME:PATIENT"}]},
                {"annotator": "ben", "tags": []},
            ],
            "choice": "first",
            "gold": [{"start": 0, "end": 3, "type": "NAME:PATIENT"}],
            "by": "carol",
            "way": "looked at",
            "reason": "who is Kai?",
            "discuss": True,
        }

    def test_what_was_taken_over_is_no_decision(self, project):
        opened(project).close()
        assert log_of(project) == []

    def test_what_is_open_but_flagged_is_there(self, project):
        with opened(project) as session:
            session.queue.remark(session.queue[0], "", discuss=True)
        (entry,) = log_of(project)
        assert (entry.decision, entry.wants_discussion) == (None, True)

    def test_counts_by_kind_and_choice(self, project):
        flag(project)
        with opened(project) as session:
            session.queue.decide(session.queue[1], DecisionChoice.NEITHER)
        counts = count_by_kind(log_of(project))
        assert counts == {"one-sided": {"first": 1}, "type": {"neither": 1}}

    def test_markdown_escapes_what_markdown_would_read(self, tmp_path):
        project = make_project(tmp_path, ["*[a_b|USERNAME]* c"], ["*a_b* c"])
        with opened(project) as session:
            session.queue.remark(session.queue[0], "", discuss=True)
        text = "\n".join(to_markdown(log_of(project, with_text=True)))
        assert "> … \\* **a\\_b** \\* c …" in text


class TestExports:
    def test_what_is_flagged_goes_to_a_file_without_text(self, project, tmp_path):
        flag(project, "a reason")
        target = tmp_path / "hard.md"
        assert run(project, "--export-discuss", target) == 0
        text = target.read_text()
        assert "### Record 110-02, 0 to 3" in text
        assert "- reason: a reason" in text
        assert "Kai" not in text

    def test_with_text_if_asked_for(self, project, tmp_path):
        flag(project)
        target = tmp_path / "hard.jsonl"
        assert run(project, "--export-discuss", target, "--with-text") == 0
        (line,) = target.read_text().splitlines()
        assert json.loads(line)["context"] == ["", "Kai", " called."]

    def test_notes_go_with_the_text_only_and_are_escaped(self, project, tmp_path):
        place = NotePlace("110-02", Span(0, 3))
        note = NoteBook(project, "ana").write("110", NoteKind.QUESTION, place, "<b>*Kai*</b>?\n# x")
        NoteBook(project, "ben").write("110", NoteKind.UNSURE, NotePlace("110-01"))
        closed = NoteBook(project, "ben")
        closed.write("110", NoteKind.NOTE, NotePlace(), "settled")
        closed.close(next(each for each in closed.threads("110") if each.note.text))
        gold = NoteBook(project, "gold")
        gold.refresh()
        asked = next(each for each in gold.threads("110") if each.note.id == note.id)
        gold.answer(asked, "[no](x)")
        target = tmp_path / "hard.md"
        assert run(project, "--export-discuss", target) == 0
        assert "Notes" not in target.read_text()
        assert run(project, "--export-discuss", target, "--with-text") == 0
        text = target.read_text().partition("## Notes and questions\n")[2]
        assert "### Record 110-02, 0 to 3\n\n> Kai\n\n" in text
        assert "- ana, question: \\<b\\>\\*Kai\\*\\</b\\>? \\# x\n" in text
        assert "- gold, answer: \\[no\\](x)\n" in text
        assert "### Record 110-01\n\n- ben, unsure\n" in text
        assert "settled" not in text

    def test_the_log_goes_to_the_screen(self, project, capsys):
        flag(project)
        with opened(project) as session:
            session.queue.decide(session.queue[1], DecisionChoice.NEITHER)
        assert run(project, "--export-log", "-") == 0
        lines = [json.loads(each) for each in capsys.readouterr().out.splitlines()]
        assert [each["choice"] for each in lines] == ["neither", "first"]

    def test_of_one_patient(self, project, capsys):
        flag(project)
        assert run(project, "--export-log", "-", "--patient", "120") == 0
        assert capsys.readouterr().out == ""

    def test_a_journal_that_cannot_be_read_is_said_and_the_rest_exported(self, project, capsys):
        flag(project)
        with opened(project, "120") as session:
            session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        with project.journal_path("gold", "110").open("a") as file:
            file.write('{"op": "edit", "number": 9, "decisions": [{}]}\n')
        assert run(project, "--export-log", "-") == 2
        out, err = capsys.readouterr()
        assert json.loads(out)["patient"] == "120"
        assert err.count("\n") == 1

    def test_a_line_cut_in_the_middle_is_left_out(self, project, capsys):
        flag(project)
        with project.journal_path("gold", "110").open("a") as file:
            file.write('{"op": "edit", "num')
        assert run(project, "--export-log", "-") == 0
        assert len(capsys.readouterr().out.splitlines()) == 1


class TestLogAgainstGold:
    def test_an_edit_outside_is_exported_as_the_gold_standard_has_it(self, project, capsys):
        flag(project)
        document = next(each for each in project.patient("110").documents if "Kai" in each.text)
        stored = project.read_layer("gold", document)
        emptied = replace(stored.layer, tags=())
        project.write_layer("gold", document, emptied, stored.digest)
        assert run(project, "--export-log", "-") == 2
        out, err = capsys.readouterr()
        assert not out
        assert "was changed outside of Tandem" in err
        with opened(project) as session:  # who opens it takes it over, and is told
            assert "changed outside" in session.notices[0]
        assert run(project, "--export-log", "-") == 1
        out, err = capsys.readouterr()
        entry = json.loads(out.splitlines()[0])
        assert (entry["choice"], entry["gold"], entry["way"]) == ("neither", [], "edited after")
        assert "1 decision did not follow" in err

    def test_a_gold_standard_that_is_gone_is_said(self, project, capsys):
        flag(project)
        project.layer_path("gold", "110-02").unlink()
        assert run(project, "--export-log", "-") == 2
        out, err = capsys.readouterr()
        assert not out
        assert "110-02.xml" in err
        assert "is missing" in err

    def test_a_tag_given_by_hand_is_in_the_log(self, project, capsys):
        with opened(project) as session:
            kai = session.queue[0]
            session.queue.decide(kai, DecisionChoice.NEITHER)
            session.replace([(None, [(kai.span, PhiType("NAME", "DOCTOR"))])])
        assert run(project, "--export-log", "-") == 0
        entry = json.loads(capsys.readouterr().out)
        assert (entry["choice"], entry["gold"][0]["type"]) == ("edited", "NAME:DOCTOR")


def test_status_counts_the_decisions(project, capsys):
    flag(project)
    assert main(["status", str(project.root)]) == 0
    assert "one-sided" in capsys.readouterr().out
    assert main(["status", str(project.root), "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["decisions"] == {"one-sided": {"first": 1}}


class TestPrecedentsOfTheProject:
    def test_are_read_from_the_journals(self, project):
        flag(project)
        precedents = ProjectPrecedents(project)
        precedents.take(precedents.read(precedents.changed()))
        with AdjudicationSession(project, "120", "carol", None, precedents.book) as session:
            assert session.queue.precedent(session.queue[0]).choice is DecisionChoice.FIRST

    def test_only_what_changed_is_read_again(self, project):
        flag(project)
        precedents = ProjectPrecedents(project)
        precedents.take(precedents.read(precedents.changed()))
        assert precedents.changed() == []
        flag(project)
        assert precedents.changed() == ["110"]

    def test_the_open_patient_is_known_better(self, project):
        flag(project)
        precedents = ProjectPrecedents(project)
        precedents.take(precedents.read(["110"]), but="110")
        assert len(precedents.book) == 0

    def test_a_journal_that_cannot_be_read_says_nothing(self, project):
        flag(project)
        project.journal_path("gold", "110").write_text("nothing\n")
        precedents = ProjectPrecedents(project)
        precedents.take(precedents.read(precedents.changed()))
        assert len(precedents.book) == 0
