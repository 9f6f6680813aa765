"""`tandem new --layer ana=DIR --gold DIR`: work that was done elsewhere becomes a project."""

import pytest

from shared.commands.main import main
from shared.formats.base import Record, WriteOptions
from shared.formats.registry import FORMATS
from shared.model import Document
from shared.project.assignments import State
from shared.project.project import Project
from tests.builders import marked_up

TEXTS = {"110-01": "[Kai|PATIENT] came.", "110-02": "Seen by [Lee|DOCTOR].", "120-01": "Nothing."}


@pytest.fixture
def folder(tmp_path):
    """Writes records, marked up, into a folder of some format."""

    def written(name, sources, form="i2b2"):
        records = [
            Record.of(Document(record_id, "", marked_up(source)[0]), marked_up(source)[1])
            for record_id, source in sources.items()
        ]
        for each in FORMATS[form].write(records, WriteOptions()):
            path = tmp_path / name / each.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(each.data)
        return tmp_path / name

    return written


@pytest.fixture
def new(tmp_path, folder):
    """Makes a project of the records and what the options say; returns the status."""

    def made(*options):
        records = folder("records", TEXTS, "text")
        return main(["new", str(tmp_path / "p"), "--records", str(records), *map(str, options)])

    return made


def states(tmp_path):
    return {
        (each.patient_id, each.annotator): each.state
        for each in Project.open(tmp_path / "p").assignments()
    }


def tags(tmp_path, name, record_id="110-01"):
    project = Project.open(tmp_path / "p")
    document = project.patient(record_id.partition("-")[0]).document(record_id)
    return [
        (tag.span.text_in(document.text), tag.phi_type.name)
        for tag in project.read_layer(name, document).layer.tags
    ]


def test_two_folders_make_a_project_that_is_ready_to_be_adjudicated(new, folder, tmp_path, capsys):
    ana = folder("ana", TEXTS)
    ben = folder("ben", {**TEXTS, "110-01": "[Kai|DOCTOR] came."}, "conll")
    assert new("--layer", f"ana={ana}", "--layer", f"ben={ben}") == 0
    assert set(states(tmp_path).values()) == {State.DONE}
    assert tags(tmp_path, "ana") == [("Kai", "PATIENT")]
    assert tags(tmp_path, "ben") == [("Kai", "DOCTOR")]
    assert "the layer of ben: 3 records, 2 tags, 2 patients done" in capsys.readouterr().out
    assert main(["agreement", str(tmp_path / "p")]) == 0
    assert "ana against ben, 3 records" in capsys.readouterr().out


def test_a_patient_of_whom_a_record_is_missing_is_begun(new, folder, tmp_path):
    ana = folder("ana", {"110-01": TEXTS["110-01"]})
    assert new("--annotators", "ana,ben", "--layer", f"ana={ana}") == 0
    assert states(tmp_path) == {
        ("110", "ana"): State.BEGUN, ("110", "ben"): State.TO_DO,
        ("120", "ana"): State.TO_DO, ("120", "ben"): State.TO_DO,
    }  # fmt: skip


def test_patients_go_to_those_who_have_layers_of_them(new, folder, tmp_path):
    ana = folder("ana", {"120-01": TEXTS["120-01"]})
    ben = folder("ben", {"120-01": TEXTS["120-01"]})
    for seed in range(5):
        root = tmp_path / f"{seed}"
        records = folder("records", TEXTS, "text")
        words = ["new", str(root), "--records", str(records), "--annotators", "ana,ben,cyd,dan",
                 "--layer", f"ana={ana}", "--layer", f"ben={ben}", "--seed", str(seed)]  # fmt: skip
        assert main(words) == 0
        of_120 = {each.annotator for each in Project.open(root).assignments()
                  if each.patient_id == "120"}  # fmt: skip
        assert of_120 == {"ana", "ben"}


def test_a_gold_standard_is_taken_over(new, folder, tmp_path):
    gold = folder("gold", TEXTS)
    assert new("--annotators", "ana,ben", "--gold", gold) == 0
    assert tags(tmp_path, "gold") == [("Kai", "PATIENT")]
    assert Project.open(tmp_path / "p").is_adjudicated("110")


def test_types_of_all_layers_make_the_schema(new, folder, tmp_path):
    ana = folder("ana", {"110-01": "[Kai|PATIENT] came."})
    ben = folder("ben", {"110-01": "[Kai|DOCTOR] came."})
    assert new("--layer", f"ana={ana}", "--layer", f"ben={ben}", "--schema", "auto") == 0
    names = {each.name for each in Project.open(tmp_path / "p").schema.types()}
    assert names == {"PATIENT", "DOCTOR"}


@pytest.mark.parametrize(
    ("sources", "said"),
    [
        ({"130-01": "Who?"}, "the layer of ana has record 130-01, which the project has not"),
        ({"110-01": "[Kay|PATIENT] came."}, "was made for another text of record 110-01"),
    ],
)
def test_a_layer_of_other_records_is_refused_and_nothing_made(
    new, folder, tmp_path, capsys, sources, said
):
    ana = folder("ana", sources)
    assert new("--annotators", "ana,ben", "--layer", f"ana={ana}") == 2
    assert said in capsys.readouterr().err
    assert not (tmp_path / "p").exists()


def test_a_layer_with_a_broken_file_is_refused(new, folder, tmp_path, capsys):
    ana = folder("ana", TEXTS)
    (ana / "110-02.xml").write_text("<broken")
    assert new("--annotators", "ana,ben", "--layer", f"ana={ana}") == 2
    assert "1 files of the layer of ana could not be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--layer", "ana=."), "--annotators is needed unless --layer names two or more"),
        (("--layer", "ana"), "needs an annotator and a folder"),
        (("--layer", "ana=.", "--layer", "ana=."), "there twice"),
    ],
)
def test_options_that_make_no_sense(new, capsys, folder, monkeypatch, options, said):
    monkeypatch.chdir(folder("ana", TEXTS))
    assert new(*options) == 2
    assert said in capsys.readouterr().err
