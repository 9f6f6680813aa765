import pytest

from shared.recognition.recognizer import Example
from shared.recognition.reproduction.corpora import hosts_of
from shared.synthetic import fabricate


def fabricated(patients, seed, templates):
    return [
        Example(document, each.gold[document.record_id].tags)
        for each in fabricate(patients, seed, templates=templates)
        for document in each.patient.documents
    ]


@pytest.fixture(scope="session")
def practice():
    """Fabricated records to train on."""
    return fabricated(5, 1, "practice")


@pytest.fixture(scope="session")
def tests():
    """Records with other sentences, and with the same."""
    return {"other": fabricated(5, 2, "held-out"), "same": fabricated(5, 3, "practice")}


@pytest.fixture(scope="session")
def hosts(practice, tests):
    return hosts_of(practice, tests, (), 10, seed=1)
