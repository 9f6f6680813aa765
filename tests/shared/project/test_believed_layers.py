"""A layer, a gold standard or a journal that is not what it should be is never taken for it."""

import shutil

import pytest

from adjudicator.session import AdjudicationSession
from annotator.session import AnnotationSession
from shared.commands.main import main
from shared.formats.base import Record
from shared.formats.i2b2_xml import format_record
from shared.model import Document, Layer, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.journal import append_to_journal
from shared.project.project import Project

DATE = PhiType("DATE", "DATE")
LAYER, GOLD = "layers/ana/1-01.xml", "gold/1-01.xml"
READ_LAYERS = (["status"], ["check", "--layer", "ana"], ["agreement"])
READ_GOLD = (["status"], ["check"], ["agreement"], ["surrogate", "--accept-unreviewed"])


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    records = [Record(Document(f"1-0{at}", "1", "aaaa bbbb cccc dddd")) for at in (1, 2)]
    project = Project.create(folder / "p", "P", I2B2_2014, records, ["ana", "ben"], 1)
    for name in ("ana", "ben"):
        with AnnotationSession(project, name, "1") as session:
            session.tag(Span(0, 4), DATE)
            session.save()
            shutil.copytree(folder / "p", folder / f"older-{name}")
            session.tag(Span(5, 9), DATE)
            session.tag(Span(10, 14), DATE)
            session.finish()
    with AdjudicationSession(project, "1", "carol") as session:
        session.finish()
    return folder


@pytest.fixture
def project(made, tmp_path):
    shutil.copytree(made / "p", tmp_path / "p")
    return Project.open(tmp_path / "p")


def remove(path, _made):
    path.unlink()


def restore(path, made):
    shutil.copyfile(made / "older-ana" / LAYER, path)


def change(path, _made):
    layer = Layer.of("1-01", path.parent.name, [Tag(Span(0, 9), DATE)])
    path.write_bytes(format_record("aaaa bbbb cccc dddd", layer, bare=path.parent.name == "gold"))


def run(project, words, tmp_path, capsys):
    out = ["--out", str(tmp_path / "release")] if words[0] == "surrogate" else []
    status = main([words[0], str(project.root), *words[1:], *out])
    return status, capsys.readouterr().err


@pytest.mark.parametrize("spoil", [remove, restore, change])
@pytest.mark.parametrize(
    "read",
    [*((LAYER, words) for words in READ_LAYERS), *((GOLD, words) for words in READ_GOLD)],
)
def test_commands_say_it_in_one_sentence_and_end_with_2(
    made, project, tmp_path, capsys, spoil, read
):
    name, words = read
    assert run(project, words, tmp_path, capsys)[0] in (0, 1)
    shutil.rmtree(tmp_path / "release", ignore_errors=True)
    spoil(project.root / name, made)
    status, err = run(project, words, tmp_path, capsys)
    assert status == 2
    told = [line for line in err.splitlines() if name in line]
    assert len(told) == 1
    assert ("is missing" if spoil is remove else "changed outside of Tandem") in told[0]
    assert len(told[0].replace(str(project.root), "")) <= 300


@pytest.mark.parametrize(
    ("name", "words"),
    [
        *(("journal/ana/1.jsonl", words) for words in READ_LAYERS),
        *(("journal/gold/1.jsonl", words) for words in READ_GOLD),
    ],
)
def test_a_journal_cut_short_is_said_by_commands(project, tmp_path, capsys, name, words):
    path = project.root / name
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))
    status, err = run(project, words, tmp_path, capsys)
    assert status == 2
    assert f"{name}: was cut short or changed outside of Tandem" in err


def altered(path, old, new):
    """Change a line of a journal, in as many bytes, so that its head tells nothing."""
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        *(("journal/ana/1.jsonl", words) for words in READ_LAYERS),
        *(("journal/gold/1.jsonl", words) for words in READ_GOLD),
    ],
)
def test_a_line_of_a_journal_that_was_altered_is_said_by_commands_until_it_is_sealed(
    project, tmp_path, capsys, name, words
):
    altered(project.root / name, b'"at":"20', b'"at":"19')
    status, err = run(project, words, tmp_path, capsys)
    assert status == 2, err
    assert [each for each in err.splitlines() if name in each and "see tandem verify" in each]
    assert main(["verify", str(project.root), "--seal", "--accept", "the clock was wrong"]) in (
        0,
        1,
    )
    shutil.rmtree(tmp_path / "release", ignore_errors=True)
    capsys.readouterr()
    status, err = run(project, words, tmp_path, capsys)
    assert (status, name in err) in [(0, False), (1, False)]


@pytest.mark.parametrize(
    ("owner", "words"),
    [("ana", ["check", "--layer", "ana"]), ("gold", ["surrogate", "--accept-unreviewed"])],
)
def test_dismissals_that_somebody_altered_are_not_believed(project, tmp_path, capsys, owner, words):
    path = project.root / "dismissed" / f"{owner}.jsonl"
    append_to_journal(path, [{"kind": "repeat", "reason": "a"}, {"kind": "repeat"}], owner)
    assert run(project, words, tmp_path, capsys)[0] in (0, 1)
    shutil.rmtree(tmp_path / "release", ignore_errors=True)
    altered(path, b"repeat", b"glued!")
    status, err = run(project, words, tmp_path, capsys)
    assert status == 2
    assert f"dismissed/{owner}.jsonl" in err
    assert not (tmp_path / "release").exists()


@pytest.mark.parametrize("words", [*READ_LAYERS, *READ_GOLD])
def test_a_record_that_is_not_the_manifests_is_said_by_commands(project, tmp_path, capsys, words):
    (project.root / "records/1/1-01.txt").write_text("another text")
    status, err = run(project, words, tmp_path, capsys)
    assert status == 2
    assert "1-01.txt: is not the text that was imported" in err


@pytest.mark.parametrize("spoil", [remove, restore, change])
def test_the_annotators_window_makes_it_again_from_the_journal(made, project, spoil):
    path = project.root / LAYER
    before = path.read_bytes()
    spoil(path, made)
    with AnnotationSession(project, "ana", "1") as session:
        assert sorted(each.start for each in session.tags) == [0, 5, 10]
        assert len(session.notices) == 1
        assert "1-01" in session.notices[0]
        assert "rebuilt from the journal" in session.notices[0]
        session.finish()
    assert path.read_bytes() == before
    assert len(list(path.parent.glob("*.found-*.xml"))) == (spoil is not remove)
    with AnnotationSession(project, "ana", "1") as session:
        assert not session.notices


def test_layers_that_came_with_the_project_are_made_again_as_well(tmp_path):
    layer = Layer.of("1-01", "", [Tag(Span(0, 4), DATE)])
    records = [Record(Document("1-01", "1", "aaaa bbbb cccc"), (layer,))]
    project = Project.create(
        tmp_path / "p", "P", I2B2_2014, records, ["ana", "ben"], 1, import_as="ana"
    )
    with AnnotationSession(project, "ana", "1") as session:
        session.tag(Span(5, 9), DATE)
    project.layer_path("ana", "1-01").unlink()
    with AnnotationSession(project, "ana", "1") as session:
        assert [each.start for each in session.tags] == [0, 5]


def test_a_journal_cut_short_is_said_and_the_layer_is_believed_rather(project):
    path = project.root / "journal/ana/1.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]))
    with AnnotationSession(project, "ana", "1") as session:
        assert "was cut short" in session.notices[0]
        assert sorted(each.start for each in session.tags) == [0, 5, 10]
