from pathlib import Path

import pytest

from adjudicator.release.session import ReleaseSession
from tests.adjudicator.release.sessions import SOURCES, make


@pytest.fixture
def session(tmp_path: Path) -> ReleaseSession:
    return ReleaseSession(make(tmp_path, SOURCES))
