"""A pytest plugin: the tests of all that must work where Qt is not installed.

`make test-without-qt` runs them with PySide6 hidden from import, without the tests of windows.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

HIDDEN = {"PySide6", "shiboken6", "pytestqt"}
NEED_QT = {"widgets", "ui", "end_to_end", "benchmarks", "commands"}


class _Hider(MetaPathFinder):
    """Finds what is hidden first, and says that it is not there."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in HIDDEN:
            raise ModuleNotFoundError(f"{fullname} is hidden from this run", name=fullname)
        return None


sys.meta_path.insert(0, _Hider())


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    inside = collection_path.relative_to(Path(__file__).parent.parent)
    needs_qt = NEED_QT & set(inside.parts) or inside.stem in {"test_app", "test_qt"}
    return True if needs_qt else None
