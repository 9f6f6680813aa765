"""The data card of a release that is there: whether it is its own, and said anew, whole or not."""

import json
import shutil
from collections.abc import Collection, Iterable
from hashlib import sha256
from pathlib import Path

from adjudicator.audit_book import audit_folder
from adjudicator.release.folder import ReleaseFolder
from shared.errors import ChangedOnDiskError, FileFormatError, RequestError
from shared.outside import parse_json_object
from shared.project.files import read_file, write_atomic
from shared.project.folders import bring_back, changed_folder_atomically
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.surrogates.data_card import CARD
from shared.surrogates.release import DIGEST, MARKER, RECORD_FOLDERS, release_digest
from shared.surrogates.residual_risk import RiskStatement, dated, with_statements


def rewrite_card(out: Path, statements: Iterable[RiskStatement], day: str) -> None:
    """Let the card of the release in `out` say this of what may be left, as asked on that day.

    What it says besides stays. Its two files change in one step, that of the folder: whoever opens
    them finds both old or both new, whenever this process ends. Raises RequestError where there is
    no release, FileError; both files of the card are as they were then.
    """
    card, text = _read(out)
    try:
        new_card, new_text = with_statements(card, text, dated(statements, day))
    except ValueError:
        raise FileFormatError(out / MARKER, "is not a data card; release again") from None
    with changed_folder_atomically(out, "the writing of a data card") as folder:
        for name, new in ((CARD, new_text), (MARKER, new_card)):
            write_atomic(folder / name, new)
            shutil.copymode(out / name, folder / name)
        for name, old in ((CARD, text), (MARKER, card)):
            if read_file(out / name) != old:
                raise ChangedOnDiskError(out / name)


def _read(out: Path) -> tuple[bytes, bytes]:
    bring_back(out)
    card, text = read_file(out / MARKER), read_file(out / CARD)
    if card is None or text is None:
        raise RequestError(f"{out} is not a release with a data card; give the folder of one")
    return card, text


def own_digest(out: Path) -> str:
    """The digest by which the card of a release names it.

    Raises RequestError where that is another's, so that either the card came from elsewhere or
    something was changed since the release; FileError.
    """
    card, text = _read(out)
    try:
        content = parse_json_object(card)
        said = str(content.get(DIGEST, ""))
    except (ValueError, AttributeError):
        raise FileFormatError(out / MARKER, "is not a data card; release again") from None
    files = {
        f"{folder}/{path.name}": sha256(read_file(path) or b"").hexdigest()
        for folder in RECORD_FOLDERS
        for path in (out / folder).glob("[!.]*")
    }
    if not said or said != release_digest(content, files) or said.encode() not in text:
        raise RequestError(
            f"{out} was not made as its data card says: the card is of another release, or "
            "something was changed since; release again, then ask again"
        )
    return said


def work_digest(project: Project, patient_ids: Collection[str]) -> str:
    """The SHA-256 of the work on these patients that a card tells of: layers, states, audits."""
    states = sorted(
        (each.patient_id, each.annotator, each.state.value)
        for each in project.assignments()
        if each.patient_id in patient_ids
    )
    paths = [
        project.layer_path(name, record_id)
        for name in (*project.annotators, GOLD)
        for patient_id in sorted(patient_ids)
        for record_id in project.record_ids(patient_id)
    ]
    whole = sha256(json.dumps(states).encode())
    for path in (*paths, audit_folder(project) / "audits.jsonl"):
        data = read_file(path)
        whole.update(sha256(data).digest() if data is not None else b"none")
    return whole.hexdigest()


def is_outdated(project: Project, out: Path) -> bool | None:
    """Whether the work that a card tells of has changed since; None where that cannot be told.

    Raises RequestError where the card is another's, FileError.
    """
    asked = ReleaseFolder(project).asked(own_digest(out))
    if asked is None:
        return None
    patient_ids, work = asked
    return not patient_ids <= {*project.patient_ids} or work_digest(project, patient_ids) != work
