"""What is dismissed is read where the file has changed, whoever changed it, and else no more."""

import pytest

from shared.consistency.dismissals import dismissal_key_at, dismissals_path
from shared.consistency.findings import FindingKind, FindingLocation
from shared.errors import FileError
from shared.model import Span
from shared.widgets.tags import dismissal_store
from shared.widgets.tags.dismissal_store import DismissalStore
from tests.builders import document

NOTE = document("Vino Nerea. Nerea se fue.", "1-01")


def key(start):
    place = FindingLocation("1-01", Span(start, start + 5))
    return dismissal_key_at(place, FindingKind.REPEAT, NOTE)


@pytest.fixture
def store(qapp, tmp_path):
    made = DismissalStore(tmp_path, "ana", "ana")
    made.dismiss([key(5)], "otra persona")
    return made


@pytest.fixture
def reads(monkeypatch):
    """How often the file was read, as a list."""
    real, made = dismissal_store.read_journal, []
    monkeypatch.setattr(
        dismissal_store, "read_journal", lambda path: made.append(path) or real(path)
    )
    return made


def test_several_lists_that_ask_have_it_read_once(store, reads):
    assert [store.read() for _ in range(3)] == [{key(5): "otra persona"}] * 3
    assert len(reads) == 1


def test_each_change_is_read(store, reads):
    store.read()
    store.dismiss([key(12)], "")
    assert set(store.read()) == {key(5), key(12)}
    store.take_back([key(5)])
    assert set(store.read()) == {key(12)}
    assert len(reads) == 3


def test_so_is_what_another_program_writes(store, tmp_path):
    store.read()
    DismissalStore(tmp_path, "ana", "ana").dismiss([key(12)], "")
    assert set(store.read()) == {key(5), key(12)}
    dismissals_path(tmp_path, "ana").unlink()
    assert store.read() == {}


def test_what_cannot_be_read_is_no_known_list(store, tmp_path):
    store.read()
    path = dismissals_path(tmp_path, "ana")
    path.unlink()
    path.mkdir()
    for _ in range(2):
        with pytest.raises(FileError):
            store.read()
