"""The figures of the agreement report, counted again from the project's files by other means.

Layers are read with lxml alone, and measured by counting sets, by scikit-learn, by the package
krippendorff and by the bipartite matching of SciPy. Nothing of Tandem that reads, matches, counts
or averages is used, only what fabricates the project and the command that is tried.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from statistics import fmean

import krippendorff
import numpy as np
import pytest
from lxml import etree
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching
from sklearn.metrics import cohen_kappa_score, f1_score, precision_score, recall_score
from sklearn.preprocessing import MultiLabelBinarizer

from shared.commands.main import main
from shared.formats.base import Record
from shared.model import Layer
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.synthetic import fabricate
from shared.synthetic.annotators import annotate

pytestmark = pytest.mark.end_to_end

NAMES = ("ana", "ben", "cem")
PATIENTS = 8
HIPAA = {(each.phi_type.category, each.phi_type.name) for each in I2B2_2014.types() if each.hipaa}

Mark = tuple[int, int, str, str]
"""Start, end, category and type of a tag."""


@dataclass(frozen=True)
class Counted:
    """The project as its files have it, and the tables of its report."""

    texts: dict[str, str]
    layers: dict[str, dict[str, list[Mark]]]
    """By annotator or "gold", then by record; a patient that somebody has not finished is not
    there."""
    report: Path

    def rows(self, table: str, **wanted: str) -> list[dict[str, str]]:
        with (self.report / "tables" / f"{table}.csv").open(newline="", encoding="utf-8") as file:
            found = csv.DictReader(file)
            return [row for row in found if all(row[name] == wanted[name] for name in wanted)]

    def records(self, *sides: str) -> list[str]:
        """The records that all of these have finished."""
        return sorted(set.intersection(*(set(self.layers[side]) for side in sides)))


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> Counted:
    root = tmp_path_factory.mktemp("figures")
    fabricated = list(fabricate(PATIENTS, 7, records=3 * PATIENTS))
    records = [Record(document) for each in fabricated for document in each.patient.documents]
    project = Project.create(root / "project", "F", I2B2_2014, records, NAMES, 1, per_patient=3)
    for at, each in enumerate(fabricated):
        made = {name: annotate(each, name, 3) for name in NAMES}
        made["gold"] = {
            record_id: Layer.of(record_id, "gold", layer.tags)
            for record_id, layer in each.gold.items()
        }
        for name, layers in made.items():
            for document in each.patient.documents:
                project.write_layer(name, document, layers[document.record_id], None)
            if name != "gold" and (name, at) not in {("cem", 0), ("ben", 1)}:
                project.set_state(each.patient.id, name, State.DONE)
    out = root / "report"
    assert main(["agreement", str(project.root), "--out", str(out), "--resamples", "300"]) == 0
    return Counted(*read_files(project.root), out)


def read_files(root: Path) -> tuple[dict[str, str], dict[str, dict[str, list[Mark]]]]:
    texts: dict[str, str] = {}
    layers: dict[str, dict[str, list[Mark]]] = {}
    with (root / "assignments.csv").open(newline="", encoding="utf-8") as file:
        unfinished = {tuple(row[:2]) for row in csv.reader(file) if row[2] != "done"}
    for name in (*NAMES, "gold"):
        folder = root / "gold" if name == "gold" else root / "layers" / name
        for path in folder.glob("*.xml"):
            if (path.stem.rpartition("-")[0], name) in unfinished:
                continue
            tree = etree.parse(path).getroot()
            texts[path.stem] = tree.findtext("TEXT") or ""
            layers.setdefault(name, {})[path.stem] = [
                (int(tag.get("start")), int(tag.get("end")), str(tag.tag), tag.get("TYPE"))
                for tag in tree.find("TAGS")
            ]
    return texts, layers


def pairs() -> list[tuple[str, str]]:
    return [*combinations(NAMES, 2), *((name, "gold") for name in NAMES)]


def kept(marks: Iterable[Mark], types: str) -> list[Mark]:
    return [each for each in marks if types == "all" or each[2:] in HIPAA]


# ---------------------------------------------------------------- counting


def near_end(ours: Mark, theirs: Mark) -> bool:
    return ours[0] == theirs[0] and abs(ours[1] - theirs[1]) <= 2


def overlap(ours: Mark, theirs: Mark) -> bool:
    return ours[0] < theirs[1] and theirs[0] < ours[1]


def same(ours: Mark, theirs: Mark) -> bool:
    return ours[:2] == theirs[:2]


def most_pairs(
    ours: list[Mark], theirs: list[Mark], fits: Callable[[Mark, Mark], bool], *, typed: bool
) -> int:
    if not ours or not theirs:
        return 0
    edges = [
        [fits(one, other) and (not typed or one[2:] == other[2:]) for other in theirs]
        for one in ours
    ]
    matched = maximum_bipartite_matching(csr_matrix(np.array(edges, dtype=int)))
    return int((matched >= 0).sum())


MEASURES = {"strict": same, "relaxed": near_end, "overlap": overlap}


@pytest.mark.parametrize("types", ["all", "HIPAA"])
@pytest.mark.parametrize("binary", ["", "binary "])
@pytest.mark.parametrize("measure", MEASURES)
def test_counts_and_averages_of_tags(counted: Counted, measure: str, binary: str, types: str):
    for first, second in pairs():
        tp = fp = fn = 0
        ratios: list[tuple[float, float, float]] = []
        for record in counted.records(first, second):
            ours, theirs = (
                unlike(kept(counted.layers[side][record], types), binary=bool(binary))
                for side in (first, second)
            )
            hits = most_pairs(ours, theirs, MEASURES[measure], typed=not binary)
            ratios.append(ratios_of(hits, len(ours) - hits, len(theirs) - hits))
            tp, fp, fn = tp + hits, fp + len(ours) - hits, fn + len(theirs) - hits
        (row,) = counted.rows(
            "agreement", first=first, second=second, measure=f"{binary}{measure}", types=types
        )
        assert [int(row[name]) for name in ("tp", "fp", "fn")] == [tp, fp, fn]
        micro = [float(row[name]) for name in ("precision", "recall", "f1")]
        assert micro == pytest.approx(ratios_of(tp, fp, fn))
        macro = [float(row[f"macro_{name}"]) for name in ("precision", "recall", "f1")]
        assert macro == pytest.approx([fmean(each) for each in zip(*ratios, strict=True)])


def unlike(marks: list[Mark], *, binary: bool) -> list[Mark]:
    """Without types, two tags on one place are one thing."""
    return list({each[:2]: each for each in marks}.values()) if binary else marks


def ratios_of(tp: int, fp: int, fn: int) -> tuple[float, float, float]:
    """Precision, recall and F1: nothing on both sides is 1, nothing on one side 0."""
    if not tp + fp + fn:
        return 1.0, 1.0, 1.0
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    return precision, recall, 2 * tp / (2 * tp + fp + fn)


def test_counts_by_category_and_type(counted: Counted):
    for first, second in pairs():
        sides: list[Counter[str]] = [Counter(), Counter(), Counter()]
        for record in counted.records(first, second):
            ours, theirs = (counted.layers[side][record] for side in (first, second))
            for name in (lambda mark: mark[2], lambda mark: f"{mark[2]}:{mark[3]}"):
                places = [{(*each[:2], name(each)) for each in side} for side in (ours, theirs)]
                both = places[0] & places[1], places[0] - places[1], places[1] - places[0]
                for counts, found in zip(sides, both, strict=True):
                    counts.update(label for _, _, label in found)
        rows = counted.rows("by_type", first=first, second=second)
        assert {row["type"] for row in rows} == set().union(*sides)
        for row in rows:
            told = [int(row[name]) for name in ("tp", "fp", "fn")]
            assert told == [counts[row["type"]] for counts in sides]


# ---------------------------------------------------------------- tokens


@cache
def tokens(text: str) -> list[tuple[int, int]]:
    return [each.span() for each in re.finditer(r"\S+", text)]


def labels(counted: Counted, side: str, record: str) -> list[tuple[str, ...]]:
    """The types of the tags that touch each token."""
    marks = counted.layers[side][record]
    return [
        tuple(sorted({f"{each[2]}:{each[3]}" for each in marks if overlap((*span, "", ""), each)}))
        for span in tokens(counted.texts[record])
    ]


def token_labels(counted: Counted, first: str, second: str) -> list[list[tuple[str, ...]]]:
    return [
        [
            label
            for record in counted.records(first, second)
            for label in labels(counted, side, record)
        ]
        for side in (first, second)
    ]


def test_tokens_beside_scikit_learn(counted: Counted):
    for first, second in pairs():
        ours, theirs = token_labels(counted, first, second)
        binarizer = MultiLabelBinarizer().fit([*ours, *theirs])
        predicted, true = binarizer.transform(ours), binarizer.transform(theirs)
        (row,) = counted.rows("agreement", first=first, second=second, measure="token", types="all")
        for name, score in (("precision", precision_score), ("recall", recall_score)):
            assert float(row[name]) == pytest.approx(score(true, predicted, average="micro"))
        assert float(row["f1"]) == pytest.approx(f1_score(true, predicted, average="micro"))


def test_chance_corrected_agreement_beside_scikit_learn_and_krippendorff(counted: Counted):
    for first, second in pairs():
        sides = token_labels(counted, first, second)
        (row,) = counted.rows("chance", first=first, second=second)
        assert int(row["tokens"]) == len(sides[0])
        for prefix, named in (
            ("", [[" ".join(each) for each in side] for side in sides]),
            ("binary_", [["PHI" if each else "" for each in side] for side in sides]),
        ):
            kappa = cohen_kappa_score(*named)
            assert float(row[f"{prefix}kappa"]) == pytest.approx(kappa)
            assert float(row[f"{prefix}alpha"]) == pytest.approx(alpha_of(named))


def alpha_of(sides: list[list[str | None]]) -> float:
    """Alpha for nominal labels; None where somebody has not read a token."""
    numbers = {name: at for at, name in enumerate(sorted({e for s in sides for e in s} - {None}))}
    data = [[np.nan if each is None else numbers[each] for each in side] for side in sides]
    return float(krippendorff.alpha(np.array(data, dtype=float), level_of_measurement="nominal"))


def test_alpha_of_all_annotators_jointly_beside_krippendorff(counted: Counted):
    read = {name: set(counted.layers[name]) for name in NAMES}
    records = [each for each in sorted(counted.texts) if sum(each in r for r in read.values()) > 1]
    sides: list[list[str | None]] = [
        [
            label
            for record in records
            for label in (
                [" ".join(each) for each in labels(counted, name, record)]
                if record in read[name]
                else [None] * len(tokens(counted.texts[record]))
            )
        ]
        for name in NAMES
    ]
    (row,) = counted.rows("joint_alpha")
    assert int(row["tokens"]) == len(sides[0])
    assert any(each is None for side in sides for each in side)
    assert float(row["alpha"]) == pytest.approx(alpha_of(sides))
    binary = [[None if each is None else str(bool(each)) for each in side] for side in sides]
    assert float(row["binary_alpha"]) == pytest.approx(alpha_of(binary))


# ---------------------------------------------------------------- the corpus and averages


def test_the_corpus(counted: Counted):
    gold = counted.layers["gold"]
    records = sorted(gold)
    patients = {record.rpartition("-")[0] for record in records}
    sizes = {"records": len(records), "tokens": 0, "tags": sum(map(len, gold.values()))}
    sizes["tokens"] = sum(len(counted.texts[record].split()) for record in records)
    for row in counted.rows("corpus"):
        assert int(row["total"]) == sizes[row["what"]]
        assert float(row["per_record"]) == pytest.approx(sizes[row["what"]] / len(records))
        assert float(row["per_patient"]) == pytest.approx(sizes[row["what"]] / len(patients))
    for row in counted.rows("corpus_by_type"):
        of_records = [
            sum(row["type"] in (mark[2], f"{mark[2]}:{mark[3]}") for mark in gold[record])
            for record in records
        ]
        assert int(row["tags"]) == sum(of_records)
        assert int(row["records_with"]) == sum(map(bool, of_records))
        assert [int(row["record_least"]), int(row["record_most"])] == [
            min(of_records),
            max(of_records),
        ]


def test_the_average_over_annotators_is_the_mean_of_their_rows(counted: Counted):
    rows = [counted.rows("agreement", first=name, second="gold") for name in NAMES]
    for each in zip(*rows, strict=True):
        (average,) = counted.rows(
            "gold_average", measure=each[0]["measure"], types=each[0]["types"]
        )
        for name in ("precision", "recall", "f1", "macro_f1"):
            assert float(average[name]) == pytest.approx(fmean(float(row[name]) for row in each))
        for name in ("tp", "fp", "fn"):
            assert int(average[name]) == sum(int(row[name]) for row in each)


def test_intervals_are_those_of_another_bootstrap_of_patients(counted: Counted):
    chance = np.random.default_rng(99)
    for first, second in pairs():
        of_patient: dict[str, np.ndarray] = {}
        for record in counted.records(first, second):
            ours, theirs = (set(counted.layers[side][record]) for side in (first, second))
            counts = np.array([len(ours & theirs), len(ours), len(theirs)])
            patient = record.rpartition("-")[0]
            of_patient[patient] = of_patient.get(patient, 0) + counts
        table = np.array([*of_patient.values()])
        drawn = table[chance.integers(0, len(table), (4000, len(table)))].sum(axis=1)
        low, high = np.quantile(2 * drawn[:, 0] / (drawn[:, 1] + drawn[:, 2]), [0.025, 0.975])
        (row,) = counted.rows(
            "agreement", first=first, second=second, measure="strict", types="all"
        )
        wide = high - low
        assert float(row["f1_low"]) == pytest.approx(low, abs=wide / 4)
        assert float(row["f1_high"]) == pytest.approx(high, abs=wide / 4)


def test_confusions_and_errors_account_for_every_tag(counted: Counted):
    for first, second in pairs():
        records = counted.records(first, second)
        tags = [
            sum(len(counted.layers[side][record]) for record in records) for side in (first, second)
        ]
        confusions = counted.rows("confusion", first=first, second=second)
        met = [row for row in confusions if row["second_type"] != "spurious"]
        assert sum(int(row["tags"]) for row in met) == tags[1]
        (size,) = counted.rows("records", first=first, second=second)
        assert [int(size["first_tags"]), int(size["second_tags"])] == tags
        assert int(size["records"]) == len(records)
        (strict,) = counted.rows(
            "agreement", first=first, second=second, measure="strict", types="all"
        )
        by_type = counted.rows("errors", first=first, second=second)
        of_types = [row for row in by_type if is_no_category(row["type"], by_type)]
        assert sum(int(row["correct"]) for row in of_types) == int(strict["tp"])


def is_no_category(name: str, rows: list[dict[str, str]]) -> bool:
    return not any(row["type"].startswith(f"{name}:") for row in rows)
