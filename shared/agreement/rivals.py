"""Two candidates measured against one reference: which is better, and is that more than chance."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shared.agreement.comparison import Comparison
from shared.agreement.measures import Grain, Matcher, Measure, total
from shared.agreement.resampling import SHUFFLES, Difference, randomization_test, z_test
from shared.agreement.tables import measure_name
from shared.errors import RequestError
from shared.metrics.counts import MatchCounts, table_of


@dataclass(frozen=True, slots=True)
class Rivalry:
    """The micro F1 of two candidates by one measure.

    `difference` has both F1 and p of the paired approximate randomization test; `z` and `z_p` are
    of the z-test on two proportions, with the number of the reference's things as sample size.
    """

    measure: str
    records: int
    difference: Difference
    z: float
    z_p: float


def compare_candidates(
    first: Iterable[Comparison],
    second: Iterable[Comparison],
    *,
    shuffles: int = SHUFFLES,
    seed: int = 1,
) -> list[Rivalry]:
    """Compare two candidates by every measure, on the records that both have.

    The references of both must be the same. Raises RequestError where they have no record in
    common.
    """
    others = {each.record_id: each for each in second}
    pairs = [(each, others[each.record_id]) for each in first if each.record_id in others]
    if not pairs:
        raise RequestError("the two candidates have no record in common")
    counted = [(_counts(one), _counts(other)) for one, other in pairs]
    patients = [one.document.patient_id for one, _ in pairs]
    return [
        _rivalry(
            name,
            [one[name] for one, _ in counted],
            [other[name] for _, other in counted],
            patients,
            shuffles,
            seed,
        )
        for name in counted[0][0]
    ]


def _rivalry(
    name: str,
    first: Sequence[MatchCounts],
    second: Sequence[MatchCounts],
    patients: Sequence[str],
    shuffles: int,
    seed: int,
) -> Rivalry:
    found = randomization_test(
        table_of(first), table_of(second), patients, shuffles=shuffles, seed=seed
    )
    size = sum(first, MatchCounts()).references
    z, p = z_test(found.first, found.second, size, size) if size else (0.0, 1.0)
    return Rivalry(name, len(patients), found, z, p)


def _counts(comparison: Comparison) -> dict[str, MatchCounts]:
    matcher = Matcher(comparison)
    return {
        measure_name(measure, grain): total(matcher.count(measure, grain))
        for grain in (Grain.TYPE, Grain.BINARY)
        for measure in Measure
    }
