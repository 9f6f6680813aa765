"""Lists what a frozen Tandem is made of, from what lies in it: a CycloneDX file, and all licences.

bill_of_materials.py FOLDER NOTES   NOTES: the folder where PyInstaller noted what it took
"""

import ast
import hashlib
import json
import re
import subprocess
import sys
import sysconfig
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path
from typing import Any, NamedTuple, cast

ROOT = Path(__file__).resolve().parents[1]
BILL = "sbom.cdx.json"
NOTICES = "THIRD_PARTY_NOTICES.txt"
_QT = re.compile(r"PySide6/Qt/|libQt6|libicu\w+\.so")
_TEXT = re.compile(r"(licen[cs]e|copying|notice)[^/]*$", re.IGNORECASE)
_COMMON = Path("/usr/share/common-licenses")
_COMMON_OF = {"LGPL-3": ("LGPL-3", "GPL-3"), "GPL-2": ("GPL-2",), "Apache": ("Apache-2.0",)}
_LONGEST_NAME = 100


class Part(NamedTuple):
    """A package of which something is shipped."""

    name: str
    version: str
    licence: str
    purl: str


def main() -> int:
    folder, notes = (Path(each).resolve() for each in sys.argv[1:3])
    sources = {name: source for name, source in noted(notes) if source}
    parts: dict[Part, list[str]] = defaultdict(list)
    unknown: list[str] = []
    for name in shipped(folder):
        part = part_of(name, sources.get(name.removeprefix("_internal/"), ""))
        if part is None:
            unknown.append(name)
        else:
            parts[part].append(name)
    for name, source in sources.items():  # modules, which lie in the program file itself
        if source.endswith(".py") and (part := part_of(name, source)):
            parts[part] += []
    if unknown:
        print(f"of no known package: {', '.join(unknown[:20])}", file=sys.stderr)
        return 1
    bill = json.dumps(bill_of(folder, parts), indent=1) + "\n"
    if wrong := against_the_schema(bill):
        print(f"the bill is not as CycloneDX has it: {wrong}", file=sys.stderr)
        return 1
    (folder / BILL).write_text(bill, encoding="utf-8")
    (folder / NOTICES).write_text("".join(notices(parts)), encoding="utf-8")
    print(f"{BILL}: {len(parts)} packages, {sum(map(len, parts.values()))} files")
    return 0


def shipped(folder: Path) -> list[str]:
    """The files of a bundle, without links and without what this module writes."""
    files = (each for each in folder.rglob("*") if each.is_file() and not each.is_symlink())
    names = (each.relative_to(folder).as_posix() for each in files)
    return sorted(name for name in names if name not in (BILL, NOTICES))


def noted(notes: Path) -> Iterator[tuple[str, str]]:
    """What PyInstaller noted: the name in the bundle, and the file that it is made of."""
    for path in sorted(notes.glob("*.toc")):
        if path.name.startswith(("PYZ", "COLLECT")):
            yield from _pairs(ast.literal_eval(path.read_text(encoding="utf-8")))


def _pairs(thing: Any) -> Iterator[tuple[str, str]]:
    match thing:
        case tuple((str(name), str(source), str())):
            yield name, source
        case tuple() | list():
            for each in cast("Iterable[Any]", thing):
                yield from _pairs(each)
        case _:
            pass


def part_of(name: str, source: str) -> Part | None:
    """The package to which a file of the bundle belongs, None where nothing tells."""
    if name == "tandem":
        return _python_package(distribution("pyinstaller"))
    if name.endswith("base_library.zip") or _of_python(source):
        version = sysconfig.get_config_var("py_version") or sys.version.split()[0]
        return Part("python", version, "PSF-2.0", f"pkg:generic/python@{version}")
    owner = _owners().get(str(Path(source).resolve())) if source else None
    if owner is not None:
        part = _python_package(owner)
        if part.name.lower().startswith("pyside6") and _QT.search(name):
            return Part("qt", part.version, "LGPL-3.0-only", f"pkg:generic/qt@{part.version}")
        return part
    if source and ROOT in Path(source).resolve().parents:
        return _python_package(distribution("tandem-phi"))
    return _debian_package(source) if source.startswith("/") else None


