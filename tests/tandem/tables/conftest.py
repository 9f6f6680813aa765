"""An archive: notes of fabricated patients as a table, and the tags that they should have."""

from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

from shared.commands.main import main
from shared.synthetic.patients import fabricate

pytest.importorskip("pyarrow")


class Archive(NamedTuple):
    """Two tables in a folder, and a way to run commands there."""

    folder: Path
    notes: pd.DataFrame
    gold: pd.DataFrame

    def __truediv__(self, name: str) -> Path:
        return self.folder / name

    def run(self, command: str, *arguments: object) -> int:
        """Run a command with tables of these names; in this process alone unless told otherwise."""
        said = [*map(str, arguments)]
        if "--engine" not in said:
            said += ["--cores", "1"]
        names = {each.name for each in self.folder.iterdir()}
        paths = [
            str(self / each) if each in names or each.endswith((".parquet", "_out")) else each
            for each in said
        ]
        return main([command, *paths])

    def frame(self, name: str) -> pd.DataFrame:
        return pd.read_parquet(self / name)


def archive_of(folder: Path, patients: int, seed: int = 5) -> Archive:
    """Notes and tags of fabricated patients, the notes of each scattered over the table."""
    notes, gold = [], []
    for each in fabricate(patients, seed):
        for one in each.patient.documents:
            notes.append((one.patient_id, one.record_id, one.text))
            gold += [
                (one.patient_id, one.record_id, tag.start, tag.end, *tag.phi_type)
                for tag in each.gold[one.record_id].tags
            ]
    columns = ["patient", "record", "start", "end", "category", "type"]
    records = pd.DataFrame(notes, columns=["patient", "record", "text"])
    mixed = records.sample(frac=1, random_state=seed, ignore_index=True)
    made = Archive(folder, mixed, pd.DataFrame(gold, columns=columns))
    made.notes.to_parquet(folder / "notes.parquet", index=False)
    made.gold.to_parquet(folder / "gold.parquet", index=False)
    return made


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    return archive_of(tmp_path, 6)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """An archive that no test changes, with the tags of the rules."""
    made = archive_of(tmp_path_factory.mktemp("archive"), 8, 7)
    assert made.run("suggest", "notes.parquet", "--model", "rules", "--out", "tags.parquet") == 0
    (made / "key").write_bytes(bytes(range(40)))
    return made
