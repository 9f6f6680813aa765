"""The errors, confusions and decisions of the agreement report, counted again by other means.

The demo's layers are read with lxml, its journals line by line with json; nothing of Tandem that
reads, pairs, classifies or counts is used.
"""

import csv
import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise, product
from operator import mul
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import confusion_matrix

from shared.commands.main import main
from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.phi_traits import Identifier
from tests.end_to_end.test_figures_of_the_report import Mark, overlap, read_files

pytestmark = pytest.mark.end_to_end

PAIRS = ("ana", "ben"), ("ana", "gold"), ("ben", "gold")
_MOST_TIMES = 6
"""So often or more a patient is drawn in fewer than one of a thousand resamples."""


@dataclass(frozen=True)
class Demo:
    """The demo's files and the tables of its report."""

    project: Path
    tables: Path
    texts: dict[str, str]
    layers: dict[str, dict[str, list[Mark]]]
    """By annotator or "gold", then by record; only patients that they have finished."""

    def rows(self, table: str, **wanted: str) -> list[dict[str, str]]:
        with (self.tables / f"{table}.csv").open(newline="", encoding="utf-8") as file:
            found = csv.DictReader(file)
            return [row for row in found if all(row[name] == wanted[name] for name in wanted)]

    def pairs(self, first: str, second: str) -> Iterator[tuple[Mark | None, Mark | None]]:
        """Each tag of the second with what the first has most of its letters in; then the rest."""
        for record in sorted(self.layers[first].keys() & self.layers[second].keys()):
            ours, theirs = (self.layers[side][record] for side in (first, second))
            for tag in theirs:
                near = [each for each in ours if overlap(each, tag)]
                yield max(near, key=lambda each: nearness(each, tag), default=None), tag
            for tag in ours:
                if not any(overlap(tag, each) for each in theirs):
                    yield tag, None

    def journal(self, patient: str) -> list[dict]:
        path = self.project / "journal" / "gold" / f"{patient}.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    @property
    def adjudicated(self) -> list[str]:
        return sorted({record.rpartition("-")[0] for record in self.layers["gold"]})


def nearness(ours: Mark, theirs: Mark) -> tuple[bool, int, int]:
    letters = set(range(*ours[:2])) & set(range(*theirs[:2]))
    return ours == theirs, len(letters), -ours[0]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    root = tmp_path_factory.mktemp("errors")
    assert main(["demo", str(root / "demo"), "--no-windows"]) == 0
    project, out = root / "demo" / "project", root / "report"
    assert main(["agreement", str(project), "--out", str(out), "--resamples", "400"]) == 0
    return Demo(project, out / "tables", *read_files(project))


def type_of(mark: Mark) -> str:
    return mark[2] if mark[2] == mark[3] else f"{mark[2]}:{mark[3]}"


def named(mark: Mark | None, nothing: str) -> str:
    return type_of(mark) if mark else nothing


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_confusions_beside_scikit_learn(demo: Demo, first: str, second: str):
    pairs = list(demo.pairs(first, second))
    predicted = [named(ours, "missed") for ours, _ in pairs]
    true = [named(theirs, "spurious") for _, theirs in pairs]
    labels = sorted({*predicted, *true})
    expected = confusion_matrix(true, predicted, labels=labels)
    told = {
        (row["second_type"], row["first_type"]): int(row["tags"])
        for row in demo.rows("confusion", first=first, second=second)
    }
    assert told == {
        (labels[row], labels[column]): int(expected[row, column])
        for row, column in zip(*expected.nonzero(), strict=True)
    }
    of_types = {pair for pair in told if not {"missed", "spurious"} & {*pair}}
    assert any(one != other for one, other in of_types)


