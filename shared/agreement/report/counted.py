"""What a comparison adds to a report, counted once however many reports it is in."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from shared.agreement.chance import labels_of
from shared.agreement.comparison import Comparison
from shared.agreement.counts import MatchCounts
from shared.agreement.error_classes import ErrorClass, classify, confusion, nearest_tags
from shared.agreement.measures import Grain, Label, Matcher, Measure, label_name, of_types, total
from shared.agreement.pairing import Pairing, pair_tags
from shared.agreement.tables import measure_name
from shared.model import Document, PhiType
from shared.text.tokens import token_starts

Key = tuple[str, str]
"""The name of a measure, and `all`, `hipaa`, a category or a type."""

LABELLED = "strict by label"

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one comparison by every measure and, strict, of every category and type.

    `errors` are counted by the type that `error_classes` gives them, `tokens` by their labels on
    the two sides, `origins` by the origin of a tag of the candidate and whether it is matched.
    """

    matches: dict[Key, MatchCounts]
    errors: Counter[tuple[PhiType, ErrorClass]]
    confusion: Counter[tuple[str, str]]
    tokens: Counter[tuple[str, str]]
    origins: Counter[tuple[str, bool]]
    disagreements: tuple[Pairing, ...]


class Counting:
    """Counts comparisons and remembers what it counted; they stay in memory with it."""

    def __init__(self, is_hipaa: Callable[[PhiType], bool]) -> None:
        self._is_hipaa = is_hipaa
        self._counted: dict[int, tuple[Comparison, Counted]] = {}
        self._starts: dict[int, tuple[Document, array[int]]] = {}

    def __call__(self, comparison: Comparison) -> Counted:
        known = self._counted.get(id(comparison))
        if known is None:
            known = comparison, self._count(comparison)
            self._counted[id(comparison)] = known
        return known[1]

    def forget_counts(self) -> "Counting":
        """Return one that has counted nothing, and knows the tokens that this one knows."""
        other = Counting(self._is_hipaa)
        other._starts = self._starts
        return other

    def _count(self, comparison: Comparison) -> Counted:
        starts = self._tokens(comparison.document)
        nearest = list(nearest_tags([comparison]))
        known = (
            ((reference or candidate), classify(candidate, reference))
            for reference, candidate in nearest
        )
        marks = {tag.mark for tag in comparison.reference}
        pairings = pair_tags(comparison.candidate, comparison.reference)
        return Counted(
            dict(_matches(Matcher(comparison, starts), self._is_hipaa)),
            Counter((tag.phi_type, error) for tag, error in known if tag is not None),
            confusion(nearest),
            labels_of(comparison, starts),
            Counter((str(tag.origin), tag.mark in marks) for tag in comparison.candidate),
            tuple(pairing for pairing in pairings if pairing.is_disagreement),
        )

    def _tokens(self, document: Document) -> "array[int]":
        known = self._starts.get(id(document))
        if known is None:
            known = self._starts[id(document)] = document, array("L", token_starts(document.text))
        return known[1]


def _matches(
    matcher: Matcher, is_hipaa: Callable[[PhiType], bool]
) -> Iterator[tuple[Key, MatchCounts]]:
    for measure in Measure:
        typed = matcher.count(measure)
        hipaa = of_types(typed, is_hipaa)
        binary = measure_name(measure, Grain.BINARY)
        yield (str(measure), "all"), total(typed)
        yield (str(measure), "hipaa"), total(hipaa)
        yield (binary, "all"), _binary(matcher, measure, typed, None)
        yield (binary, "hipaa"), _binary(matcher, measure, hipaa, is_hipaa)
    for grain in (Grain.CATEGORY, Grain.TYPE):
        for label, counts in matcher.count(Measure.STRICT, grain).items():
            yield (LABELLED, label_name(label)), counts


def _binary(
    matcher: Matcher,
    measure: Measure,
    typed: Mapping[Label, MatchCounts],
    keep: Callable[[PhiType], bool] | None,
) -> MatchCounts:
    """Count PHI or not: the same as with types where there is but one."""
    return total(typed if len(typed) < 2 else matcher.count(measure, Grain.BINARY, keep))


def summed(counters: Iterable[Counter[Thing]]) -> Counter[Thing]:
    """Add up counters."""
    found: Counter[Thing] = Counter()
    for each in counters:
        found.update(each)
    return found
