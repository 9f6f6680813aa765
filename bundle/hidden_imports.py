"""Which modules a frozen Tandem has beside those that plain imports lead to."""

import re
import tomllib
from collections.abc import Iterator
from importlib.machinery import all_suffixes
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OWN = ("annotator", "adjudicator", "shared", "icons", "guidelines", "manual", "tandem")
_ENDING = re.compile(
    "|".join(re.escape(each) + "$" for each in sorted(all_suffixes(), key=len)[::-1])
)
_UNWANTED = re.compile(r"(^|\.)(tests?|conftest|making|_build_utils|html)(\.|$)|[^\w.]")


def hidden_imports() -> list[str]:
    """All modules of Tandem, and of each package of which modules are imported by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    by_name = project["tool"]["tandem"]["imported-by-name"]
    return sorted({module for each in (*OWN, *by_name) for module in _modules_of(each)})


def _modules_of(package: str) -> Iterator[str]:
    yield package
    spec = find_spec(package)
    for folder in (spec and spec.submodule_search_locations) or ():
        for path in Path(folder).rglob("*"):
            place = path.relative_to(folder).as_posix()
            name = _ENDING.sub("", place).removesuffix("__init__").rstrip("/").replace("/", ".")
            if name and name != place.replace("/", ".") and not _UNWANTED.search(name):
                yield f"{package}.{name}"
