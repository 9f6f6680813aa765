"""A release led back by its map: what is hostile or does not fit leaves nothing."""

import json
from pathlib import Path

import pytest

from adjudicator.release.restored_records import restore_release
from adjudicator.release.writing import StoredMap
from shared.encryption import encrypted
from shared.errors import FileFormatError, RequestError
from shared.surrogates.key_map import FORMAT
from shared.surrogates.release import MARKER
from shared.surrogates.restoring import digest_of
from tests.adjudicator.release.sessions import PASSPHRASE


def release_of(folder: Path, record: str, original: str) -> StoredMap:
    """A release of one record and a map that leads it back to `record`."""
    (folder / "out" / "text").mkdir(parents=True)
    (folder / "out" / MARKER).write_text("{}")
    (folder / "out" / "text" / "a.txt").write_text("Dr. [DOCTOR-X].")
    row = {
        "record": record, "released_as": "a", "start": 4, "end": 9, "original": original,
        "surrogate": "[DOCTOR-X]", "source": digest_of(f"Dr. {original}."),
    }  # fmt: skip
    path = folder / "map"
    path.write_bytes(encrypted(json.dumps([row]).encode(), FORMAT, PASSPHRASE))
    return StoredMap(path, PASSPHRASE)


def test_a_record_comes_back(tmp_path: Path) -> None:
    kept = release_of(tmp_path, "110-01", "Petty")
    assert restore_release(kept, tmp_path / "out", tmp_path / "back") == 1
    assert (tmp_path / "back" / "110-01.txt").read_text() == "Dr. Petty."


@pytest.mark.parametrize("name", ["../110-01", "/110-01", "a/b", ".."])
def test_a_map_leads_to_no_file_outside_its_folder(tmp_path: Path, name: str) -> None:
    kept = release_of(tmp_path, name, "Petty")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(FileFormatError, match="as no file can be named"):
        restore_release(kept, tmp_path / "out", tmp_path / "back")
    assert [
        each for each in sorted(tmp_path.rglob("*")) if not each.name.endswith(".lock")
    ] == before


@pytest.mark.parametrize("where", ["project", "project/back", "out/text/back"])
def test_what_names_the_patients_lies_in_no_release_and_no_project(
    tmp_path: Path, where: str
) -> None:
    kept = release_of(tmp_path, "110-01", "Petty")
    (tmp_path / "project").mkdir()
    with pytest.raises(RequestError, match="give a folder outside"):
        restore_release(kept, tmp_path / "out", tmp_path / where, tmp_path / "project")
    assert not (tmp_path / "project" / "back").exists()


def test_a_link_into_the_release_is_no_way_round(tmp_path: Path) -> None:
    kept = release_of(tmp_path, "110-01", "Petty")
    (tmp_path / "link").symlink_to(tmp_path / "out")
    with pytest.raises(RequestError, match="would go out with it"):
        restore_release(kept, tmp_path / "out", tmp_path / "link" / "back")