def error(ours: Mark | None, theirs: Mark | None) -> str:
    if ours is None or theirs is None:
        return "missing" if ours is None else "spurious"
    inside, all_letters = set(range(*ours[:2])), set(range(*theirs[:2]))
    if ours[2:] != theirs[2:]:
        return "type" if inside == all_letters else "type and extent"
    if inside == all_letters:
        return "correct"
    if inside < all_letters:
        return "extent short"
    return "extent long" if inside > all_letters else "extent short and long"


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_error_classes_by_type_and_in_all(demo: Demo, first: str, second: str):
    pairs = list(demo.pairs(first, second))
    expected = Counter((type_of(theirs or ours), error(ours, theirs)) for ours, theirs in pairs)
    told: Counter[tuple[str, str]] = Counter()
    for row in demo.rows("errors", first=first, second=second):
        for name, number in row.items():
            if name not in ("first", "second", "type"):
                words = "type" if name == "type_only" else name.replace("_", " ")
                told[row["type"], words] = int(number)
    assert +told == expected
    of_class = Counter(error(*each) for each in pairs)
    del of_class["correct"]
    rows = demo.rows("error_classes", first=first, second=second)
    assert {row["error"]: int(row["tags"]) for row in rows} == of_class
    for row in rows:
        share = of_class[row["error"]] / of_class.total()
        assert float(row["share"]) == pytest.approx(share)


# ---------------------------------------------------------------- beyond chance


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_intervals_beyond_chance_are_those_of_every_draw_of_patients(
    demo: Demo, first: str, second: str
):
    """So few patients can be drawn in so few ways that all are gone through, by their chances.

    Each is drawn as often as a Poisson variable of mean 1 says.
    """
    sides: dict[str, tuple[list[str], list[str]]] = {}
    for record in sorted(demo.layers[first].keys() & demo.layers[second].keys()):
        of_patient = sides.setdefault(record.rpartition("-")[0], ([], []))
        for side, into in zip((first, second), of_patient, strict=True):
            for token in re.finditer(r"\S+", demo.texts[record]):
                mark = (*token.span(), "", "")
                touching = {each[2:] for each in demo.layers[side][record] if overlap(each, mark)}
                into.append(" ".join(sorted(map(":".join, touching))))
    labels = sorted({label for side in sides.values() for each in side for label in each})
    tables = [confusion_matrix(*each, labels=labels) for each in sides.values()]
    times = [each for each in product(range(_MOST_TIMES), repeat=len(tables)) if any(each)]
    draws = [sum(map(mul, each, tables)) for each in times]
    chances = np.array([math.prod(1 / math.factorial(one) for one in each) for each in times])
    (row,) = demo.rows("chance", first=first, second=second)
    for name, coefficient in (("kappa", kappa), ("alpha", alpha)):
        assert float(row[name]) == pytest.approx(coefficient(sum(tables)))
        values = np.array([coefficient(each) for each in draws])
        told = [float(row[f"{name}_low"]), float(row[f"{name}_high"])]
        order = np.argsort(values)
        below = np.cumsum(chances[order]) / chances.sum()
        expected = values[order][np.searchsorted(below, [0.025, 0.975])]
        assert told == pytest.approx(expected, abs=(values.max() - values.min()) / 5)
        assert told[0] < float(row[name]) < told[1]


def kappa(table: np.ndarray) -> float:
    share = table / table.sum()
    by_chance = float(share.sum(axis=0) @ share.sum(axis=1))
    return (float(np.trace(share)) - by_chance) / (1 - by_chance)


def alpha(table: np.ndarray) -> float:
    said = table.sum(axis=0) + table.sum(axis=1)
    every = said.sum()
    by_chance = 1 - float(said @ (said - 1)) / (every * (every - 1))
    return 1 - (1 - float(np.trace(table)) / table.sum()) / by_chance


# ---------------------------------------------------------------- decisions


@dataclass(frozen=True)
class Decided:
    """A decision as its line of the journal has it."""

    patient: str
    sides: list[list[list]]
    choice: str
    mode: str

    @property
    def kind(self) -> str:
        first, second = ([tuple(mark) for mark in side] for side in self.sides)
        if not first or not second:
            return "one-sided"
        if sorted(first) == sorted(second):
            return "agreement"
        if sorted(mark[:2] for mark in first) == sorted(mark[:2] for mark in second):
            return "type"
        if len(first) > 1 or len(second) > 1:
            return "split or merge"
        return "extent" if first[0][2:] == second[0][2:] else "type and extent"

    @property
    def types(self) -> str:
        return ", ".join(sorted({type_of(tuple(mark)) for side in self.sides for mark in side}))