def _of_python(source: str) -> bool:
    library = Path(sysconfig.get_path("stdlib"))
    path = Path(source)
    return "site-packages" not in path.parts and (
        library in path.parents or path.name.startswith("libpython3")
    )


@cache
def _owners() -> dict[str, Distribution]:
    return {
        str(Path(str(each.locate_file(file))).resolve()): each
        for each in distributions()
        for file in each.files or ()
    }


def _python_package(package: Distribution) -> Part:
    told: Any = package.metadata
    licence: str = told.get("License-Expression") or told.get("License") or ""
    if not licence or len(licence) > _LONGEST_NAME or licence == "UNKNOWN":
        classes = [each for each in told.get_all("Classifier") or () if each.startswith("License")]
        licence = "; ".join(each.rsplit(" :: ", 1)[-1] for each in classes) or licence[:40]
    name = told["Name"]
    return Part(
        name, package.version, licence.strip(), f"pkg:pypi/{name.lower()}@{package.version}"
    )


@cache
def _debian_package(source: str) -> Part | None:
    path = str(Path(source).resolve())
    for each in (path, path.removeprefix("/usr")):
        said = _said("dpkg-query", "-S", each)
        if said:
            name = said.split(":", 1)[0]
            version = _said("dpkg-query", "-W", "-f", "${Version}\n", name).splitlines()[0]
            return Part(name, version, "see its text", f"pkg:deb/debian/{name}@{version}")
    return None


def _said(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def bill_of(folder: Path, parts: dict[Part, list[str]]) -> dict[str, Any]:
    """As CycloneDX 1.5: one component per package, in it one per file with its SHA-256."""
    version = _python_package(distribution("tandem-phi")).version
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": "tandem", "version": version}},
        "components": [
            {
                "type": "library",
                "name": part.name,
                "version": part.version,
                "purl": part.purl,
                "licenses": [{"license": {"name": part.licence}}],
                "components": [_file(folder, name) for name in parts[part]],
            }
            for part in sorted(parts)
        ],
    }


def against_the_schema(bill: str) -> str:
    """What of a bill CycloneDX's own schema refuses, nothing where all is right."""
    schema: Any = import_module("cyclonedx.schema")
    validation: Any = import_module("cyclonedx.validation.json")
    wrong = validation.JsonStrictValidator(schema.SchemaVersion.V1_5).validate_str(bill)
    return str(wrong)[:300] if wrong else ""


def differences(folder: Path) -> list[str]:
    """The files of which the bundle and its bill do not tell the same."""
    bill = json.loads((folder / BILL).read_text(encoding="utf-8"))
    told = [each for part in bill["components"] for each in part["components"]]
    hashes = {each["name"]: each["hashes"] for each in told}
    there = {name: _file(folder, name)["hashes"] for name in shipped(folder)}
    return sorted(name for name in hashes | there if hashes.get(name) != there.get(name))


def _file(folder: Path, name: str) -> dict[str, Any]:
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    return {"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}


def notices(parts: dict[Part, list[str]]) -> Iterator[str]:
    """The licence texts of all packages, one after the other."""
    for part in sorted(parts):
        yield f"{'=' * 80}\n{part.name} {part.version}\nLicence: {part.licence}\n{'=' * 80}\n\n"
        texts = [each.read_text("utf-8", "replace") for each in licence_files(part)]
        yield "\n\n".join(texts) or "The package brings no licence text of its own.\n"
        yield "\n\n"


def licence_files(part: Part) -> list[Path]:
    """The files with the licence of a package: its own, or the system's copy of a common one."""
    found: list[Path] = []
    if part.purl.startswith("pkg:pypi/"):
        package = distribution(part.name)
        files = [each for each in package.files or () if _TEXT.search(str(each))]
        found = [Path(str(package.locate_file(each))) for each in files if "dist-info" in str(each)]
    elif part.purl.startswith("pkg:deb/"):
        found = [Path("/usr/share/doc") / part.name / "copyright"]
    elif part.name == "python":
        found = [Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"]
    if not any(each.is_file() for each in found):
        names = (each for word, each in _COMMON_OF.items() if word in part.licence)
        found = [_COMMON / each for group in names for each in group]
    return [each for each in found if each.is_file()]


if __name__ == "__main__":
    sys.exit(main())
