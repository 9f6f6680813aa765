"""Known-answer patients: mixed in at a rate, no different from others, none of the work."""

import json

import pytest

from adjudicator.agreement.project_study import ProjectStudy
from adjudicator.session import AdjudicationSession
from adjudicator.worklist import annotators_by_patient
from annotator.gold_comparison import compare_with_gold
from annotator.session import AnnotationSession
from annotator.worklist import AdjudicatedPatients, AnnotatorWorklist
from shared.commands.main import main
from shared.errors import RequestError
from shared.formats.base import Record
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.handed_work import hand_out, open_handed_out
from shared.project.project import Project
from shared.project.settings import GOLD, LearnFrom, SuggestionPolicy
from shared.project.verifying import verify
from tests.adjudicator.projects import make_project
from tests.annotator.gold import adjudicate
from tests.builders import phi

TEXT = "Seen by Dr. Lee. " * 40
PHI = [Span(at, at + 3) for at in range(12, len(TEXT), 17)]


def record(number):
    return Record(Document(f"{number}-01", str(number), TEXT))


@pytest.fixture
def project(tmp_path):
    """Twenty patients of ana and ben, and five with a gold standard that nobody has."""
    made = Project.create(
        tmp_path / "p", "p", I2B2_2014, [record(n) for n in range(200, 220)], ["ana", "ben"], 1
    )
    records, gold = tmp_path / "records", tmp_path / "gold"
    for folder in (records, gold):
        folder.mkdir()
    for n in range(210, 215):
        (records / f"{n}x-01.txt").write_text(TEXT)
        tags = "".join(
            f'<NAME id="P{at}" start="{each.start}" end="{each.end}" text="Lee" TYPE="DOCTOR" '
            'comment="" />'
            for at, each in enumerate(PHI)
        )
        xml = f"<?xml version='1.0'?><deIdi2b2><TEXT><![CDATA[{TEXT}]]></TEXT><TAGS>{tags}</TAGS>"
        (gold / f"{n}x-01.xml").write_text(f"{xml}</deIdi2b2>")
    words = ["--records", str(records), "--gold", str(gold)]
    assert assign(made, *words) == 0
    return Project.open(made.root)


def assign(project, *words):
    return main(["assign", str(project.root), *words])


def known(project, name="ana"):
    return sorted(each for each, who in project.known_answers.pairs() if who == name)


def works(project, name="ana"):
    return AnnotatorWorklist.of(project, name).works


def annotate(project, name, patient_id, share=1.0):
    with AnnotationSession(project, name, patient_id) as session:
        for span in PHI[: round(share * len(PHI))]:
            session.tag(span, phi("DOCTOR"))
        session.finish()


def test_they_come_at_the_rate_and_are_none_of_the_work(project):
    before = project.assignments()
    assert assign(project, "--known-answers", ".2") == 0
    assert len(known(project)) == len(known(project, "ben")) == 4
    assert sorted(map(str, project.assignments())) == sorted(map(str, before))
    assert len(works(project)) == 24
    assert assign(project, "--even") == 0
    assert len(known(project)) == 4
    assert not verify(project.root).discrepancies


def test_an_annotator_cannot_tell_them_from_others(project):
    assign(project, "--known-answers", ".2", "--seed", "3")
    listed = works(project)
    assert {type(each) for each in listed} == {type(listed[0])}
    assert {each.state for each in listed} == {State.TO_DO}
    places = [at for at, each in enumerate(listed) if each.patient_id in known(project)]
    assert places != list(range(20, 24))
    others = [each.patient_id for each in listed if each.patient_id not in known(project)]
    assert others != sorted(others)
    for each in (known(project)[0], others[0]):
        annotate(project, "ana", each)
    folders = ("layers", "journal")
    names = [sorted(p.name for p in (project.root / f / "ana").glob("*.xml")) for f in folders]
    assert len(names[0]) == 2
    path = project.root / "tandem.toml"
    path.write_text(f"show_gold_to_annotators = true\n{path.read_text()}")
    shown = Project.open(project.root)
    said = []
    for each in (known(project)[0], others[0]):
        assert each not in AdjudicatedPatients(shown, "ana")
        with pytest.raises(RequestError) as refused:
            compare_with_gold(shown, "ana", each, [])
        said.append(str(refused.value).replace(each, "X"))
    assert said[0] == said[1]


def test_places_in_the_list_say_nothing(project, tmp_path):
    """In many lists a known-answer patient is as often in the first half as in the second."""
    names = [f"a{n}" for n in range(8)]
    gold = (project.root / "gold" / "210x-01.xml").read_bytes()
    first = 0
    for seed in (1, 2):
        root = tmp_path / str(seed)
        made = Project.create(root, "p", I2B2_2014, [record(n) for n in range(6)], names, 1)
        for each in made.patient_ids[3:]:
            (root / "gold" / f"{each}-01.xml").write_bytes(gold)
        rows = [f"{n},{name},to do" for n in range(3) for name in names]
        (root / "assignments.csv").write_text("\n".join(["patient,annotator,state", *rows, ""]))
        assert assign(made, "--known-answers", ".3", "--seed", str(seed)) == 0
        for name in names:
            ids = [each.patient_id for each in works(made, name)]
            first += ids.index(*known(made, name)) < 2
    assert 4 <= first <= 12


