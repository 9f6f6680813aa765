"""The evaluator of the MEDDOCAN track (Spanish clinical cases, 2019): what it counts.

The rules are those of MEDDOCAN-Evaluation-Script for files in the i2b2 format. Documents that are
on one side only enter no number, and texts are not compared. Merged spans count a run of spans
with nothing but punctuation between them and its parts too, so that a folder against itself has
more hits than spans.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from shared.agreement.official.raw_file import (
    NAMES,
    Dialect,
    RawFile,
    RawTag,
    input_files,
    read_raw,
)
from shared.metrics.counts import MatchCounts

SENTENCES = Path("annotated_corpora/sentence_splitted")
"""Where the script looks for the sentences of a document, below the current folder."""

_VALID = {
    "NAME": {"NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"},
    "PROFESSION": {"PROFESION"},
    "LOCATION": {"HOSPITAL", "INSTITUCION", "CALLE", "TERRITORIO", "PAIS", "CENTRO_SALUD"},
    "AGE": {"EDAD_SUJETO_ASISTENCIA"},
    "DATE": {"FECHAS"},
    "CONTACT": {"NUMERO_TELEFONO", "NUMERO_FAX", "CORREO_ELECTRONICO", "URL_WEB"},
    "ID": {
        *("ID_ASEGURAMIENTO", "ID_CONTACTO_ASISTENCIAL", "NUMERO_BENEF_PLAN_SALUD"),
        *("IDENTIF_VEHICULOS_NRSERIE_PLACAS", "IDENTIF_DISPOSITIVOS_NRSERIE"),
        *("IDENTIF_BIOMETRICOS", "ID_SUJETO_ASISTENCIA", "ID_TITULACION_PERSONAL_SANITARIO"),
        *("ID_EMPLEO_PERSONAL_SANITARIO", "OTRO_NUMERO_IDENTIF"),
    },
    "OTHER": {
        *("SEXO_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA", "OTROS_SUJETO_ASISTENCIA"),
        "DIREC_PROT_INTERNET",
    },
}
_ANY_VALID = set[str]().union({"TOKEN"}, *_VALID.values())

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MeddocanEvaluation:
    """A system measured against the gold standard, per document in order of their ids.

    `sentences` has the number of sentences of each document, None where their file is missing.
    """

    system: str
    documents: tuple[str, ...]
    ner: tuple[MatchCounts, ...]
    spans_strict: tuple[MatchCounts, ...]
    spans_merged: tuple[MatchCounts, ...]
    sentences: tuple[int | None, ...]
    warnings: tuple[str, ...] = ()
    only_system: tuple[str, ...] = ()
    only_gold: tuple[str, ...] = ()
    single: bool = False


def evaluate(system: Path, gold: Path) -> MeddocanEvaluation | None:
    """Measure a folder or file against another; None where the system has no file.

    Raises FileError where one cannot be read, RequestError where a folder is to be compared with
    a file.
    """
    single = gold.is_file()
    our_paths, their_paths = input_files(system, gold)
    theirs, ours = _read(their_paths), _read(our_paths)
    if not ours:
        return None
    folder = os.path.dirname(system) if single else os.fspath(system)  # noqa: PTH120 as the script
    return _evaluation(Path(folder).name, ours, theirs, single=single)


def count_ner(system: RawFile, gold: RawFile) -> MatchCounts:
    """Count elements with the same name, type, start and end, all as they are written."""
    return _of_sets(_written(system.tags), _written(gold.tags))


def count_spans(system: RawFile, gold: RawFile) -> MatchCounts:
    """Count spans, whatever they are tagged as."""
    return _of_sets(_places(system), _places(gold))


def count_merged_spans(system: RawFile, gold: RawFile) -> MatchCounts:
    """Count spans that are the same as they are or once merged; what lies in a hit is no miss."""
    ours, theirs = _places(system), _places(gold)
    hits = (ours & theirs) | (merged_places(system) & merged_places(gold))
    return MatchCounts(
        len(hits),
        sum(not _is_within(place, hits) for place in ours - theirs),
        sum(not _is_within(place, hits) for place in theirs - ours),
    )


def merged_places(file: RawFile) -> set[Place]:
    """Return the spans of a file, neighbours without letter or digit between them made one.

    The end is that of the later one, even where it lies before the end of the earlier.
    """
    text = file.text or ""
    merged: list[Place] = []
    for start, end in sorted((tag.start, tag.end) for tag in file.tags):
        if merged and not any(char.isalnum() for char in text[merged[-1][1] : start]):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    return set(merged)


def _read(paths: Iterable[Path]) -> dict[str, RawFile]:
    return {path.stem: read_raw(path, _DIALECT) for path in paths if path.suffix == ".xml"}


def _evaluation(
    name: str, system: Mapping[str, RawFile], gold: Mapping[str, RawFile], *, single: bool
) -> MeddocanEvaluation:
    documents = tuple(sorted(system.keys() & gold.keys()))
    pairs = [(system[each], gold[each]) for each in documents]
    return MeddocanEvaluation(
        name,
        documents,
        tuple(count_ner(*pair) for pair in pairs),
        tuple(count_spans(*pair) for pair in pairs),
        tuple(count_merged_spans(*pair) for pair in pairs),
        tuple(_sentences(each) for each in documents),
        tuple(line for file in (*gold.values(), *system.values()) for line in _warnings(file)),
        tuple(sorted(system.keys() - gold.keys())),
        tuple(sorted(gold.keys() - system.keys())),
        single,
    )


def _is_valid(name: str, kind: str) -> bool:
    return kind in (_ANY_VALID if name == "PHI" else _VALID[name])


_DIALECT = Dialect(
    order=NAMES,
    is_valid=_is_valid,
    # The script mixes two ways of filling in, so that nothing is.
    missing="WARNING: Expected attribute '%s' for xml element <%s ('%s')>, setting to ''",
)


def _warnings(file: RawFile) -> Iterable[str]:
    """Each warning comes once for the tag, and then twice for its span."""
    return (*file.warnings, *(line for warning in file.warnings for line in (warning, warning)))


def _written(tags: Iterable[RawTag]) -> set[tuple[str, ...]]:
    return {(tag.name, tag.start_text, tag.end_text, tag.type) for tag in tags}


def _places(file: RawFile) -> set[Place]:
    return {(tag.start, tag.end) for tag in file.tags}


def _of_sets(ours: set[Any], theirs: set[Any]) -> MatchCounts:
    tp = len(ours & theirs)
    return MatchCounts(tp, len(ours) - tp, len(theirs) - tp)


def _is_within(place: Place, hits: Iterable[Place]) -> bool:
    return any(start <= place[0] and place[1] <= end for start, end in hits)


def _sentences(document: str) -> int | None:
    try:
        with (SENTENCES / f"{document}.ann").open(encoding="utf-8", errors="replace") as file:
            return sum(1 for _ in file)
    except OSError:
        return None