def decisions(demo: Demo) -> list[Decided]:
    """What stands at the end of each journal; what all agreed on asked for no decision."""
    found: dict[tuple[str, str], Decided] = {}
    for patient in demo.adjudicated:
        for line in demo.journal(patient):
            assert line["op"] not in ("undo", "redo")
            for each in line.get("decisions", ()):
                decided = Decided(patient, each["sides"], each["choice"], each.get("mode", ""))
                found[each["record"], json.dumps(each["sides"])] = decided
    return [each for each in found.values() if each.choice != "agreed"]


def test_what_the_adjudicator_decided(demo: Demo):
    expected: Counter[tuple[str, str, str]] = Counter()
    for each in decisions(demo):
        side = {"first": "annotator_1", "second": "annotator_2"}.get(each.choice, each.choice)
        expected[each.kind, each.types, side] += 1
    assert expected.total() > 40
    told: Counter[tuple[str, str, str]] = Counter()
    for row in demo.rows("adjudication"):
        for name, number in row.items():
            if name not in ("kind", "types"):
                told[row["kind"], row["types"], name] = int(number)
    assert +told == expected


def test_how_it_was_decided_and_how_long_it_took(demo: Demo):
    number = len(decisions(demo))
    assert not any(each.mode for each in decisions(demo))
    (way,) = demo.rows("adjudication_ways")
    assert (way["way"], int(way["decisions"]), float(way["share"])) == ("looked at", number, 1)
    seconds = 0.0
    for patient in demo.adjudicated:
        times = sorted(datetime.fromisoformat(each["at"]) for each in demo.journal(patient))
        gaps = [(later - one).total_seconds() for one, later in pairwise(times)]
        seconds += sum(gap for gap in gaps if 0 < gap < 60)
    (row,) = demo.rows("adjudication_time")
    assert [int(row["patients"]), int(row["decisions"])] == [len(demo.adjudicated), number]
    assert float(row["hours"]) == pytest.approx(seconds / 3600)
    assert float(row["seconds_per_patient"]) == pytest.approx(seconds / len(demo.adjudicated))
    assert float(row["seconds_per_decision"]) == pytest.approx(seconds / number)


# ---------------------------------------------------------------- what may be left


def covered(demo: Demo, reader: str, record: str, tag: Mark) -> bool:
    """Whether each letter and digit of a tag is in one of the reader's."""
    inside = {at for each in demo.layers[reader][record] for at in range(*each[:2])}
    letters = {at for at in range(*tag[:2]) if demo.texts[record][at].isalnum()}
    return letters <= inside


def test_what_no_annotator_may_have_found_is_told_by_chapmans_estimate(demo: Demo):
    found: Counter[str] = Counter()
    cells: Counter[tuple[bool, bool]] = Counter()
    for record, tags in demo.layers["gold"].items():
        for tag in tags:
            found.update([type_of(tag), "all"])
            if type_of(tag) == "DATE":
                cells[covered(demo, "ana", record, tag), covered(demo, "ben", record, tag)] += 1
    rows = {row["type"]: row for row in demo.rows("missed")}
    assert {name: int(row["found"]) for name, row in rows.items()} == found
    ana, ben, both = (
        sum(number for cell, number in cells.items() if is_in(cell))
        for is_in in (lambda cell: cell[0], lambda cell: cell[1], all)
    )
    all_there = (ana + 1) * (ben + 1) / (both + 1) - 1  # Chapman (1951)
    left = all_there - (ana + ben - both) - cells[False, False]
    assert float(rows["DATE"]["missed"]) == pytest.approx(max(0, left))


def test_patients_of_whom_one_annotator_found_everything(demo: Demo):
    for row in demo.rows("all_or_nothing"):
        kind = {"direct identifiers": Identifier.DIRECT, "quasi-identifiers": Identifier.QUASI}
        own: dict[str, list[bool]] = {}
        for record, tags in demo.layers["gold"].items():
            for tag in tags:
                traits = I2B2_2014.traits_of(PhiType(*tag[2:]))
                if traits.identifier is kind[row["identifiers"]]:
                    is_covered = covered(demo, row["annotator"], record, tag)
                    own.setdefault(record.rpartition("-")[0], []).append(is_covered)
        whole = sum(map(all, own.values()))
        assert [int(row["whole"]), int(row["patients"])] == [whole, len(own)]
        bounds = binomtest(whole, len(own)).proportion_ci(method="exact")
        told = [float(row["share_low"]), float(row["share_high"])]
        assert told == pytest.approx([bounds.low, bounds.high], abs=1e-6)
