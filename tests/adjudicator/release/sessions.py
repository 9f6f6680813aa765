"""Releases under way for tests: small projects, and what one asks of a session."""

import re
from pathlib import Path

from adjudicator.release.rows import ReleaseRow
from adjudicator.release.session import ReleaseSession
from adjudicator.release.writing import ReleaseOptions
from shared.formats.base import Record
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from tests.builders import document, marked_up

SOURCES = {
    "110-01": "Record date: [2007-05-09|DATE]\n[Dennis Holcomb|PATIENT], [53|AGE], "
    "seen by Dr. [Petty|DOCTOR] at [Green Hospital|HOSPITAL].\nBack on [5/20|DATE].",
    "110-02": "Record date: [2007-06-09|DATE]\nMr. [Holcomb|PATIENT] [sings in a choir|OTHER], "
    "[sings in a choir|OTHER]. Dr. [Petty|DOCTOR], then [Petty|DOCTOR].",
    "111-01": "Record date: [2007-06-09|DATE]\n[Ann Lee|PATIENT], [Room 12|ROOM].",
}
LEAKY = "Record date: [2007-06-09|DATE]\n[Ann Lee|PATIENT], then LEE."
UNTAGGED = "[Petty|DOCTOR] and Petty."
PASSPHRASE = "a long passphrase"  # noqa: S105  it opens nothing


def make(root: Path, sources: dict[str, str], *, import_as: str = "gold") -> Project:
    records = [
        Record.of(document(source, name), marked_up(source)[1]) for name, source in sources.items()
    ]
    return Project.create(
        root / "project", "P", I2B2_2014, records, ("ana", "ben"), 1, import_as=import_as
    )


def again(session: ReleaseSession) -> ReleaseSession:
    return ReleaseSession(Project.open(session.project.root))


def rows(session: ReleaseSession, original: str) -> list[ReleaseRow]:
    return [each for each in session.rows() if each.replacement.original == original]


def surrogates(session: ReleaseSession, original: str) -> list[str]:
    return [each.replacement.surrogate for each in rows(session, original)]


def out(tmp_path: Path, **options: object) -> ReleaseOptions:
    return ReleaseOptions(tmp_path / "out", **options)


def reviewed(session: ReleaseSession) -> ReleaseSession:
    """The session when somebody has looked at every surrogate that asks for it."""
    session.approve(session.rows())
    assert not session.blockers
    return session


def without_digest(card: str) -> str:
    """A card but for its digest, in whose digits anything may stand by chance."""
    return re.sub(r"[0-9a-f]{64}", "", card)
