"""What a release without a person costs: seconds of processor a megabyte of text.

Run it as a program: `python -m tests.benchmarks.bench_release_cost [ordinary] [large] [--records N]
[--sizes MB ...] [--tags rules gold] [--mode MODE ...] [--rule RULE ...] [--profile]`.

ordinary  fabricated patients of a few records each, in English, Spanish and German
large     one patient of so many megabytes, of records of one person, or of hundreds of people under
          one id, which is the worst that the file of another system can hold

The tags are right, or those that the rules suggest. Memory is the peak of the process so far.
"""

import argparse
import cProfile
import pstats
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from adjudicator.release.doubt import DoubtRule, DoubtSettings
from adjudicator.release.source import SurrogateOptions
from adjudicator.release.unattended import make_unattended, schema_of_records
from shared.formats.base import Record
from shared.formats.corpus import Corpus
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.surrogates.surrogate_kinds import ReleaseMode
from shared.synthetic import fabricate, fabricate_patient
from tests.benchmarks.bench_unattended import Tagged, corpora

_MB = 1_000_000
_LETTERS_OF_RECORD = 3_100


def main() -> None:
    parser = argparse.ArgumentParser(description="The cost of a release without a person.")
    parser.add_argument("what", nargs="*", default=["ordinary", "large"])
    parser.add_argument("--records", type=int, default=300, help="of each ordinary corpus, about")
    parser.add_argument("--sizes", type=float, nargs="+", default=[0.1, 0.5, 1.0, 5.0])
    parser.add_argument("--tags", nargs="+", default=["rules", "gold"])
    parser.add_argument("--mode", type=ReleaseMode, nargs="+",
                        default=[ReleaseMode.SURROGATE, ReleaseMode.KEYED])  # fmt: skip
    parser.add_argument("--rule", type=DoubtRule, nargs="+",
                        default=[DoubtRule.MASK, DoubtRule.HOLD_BACK])  # fmt: skip
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    arguments = parser.parse_args()
    print(f"{'records':20}{'tags':7}{'mode':11}{'rule':11}{'MB':>6}{'records':>9}{'s/MB':>8}"
          f"{'ms/record':>11}{'masked':>8}{'held':>6}{'GB':>6}")  # fmt: skip
    for name, tagged in _corpora(arguments):
        for source in arguments.tags:
            records = suggested(tagged) if source == "rules" else right(tagged)
            for mode in arguments.mode:
                for rule in arguments.rule:
                    print(f"{name:20}{source:7}", end="")
                    _measure(records, mode, rule, profile=arguments.profile)


def _corpora(arguments: argparse.Namespace) -> Iterator[tuple[str, list[Tagged]]]:
    if "ordinary" in arguments.what:
        yield from corpora(arguments.records, arguments.seed)
    for size in arguments.sizes if "large" in arguments.what else ():
        yield f"one, {size} MB", one_person(size, arguments.seed)
        yield f"hundreds, {size} MB", hundreds(size, arguments.seed)


def one_person(size: float, seed: int) -> list[Tagged]:
    """The records of one person, of so many megabytes together, about."""
    count = max(2, round(size * _MB / _LETTERS_OF_RECORD))
    one = fabricate_patient("1", count, "held-out", Random(f"{seed} one"))
    return [(each, one.gold[each.record_id]) for each in one.patient.documents]


def hundreds(size: float, seed: int) -> list[Tagged]:
    """The records of hundreds of people under one id, of so many megabytes together, about."""
    found: list[Tagged] = []
    left = size * _MB
    for one in fabricate(round(size * 200) + 1, seed, templates="held-out"):
        for each in one.patient.documents:
            if left > 0:
                found.append((replace(each, patient_id="1"), one.gold[each.record_id]))
                left -= len(each.text)
    return found


def right(tagged: Sequence[Tagged]) -> list[Record]:
    return [Record.of(document, layer.tags) for document, layer in tagged]


def suggested(tagged: Sequence[Tagged]) -> list[Record]:
    recognizer = open_recognizer(RecognizerSpec(("rules",)))
    documents = [each for each, _ in tagged]
    return [
        Record.of(document, [each.tag() for each in found])
        for document, found in zip(documents, recognizer.suggest(documents), strict=True)
    ]


def _measure(
    records: Sequence[Record], mode: ReleaseMode, rule: DoubtRule, *, profile: bool
) -> None:
    profiler = cProfile.Profile()
    with TemporaryDirectory() as folder:
        key = Path(folder) / "key"
        key.write_bytes(bytes(range(40)))
        options = SurrogateOptions(seed=1, mode=mode, key=key)
        corpus, schema = Corpus(tuple(records)), schema_of_records(records)
        begun = time.process_time()
        if profile:
            profiler.enable()
        made = make_unattended(corpus, schema, options, DoubtSettings(rule, new_ids=True))
        profiler.disable()
    seconds = time.process_time() - begun
    size = sum(len(each.document.text) for each in records) / _MB
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{mode:11}{rule:11}{size:>6.2f}{len(records):>9}{seconds / size:>8.2f}"
          f"{1000 * seconds / len(records):>11.1f}{made.facts.masked:>8}{len(made.held):>6}"
          f"{peak:>6.2f}", flush=True)  # fmt: skip
    if profile:
        pstats.Stats(profiler).sort_stats("cumulative").print_stats(60)
        pstats.Stats(profiler).sort_stats("tottime").print_stats(40)


if __name__ == "__main__":
    main()
