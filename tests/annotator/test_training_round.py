"""A training round: its patients first, feedback after each, real work when it is passed."""

import json

import pytest

from annotator.gold_comparison import compare_with_gold
from annotator.session import AnnotationSession
from annotator.training_round import training_feedback
from annotator.ui.main_window import AnnotationWindow
from annotator.worklist import AdjudicatedPatients, AnnotatorWorklist
from shared.commands.main import main
from shared.errors import FileFormatError, RequestError
from shared.model import Span
from shared.project.assignments import State
from shared.project.handed_work import hand_out
from shared.project.project import Project
from shared.project.training_rounds import TrainingProgress, TrainingResult, TrainingRound, f1_of
from shared.project.verifying import verify
from shared.project.work_sharing import begin_training
from tests.adjudicator.projects import make_project
from tests.annotator.gold import adjudicate
from tests.builders import phi

ANA = ["Seen by [Lee|DOCTOR] of [Mercy|HOSPITAL] on [May 9|DATE]."]
PLAIN = "Seen by Lee of Mercy on May 9."


@pytest.fixture
def project(tmp_path):
    """Two patients that are adjudicated, one that nobody began, and dora, who is new."""
    made = make_project(tmp_path, ANA, ANA, p120=(ANA, ANA), p130=(ANA, ANA))
    for each in ("110", "120"):
        adjudicate(made, each)
    for name in ("ana", "ben"):
        for folder in ("layers", "journal"):
            for path in (made.root / folder / name).glob("130*"):
                path.unlink()
        made.list_state("130", name, State.TO_DO)
    assert assign(made, "--add", "dora") == 0
    made = Project.open(made.root)
    if "dora" not in {each.annotator for each in made.assignments()}:
        assert assign(made, "--give", "dora", "130") == 0
    return made


def assign(project, *words):
    return main(["assign", str(project.root), *words])


def train(project, *patients, mark="0.8"):
    return assign(project, "--training", "dora", *patients, "--pass-mark", mark)


def annotate(project, patient_id, *tags, name="dora"):
    """Tag these and mark the patient as done; returns what the window would tell."""
    with AnnotationSession(project, name, patient_id) as session:
        for text, phi_type in tags:
            start = session.view.text.index(text)
            session.tag(Span(start, start + len(text)), phi(phi_type))
        session.finish()
        return training_feedback(session)


RIGHT = ("Lee", "DOCTOR"), ("Mercy", "HOSPITAL"), ("May 9", "DATE")


def listed(project):
    return [each.patient_id for each in AnnotatorWorklist.of(project, "dora").works]


def test_training_comes_first_and_real_work_once_it_is_passed(project):
    assert train(project, "110", "120") == 0
    assert listed(project) == ["110", "120"]
    with pytest.raises(RequestError, match="patient 130 comes after the training round"):
        AnnotationSession(project, "dora", "130")
    first = annotate(project, "110", *RIGHT)
    assert first.sentence.startswith("Training, patient 1 of 2: 3 of 3 tags right.")
    assert listed(project) == ["110", "120"]
    last = annotate(project, "120", ("Lee", "PATIENT"), RIGHT[1], ("May", "DATE"))
    assert last.result == TrainingResult(1, 3, 3, type=1, extent=1)
    assert "1 of another type, 1 too long or short" in last.sentence
    assert "The round is not passed: F1 0.67, 0.80 was needed." in last.sentence
    assert listed(project) == ["110", "120"]
    assert assign(project, "--end-training", "dora") == 0
    assert listed(project) == ["110", "120", "130"]
    AnnotationSession(project, "dora", "130").close()
    found = (each.file for each in verify(project.root).discrepancies)
    assert not [each for each in found if not each.startswith(("layers/ana", "layers/ben"))]


def test_a_round_is_passed_by_f1(project):
    assert train(project, "110", mark="0.8") == 0
    assert "The round is passed: F1 0.80" in annotate(project, "110", *RIGHT[:2]).sentence
    assert listed(project)[-1] == "130"


def test_what_was_missed_is_shown_where_gold_is_not_shown_otherwise(project):
    assert not project.shows_gold
    train(project, "110", "120")
    feedback = annotate(project, "110", ("Lee of Mercy", "DOCTOR"))
    kinds = [each.kind_words for each in feedback.comparison.differences]
    assert kinds == ["split", "missed"]
    with pytest.raises(RequestError, match="not done"):
        compare_with_gold(project, "dora", "120", [])
    with pytest.raises(RequestError, match="does not show the gold standard"):
        compare_with_gold(project, "ana", "110", [])


def test_the_first_result_counts_whatever_is_edited_later(project):
    train(project, "110", "120")
    annotate(project, "110")
    assert annotate(project, "110", *RIGHT).result.right == 3
    progress = TrainingProgress.read(
        project.plan.training_of("dora")[0], lambda each: project.journal_path("dora", each)
    )
    assert progress.results == {"110": TrainingResult(0, 0, 3, missed=3)}
    assert progress.f1 == 0


def finish_and_be_killed(project, patient_id, *tags):
    """As `annotate`, but the process ends before it tells or notes what came of it."""
    with AnnotationSession(project, "dora", patient_id) as session:
        for text, phi_type in tags:
            start = session.view.text.index(text)
            session.tag(Span(start, start + len(text)), phi(phi_type))
        session.finish()


