"""`tandem import-suggestions`: what is taken, what is listed, and that nothing else changes."""

import json
import os
import signal
import subprocess
import sys

import pytest

from shared.commands.main import main
from shared.errors import StorageError
from shared.formats.base import Record
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.imported_suggestions import (
    ImportedSuggestion,
    ImportedSuggestions,
    imported_names,
    write_imported,
)
from shared.project.project import Project
from tests.builders import phi
from tests.disk import filling_disk

TEXT = "Seen by Dr. Okafor on Monday, then by Lee, not Lee.\n"


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"{n}-01", str(n), TEXT)) for n in (1, 2)]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


@pytest.fixture
def bring(project, tmp_path):
    """Writes lines of JSON and imports them as suggestions of gpt."""

    def run(*lines, more=()):
        file = tmp_path / "found.jsonl"
        file.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
        return main(["import-suggestions", str(project.root), str(file), "--name", "gpt", *more])

    return run


def there(project, record_id="1-01"):
    """What gpt suggests in a record."""
    found = ImportedSuggestions(project).of([record_id]).get("gpt", {})
    return [
        (each.span.text_in(TEXT), each.phi_type.name, each.confidence)
        for each in found.get(record_id, ())
    ]


def quoted(*quotes, record="1-01"):
    return {"record": record, "quotes": list(quotes)}


OKAFOR = {"text": "Dr. Okafor", "type": "DOCTOR", "before": "Seen by", "score": 0.9}


def test_quotes_become_suggestions(project, bring, capsys):
    lee = {"quote": "Lee", "label": "DOCTOR", "after": "not", "confidence": 0.4}
    assert bring(quoted(OKAFOR, lee, {"text": "Monday", "type": "DATE"})) == 0
    expected = [("Dr. Okafor", "DOCTOR", 0.9), ("Monday", "DATE", 0.5), ("Lee", "DOCTOR", 0.4)]
    assert there(project) == expected
    assert "gpt: 3 suggestions in 1 record" in capsys.readouterr().out


def test_what_has_no_place_is_listed_without_its_text(project, bring, capsys):
    assert (
        bring(quoted(OKAFOR, {"text": "Ortiz", "type": "PATIENT"}), quoted(OKAFOR, record="9-09"))
        == 1
    )
    out, err = capsys.readouterr()
    assert "1-01: its text stands nowhere in the record" in out
    assert "9-09: the project has no such record" in out
    assert not any(word in out + err for word in ("Ortiz", "Okafor", "Seen"))
    assert len(there(project)) == 1


def test_types_are_those_of_the_schema_or_as_mapped_or_listed(project, bring, capsys):
    person = {"text": "Dr. Okafor", "type": "PERSON"}
    monday = {"text": "Monday", "type": "date"}
    assert bring(quoted(person, monday)) == 1
    assert there(project) == [("Monday", "DATE", 0.5)]
    assert "type PERSON: not in the schema, 1 left out" in capsys.readouterr().out
    assert bring(quoted(person, monday), more=["--type", "PERSON=NAME:DOCTOR"]) == 0
    assert there(project)[0] == ("Dr. Okafor", "DOCTOR", 0.5)
    assert bring(quoted(person), more=["--type", "PERSON=NOBODY"]) == 2
    assert "has no type NOBODY" in capsys.readouterr().err


@pytest.mark.parametrize("score", [2, -0.1, "much", True, {}])
def test_a_confidence_that_is_none_is_listed(project, bring, score, capsys):
    assert bring(quoted(OKAFOR, {"text": "Monday", "type": "DATE", "score": score})) == 1
    assert "1-01: its confidence is no number from 0 to 1" in capsys.readouterr().out
    assert len(there(project)) == 1


def test_spans_with_the_text_of_the_record_or_of_another_copy(project, bring):
    at = {"start": 12, "end": 18, "text": "Okafor", "label": "DOCTOR", "score": 0.8}
    assert bring({"record": "1-01", "text": TEXT, "spans": [at]}) == 0
    assert there(project) == [("Okafor", "DOCTOR", 0.8)]
    copy = TEXT.replace("Seen by", "Seen  by").replace("then", "\nthen")
    spans = [{"start": 13, "end": 19, "label": "DOCTOR"}, {"start": 23, "end": 29, "label": "DATE"}]
    assert bring({"record": "1-01", "text": copy, "spans": spans}) == 0
    assert there(project) == [("Okafor", "DOCTOR", 0.5), ("Monday", "DATE", 0.5)]


def test_another_import_replaces_and_another_name_stays(project, bring, capsys):
    assert bring(quoted(OKAFOR)) == 0
    monday = ImportedSuggestion(Span(22, 28), phi("DATE"), 0.7)
    write_imported(project, "spacy", {"1-01": [monday]})
    assert bring(quoted({"text": "Monday", "type": "DATE"})) == 0
    assert "in the place of those before" in capsys.readouterr().out
    assert there(project) == [("Monday", "DATE", 0.5)]
    assert imported_names(project) == ["gpt", "spacy"]


def test_they_are_removed_by_their_name(project, bring, capsys):
    bring(quoted(OKAFOR))
    words = ["import-suggestions", str(project.root), "--name", "gpt", "--remove"]
    assert main(words) == 0
    assert imported_names(project) == []
    assert main(words) == 2
    assert "there are no suggestions of the name gpt" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../x", "", "a/b", ".x", "x" * 61, "ä"])
