"""The figures of the 2014 i2b2 evaluator, as JSON and as the text that the script prints."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from shared.agreement.official.i2b2_2014 import LABELS, I2b2Evaluation, I2b2Result
from shared.agreement.official.i2b2_2014_counts import Counts
from shared.metrics.counts import number_or_none

_ROW = "{:<25}{:<15}{:<15}{:<20}"
_RULE = "-" * 75


@dataclass(frozen=True, slots=True)
class Block:
    """The sums and averages of one label; macro is nan over no documents, its F1 where P + R is 0.

    Macro F1 is the F of the two means, not the mean of F; the deviations are of the population.
    """

    tp: int
    fp: int
    fn: int
    precision: float
    recall: float
    f1: float
    macro_precision: float
    macro_recall: float
    macro_f1: float
    precision_sd: float
    recall_sd: float

    @classmethod
    def of(cls, counts: Sequence[Counts]) -> "Block":
        """Sum and average the counts of the documents."""
        tp, fp, fn = (sum(each[place] for each in counts) for place in range(3))
        ratios = [script_ratios(*each) for each in counts]
        macro_precision, precision_sd = _mean_and_deviation([each[0] for each in ratios])
        macro_recall, recall_sd = _mean_and_deviation([each[1] for each in ratios])
        return cls(
            *(tp, fp, fn, *script_ratios(tp, fp, fn)),
            *(macro_precision, macro_recall, _f1(macro_precision, macro_recall, math.nan)),
            *(precision_sd, recall_sd),
        )

    def as_json(self) -> dict[str, object]:
        return {
            "tp": self.tp,
            "fp": self.fp,
            "fn": self.fn,
            "micro": {"precision": self.precision, "recall": self.recall, "f1": self.f1},
            "macro": {
                "precision": number_or_none(self.macro_precision),
                "recall": number_or_none(self.macro_recall),
                "f1": number_or_none(self.macro_f1),
                "precision_sd": number_or_none(self.precision_sd),
                "recall_sd": number_or_none(self.recall_sd),
            },
        }


def as_json(evaluation: I2b2Evaluation) -> dict[str, object]:
    """Return the figures of every label; a number that the script prints as nan is None."""
    return {
        "documents": len(evaluation.documents),
        "left_out": {
            "system": list(evaluation.only_system),
            "gold": list(evaluation.only_gold),
        },
        "blocks": {label: Block.of(evaluation.counts[label]).as_json() for label in LABELS},
    }


def as_text(outcome: I2b2Result, *, verbose: bool = False) -> Iterator[str]:
    """Yield the lines that the script prints."""
    yield from outcome.warnings
    for evaluation in outcome.evaluations:
        for label in LABELS:
            name = f"{evaluation.system} {label}" if evaluation.system else label
            if verbose or outcome.single:
                yield from _documents(name, evaluation, evaluation.counts[label])
            if not outcome.single:
                yield from _summary(name, evaluation.counts[label])


def _documents(name: str, evaluation: I2b2Evaluation, counts: Sequence[Counts]) -> Iterator[str]:
    yield f"Report for {name}:"
    yield _ROW.format("", "Measure", "", "Micro (Primary)")
    yield _RULE
    for document, (tp, fp, fn) in zip(evaluation.documents, counts, strict=True):
        precision, recall, f1 = script_ratios(tp, fp, fn)
        yield _ROW.format(document, "Precision", "", f"{precision:.4}")
        yield _ROW.format(f"[{tp + fn}({tp}){tp + fp}]", "Recall", "", f"{recall:.4}")
        yield _ROW.format("", "F1", "", f"{f1:.4}")
        yield _RULE


def _summary(name: str, counts: Sequence[Counts]) -> Iterator[str]:
    block = Block.of(counts)
    precision = f"{block.macro_precision:.4} ({block.precision_sd:.2})"
    recall = f"{block.macro_recall:.4} ({block.recall_sd:.2})"
    yield _ROW.format(f"{name} ({len(counts)})", "Measure", "Macro (SD)", "Micro (Primary)")
    yield _RULE
    yield _ROW.format("Total", "Precision", precision, f"{block.precision:.4}")
    yield _ROW.format("", "Recall", recall, f"{block.recall:.4}")
    yield _ROW.format("", "F1", f"{block.macro_f1:.4}", f"{block.f1:.4}")
    yield "\n"


def script_ratios(tp: int, fp: int, fn: int) -> tuple[float, float, float]:
    """Return precision, recall and F1 as both scripts have them: 0 for nothing by nothing."""
    precision = tp / (tp + fp) if tp + fp else 0.0
    recall = tp / (tp + fn) if tp + fn else 0.0
    return precision, recall, _f1(precision, recall, 0.0)


def _mean_and_deviation(ratios: Sequence[float]) -> tuple[float, float]:
    return (float(np.mean(ratios)), float(np.std(ratios))) if ratios else (math.nan, math.nan)


def _f1(precision: float, recall: float, nothing: float) -> float:
    both = precision + recall
    return 2 * ((precision * recall) / both) if both else nothing
