"""The evaluator of the 2014 i2b2/UTHealth de-identification track: what it counts.

The rules are those of the script that the organizers published (i2b2_evaluation_scripts, phi
track), 42 blocks of figures under its own labels. Its quirks are kept, among them:

- Documents that are on one side only enter no number.
- A token is a run of ASCII letters and digits in the text of a tag, so punctuation never counts.
- ID of type IDNUM is not among the HIPAA types, for a blank too many.
- Relaxed lets one tag match several, and takes the first of several near ones.
- `NAME Binary HIPAA Strict` and its like are not binary.
- Where a document has nothing on a side, precision and recall of it are 0, and it counts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.agreement.official.i2b2_2014_counts import (
    CATEGORIES,
    Counts,
    common_order,
    count_document,
    table_order,
)
from shared.agreement.official.raw_file import Dialect, RawFile, input_files, read_raw
from shared.errors import RequestError

LABELS = (
    "Token",
    "Strict",
    "Relaxed",
    "HIPPA Token",
    "HIPAA Strict",
    "HIPAA Relaxed",
    "Binary Token",
    "Binary Strict",
    "Binary HIPPA Token",
    "Binary HIPAA Strict",
    *(
        f"{name} {label}"
        for name in CATEGORIES
        for label in ("Token", "Strict", "HIPPA Token", "Binary HIPAA Strict")
    ),
)

_FILE_NAME = re.compile(r"^(\d+)-(\d+)(.*)\.xml", re.ASCII)
_VALID = {
    "NAME": {"PATIENT", "DOCTOR", "USERNAME"},
    "PROFESSION": {"PROFESSION"},
    "LOCATION": {
        *("ROOM", "DEPARTMENT", "HOSPITAL", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY"),
        *("ZIP", "LOCATION-OTHER"),
    },
    "AGE": {"AGE"},
    "DATE": {"DATE"},
    "CONTACT": {"PHONE", "FAX", "EMAIL", "URL", "IPADDR"},
    "ID": {
        *("SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE"),
        *("BIOID", "IDNUM"),
    },
}


@dataclass(frozen=True, slots=True)
class I2b2Evaluation:
    """One system measured against the gold standard.

    `system` is what follows the record's number in the file names, mostly nothing. `counts` has,
    for each of `LABELS`, the counts of each of `documents`, which are in the script's order.
    """

    system: str
    documents: tuple[str, ...]
    counts: Mapping[str, Sequence[Counts]]
    only_system: tuple[str, ...] = ()
    only_gold: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class I2b2Result:
    """All that the script would say: what it prints on reading, and an evaluation per system.

    `single` where two files were compared, for which the script prints no summary.
    """

    warnings: tuple[str, ...]
    evaluations: tuple[I2b2Evaluation, ...]
    single: bool = False


def evaluate(system: Path, gold: Path) -> I2b2Result:
    """Measure a folder or file against another.

    Raises FileError where one cannot be read, RequestError where a folder is to be compared with
    a file, or where a document's texts differ; the script fails on these too.
    """
    single = gold.is_file()
    our_paths, their_paths = input_files(system, gold)
    theirs, ours = _read(their_paths), _read(our_paths)
    by_system: dict[str, dict[str, RawFile]] = {}
    for (system_id, document), file in ours.items():
        by_system.setdefault(system_id, {})[document] = file
    reference = {document: file for (_, document), file in theirs.items()}
    return I2b2Result(
        tuple(line for file in (*theirs.values(), *ours.values()) for line in file.warnings),
        tuple(_evaluation(each, by_system[each], reference) for each in table_order(by_system)),
        single,
    )


def _is_valid(name: str, kind: str) -> bool:
    if name == "OTHER":
        return kind.upper() in "OTHER"
    every = set[str]().union({"OTHER"}, *_VALID.values()) if name == "PHI" else _VALID[name]
    return kind.upper() in every


_DIALECT = Dialect(
    order=("PHI", *CATEGORIES),
    is_valid=_is_valid,
    missing="WARNING: Expected attribute '{}' for xml element <{} ('{}')>, setting to ''",
)


def _read(paths: Iterable[Path]) -> dict[tuple[str, str], RawFile]:
    """Return the files by system and document; of equal ones the later takes the place."""
    files: dict[tuple[str, str], RawFile] = {}
    for path in paths:
        found = _FILE_NAME.match(path.name)
        key = (found[3], f"{found[1]}-{found[2]}") if found else ("", f"{path.stem}-")
        files[key] = read_raw(path, _DIALECT)
    return files


def _evaluation(
    system_id: str, system: Mapping[str, RawFile], gold: Mapping[str, RawFile]
) -> I2b2Evaluation:
    documents = tuple(common_order(system, gold))
    for each in documents:
        if system[each].text != gold[each].text:
            raise RequestError(f"the texts of document {each} differ, so nothing can be measured")
    counted = [count_document(system[each], gold[each]) for each in documents]
    return I2b2Evaluation(
        system_id,
        documents,
        {label: [each[label] for each in counted] for label in LABELS},
        tuple(sorted(system.keys() - gold.keys())),
        tuple(sorted(gold.keys() - system.keys())),
    )
