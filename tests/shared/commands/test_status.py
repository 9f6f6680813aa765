import html
import json
import re
import stat
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from adjudicator.agreement.export import options_of_today
from adjudicator.agreement.project_study import ProjectStudy
from shared.agreement.report.report import make_report
from shared.commands.main import main
from shared.errors import StorageError
from shared.formats.base import Record
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.journal import Journal
from shared.project.notes import NoteBook, NoteKind, NotePlace
from shared.project.project import Project
from tests.builders import document, layer

SOURCE = "Seen by [Dr. Lee|DOCTOR] on [3/4|DATE]."


@pytest.fixture
def project(tmp_path):
    """Two patients: ana has done 110 with three tags, ben has begun it with one."""
    records = [document(SOURCE, record_id) for record_id in ("110-01", "110-02", "9-01")]
    made = Project.create(
        tmp_path / "project", "T", I2B2_2014, map(Record, records), ["ana", "ben"], 0
    )
    one = "Seen by [Dr. Lee|DOCTOR] on 3/4."
    made.write_layer("ana", records[0], layer(SOURCE, "110-01"), None)
    made.write_layer("ana", records[1], layer(one, "110-02"), None)
    made.write_layer("ben", records[0], layer(one, "110-01", "ben"), None)
    made.write_layer("gold", records[2], layer(one, "9-01", "gold"), None)
    made.set_state("110", "ana", State.DONE)
    made.set_state("110", "ben", State.BEGUN)
    return made


