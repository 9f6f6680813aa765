"""The folder of a demo, and the usual demo made in it.

DIR/records/   the records as text, as a hospital would hand them over
DIR/truth/     the PHI in them as they were made
DIR/project/   the project made from the records, with its reports
DIR/*.png      pictures of the windows, where there is no display
DIR/demo.json  says that the folder is a demo, so that the next one may replace it
"""

import contextlib
import json
import shutil
from pathlib import Path

from shared.errors import FileError, StorageError

PATIENTS = 5
SEED = 1
_MARKER = "demo.json"
_OWN = ("records", "truth", "project", "annotation-window.png", "adjudication-window.png", _MARKER)


def make_demo(folder: Path) -> Path:
    """Make the usual demo in a folder without a word, and return its project.

    Raises FileError where there is something else, LockedError where a window has it open.
    """
    from shared.commands import demo_pipeline as pipeline
    from shared.synthetic import fabricate

    make_room(folder)
    patients = list(fabricate(PATIENTS, SEED))
    pipeline.write_records(patients, folder / "records", folder / "truth")
    project = pipeline.make_project(folder / "records", folder / "project", SEED)
    pipeline.annotate_all(project, patients[:-1], SEED)
    pipeline.adjudicate_all(project, patients[:-2])
    return project.root


def make_room(folder: Path) -> None:
    """Make the folder, without what an earlier demo left there.

    Raises FileError where there is something else, LockedError where a window has it open.
    """
    from shared.project.files import make_folder, write_new
    from shared.project.lock import acquire_lock

    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            _refuse_others(folder)
            for lock in (folder / "project" / "journal").glob("**/*.lock"):
                acquire_lock(lock, "tandem demo").release()
            for name in _OWN:
                _remove(folder / name)
    except OSError as error:
        raise StorageError.from_os(error.filename or folder, error) from error
    make_folder(folder)
    write_new(folder / _MARKER, json.dumps({"made_by": "tandem demo"}).encode())


def _refuse_others(folder: Path) -> None:
    marker = folder / _MARKER
    with contextlib.suppress(OSError, ValueError):
        if json.loads(marker.read_bytes()) == {"made_by": "tandem demo"}:
            return
    raise FileError(folder, "already exists and is not an earlier demo; give another folder")


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