def test_a_name_that_could_be_no_file(project, tmp_path, name, capsys):
    (tmp_path / "f.jsonl").write_text(json.dumps(quoted(OKAFOR)))
    assert (
        main(["import-suggestions", str(project.root), str(tmp_path / "f.jsonl"), "--name", name])
        == 2
    )
    assert "cannot name suggestions" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]\n", '{"record": "1-01", "quotes": 3}\n', '{"record": 7, "quotes": []}\n',
     '{"record": "1-01", "quotes": [7]}\n', '{"record": "1-01", "quotes": [{"text": 1}]}\n',
     '{"record": "1-01", "quotes": []}\n', '{"record": "1-01", "quotes": [' + "[" * 100_000],
)  # fmt: skip
def test_a_broken_or_empty_file_changes_nothing(project, bring, tmp_path, content, capsys):
    bring(quoted(OKAFOR))
    (tmp_path / "bad.jsonl").write_text(content)
    words = ["import-suggestions", str(project.root), str(tmp_path / "bad.jsonl"), "--name", "gpt"]
    assert main(words) == 2
    assert "nothing was imported" in capsys.readouterr().err.splitlines()[-1]
    assert there(project) == [("Dr. Okafor", "DOCTOR", 0.9)]


def test_one_broken_line_is_left_out_only_where_that_is_wanted(project, bring, tmp_path):
    lines = f"{json.dumps(quoted(OKAFOR))}\nnonsense\n"
    (tmp_path / "half.jsonl").write_text(lines)
    words = ["import-suggestions", str(project.root), str(tmp_path / "half.jsonl"), "--name", "gpt"]
    assert main(words) == 2
    assert imported_names(project) == []
    assert main([*words, "--skip-broken"]) == 1
    assert len(there(project)) == 1


def test_a_file_that_is_not_there(project, tmp_path, capsys):
    words = ["import-suggestions", str(project.root), str(tmp_path / "none"), "--name", "gpt"]
    assert main(words) == 2
    assert str(tmp_path / "none") in capsys.readouterr().err


def test_what_annotators_tagged_is_not_suggested_to_others(project, bring, tmp_path, capsys):
    inside = project.root / "layers"
    assert main(["import-suggestions", str(project.root), str(inside), "--name", "gpt"]) == 2
    assert "lies in the project" in capsys.readouterr().err
    (tmp_path / "copied").mkdir()
    (tmp_path / "copied" / "1-01.xml").write_text(
        f"<deIdi2b2><TEXT><![CDATA[{TEXT}]]></TEXT><TAGS><DATE id='P0' start='22' end='28' "
        "text='Monday' TYPE='DATE' comment='' origin='hand'/></TAGS></deIdi2b2>"
    )
    words = ["import-suggestions", str(project.root), str(tmp_path / "copied"), "--name", "gpt"]
    assert main(words) == 2
    assert "tags that people made" in capsys.readouterr().err
    assert imported_names(project) == []


def test_what_came_as_json(project, bring, capsys):
    capsys.readouterr()
    nowhere, person = {"text": "Ortiz", "type": "PATIENT"}, {"text": "Lee, not", "type": "PERSON"}
    assert bring(quoted(OKAFOR, nowhere, person), more=["--json", "-"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["suggestions"] == {"1-01": 1}
    assert told["unknown_types"] == {"PERSON": 1}
    assert [each["record"] for each in told["left_out"]] == ["1-01"]


def test_a_full_disk_leaves_what_was_there(project, bring, capsys):
    bring(quoted(OKAFOR))
    with filling_disk(0):
        assert bring(quoted({"text": "Monday", "type": "DATE"})) == 2
    assert "no space left" in capsys.readouterr().err
    assert there(project) == [("Dr. Okafor", "DOCTOR", 0.9)]
    assert [each.name for each in (project.root / "suggestions").iterdir()] == ["gpt.jsonl"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written(project, bring, capsys):
    (project.root / "suggestions").mkdir(mode=0o500)
    assert bring(quoted(OKAFOR)) == 2
    assert "ask its owner for access" in capsys.readouterr().err


def test_suggestions_of_another_text_are_not_heeded(project, bring):
    bring(quoted(OKAFOR))
    file = project.root / "suggestions" / "gpt.jsonl"
    file.write_text(file.read_text().replace(project.record_digests()["1-01"], "0" * 64))
    assert there(project) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("nonsense", "import them again"),
        ("", "import them again"),
        ('{"format": 9}\n', "update Tandem"),
        ('{"format": 1}\n{"record": "1-01"}\n', "import them again"),
    ],
)
def test_a_file_in_the_project_that_is_broken_is_said(project, content, said):
    (project.root / "suggestions").mkdir()
    (project.root / "suggestions" / "gpt.jsonl").write_text(content)
    with pytest.raises(Exception, match=said):
        ImportedSuggestions(project).of(["1-01"])


_KILLED = """
import os, sys, time
from pathlib import Path
from shared.project.imported_suggestions import ImportedSuggestion, write_imported
from shared.project.project import Project
from shared.model import PhiType, Span
project = Project.open(Path(sys.argv[1]))
sizes = [1, 50_000]
print("ready", flush=True)
while True:
    for size in sizes:
        one = ImportedSuggestion(Span(0, 4), PhiType("DATE", "DATE"), 0.5)
        write_imported(project, "gpt", {"1-01": [one] * size})
"""


def test_a_killed_import_leaves_all_of_one(project):
    for wait in (0.02, 0.09, 0.17):
        process = subprocess.Popen(
            [sys.executable, "-c", _KILLED, str(project.root)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(wait)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert len(there(project)) in (0, 1, 50_000)


def test_the_disk_is_told_of_by_its_own_error(project):
    with filling_disk(0), pytest.raises(StorageError):
        write_imported(project, "gpt", {"1-01": [ImportedSuggestion(Span(0, 4), phi("DATE"), 1)]})
