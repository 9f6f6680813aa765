"""Every command that reports can do so as JSON, with the keys of manual/json.md and no others."""

import argparse
import contextlib
import importlib
import io
import json
import re
import shutil
from pathlib import Path

import pytest

from shared.commands.demo_folder import make_demo
from shared.commands.main import COMMANDS, main
from shared.project.journal import Journal
from tests.shared.commands.test_status import drifting

PAGE = Path(__file__).parents[3] / "manual" / "json.md"
SILENT = {"annotate", "adjudicate", "completion"}
"""Commands that report nothing: windows, what is a file of lines by itself, a script."""


def documented():
    """The patterns of keys that the page has for each command."""
    _, *sections = PAGE.read_text("utf-8").split("\n## tandem ")
    found = {}
    for each in sections:
        name, _, body = each.partition("\n")
        cells = (line.split("|")[1] for line in body.splitlines() if line.startswith("| `"))
        found[name] = [
            re.split(r"\.", key) for cell in cells for key in re.findall("`(.+?)`", cell)
        ]
    return found


def keys_of(value, path=()):
    """Every way to a value, and whether it is a list or a table with nothing in it."""
    inside = isinstance(value, dict | list) and value
    if isinstance(value, list):
        path = (*path[:-1], f"{path[-1]}[]")
        inside = value and [key for each in value for key in keys_of(each, path)]
    elif inside:
        inside = [key for name in value for key in keys_of(value[name], (*path, name))]
    yield from inside or [(path, value in ({}, []))]


def fits(pattern, key, *, whole):
    same = all(want in ("*", have) for want, have in zip(pattern, key, strict=False))
    return same and (len(pattern) == len(key) if whole else len(pattern) >= len(key))


RUNS = """
demo | again --no-windows --patients 3
new | n --records demo/records --annotators a,b,c --layer a=demo/truth
new | n2 --records broken --annotators a,b --skip-broken
new | n3 --records demo/records --annotators a,b,c --per-patient 3
convert | broken t --to i2b2 --skip-broken
convert | few c --to text
assign | n3 --take-back c 101
assign | n3 --give c 101
assign | n3 --add d --records more --dry-run
assign | altered --add dora
assign --training, --end-training | altered --training dora 101
assign | altered --records more --per-patient 3 --known-answers 1
suggest | broken --model rules --out s
suggest | demo/records --model rules --out s2
suggest --engine | notes.csv --model rules --engine processes --cores 1 --out tags
evaluate | rules demo/truth
reproduce | he --size 6 --tables 3,4
train | few --out m --recognizer he --folds 2 --ablate --features word --cores 1
score | demo/project/gold demo/truth --against demo/project/gold
score --official | demo/project/gold demo/truth --official i2b2-2014
score --official | demo/project/gold demo/truth --official meddocan
import-suggestions | demo/project others.jsonl --name gpt
status | demo/project --time --suggestions
status | altered --known-answers
status | drifting --drift
import-suggestions | demo/project --name gpt --remove
check | demo/project --layer ana --all
check | demo/project --layer ana --all --dismiss {place}
verify | altered --rebuild
verify | old
agreement | demo/project
agreement | demo/project --out report --resamples 2
risk | demo/project
audit | demo/project --sample 2
audit --for-bound | demo/project --for-bound .2
hand-out | demo/project --annotator ana --out out --passphrase-file pass
open | out ana --passphrase-file pass
hand-in | ana --out in --passphrase-file pass
collect | demo/project in --passphrase-file pass
surrogate --hold-back, --let-in, --held-back | demo/project --hold-back 104 --reason late
surrogate --hold-back, --let-in, --held-back | demo/project --hold-back 105 --reason late
surrogate | demo/project --review
surrogate --doubtful | with-broken --doubtful hold-back --out r1 --certainty .1
surrogate --doubtful | demo/truth --doubtful mask --out r2
surrogate | demo/project --out r3 --mode keyed --keep-map map --passphrase-file pass \
    --accept-unreviewed
surrogate --restore | demo/project --open-map map --restore r3 r4 --passphrase-file pass
"""
"""What is run, in this order: the section of the page, then the words behind its command."""


