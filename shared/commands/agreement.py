"""`tandem agreement`: how far annotators agree with each other and with the gold standard."""

import argparse
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from shared.agreement.between import Agreement, Average, agreement_of, average
from shared.agreement.comparison import Comparison
from shared.agreement.folders import LeftOut, by_reason
from shared.agreement.tables import (
    HEADERS,
    counts_rows,
    counts_to_json,
    measured_rows,
    measured_to_json,
    ratio_cells,
    ratios_to_json,
)
from shared.commands.output import print_problems, print_table, progress, write_json
from shared.errors import FileError
from shared.project.assignments import State
from shared.project.project import Project

GOLD = "gold"

_DESCRIPTION = """
Measures every pair of annotators over the records that both finished, and each annotator against
the gold standard over the records that are adjudicated, averaged as in the paper on the 2014 corpus
(tables 2 and 10).
"""


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:  # pyright: ignore[reportPrivateUsage]
    parser = subparsers.add_parser(
        "agreement",
        help="agreement between annotators and with the gold standard",
        description=_DESCRIPTION,
    )
    parser.add_argument("project", type=Path, metavar="PROJECT", help="the project's folder")
    parser.add_argument("--json", metavar="FILE", help="write JSON to FILE, or - for the terminal")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the agreement; 0 done, 2 where a file could not be read."""
    found = _Found.of(Project.open(arguments.project))
    print_problems(found.problems)
    if arguments.json is None:
        _print(found)
    else:
        write_json(_as_json(found), arguments.json)
    return 2 if found.problems else 0


@dataclass(slots=True)
class _Found:
    """All agreements of a project, and what entered no number."""

    between: list[Agreement] = field(default_factory=list[Agreement])
    with_gold: list[Agreement] = field(default_factory=list[Agreement])
    left_out: list[LeftOut] = field(default_factory=list[LeftOut])
    problems: list[FileError] = field(default_factory=list[FileError])

    @classmethod
    def of(cls, project: Project) -> "_Found":
        found = cls()
        hipaa = frozenset(each.phi_type for each in project.schema.types() if each.hipaa)
        for names, comparisons in found._comparisons(project).items():
            agreement = agreement_of(*names, comparisons, hipaa.__contains__)
            (found.with_gold if GOLD in names else found.between).append(agreement)
        return found

    def _comparisons(self, project: Project) -> dict[tuple[str, str], list[Comparison]]:
        by_names: dict[tuple[str, str], list[Comparison]] = {}
        finished = _finished(project)
        for patient_id in progress(project.patient_ids, "reading layers"):
            names = [each for each in project.annotators if each in finished.get(patient_id, ())]
            try:
                comparisons = list(self._of_patient(project, patient_id, names))
            except FileError as problem:
                self.problems.append(problem)
                self._leave_out(project.record_ids(patient_id), "a file could not be read")
                continue
            for pair, comparison in comparisons:
                by_names.setdefault(pair, []).append(comparison)
        return by_names

    def _of_patient(
        self, project: Project, patient_id: str, names: list[str]
    ) -> Iterator[tuple[tuple[str, str], Comparison]]:
        documents = project.patient(patient_id).documents
        if len(names) < 2:
            self._leave_out(project.record_ids(patient_id), "fewer than two annotators finished it")
        for document in documents:
            layers = {name: project.read_layer(name, document).layer for name in names}
            gold = project.read_layer(GOLD, document)
            if gold.digest is not None:
                layers[GOLD] = gold.layer
            for pair in combinations(layers, 2):
                yield pair, Comparison(document, layers[pair[0]].tags, layers[pair[1]].tags)

    def _leave_out(self, record_ids: Iterable[str], reason: str) -> None:
        self.left_out.extend(LeftOut(each, reason) for each in record_ids)


def _finished(project: Project) -> dict[str, set[str]]:
    finished: dict[str, set[str]] = {}
    for each in project.assignments():
        if each.state is State.DONE:
            finished.setdefault(each.patient_id, set()).add(each.annotator)
    return finished


def _as_json(found: _Found) -> dict[str, object]:
    return {
        "left_out": [each.record_id for each in found.left_out],
        "left_out_since": {each.record_id: each.reason for each in found.left_out},
        "between_annotators": [_agreement_json(each) for each in found.between],
        "with_gold": [_agreement_json(each) for each in found.with_gold],
        "with_gold_average": _average_json(average(found.with_gold)) if found.with_gold else None,
    }


def _agreement_json(agreement: Agreement) -> dict[str, object]:
    return {
        "first": agreement.first,
        "second": agreement.second,
        "documents": agreement.records,
        "measures": measured_to_json(agreement.measured),
        "by_type": {label: counts_to_json(each) for label, each in agreement.by_label.items()},
    }


def _average_json(average: Average) -> dict[str, object]:
    return {
        "measures": {
            name: {
                types: {"micro": ratios_to_json(micro), "macro": ratios_to_json(macro)}
                for types, (micro, macro) in kinds.items()
            }
            for name, kinds in average.measured.items()
        },
        "by_type": {label: ratios_to_json(each) for label, each in average.by_label.items()},
    }


def _print(found: _Found) -> None:
    for agreement in (*found.between, *found.with_gold):
        _print_agreement(agreement)
    if found.with_gold:
        _print_average(average(found.with_gold), len(found.with_gold))
    if not found.between and not found.with_gold:
        print("No record is finished by two annotators yet, so there is no agreement to measure.")
    for reason, record_ids in by_reason(found.left_out).items():
        print(f"{len(record_ids)} records left out since {reason}: {', '.join(record_ids)}")


def _print_agreement(agreement: Agreement) -> None:
    print(f"\n{agreement.first} against {agreement.second}, {agreement.records} records")
    print_table(measured_rows(agreement.measured), HEADERS)
    print_table(
        counts_rows(agreement.by_label), ["type", "precision", "recall", "F1", "TP", "FP", "FN"]
    )


def _print_average(average: Average, annotators: int) -> None:
    print(f"\nMean of {annotators} annotators against the gold standard")
    rows: Iterable[tuple[str, ...]] = (
        (name.replace("_", " "), types, *ratio_cells(micro), *ratio_cells(macro))
        for name, kinds in average.measured.items()
        for types, (micro, macro) in kinds.items()
    )
    print_table(rows, HEADERS[:8])
    labels = ((label, *ratio_cells(each)) for label, each in average.by_label.items())
    print_table(labels, ["type", "precision", "recall", "F1"])
