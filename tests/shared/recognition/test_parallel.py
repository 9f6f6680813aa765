import gc
import os
import pickle
import sys
from itertools import pairwise

import pytest

from shared import processes as processes_room
from shared.errors import RequestError
from shared.model import Span
from shared.recognition import parallel
from shared.recognition.model_folder import new_model_folder
from shared.recognition.parallel import FEW, LARGEST, SMALLEST, suggest_in_parallel
from shared.recognition.recognizer import Suggestion
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS
from tests.builders import document, phi


@pytest.fixture(scope="module")
def folder(examples, tmp_path_factory):
    target = tmp_path_factory.mktemp("models") / "token"
    with new_model_folder(target) as partial:
        train(examples, SETTINGS["token"], partial)
    return str(target)


@pytest.fixture(params=["copied", "new"] if sys.platform == "linux" else ["new"])
def processes(request, monkeypatch):
    monkeypatch.setattr(processes_room, "can_be_copied", lambda: request.param == "copied")


def records(unseen, count):
    return [document(unseen[n % len(unseen)].document.text, f"{n:03}-1") for n in range(count)]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("cores", [1, 2, 3])
def test_any_number_of_processes_suggest_the_same_in_the_same_order(folder, unseen, cores):
    documents = records(unseen, 2 * FEW)
    found = list(suggest_in_parallel(RecognizerSpec((folder,)), documents, cores=cores))

    assert [each for each, _ in found] == documents
    alone = open_recognizer(RecognizerSpec((folder,))).suggest(documents)
    for (_, suggested), expected in zip(found, alone, strict=True):
        assert [each.span for each in suggested] == [each.span for each in expected]
        assert [each.confidence for each in suggested] == pytest.approx(
            [each.confidence for each in expected]
        )


def test_no_documents_take_no_processes(folder):
    assert list(suggest_in_parallel(RecognizerSpec((folder,)), [])) == []


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("count", [1, 2 * FEW])
def test_what_cannot_be_opened_is_said_before_anything_is_suggested(unseen, count):
    with pytest.raises(RequestError, match="not a recognizer"):
        next(suggest_in_parallel(RecognizerSpec(("nowhere",)), records(unseen, count), cores=2))


@pytest.mark.usefixtures("processes")
def test_who_has_seen_enough_waits_for_no_more(folder, unseen):
    suggested = suggest_in_parallel(
        RecognizerSpec((folder,)), records(unseen, 40 * SMALLEST), cores=2
    )
    next(suggested)
    suggested.close()


class Mortal:
    """Finds nothing, and dies in any other process than that of the test."""

    name = "mortal"
    home = os.getpid()

    def suggest(self, documents):
        if os.getpid() != self.home:
            os._exit(1)
        return [()] * len(documents)


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
def test_where_another_process_dies_this_one_reads_its_documents(unseen, monkeypatch):
    monkeypatch.setattr(processes_room, "can_be_copied", lambda: True)
    monkeypatch.setattr(parallel, "open_recognizer", lambda _: Mortal())
    documents = records(unseen, 40 * SMALLEST)

    assert [
        each for each, _ in suggest_in_parallel(RecognizerSpec(("mortal",)), documents, cores=3)
    ] == documents


def test_many_documents_are_read_at_first_and_few_at_last(unseen):
    documents = records(unseen, 400)
    sizes = [len(each) for each in parallel._chunks(documents, 2)]

    assert sum(sizes) == 400
    assert sizes[0] == LARGEST
    assert all(one >= two for one, two in pairwise(sizes))
    assert sizes[-2] == SMALLEST


def test_the_documents_of_a_patient_are_read_together(unseen):
    text = unseen[0].document.text
    documents = [document(text, f"{n % 5}-{n}") for n in range(50)]

    assert [{each.patient_id for each in chunk} for chunk in parallel._chunks(documents, 2)] == [
        {"0"},
        {"1"},
        {"2"},
        {"3"},
        {"4"},
    ]


def test_suggestions_survive_the_way_between_processes_in_few_words():
    one = Suggestion(Span(3, 9), phi("DATE"), 0.123456789, "token", "2/2")
    sent = pickle.dumps(one)

    assert pickle.loads(sent) == one  # noqa: S301  sent by this test
    assert len(sent) < 250


def test_the_collector_of_this_process_is_left_as_it_is(folder, unseen):
    before = gc.get_threshold(), gc.get_freeze_count()
    list(suggest_in_parallel(RecognizerSpec((folder,)), records(unseen, 2 * FEW), cores=2))

    assert (gc.get_threshold(), gc.get_freeze_count()) == before
