"""The consistency check in a process of its own."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from shared.consistency.check import check_patient
from shared.errors import RequestError
from shared.model.i2b2_2014 import I2B2_2014
from shared.widgets.findings.finding_process import FindingProcess
from tests.builders import layer, patient, tagged_records
from tests.process_tree import is_running, wait_for

SOURCE = "[Yamamoto|DOCTOR] came. Later Yamamoto left, and Yamamoto rang. So did Okafor. "
KILLS = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no such processes there")
_PROGRAM = """
import sys
from shared.model import Document, Patient
from shared.model.i2b2_2014 import I2B2_2014
from shared.widgets.findings.finding_process import FindingProcess

if __name__ == "__main__":
    process = FindingProcess(I2B2_2014)
    text = "Seen by Yamamoto and Okafor. " * 40_000
    looking = process.look(
        Patient("1", (Document("1-01", "1", text),)),
        {"1-01": [(8, 16, "NAME", "DOCTOR")]},
        None,
        lambda done, total: print(process._process._running[0].pid, flush=True),
    )
    next(looking)
"""


@pytest.fixture
def process():
    made = FindingProcess(I2B2_2014)
    yield made
    made.close()


def marks(*layers):
    return {
        each.record_id: [
            (tag.start, tag.end, tag.phi_type.category, tag.phi_type.name) for tag in each.tags
        ]
        for each in layers
    }


def carry_on(_done, _total):
    """Do not mind how far it is."""


def look(process, whose, *layers, step=carry_on):
    own, others = process.look(whose, marks(*layers), None, step)
    assert others == []
    return own


def kill(process):
    os.kill(process._process._running[0].pid, signal.SIGKILL)
    process._process._running[0].join()


def test_it_speaks_the_language_it_is_told(process):
    whose = patient("[Frau Yamamoto|DOCTOR] kam.")
    process.language = "de"
    looking = process.look(whose, marks(layer("[Frau Yamamoto|DOCTOR] kam.")), None, carry_on)
    assert [each.why for each in next(looking)] == ["a title is not part of the name"]


def test_it_finds_what_is_found_without_it_but_for_the_places_that_say_so(process):
    whose, own = patient(SOURCE, SOURCE), layer(SOURCE)
    here = check_patient(tagged_records(whose.documents, [own]))
    assert len(here) == 5
    assert look(process, whose, own) == [replace(each, tagged_at=()) for each in here]


def test_the_same_patient_with_other_tags_has_other_findings(process):
    whose = patient(SOURCE)
    assert look(process, whose) == []
    assert len(look(process, whose, layer(SOURCE))) == 2
    assert look(process, whose) == []


def test_many_findings_come_whole_and_in_order(process):
    whose = patient(SOURCE + "Yamamoto again. " * 900)
    found = look(process, whose, layer(SOURCE))
    assert len(found) == 902
    assert found == sorted(found, key=lambda each: each.span)


def test_a_look_that_nobody_wants_any_more_leaves_nothing_to_the_next(process):
    class UnwantedError(Exception):
        pass

    def refuse(_done, _total):
        raise UnwantedError

    with pytest.raises(UnwantedError):
        look(process, patient(SOURCE, *[SOURCE * 2000] * 5), layer(SOURCE), step=refuse)
    worker = process._process._running
    assert len(look(process, patient(SOURCE), layer(SOURCE))) == 2
    assert process._process._running is worker


@KILLS
def test_a_process_that_dies_is_said_and_the_next_serves(process):
    whose = patient(SOURCE)
    look(process, whose)
    kill(process)
    assert len(look(process, whose, layer(SOURCE))) == 2
    looking = process.look(patient(*[SOURCE * 2000] * 5), {}, None, lambda *_: kill(process))
    with pytest.raises(RequestError, match="ended unexpectedly"):
        list(looking)
    assert len(look(process, whose, layer(SOURCE))) == 2


@KILLS
def test_it_ends_with_the_program_even_where_that_is_killed(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(_PROGRAM)
    root = str(Path(__file__).parents[4])
    with subprocess.Popen(
        [sys.executable, program], env={**os.environ, "PYTHONPATH": root}, stdout=subprocess.PIPE
    ) as started:
        assert started.stdout is not None
        pid = int(started.stdout.readline())
        assert is_running(pid)
        started.kill()
    wait_for(lambda: not is_running(pid))


def test_it_knows_nothing_of_qt():
    program = (
        "import sys, shared.widgets.findings.finding_process\n"
        "print([each for each in sys.modules if each.startswith('PySide6')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
