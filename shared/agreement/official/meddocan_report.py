"""The figures of the MEDDOCAN evaluator, as JSON and as the text that the script prints."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict

from shared.agreement.official.i2b2_2014_report import script_ratios
from shared.agreement.official.meddocan import MeddocanEvaluation
from shared.metrics.counts import MatchCounts

_ROW = "{:<35}{:<15}{:<20}"
_RULE = "-" * 60
_NO_LEAK = "NA"


def as_json(evaluation: MeddocanEvaluation) -> dict[str, object]:
    """Return the counts and micro averages; 0 where there is nothing to divide by."""
    return {
        "documents": len(evaluation.documents),
        "left_out": {
            "system": list(evaluation.only_system),
            "gold": list(evaluation.only_gold),
        },
        "ner": _counts_as_json(evaluation.ner),
        "spans_strict": _counts_as_json(evaluation.spans_strict),
        "spans_merged": _counts_as_json(evaluation.spans_merged),
    }


def as_text(
    evaluation: MeddocanEvaluation, subtrack: str, *, verbose: bool = False
) -> Iterator[str]:
    """Yield the lines that the script prints for a subtrack, `ner` or `spans`."""
    yield from evaluation.warnings
    if subtrack == "ner":
        for document, number in zip(evaluation.documents, evaluation.sentences, strict=True):
            if number is None:
                yield f"File 'freeling/sentence_splitted/{document}.ann' not found."
        yield from _part(evaluation, "SubTrack 1 [NER]", evaluation.ner, verbose=verbose, leak=True)
        return
    parts = (("strict", evaluation.spans_strict), ("merged", evaluation.spans_merged))
    for name, counts in parts:
        yield from _part(evaluation, f"SubTrack 2 [{name}]", counts, verbose=verbose)


def _part(
    evaluation: MeddocanEvaluation,
    label: str,
    counts: Sequence[MatchCounts],
    *,
    verbose: bool,
    leak: bool = False,
) -> Iterator[str]:
    name = f"SYSTEM: {evaluation.system}"
    if verbose or evaluation.single:
        yield from ("\n", f"Report ({name}):", _RULE)
        yield from (_ROW.format("Document ID", "Measure", "Micro"), _RULE)
        for document, each, number in zip(
            evaluation.documents, counts, evaluation.sentences, strict=True
        ):
            leaks = [_leak(each.fn, number)] if leak else []
            yield from _figures(document, each, leaks)
            yield _RULE
    if not evaluation.single:
        whole = sum(counts, MatchCounts())
        known = [number for number in evaluation.sentences if number is not None]
        number = sum(known) if len(known) == len(counts) else None
        yield from (_ROW.format("", "", ""), f"Report ({name}):", _RULE)
        yield from (_ROW.format(label, "Measure", "Micro"), _RULE)
        leaks = [_leak(whole.fn, number)] if leak else []
        yield from _figures(f"Total ({len(counts)} docs)", whole, leaks)
        yield from (_RULE, "\n")


def _figures(first: str, counts: MatchCounts, leaks: Sequence[str]) -> Iterator[str]:
    precision, recall, f1 = script_ratios(counts.tp, counts.fp, counts.fn)
    named = [("Leak", each) for each in leaks]
    named += [("Precision", f"{precision:.4}"), ("Recall", f"{recall:.4}"), ("F1", f"{f1:.4}")]
    for number, (measure, value) in enumerate(named):
        yield _ROW.format("" if number else first, measure, value)


def _leak(missed: int, sentences: int | None) -> str:
    if sentences is None:
        return _NO_LEAK
    return f"{missed / sentences if sentences else 0.0:.4}"


def _counts_as_json(counts: Sequence[MatchCounts]) -> dict[str, float | int]:
    whole = sum(counts, MatchCounts())
    ratios = script_ratios(whole.tp, whole.fp, whole.fn)
    return {**asdict(whole), **dict(zip(("precision", "recall", "f1"), ratios, strict=True))}
