"""What attackers find of misses planted in a release, by way of release, and what it is worth.

Run it as a program: `python -m tests.benchmarks.bench_attack [--patients N] [--meddocan DIR]
[--records N] [--seeds N] [--what attack|utility|dates] [--wide] [--of SEED]`. Fabricated English
patients, and records of MEDDOCAN where its folder is given, are released in memory; of their gold
standards 1 and 5 % of the tags are taken out in copies. The attackers are those of
`shared/risk/attack.py`, the recognizer is that of `tandem risk --release`. `--wide` fabricates
patients whose cities, hospitals and streets come from the long lists that surrogates are drawn
from, not from the few of the held-out patients, which a recognizer knows by heart after half of
them.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from unittest.mock import patch

from adjudicator.release.draft import Draft
from adjudicator.release.released import ReleasedRecord
from adjudicator.release.source import Source, SurrogateOptions
from adjudicator.release_risk import (
    RATES,
    date_intervals,
    planted_attack,
    token_learner,
    twins,
)
from shared.commands.output import print_table
from shared.formats.corpus import read_corpus
from shared.formats.schema_auto import schema_of
from shared.language.languages import FABRICATED_LANGUAGE, language
from shared.model import Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.risk.attack import TOPS, Attacker, AttackFigures, together
from shared.risk.utility import held_out_counts, loss_of_alike, losses, new_words
from shared.surrogates.drawing import secret_of_seed
from shared.surrogates.surrogate_kinds import RESAMPLED, ReleaseMode
from shared.synthetic import fabricate
from shared.synthetic.pools import Pools, Templates, pools
from tests.benchmarks.bench_release import source
from tests.benchmarks.spoilt_gold import Records

WAYS = {
    **{each.value: SurrogateOptions(mode=each) for each in ReleaseMode},
    "resample": SurrogateOptions(resample=RESAMPLED),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Attacks on a release, and its utility.")
    parser.add_argument("--patients", type=int, default=40)
    parser.add_argument("--meddocan", type=Path, help="the folder of MEDDOCAN's files")
    parser.add_argument("--records", type=int, default=100, help="of MEDDOCAN")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--mode", choices=WAYS, action="append")
    parser.add_argument("--what", choices=("attack", "utility", "dates"), action="append")
    parser.add_argument("--wide", action="store_true", help="of long lists")
    parser.add_argument("--of", type=int, default=1, help="the seed of the fabricated patients")
    arguments = parser.parse_args()
    for name, schema, patients in corpora(arguments):
        for mode in arguments.mode or WAYS:
            released(name, mode, source(patients, schema, WAYS[mode]), arguments)


def corpora(arguments: argparse.Namespace) -> Iterator[tuple[str, Schema, list[Records]]]:
    if arguments.patients:
        lists = wide_pools if arguments.wide else pools
        with patch("shared.synthetic.patients.pools", lists):
            english = list(fabricate(arguments.patients, arguments.of, templates="held-out"))
        yield (
            "fabricated English",
            I2B2_2014,
            [[(each, p.gold[each.record_id]) for each in p.patient.documents] for p in english],
        )
    if arguments.meddocan is not None:
        read = read_corpus(arguments.meddocan).records[: arguments.records]
        yield (
            "MEDDOCAN",
            schema_of(tag for each in read for tag in each.layers[0].tags),
            [[(each.document, each.layers[0])] for each in read],
        )


def wide_pools(templates: Templates) -> Pools:
    """The lists of fabricated patients with the places of the language's."""
    english = language(FABRICATED_LANGUAGE)
    own, places = pools(templates), english.places
    regions = english.regions.values()
    wide = {
        "cities": tuple(f"{city}, {each.code}" for each in regions for city in each.cities),
        "hospital stems": (*places.stems, *(f"St. {each}" for each in places.saint_names)),
        "other places": places.other_places,
        "streets": places.streets,
    }
    return replace(own, words={**own.words, **wide})


def released(name: str, mode: str, of: Source, arguments: argparse.Namespace) -> None:
    what = arguments.what or ("attack", "utility", "dates")
    draft = Draft.make(of, secret_of_seed(1))
    records = in_memory(of, draft)
    tags = sum(len(each.tags) for each in records)
    print(f"\n{name}, {mode}: {len(records)} records, {tags} tags", flush=True)
    with TemporaryDirectory() as folder:
        if "attack" in what:
            attack(of, records, Path(folder), arguments.seeds)
        if "utility" in what:
            utility(records, Path(folder), arguments.seeds)
    if "dates" in what:
        found = date_intervals(of, records)
        print(f"intervals: {found}, for no known reason {found.otherwise}", flush=True)


def in_memory(of: Source, draft: Draft) -> list[ReleasedRecord]:
    """The records of a draft as if they were released."""
    return [
        ReleasedRecord(
            of.patients[each.patient.id][0].document(new.record_id),
            tuple(one.tag for one in each.replacements if one.record_id == new.record_id),
            new,
            each.layers[new.record_id].tags,
            new.record_id,
        )
        for each in draft.surrogates
        for new in each.documents
    ]


def attack(of: Source, records: Sequence[ReleasedRecord], folder: Path, seeds: int) -> None:
    rows: list[list[str]] = []
    for rate in RATES:
        began = time.perf_counter()
        runs = [
            planted_attack(of, records, token_learner(folder), rate, seed)
            for seed in range(1, seeds + 1)
        ]
        rows += figures(rate, together(runs))
        print(f"{rate:.0%}: {time.perf_counter() - began:.0f} s", flush=True)
    heads = (
        *("missed", "planted", "held up", "hidden", "of unnoticed", "attacker", "recall"),
        *("of unnoticed", "precision", *(f"top {first}" for first in TOPS)),
    )
    print_table(rows, heads)


def figures(rate: float, found: AttackFigures) -> Iterator[list[str]]:
    planted = len(found.misses)
    quiet = found.unnoticed
    for each in Attacker:
        tops = [share(found.top(each, first)) for first in TOPS]
        yield [
            *(f"{rate:.0%}", str(planted), share(found.held_up / planted)),
            *(share(found.hidden / planted), f"{quiet.hidden} of {len(quiet.misses)}"),
            *(each.value, share(found.exposed(each) / planted)),
            f"{quiet.exposed(each)} of {len(quiet.misses)}",
            *(share(found.precision(each)), *tops),
        ]


def share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def utility(records: Sequence[ReleasedRecord], folder: Path, seeds: int) -> None:
    began = time.perf_counter()
    runs = [
        held_out_counts(twins(records), token_learner(folder, seed), seed)
        for seed in range(1, seeds + 1)
    ]
    for seed, run in enumerate(runs, start=1):
        one = losses([run], Random(1))
        if one:
            print(f"  seed {seed}: lost {one[0].lost:+.4f}, {one[1].lost:+.4f}")
    found = losses(runs, Random(1))
    if found is not None:
        for title, each in zip(("learnt from the release", "measured on it"), found, strict=True):
            print(
                f"{title}: F1 {each.plain:.4f} loses {each.lost:+.4f} "
                f"({each.low:+.4f} to {each.high:+.4f})"
            )
    if (alike := loss_of_alike(runs, Random(1))) is not None:
        print(
            f"where words are as familiar: F1 {alike.plain:.4f} loses {alike.lost:+.4f} "
            f"({alike.low:+.4f} to {alike.high:+.4f}), unmatched {alike.unmatched:.3f}"
        )
    for title, new in zip(("authentic", "released"), new_words(runs), strict=True):
        print(f"{title}: {new}")
    print(f"{time.perf_counter() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
