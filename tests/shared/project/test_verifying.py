"""Every sentence by which `verify` vouches for a project, and what would make it a lie."""

import json
import random
import shutil

import pytest

from adjudicator.session import AdjudicationSession
from annotator.session import AnnotationSession
from shared.commands.main import main
from shared.errors import FileFormatError
from shared.formats.base import Record
from shared.model import Document, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project import rebuilding
from shared.project.journal import Journal, head_path, read_journal
from shared.project.project import Project
from shared.project.verifying import fingerprint, verify
from tests.end_to_end.alter_at_random import FabricatedProject, alterations

DATE = PhiType("DATE", "DATE")
LAYER, GOLD = "layers/ana/1-01.xml", "gold/1-01.xml"
JOURNAL = "journal/ana/1.jsonl"


def tag(project, name, *starts):
    with AnnotationSession(project, name, "1") as session:
        for start in starts:
            session.tag(Span(start, start + 4), DATE)
        session.finish()


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A project with two annotators' work and a gold standard, and the same with less of ana's."""
    folder = tmp_path_factory.mktemp("made")
    records = [Record(Document(f"1-0{at}", "1", "aaaa bbbb cccc dddd")) for at in (1, 2)]
    project = Project.create(folder / "p", "P", I2B2_2014, records, ["ana", "ben"], 1)
    tag(project, "ana", 0, 5)
    shutil.copytree(folder / "p", folder / "older")
    tag(project, "ana", 10)
    tag(project, "ben", 0, 5, 10)
    with AdjudicationSession(project, "1", "carol") as session:
        session.finish()
    return folder


@pytest.fixture
def project(made, tmp_path):
    shutil.copytree(made / "p", tmp_path / "p")
    return Project.open(tmp_path / "p")


def said(project):
    return {each.file: each.what for each in verify(project.root).discrepancies}


def older(made, project, name):
    shutil.copyfile(made / "older" / name, project.root / name)


def test_nothing_is_said_of_a_healthy_project(project, capsys):
    assert main(["verify", str(project.root)]) == 0
    out = capsys.readouterr().out
    assert "held against each other: 0 things differ" in out
    assert "earlier version" not in out
    assert "nothing vouches" not in out


@pytest.mark.parametrize("name", [LAYER, GOLD])
def test_a_layer_that_is_missing_is_found_and_made_again(project, name, capsys):
    path = project.root / name
    before = path.read_bytes()
    path.unlink()
    assert said(project) == {name: "is missing"}
    assert main(["verify", str(project.root), "--rebuild"]) == 1
    assert f"rebuilt: {name}" in capsys.readouterr().out
    assert path.read_bytes() == before
    assert not said(project)


@pytest.mark.parametrize("call", ["set_aside", "write_atomic"])
def test_a_layer_whose_rebuilding_was_killed_is_made_again_and_its_journal_knows(
    project, monkeypatch, call
):
    path = project.root / LAYER
    before = path.read_bytes()
    path.write_bytes(before.replace(b'"DATE"', b'"PHONE"', 1))

    def killed(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(rebuilding, call, killed)
        with pytest.raises(KeyboardInterrupt):
            rebuilding.rebuild(verify(project.root))
    copy = path.with_name(".1-01.xml.0a1b2c3d.tmp")
    copy.write_bytes(before[:100])
    assert LAYER in said(project)
    assert main(["verify", str(project.root), "--rebuild"]) == 1
    assert path.read_bytes() == before
    assert not copy.exists()
    assert not said(project)
    noted = read_journal(project.root / JOURNAL)
    assert [each["op"] for each in noted].count("rebuild") == 2


@pytest.mark.parametrize("name", [LAYER, GOLD])
def test_a_layer_that_somebody_changed_is_found_made_again_and_kept_beside(project, name):
    path = project.root / name
    before = path.read_bytes()
    path.write_bytes(before.replace(b'"DATE"', b'"PHONE"', 1))
    found = verify(project.root).discrepancies
    assert [(each.file, each.what) for each in found] == [(name, "is not what its journal says")]
    assert found[0].since[:2] == "20"
    assert main(["verify", str(project.root), "--rebuild"]) == 1
    assert path.read_bytes() == before
    assert len(list(path.parent.glob("1-01.found-*.xml"))) == 1
    assert not said(project)


def test_a_layer_from_an_older_copy_is_found(made, project):
    older(made, project, LAYER)
    assert said(project) == {LAYER: "is not what its journal says"}


def test_a_layer_that_nobody_made_in_tandem_is_found(project):
    strange = project.root / "layers" / "ben" / "9-01.xml"
    strange.write_bytes((project.root / LAYER).read_bytes())
    assert said(project) == {
        "layers/ben/9-01.xml": "is in no journal and no log: it came otherwise"
    }


@pytest.mark.parametrize("names", [[JOURNAL], [JOURNAL, "journal/ana/1.head", LAYER]])
def test_a_journal_from_an_older_copy_is_found_even_with_all_that_belongs_to_it(
    made, project, names
):
    for each in names:
        older(made, project, each)
    assert "lines are gone" in said(project)[JOURNAL]
    closed = json.loads((project.root / "log/ana.jsonl").read_bytes().splitlines()[-1])["at"]
    since = [each.since for each in verify(project.root).discrepancies if each.file == JOURNAL]
    assert since[-1] == closed


def test_a_line_changed_in_a_journal_is_told_by_its_number(project):
    path = project.root / JOURNAL
    path.write_bytes(path.read_bytes().replace(b'"DATE"', b'"ZIP"', 1))
    first = verify(project.root).discrepancies[0]
    assert first.what.startswith("line ")
    assert "does not follow" in first.what


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("records/1/1-01.txt", "is not the text that was imported; restore it"),
        ("records/manifest.csv", "is not a list of record, patient"),
        ("tandem.toml", "is not a TOML file"),
        ("assignments.csv", "is not"),
        ("log.jsonl", "lines are gone"),
        ("log/ana.jsonl", "lines are gone"),
    ],
)
def test_a_file_that_is_no_more_what_it_was_is_found(project, name, what):
    (project.root / name).write_text("something else\n")
    assert what in " ".join(map(str, verify(project.root).discrepancies))


@pytest.mark.parametrize("name", ["tandem.toml", "assignments.csv"])
def test_settings_that_somebody_edited_are_found_and_can_be_accepted(project, name, capsys):
    path = project.root / name
    path.write_bytes(path.read_bytes() + b"\n")
    assert said(project) == {name: "is not what the log says"}
    assert main(["verify", str(project.root), "--seal"]) == 2
    assert main(["verify", str(project.root), "--accept", "a second line at the end"]) == 1
    capsys.readouterr()
    assert main(["verify", str(project.root)]) == 0
    sealed = (project.root / "log.jsonl").read_text().splitlines()[-1]
    assert json.loads(sealed)["reason"] == "a second line at the end"
    path.write_bytes(path.read_bytes() + b"\n")
    assert said(project) == {name: "is not what the log says"}


def test_a_journal_that_was_cut_can_be_accepted_and_gone_on_with(made, project):
    older(made, project, JOURNAL)
    with pytest.raises(FileFormatError, match="was cut short"):
        project.read_layer("ana", project.patient("1").documents[0])
    main(["verify", str(project.root), "--accept", "from the backup of Monday"])
    main(["verify", str(project.root), "--rebuild"])
    assert not said(project)
    tag(project, "ana", 15)
    assert not said(project)
    older(made, project, JOURNAL)
    assert said(project)


def test_a_head_noted_elsewhere_finds_a_history_that_was_written_anew(made, project, capsys):
    main(["verify", str(project.root), "--seal"])
    head = capsys.readouterr().out.split("head of the log: ")[1].strip()
    tag(project, "ben", 15)
    assert main(["verify", str(project.root), "--head", head]) == 0
    log = project.root / "log.jsonl"
    lines = [json.loads(each) for each in log.read_bytes().splitlines()]
    log.unlink()
    head_path(log).unlink()
    with Journal(log) as journal:  # by somebody who works out every hash anew
        for each in lines:
            journal.append(each | {"user": "nobody"} if "user" in each else each)
    assert main(["verify", str(project.root), "--head", head]) == 1
    assert "it is another history" in capsys.readouterr().out
    assert fingerprint(log.read_bytes()) != head


@pytest.mark.parametrize("head", ["", "9f3c", "no head at all"])
def test_what_is_no_head_is_refused(project, head, capsys):
    assert main(["verify", str(project.root), "--head", head]) == 2
    assert "is no head of a log" in capsys.readouterr().err


def test_a_clock_that_was_set_back_is_remarked(project):
    with Journal(project.root / JOURNAL) as journal:
        journal.append({"op": "active", "at": "2001-01-01T00:00:00+00:00"})
    found = verify(project.root)
    assert not found.discrepancies
    assert [(each.file, "tells an earlier time" in each.what) for each in found.remarks] == [
        (JOURNAL, True)
    ]
    assert found.remarks[0].since[:2] == "20"


def test_a_head_beside_a_journal_is_made_again(project, capsys):
    head_path(project.root / JOURNAL).unlink()
    assert said(project) == {"journal/ana/1.head": "is missing"}
    assert main(["verify", str(project.root), "--rebuild"]) == 1
    assert not said(project)


def test_an_older_project_opens_and_nothing_is_vouched_for_that_no_hash_covers(project, capsys):
    shutil.rmtree(project.root / "log")
    for path in [*project.root.rglob("*.head"), project.root / "log.jsonl"]:
        path.unlink()
    for path in project.root.rglob("*.jsonl"):
        lines = [json.loads(each) for each in path.read_bytes().splitlines()]
        old = [each for each in lines if each["op"] != "base"]
        for each in old:
            each.pop("prev")
            if "ana" in path.parts:
                each.pop("digests", None)
        path.write_text("".join(json.dumps(each, separators=(",", ":")) + "\n" for each in old))
    assert main(["verify", str(project.root)]) == 0
    out = capsys.readouterr().out
    assert "written by an earlier version: no hash vouches for them" in out
    assert "nothing vouches for 4 files: tandem.toml" in out
    with AnnotationSession(project, "ana", "1") as session:
        assert len(session.tags) == 3
        assert not session.notices
    tag(project, "ana", 15)
    assert main(["verify", str(project.root)]) == 0
    (project.root / LAYER).unlink()
    assert said(project) == {LAYER: "is missing"}


@pytest.mark.parametrize("is_earlier", [False, True])
def test_tags_that_were_imported_are_made_again_from_the_first_line(tmp_path, is_earlier):
    tags = [Tag(Span(0, 4), DATE, "P0", 'a "quoted" word'), Tag(Span(5, 9), DATE, "P1")]
    records = [Record.of(Document("1-01", "1", "aaaa bbbb"), tags)]
    project = Project.create(tmp_path, "P", I2B2_2014, records, ["ana", "ben"], 1, import_as="ana")
    path, journal = project.root / LAYER, project.root / JOURNAL
    before = path.read_bytes()
    with AnnotationSession(project, "ana", "1"):
        assert not journal.read_bytes()  # a patient with many tags opens at once
    (line,) = (json.loads(each) for each in journal.read_bytes().splitlines())
    if is_earlier:  # the tags were a list for a while
        line["layers"] = {name: json.loads(each) for name, each in line["layers"].items()}
        journal.write_text(json.dumps(line) + "\n")
        head_path(journal).unlink()
    path.unlink()
    with AnnotationSession(project, "ana", "1") as session:
        assert [each.tag for each in session.tags] == tags
    assert path.read_bytes() == before


def test_names_in_a_log_lead_nowhere_else(project, tmp_path):
    (tmp_path / "secret.jsonl").write_text("{}\n")
    with Journal(project.root / "log.jsonl") as journal:
        away = {
            "../secret.jsonl": "000000000000009 " + "0" * 32,
            str(tmp_path / "secret.jsonl"): "x",
        }
        journal.append({"op": "noted", "heads": away, "files": {"../secret.jsonl": "x"}})
    assert not said(project)


@pytest.mark.parametrize(
    "line", [b'{"op":[],"files":3,"heads":{"a":[]}}\n', b"[" * 9999 + b"\n", b"3\n"]
)
def test_a_log_of_nonsense_is_said_and_ends_nothing(project, line):
    (project.root / "log.jsonl").write_bytes(line)
    assert "log.jsonl" in said(project)


def test_alterations_at_random_are_found(tmp_path):
    kinds, missed = alterations(12, 5, tmp_path)
    assert kinds.total() == 12
    assert not missed


def test_nothing_is_said_of_projects_that_real_sessions_made_and_kills_ended(tmp_path):
    for at in range(2):
        fabricated = FabricatedProject(tmp_path / str(at), random.Random(at))
        fabricated.work(1)
        found = verify(fabricated.root)
        assert not [*found.discrepancies, *found.remarks]


def test_layers_that_cannot_be_checked_are_not_said_to_have_come_otherwise(project):
    (project.root / "records" / "1" / "1-01.txt").write_text("another text", encoding="utf-8")
    told = said(project)
    assert told["records/1/1-01.txt"].startswith("is not the text that was imported")
    assert "layers that cannot be checked" in told[JOURNAL]
    assert not [what for what in told.values() if "came otherwise" in what]
    assert LAYER in verify(project.root).not_covered


@pytest.mark.parametrize("kind", ["annotation", "adjudication"])
def test_a_session_killed_right_after_its_first_file_has_it_in_its_journal(tmp_path, kind):
    records = [Record(Document(f"1-0{at}", "1", "aaaa bbbb cccc dddd")) for at in (1, 2)]
    project = Project.create(tmp_path / "p", "P", I2B2_2014, records, ["ana", "ben"], 1)
    if kind == "annotation":
        session = AnnotationSession(project, "ana", "1")
        session.tag(Span(0, 4), DATE)
    else:
        tag(project, "ana", 0, 5)
        tag(project, "ben", 0, 5)
        session = AdjudicationSession(project, "1", "carol")
    with session:
        session.write(session.snapshot())
        assert any((project.root / "gold").glob("*.xml")) or kind == "annotation"
        shutil.copytree(project.root, tmp_path / "killed")
    assert not verify(tmp_path / "killed").discrepancies