def test_adjudication_and_reports_know_only_who_has_the_patient_as_work(tmp_path):
    made = make_project(tmp_path, ["Seen by [Lee|DOCTOR]."], ["Seen by Lee."])
    adjudicate(made)
    records = tmp_path / "new"
    records.mkdir()
    for n in range(2):
        (records / f"20{n}-01.txt").write_text("Seen.")
    assert assign(made, "--add", "dora") == 0
    assert assign(made, "--records", str(records), "--per-patient", "3") == 0
    assert assign(made, "--known-answers", ".5") == 0
    made = Project.open(made.root)
    assert made.known_answers.pairs() == {("110", "dora")}
    with AnnotationSession(made, "dora", "110") as session:
        session.finish()
    assert annotators_by_patient(made)["110"] == ("ana", "ben")
    with AdjudicationSession(made, "110", "carol") as session:
        assert session.annotators == ("ana", "ben")
    assert "dora" not in str(ProjectStudy(made).read())


def test_a_report_says_why_patients_with_a_gold_standard_that_nobody_has_are_left_out(project):
    reasons = {each.record_id: each.reason for each in ProjectStudy(project).read().left_out}
    assert reasons["210x-01"] == "nobody has the patient as work"
    assert reasons["200-01"] == "fewer than two annotators are done"


def test_a_gold_standard_that_came_with_a_patient_whom_nobody_has_can_be_corrected(project):
    with AdjudicationSession(project, "210x", "carol") as session:
        assert (session.annotators, session.is_done) == ((), True)
        session.tag(Span(0, 4), phi("DATE"))
        assert not session.is_done
        session.finish()
    document = project.patient("210x").documents[0]
    assert len(project.read_layer(GOLD, document).layer.tags) == len(PHI) + 1
    assert project.is_adjudicated("210x")


def test_what_is_handed_out_does_not_tell(project, tmp_path):
    assign(project, "--known-answers", ".2")
    content = hand_out(project, "ana", [], "correct horse battery")
    there = open_handed_out(content, tmp_path / "f", "correct horse battery", tmp_path / "home")
    assert {each.patient_id for each in works(there)} == {
        each.patient_id for each in works(project)
    }
    names = [str(each.relative_to(there.root)) for each in there.root.rglob("*")]
    assert not [each for each in names if "known" in each or each.startswith("gold/")]
    said = b"".join(each.read_bytes() for each in there.root.glob("*") if each.is_file())
    assert b"known_answer" not in said


def test_only_the_lead_asks_for_what_came_of_them(project, capsys, tmp_path):
    assign(project, "--known-answers", ".2")
    for name, share in (("ana", 1.0), ("ben", 0.3)):
        annotate(project, name, known(project, name)[0], share)
    capsys.readouterr()
    assert main(["status", str(project.root)]) == 0
    assert "known" not in capsys.readouterr().out
    out = tmp_path / "status.json"
    assert main(["status", str(project.root), "--known-answers", "--json", str(out)]) == 0
    found = {each["annotator"]: each for each in json.loads(out.read_text())["known_answers"]}
    assert (found["ana"]["recall"], found["ana"]["flagged_after"]) == (1.0, None)
    assert (found["ben"]["recall"], found["ben"]["flagged_after"]) == (12 / 40, 1)
    assert main(["status", str(project.root), "--known-answers"]) == 0
    said = capsys.readouterr().out
    assert "ben" in said.split("flagged")[1]


def test_who_came_with_a_gold_standard_is_not_told_as_adjudicated_nor_nothing_as_found(
    project, capsys
):
    assert assign(project, "--known-answers", ".2") == 0
    capsys.readouterr()
    assert main(["status", str(project.root), "--known-answers"]) == 0
    said = capsys.readouterr().out
    assert "0 of 20 patients adjudicated; 5 more with a gold standard" in said
    rows = {line.split()[0]: line.split() for line in said.splitlines() if line.strip()}
    assert rows["ben"] == ["ben", "0"]  # of the last table: neither a share nor a bound


def test_suggestions_that_learn_from_gold_would_tell(project, capsys):
    project.set_suggestions(SuggestionPolicy(learn_from=LearnFrom.GOLD))
    assert assign(project, "--known-answers", ".2") == 2
    assert "would suggest the answers" in capsys.readouterr().err
    assert project.plan.known_answer_rate == 0


def test_too_few_with_a_gold_standard_are_told(project, capsys):
    assert assign(project, "--known-answers", ".5") == 0
    assert "10 known-answer patients mixed in; 10 more are wanted" in capsys.readouterr().out


def test_whoever_leaves_and_whoever_comes(project):
    assert assign(project, "--known-answers", ".1") == 0
    assert assign(project, "--add", "cem") == 0
    assert len(known(project, "cem")) == 2
    assert {each.state for each in works(project, "cem")} == {State.TO_DO}
    begun = known(project)[0]
    AnnotationSession(project, "ana", begun).close()
    assert assign(project, "--leave", "ana") == 0
    assert [each.patient_id for each in works(project)] == [begun]
    assert not verify(project.root).discrepancies


def test_the_book_is_part_of_what_verify_holds_together(project):
    assign(project, "--known-answers", ".1")
    book = project.root / "known_answers.jsonl"
    before = book.read_bytes()
    book.write_bytes(before.replace(b'"ana"', b'"zoe"'))
    said = [str(each) for each in verify(project.root).discrepancies]
    assert any(each.startswith("known_answers.jsonl") for each in said)
    book.unlink()
    book.with_suffix(".head").unlink()
    said = [str(each) for each in verify(project.root).discrepancies]
    assert any(each.startswith("known_answers.jsonl is missing") for each in said)


def test_a_book_that_cannot_be_read_is_named(project, capsys):
    assign(project, "--known-answers", ".1")
    (project.root / "known_answers.jsonl").write_text('{"op":"given","pairs":[["210x"]]}\n')
    assert main(["status", str(project.root)]) == 2
    assert "known_answers.jsonl: holds an entry that Tandem cannot read" in capsys.readouterr().err
