"""How soon known-answer patients tell the careless, and whom they flag who is careful.

Run it as a program: `python -m tests.benchmarks.bench_known_answers [--runs N]`. Simulated
annotators read known-answer patients drawn from 40 fabricated ones of four records, or of two. The
careful ones err as often as those of Stubbs and Uzuner (2015); some do so by another rate on each
patient (half to double as often), as people do who are tired on one day. The careless overlook a
share of all PHI. Printed is in how many runs each is flagged within three patients and within ten,
how many patients it takes on average where it does, and the mean recall.
"""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from random import Random
from statistics import mean

from shared.risk.known_answers import KnownAnswer, KnownAnswerCheck
from shared.synthetic import fabricate
from shared.synthetic.annotators import USUAL_ERROR_RATES, ErrorRates, annotate
from shared.synthetic.patients import FabricatedPatient

_PATIENTS, _READ, _SOON = 40, 10, 3
_RECORDS = 4, 2
"""Of each patient."""
_MISSED = (0.10, 0.15, 0.20, 0.25, 1 / 3, 0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(f"{'records':8} {'annotator':34} {'within 3':>9} {'within 10':>9} {'takes':>6} recall")
    for records in _RECORDS:
        patients = list(fabricate(_PATIENTS, arguments.seed, records=records * _PATIENTS))
        for name, rates, varies in _annotators():
            checks = [
                _checked(patients, rates, Random(f"{arguments.seed} {name} {run}"), varies=varies)
                for run in range(arguments.runs)
            ]
            taken = [each.flagged_after for each in checks if each.flagged_after]
            soon = sum(each <= _SOON for each in taken)
            recall = mean(each.recall or 0.0 for each in checks)
            print(
                f"{records:8} {name:34} {soon:9} {len(taken):9} "
                f"{mean(taken) if taken else 0:6.1f} {recall:.3f}"
            )


def _annotators() -> list[tuple[str, ErrorRates, bool]]:
    careful = USUAL_ERROR_RATES
    careless = replace(careful, missed={}, annotate_all=0.0)
    return [
        ("careful", careful, False),
        ("careful, by patient", careful, True),
        *(
            (f"careless, misses {each:.0%}", replace(careless, usually_missed=each), False)
            for each in _MISSED
        ),
    ]


def _checked(
    patients: list[FabricatedPatient], rates: ErrorRates, chance: Random, *, varies: bool
) -> KnownAnswerCheck:
    answers: list[KnownAnswer] = []
    for each in chance.sample(patients, _READ):
        times = chance.uniform(0.5, 2.0) if varies else 1.0
        own = annotate(each, "ana", chance.randrange(2**32), _scaled(rates, times))
        sides = [(each.gold[record_id], own[record_id]) for record_id in own]
        answers.append(KnownAnswer.of(each.patient.id, sides))
    return KnownAnswerCheck.of(answers)


def _scaled(rates: ErrorRates, times: float) -> ErrorRates:
    missed: Mapping[str, float] = {
        name: min(1.0, times * each) for name, each in rates.missed.items()
    }
    return replace(rates, missed=missed, usually_missed=min(1.0, times * rates.usually_missed))


if __name__ == "__main__":
    main()