def write_records(root):
    """The project of a demo, few records of it, the same with a broken one, and odd files."""
    make_demo(root / "demo")
    for name in ("altered", "old"):
        shutil.copytree(root / "demo" / "project", root / name)
    (root / "altered" / "layers" / "ana" / "101-01.xml").unlink()
    with Journal(root / "altered" / "journal" / "ana" / "102.jsonl") as journal:
        journal.append({"op": "active", "at": "2001-01-01T00:00:00+00:00"})
    (root / "old" / "log.jsonl").unlink()
    drifting(root / "drifting")
    (root / "pass").write_text("correct horse battery\n")
    for name in ("few", "with-broken", "broken"):
        (root / name).mkdir()
    truth = root / "demo" / "truth"
    for each in (*truth.glob("101-0[12]*"), *truth.glob("102-0[12]*")):
        for name in ("few", "with-broken"):
            (root / name / each.name).write_bytes(each.read_bytes())
    (root / "with-broken" / "103-09.xml").write_text("<a>")
    (root / "broken" / "a-1.txt").write_bytes("Dr. Müller\r\n".encode("cp1252"))
    (root / "more").mkdir()
    (root / "more" / "a-1.txt").write_text("Seen.")
    (root / "broken" / "a-2.xml").write_text("<a>")
    (root / "broken" / "a-3.docx").write_text("")
    (root / "notes.csv").write_text("patient,record,text\na,a-1,Seen by Dr. Okafor.\n")
    text = (root / "demo" / "records" / "101-01.txt").read_text()
    word = max(text.split(), key=len)
    spans = [
        {"start": 0, "end": 4, "text": each, "label": label}
        for each, label in ((word, "DOCTOR"), (word, "NOBODY"), ("nowhere to be", "DOCTOR"))
    ]
    line = {"record": "101-01", "text": text, "spans": spans}
    (root / "others.jsonl").write_text(json.dumps(line))


def report_of(words):
    """What a command writes to standard output, which must be one JSON object and no more."""
    out, aside = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(aside):
        main([*words, "--json", "-"])
    assert out.getvalue(), (words, aside.getvalue())
    data = json.loads(out.getvalue(), parse_constant=pytest.fail)
    assert data.pop("version") == 1
    return data


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """What commands write of a demo project, by the section of the page that is about it."""
    root = tmp_path_factory.mktemp("reports")
    write_records(root)
    found, place = {}, ""
    with contextlib.chdir(root):
        for line in RUNS.replace("\\\n", "").strip().splitlines():
            section, words = line.split(" | ")
            command = section.split()[0]
            data = report_of([command, *words.format(place=place).split()])
            found.setdefault(section, []).append(data)
            for each in data.get("findings", ()):
                place = f"{each['record']}:{each['start']}-{each['end']}"
    return found


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_reports_has_json(name):
    module = importlib.import_module(f"shared.commands.{name.replace('-', '_')}")
    parser = argparse.ArgumentParser()
    module.add_arguments(parser)
    options = {option for each in parser._actions for option in each.option_strings}
    assert ("--json" in options) == (name not in SILENT)


def test_every_command_that_reports_has_a_section_that_is_tried(reports):
    assert {each.split()[0] for each in documented()} == set(COMMANDS) - SILENT
    assert set(documented()) == set(reports)


@pytest.mark.parametrize("section", documented())
def test_the_page_has_every_key_that_is_written_and_no_other(reports, section):
    patterns = documented()[section]
    keys = {key for each in reports[section] for key in keys_of(each)}
    unknown = {
        ".".join(key)
        for key, is_empty in keys
        if not any(fits(each, key, whole=not is_empty) for each in patterns)
    }
    unseen = {
        ".".join(each)
        for each in patterns
        if not any(fits(each, key, whole=True) for key, _ in keys)
    }
    assert (unknown, unseen) == (set(), set())
