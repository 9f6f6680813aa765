"""The examples of manual/python.md run, in their order, and give what they say."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "manual" / "python.md"
BLOCK = re.compile(r"(?:<!-- needs (\w+) -->\n)?```python\n(.*?)```", re.DOTALL)


@pytest.fixture
def run(project, tmp_path, monkeypatch):
    """Runs the examples of the page that need nothing but Tandem, or one package more."""
    monkeypatch.chdir(tmp_path)

    def run_with(package=""):
        names = {}
        for needs, source in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
            if needs in ("", package):
                exec(compile(source, str(PAGE), "exec"), names)  # noqa: S102  our own page
        return names

    return run_with


def test_the_examples_run(run):
    names = run()
    assert names["s"].f1 == pytest.approx(6 / 7)  # ana lacks the date
    assert len(names["s"]) == 2
    assert names["lost"].query("what == 'tags'").empty
    assert set(names["again"].tags["type"]) == {"DOCTOR", "HOSPITAL", "PATIENT", "DATE"}
    assert "DOCTOR" in {each.type for each in names["r"]("Seen by Dr. Okafor on 4/17/2068.")}
    text = " ".join(names["release"].records["text"])
    assert "Petty" not in text
    assert "4/17/2068" not in text


def test_the_check_of_the_page_finds_what_the_page_says(run):
    names = run()
    found = names["tandem"].check_frame(names["records"], names["tags"])
    assert found[["record", "text"]].values.tolist() == [["110-02", "Petty"]]


def test_the_example_in_spacy_finds_what_it_says(run):
    if find_spec("spacy") is None:
        pytest.skip("spacy is not installed")
    found = run("spacy")["doc"].spans["phi"]
    assert [(each.text, each.label_) for each in found] == [("Okafor", "DOCTOR")]


def test_the_example_in_presidio_finds_the_doctor(run):
    if find_spec("presidio_analyzer") is None:
        pytest.skip("presidio_analyzer is not installed")
    found = run("presidio_analyzer")["found"]
    assert [(each.entity_type, each.start, each.end) for each in found] == [("DOCTOR", 12, 18)]