def test_what_came_of_a_patient_is_counted_after_a_kill_before_it_was(project):
    train(project, "110", "120")
    finish_and_be_killed(project, "110", *RIGHT)
    assert annotate(project, "120", *RIGHT).sentence.endswith("F1 1.00, 0.80 was needed.")
    assert listed(project) == ["110", "120", "130"]


def test_a_window_that_opens_after_such_a_kill_goes_on_with_real_work(project, qtbot):
    train(project, "110")
    finish_and_be_killed(project, "110", *RIGHT)
    assert listed(project) == ["110"]
    window = AnnotationWindow(project, "dora", learns=False)
    qtbot.addWidget(window)
    assert listed(project) == ["110", "130"]
    before = project.journal_path("dora", "110").read_bytes()
    qtbot.addWidget(AnnotationWindow(project, "dora", learns=False))
    assert project.journal_path("dora", "110").read_bytes() == before
    assert not [each for each in verify(project.root).discrepancies if "dora" in each.file]


def test_status_says_how_a_round_went(project, capsys):
    train(project, "110", "120")
    annotate(project, "110", *RIGHT)
    assert main(["status", str(project.root)]) == 0
    assert row(capsys) == ["dora", "1", "of", "2", "1.00", "0.80", "under", "way"]
    annotate(project, "120")
    main(["status", str(project.root)])
    assert row(capsys) == ["dora", "2", "of", "2", "0.67", "0.80", "not", "passed"]
    assign(project, "--end-training", "dora")
    main(["status", str(project.root)])
    assert row(capsys) == ["dora", "2", "of", "2", "0.67", "0.80", "ended"]


def row(capsys):
    """The row of dora in the table of training rounds."""
    table = capsys.readouterr().out.split("training of")[1]
    return next(line.split() for line in table.splitlines() if line.startswith("dora"))


def test_training_is_none_of_the_work(project):
    before = project.assignments()
    train(project, "110", "120")
    annotate(project, "110", *RIGHT)
    assert project.assignments() == before
    assert [each.patient_id for each in project.all_assignments()][:2] == ["110", "120"]


def test_a_second_round_goes_on_after_the_first(project):
    train(project, "110")
    annotate(project, "110")
    assert train(project, "120") == 0
    assert listed(project) == ["120", "110"]
    assert "The round is passed" in annotate(project, "120", *RIGHT).sentence
    assert listed(project)[-1] == "130"


def test_a_round_that_a_crash_left_without_patients_is_given_again(project):
    one = TrainingRound(("110", "120"), 0.8)
    project.set_staffing(training={"dora": (one,)})
    begin_training(project, "dora", one)
    assert listed(project) == ["110", "120"]
    assert project.plan.training_of("dora") == (one,)


def test_who_has_a_patient_already_is_told_as_what(project):
    begin_training(project, "dora", TrainingRound(("110",), 0.8))
    project.known_answers.add([("120", "ana")], 1)
    for name, patient_id, how in (
        ("dora", "110", "to train on"),
        ("ana", "120", "as a known-answer patient"),
        ("ben", "120", "to annotate"),
    ):
        with pytest.raises(RequestError, match=f"{name} has patient {patient_id} already, {how};"):
            begin_training(project, name, TrainingRound((patient_id,), 0.9))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--training", "dora", "130"], "patient 130 has no gold standard that is done"),
        (["--training", "ana", "110"], "ana has patient 110 already, to annotate; train on others"),
        (["--training", "zoe", "110"], "zoe is not among the annotators"),
        (["--training", "dora", "999"], "has no patient 999"),
        (["--training", "dora"], "name the patients after dora"),
        (["--end-training", "dora"], "dora has no training round"),
        (["--training", "dora", "110", "--even"], "in a call of its own"),
    ],
)
def test_a_round_that_cannot_be_is_refused(project, capsys, words, why):
    before = (project.root / "tandem.toml").read_bytes()
    assert assign(project, *words) == 2
    assert why in capsys.readouterr().err
    assert (project.root / "tandem.toml").read_bytes() == before


def test_an_altered_result_is_found_and_not_believed(project):
    train(project, "110")
    annotate(project, "110")
    path = project.journal_path("dora", "110")
    path.write_bytes(path.read_bytes().replace(b'"right":0', b'"right":"3"'))
    assert any("dora/110" in str(each) for each in verify(project.root).discrepancies)
    with pytest.raises(FileFormatError, match="cannot read"):
        listed(project)


def test_who_trains_is_handed_nothing_out(project):
    train(project, "110")
    with pytest.raises(RequestError, match="dora is in a training round"):
        hand_out(project, "dora", [], "correct horse battery")
    annotate(project, "110", *RIGHT)
    assert hand_out(project, "dora", ["130"], "correct horse battery")


def test_settings_keep_rounds(project, tmp_path):
    out = tmp_path / "out.json"
    words = ["--training", "dora", "110", "--pass-mark", ".5", "--json", str(out)]
    assert assign(project, *words) == 0
    rounds = json.loads(out.read_text())["training"]
    assert rounds == [{"patients": ["110"], "pass_mark": 0.5, "ended": False}]
    assert Project.open(project.root).plan.training_of("dora") == (TrainingRound(("110",), 0.5),)


def test_f1_of_nothing_tagged_on_either_side_is_one():
    assert f1_of([TrainingResult(0, 0, 0)]) == 1


def test_the_list_says_of_nobody_that_they_are_adjudicated_in_training(project):
    train(project, "110")
    assert "110" not in AdjudicatedPatients(project, "dora")
