"""The cells of manual/tandem.ipynb run in their order; where Jupyter is installed, in a kernel."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "manual" / "tandem.ipynb"


def sources(kind):
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return ["".join(each["source"]) for each in cells if each["cell_type"] == kind]


def test_the_cells_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    made, *rest = sources("code")
    for source in (made, *rest, *rest):  # people run cells again
        exec(compile(source, NOTEBOOK.name, "exec"), names)  # noqa: S102  our own notebook
    assert list(names["p"].annotators) == ["ana", "ben"]
    assert 0.5 < names["s"].f1 < 1
    assert {each.type for each in names["r"]("Seen by Dr. Okafor on 4/17/2068.")} == {
        "DOCTOR",
        "DATE",
    }
    before, after = names["gold"].records, names["release"].records
    assert set(after["record"]) <= set(before["record"])
    assert set(after["text"]).isdisjoint(before["text"])


def test_it_keeps_no_output():
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    code = [each for each in cells if each["cell_type"] == "code"]
    assert code
    assert [(each["outputs"], each["execution_count"]) for each in code] == [([], None)] * len(code)


def test_it_runs_in_a_kernel(tmp_path):
    if find_spec("nbclient") is None or find_spec("ipykernel") is None:
        pytest.skip("nbclient and ipykernel are not installed")
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": tmp_path}}).execute()
    outputs = [each.outputs for each in notebook.cells if each.cell_type == "code"]
    assert all(outputs)