def test_progress_is_told_per_annotator(project, capsys):
    assert main(["status", str(project.root)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "annotator  to do  begun  done  tags",
        "---------  -----  -----  ----  ----",
        "ana            1      0     1     3",
        "ben            1      1     0     1",
        "",
        "1 of 2 patients adjudicated",
    ]


def test_progress_is_told_per_patient(project, capsys):
    assert main(["status", str(project.root), "--patients"]) == 0
    assert capsys.readouterr().out.splitlines()[5:9] == [
        "patient  records  annotators                    gold",
        "-------  -------  ----------------------------  -------",
        "      9        1  ana to do (0), ben to do (0)  done",
        "    110        2  ana done (3), ben begun (1)   waiting",
    ]


def test_the_page_has_what_is_printed_and_runs_nothing(project, tmp_path, capsys):
    page = tmp_path / "status.html"
    words = ["status", str(project.root), "--patients", "--time", "--known-answers"]
    assert main([*words, "--html", str(page)]) == 0
    printed, written = capsys.readouterr().out, page.read_text("utf-8")
    shown = [each for each in printed.split() if set(each) != {"-"}]
    told = html.unescape(re.sub("<[^>]+>", " ", written.partition("<body>")[2]))
    missing = Counter(shown) - Counter(told.split())
    assert not missing
    assert "could be read" not in told
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    assert "default-src 'none'" in written
    assert "<script" not in written


def test_the_page_of_a_project_with_markup_and_a_broken_layer_says_so(tmp_path, capsys):
    records = [Record(document(SOURCE, record_id="1-01"))]
    made = Project.create(tmp_path / "p", "<b>T&T</b>", I2B2_2014, records, ["ana", "ben"], 0)
    path = made.layer_path("ana", "1-01")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("<broken")
    page = tmp_path / "status.html"
    assert main(["status", str(made.root), "--html", str(page)]) == 2
    written = page.read_text("utf-8")
    assert "<b>" not in written
    assert "&lt;b&gt;T&amp;T&lt;/b&gt;" in written
    assert "Not all could be read" in written
    assert "layers/ana/1-01.xml" in written


def test_a_page_that_cannot_be_written_is_said(project, tmp_path, capsys):
    assert main(["status", str(project.root), "--html", str(tmp_path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_assignments_are_not_read_for_each_patient(project, monkeypatch):
    read = []
    assignments = Project.assignments
    monkeypatch.setattr(Project, "assignments", lambda self: read.append(1) or assignments(self))
    assert main(["status", str(project.root), "--patients"]) == 0
    assert len(read) == 1


def test_what_cannot_be_read_of_one_patient_leaves_the_others(project, capsys):
    with Journal(project.journal_path("gold", "9")):
        project.journal_path("gold", "9").write_text("no entry\n", "utf-8")
    assert main(["status", str(project.root)]) == 2
    told = capsys.readouterr()
    assert "ben            1      1     0     1" in told.out
    assert "9.jsonl: line 1 is not a journal entry" in told.err


def test_layers_that_cannot_be_looked_for_are_said_and_the_others_counted(
    project, capsys, monkeypatch
):
    read = Project.layer_as_found

    def layer_as_found(self, annotator, document):
        if annotator == "ana":
            raise StorageError("layers/ana", "permission denied")
        return read(self, annotator, document)

    monkeypatch.setattr(Project, "layer_as_found", layer_as_found)
    assert main(["status", str(project.root)]) == 2
    told = capsys.readouterr()
    assert "ben            1      1     0     1" in told.out
    assert "tandem: layers/ana: permission denied\n" in told.err


def test_progress_is_told_as_json(project, capsys):
    assert main(["status", str(project.root), "--json", "-"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["annotators"][0] == {
        "annotator": "ana",
        "patients": 2,
        "to_do": 1,
        "begun": 0,
        "done": 1,
        "tags": 3,
    }
    assert told["patients"][1] == {
        "patient": "110",
        "records": 2,
        "annotators": [
            {"annotator": "ana", "state": "done", "tags": 3},
            {"annotator": "ben", "state": "begun", "tags": 1},
        ],
        "adjudicated": False,
        "gold": "waiting",
        "changed_by": [],
        "reason": "",
        "open_questions": 0,
    }


def test_a_broken_layer_is_named_and_the_rest_is_told(project, capsys):
    (project.root / "layers/ana/110-01.xml").write_text("<a>", "utf-8")
    assert main(["status", str(project.root)]) == 2
    said = capsys.readouterr()
    assert "ana            1      0     1     1" in said.out
    assert "110-01.xml: is not well-formed XML" in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("name", ["", "none"])
def test_what_is_no_project_is_refused(tmp_path, capsys, name):
    assert main(["status", str(tmp_path / name)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "create one with tandem new" in said or "check the name" in said


def work_for(project, annotator, seconds):
    with Journal(project.journal_path(annotator, "110")) as journal:
        for second in seconds:
            journal.append(
                {"op": "active", "at": f"2071-03-04T10:{second // 60:02}:{second % 60:02}"}
            )


def test_time_without_pauses_and_tags_by_origin(project, capsys):
    work_for(project, "ana", [0, 50, 90, 300, 336])
    assert main(["status", str(project.root), "--time", "--json", "-"]) == 0
    ana, ben = json.loads(capsys.readouterr().out)["annotators"]
    assert (ana["hours"], ana["tags_per_hour"]) == (126 / 3600, 3 / (126 / 3600))
    assert (ben["hours"], ben["tags_per_hour"]) == (0, None)
    assert (ana["origins"]["hand"], ana["origins"]["annotate-all"]) == (3, 0)


def test_time_is_shown_as_a_table(project, capsys):
    work_for(project, "ana", range(0, 3600, 40))
    assert main(["status", str(project.root), "--time"]) == 0
    assert "ana         0.99" in capsys.readouterr().out


def test_what_is_left_and_until_when_is_told_from_the_fifth_finished_patient_on(tmp_path, capsys):
    names = [f"{number}" for number in range(110, 117)]
    records = [Record(document("By Lee", f"{name}-01")) for name in names]
    project = Project.create(tmp_path / "p", "P", I2B2_2014, records, ("ana", "ben"), 1)
    for at, name in enumerate(names[:5]):
        if at == 4:
            assert set(told(capsys, project)["forecast"].values()) == {None}
        project.set_state(name, "ana", State.DONE)
        with Journal(project.journal_path("ana", name)) as journal:
            for second in (0, 30):
                now = datetime.now(UTC) - timedelta(hours=at, seconds=second)
                journal.append({"op": "active", "at": now.isoformat()})
    found = told(capsys, project)["forecast"]
    # two of seven are left, each as long and so half a minute
    assert found["hours"] == pytest.approx(60 / 3600, rel=0.01)
    assert found["day_low"] <= found["day"] <= found["day_high"]
    assert main(["status", str(project.root), "--time"]) == 0
    assert "0.0 (0.0-0.0)" in capsys.readouterr().out


def accept_for(project, annotator, screens, seconds):
    """A journal of `screens` with five suggestions each, accepted together after `seconds`."""
    now = datetime(2026, 3, 2, 9, tzinfo=UTC)
    with Journal(project.journal_path(annotator, "110")) as journal:
        for screen in range(screens):
            now += timedelta(seconds=0.7)
            place = {"start": screen * 100, "end": screen * 100 + 100}
            journal.append({"op": "seen", "at": now.isoformat(), "record": "110-01"} | place)
            now += timedelta(seconds=seconds - 0.7)
            added = [
                {"record": "110-01", "id": f"P{start}", "start": start, "end": start + 5}
                | {"category": "NAME", "type": "DOCTOR", "origin": "suggestion"}
                for start in range(screen * 100, screen * 100 + 50, 10)
            ]
            edit = {"op": "edit", "number": screen + 1, "what": "accept 5 suggestions"}
            journal.append(edit | {"at": now.isoformat(), "removed": [], "added": added})


def test_who_accepts_without_a_look_is_flagged(project, capsys):
    assert main(["status", str(project.root), "--time"]) == 0
    assert "hasty" not in capsys.readouterr().out
    accept_for(project, "ana", 12, 1.0)
    accept_for(project, "ben", 12, 9.0)
    assert main(["status", str(project.root), "--time"]) == 0
    shown = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(shown) if line.startswith("suggestions"))
    assert [line.split() for line in shown[at + 2 : at + 4]] == [
        ["ana", "60", "1.0", "0.2", "0%", "12", "12", "hasty"],
        ["ben", "60", "9.0", "1.8", "0%", "12", "0"],
    ]
    assert told(capsys, project)["acceptance"] == {
        "accepted": 60,
        "median_seconds": pytest.approx(1.0),
        "seconds_each": pytest.approx(0.2, abs=0.02),
        "changed_later": 0,
        "looks": 12,
        "hasty": 12,
        "flagged": True,
    }


def told(capsys, project):
    assert main(["status", str(project.root), "--time", "--json", "-"]) == 0
    return json.loads(capsys.readouterr().out)["annotators"][0]


def test_a_journal_that_cannot_be_read_is_named(project, capsys):
    path = project.journal_path("ana", "110")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("nonsense\n")
    assert main(["status", str(project.root), "--time"]) == 2
    assert str(path) in capsys.readouterr().err


def test_open_questions_and_unread_answers_are_counted(project, capsys):
    def told():
        main(["status", str(project.root), "--json", "-"])
        status = json.loads(capsys.readouterr().out)
        per_patient = [each["open_questions"] for each in status["patients"]]
        return *status["notes"].values(), per_patient

    assert told() == (0, 0, [0, 0])
    for name in ("ana", "ben"):
        NoteBook(project, name).write("110", NoteKind.QUESTION, NotePlace("110-01"), "Who?")
        NoteBook(project, name).write("110", NoteKind.UNSURE, NotePlace("110-02"))
    assert told() == (2, 0, [0, 2])
    main(["status", str(project.root)])
    assert "\n2 questions open\n" in capsys.readouterr().out
    gold = NoteBook(project, "gold")
    gold.refresh()
    gold.answer(gold.threads("110")[0], "The surgeon.")
    assert told() == (1, 1, [0, 1])
    main(["status", str(project.root)])
    assert "\n1 question open, 1 answer not read\n" in capsys.readouterr().out


def test_notes_that_cannot_be_read_are_named_and_the_rest_is_told(project, capsys):
    NoteBook(project, "ana").write("110", NoteKind.QUESTION, NotePlace("110-01"), "Who?")
    with project.notes_path("ana", "110").open("a") as file:
        file.write("no\n")
    assert main(["status", str(project.root)]) == 2
    said = capsys.readouterr()
    assert "1 question open" in said.out
    assert "110.jsonl: line 2 is not as Tandem writes notes" in said.err
    assert said.err.count("\n") == 1


def _altered(lines: list[bytes]) -> list[bytes]:
    return [lines[0], lines[1].replace(b"active", b"Active"), lines[2]]


@pytest.mark.parametrize(
    "alter",
    [
        _altered,
        lambda lines: [lines[0], lines[2]],
        lambda lines: [lines[0], b"no entry\n", lines[2]],
        lambda lines: lines[:1],
    ],
    ids=["altered", "dropped", "broken", "cut short"],
)
@pytest.mark.parametrize("many", [0, 200])
def test_journals_that_were_altered_are_told_whatever_is_asked(
    project, capsys, monkeypatch, alter, many
):
    monkeypatch.setattr("adjudicator.project_status._MANY", many)
    work_for(project, "ana", (0, 30, 45))
    path = project.journal_path("ana", "110")
    assert main(["status", str(project.root)]) == 0
    path.write_bytes(b"".join(alter(path.read_bytes().splitlines(keepends=True))))
    capsys.readouterr()
    for asked in ([], ["--time"]):
        assert main(["status", str(project.root), *asked]) == 2
        said = capsys.readouterr().err.splitlines()
        about = [each for each in said if "110.jsonl" in each]
        assert about, said
        assert all(len(each) <= 300 for each in said)


def drifting(root):
    """Sixteen patients whom two annotators have done, of whom one finds less in the latter half."""
    names = [f"{number}" for number in range(110, 126)]
    source = "Seen by [Lee|DOCTOR] and [Kai|DOCTOR], [3/4|DATE]."
    half = "Seen by [Lee|DOCTOR] and Kai, 3/4."
    records = [Record(document(source, f"{name}-01")) for name in names]
    project = Project.create(root, "P", I2B2_2014, records, ("ana", "ben"), 1)
    for at, (name, each) in enumerate(zip(names, records, strict=True)):
        for annotator, said in (("ana", source), ("ben", source if at < 8 else half)):
            made = layer(said, each.document.record_id, annotator)
            project.write_layer(annotator, each.document, made, None)
            project.set_state(name, annotator, State.DONE)
            with Journal(project.journal_path(annotator, name)) as journal:
                edit = {"op": "edit", "number": 1, "what": "tag", "removed": [], "added": []}
                journal.append(edit | {"at": f"2026-03-{at + 1:02}T09:00:00+00:00"})
    return project


def test_of_too_few_patients_no_drift_is_told(project, capsys):
    assert main(["status", str(project.root), "--drift"]) == 0
    assert "too few patients are finished" in capsys.readouterr().out


def test_drift_is_told_as_the_report_tells_it(tmp_path, capsys):
    project = drifting(tmp_path / "p")
    assert main(["status", str(project.root), "--drift", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)["drift"]
    assert [(each["from_day"], each["patients"], each["beside_first"]) for each in found] == [
        ("2026-03-01", 8, ""),
        ("2026-03-09", 8, "lower"),
    ]
    assert [each["f1"] for each in found] == [1.0, pytest.approx(0.5)]
    study = ProjectStudy(Project.open(project.root)).read()
    table = make_report(study, options_of_today(resamples=5)).table("drift").records()
    for key in ("from_day", "to_day", "patients", "f1", "p", "beside_first"):
        assert [each[key] for each in table] == [each[key] for each in found]
    assert main(["status", str(project.root), "--drift"]) == 0
    assert "2026-03-16      0.500  lower" in capsys.readouterr().out
