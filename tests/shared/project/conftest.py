"""A journal that is open to be written, as a session has it."""

import pytest

from shared.project.lock import acquire_lock
from shared.project.safe_journal import SafeJournal


@pytest.fixture
def path(tmp_path):
    return tmp_path / "project" / "journal" / "ana" / "110.jsonl"


@pytest.fixture
def journal(path):
    with acquire_lock(path.with_suffix(".lock"), "ana") as lock:
        yield SafeJournal(path, lock, "ana", "110")
