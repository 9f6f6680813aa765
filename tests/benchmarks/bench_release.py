"""Whether a release of a spoilt gold standard is held up, and how often that of a clean one is.

Run it as a program: `python -m tests.benchmarks.bench_release [--count N] [--seed N] [--meddocan
DIR] [--mode MODE] [--resample P] [--sorts SORT ...]`. Each of N gold standards (fabricated English,
with the templates that the rules were not made with, Spanish and German; of MEDDOCAN where its
folder is given) is spoilt once, the sorts in turn, and what stands against its release is asked
for as `tandem surrogate` does. "At the place" is what is told of the very text that was left;
"held up" counts what is told elsewhere in the patient, too, that was not told before it was spoilt;
"replaced" is a wrong type whose surrogate has nothing of what was there. What is told of the clean
gold standards are false alarms. With `--mode safe-harbor` years alone may stay, as the rule lets
them, but for one that makes somebody over 89. It ends with status 1 where anything got out.
"""

import argparse
import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from adjudicator.release.draft import BlockerKind, Draft, PatientDraft, ReleaseBlocker, blockers_of
from adjudicator.release.source import Read, Source, SurrogateOptions
from shared.formats.corpus import read_corpus
from shared.formats.schema_auto import schema_of
from shared.language.detection import AUTO, language_said
from shared.model import Patient, Schema, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.drawing import secret_of_seed
from shared.surrogates.surrogate_kinds import ReleaseMode
from shared.synthetic import fabricate
from tests.benchmarks.german_letters import german_patients
from tests.benchmarks.spanish_notes import spanish_patients
from tests.benchmarks.spoilt_as_words import AS_WORDS
from tests.benchmarks.spoilt_by_software import BY_SOFTWARE
from tests.benchmarks.spoilt_gold import SORTS, NothingToSpoilError, Records, Spoiler, Spoilt
from tests.benchmarks.spoilt_retold import RETOLD

_EVERY = SORTS | RETOLD | BY_SOFTWARE | AS_WORDS
_OLDEST_NAMED = 89


def main() -> int:
    parser = argparse.ArgumentParser(description="What holds a release up.")
    parser.add_argument("--count", type=int, default=600, help="gold standards of each corpus")
    parser.add_argument("--seed", type=int, default=16)
    parser.add_argument("--meddocan", type=Path, help="the folder of MEDDOCAN's files")
    parser.add_argument("--mode", type=ReleaseMode, default=ReleaseMode.SURROGATE)
    parser.add_argument("--resample", type=float, default=0.0, metavar="P")
    parser.add_argument("--sorts", nargs="+", choices=list(_EVERY), default=list(_EVERY))
    parser.add_argument("--only", nargs="+", help="the names of the corpora, such as German")
    parser.add_argument("--alarms", action="store_true", help="show the false alarms")
    parser.add_argument("--missed", action="store_true", help="show the first that went out")
    arguments = parser.parse_args()
    out = sum(
        judged(name, schema, patients, arguments)
        for name, schema, patients in corpora(arguments.count, arguments.seed, arguments.meddocan)
        if not arguments.only or name in arguments.only
    )
    return min(out, 1)


def corpora(
    count: int, seed: int, meddocan: Path | None
) -> Iterator[tuple[str, Schema, list[Records]]]:
    english = fabricate(count, seed, templates="held-out")
    yield (
        "English",
        I2B2_2014,
        [[(each, one.gold[each.record_id]) for each in one.patient.documents] for one in english],
    )
    yield "Spanish", I2B2_2014, list(spanish_patients(count, seed))
    yield "German", I2B2_2014, list(german_patients(count, seed))
    if meddocan is not None:
        read = read_corpus(meddocan)
        yield (
            "MEDDOCAN",
            schema_of(tag for each in read.records for tag in each.layers[0].tags),
            [[(each.document, each.layers[0])] for each in read.records[:count]],
        )


def judged(
    name: str, schema: Schema, patients: Sequence[Records], arguments: argparse.Namespace
) -> int:
    """Spoil every patient once, and print what a release would say of it; how many got out."""
    language = language_said(AUTO, [each.text for one in patients for each, _ in one])
    options = SurrogateOptions(mode=arguments.mode, resample=arguments.resample)
    clean = source(patients, schema, options)
    told = {patient_id: blockers(clean, patient_id) for patient_id in clean.patients}
    show_alarms(name, told.values(), sum(map(len, patients)))
    if arguments.alarms:
        show_places(patients, told)
    outcomes: dict[str, Counter[str]] = {sort: Counter() for sort in arguments.sorts}
    sorts = itertools.cycle(outcomes)
    for records in patients:
        rng = Random(f"{arguments.seed} {records[0][0].patient_id}")
        spoiler = Spoiler(records, schema, language, rng)
        spoilt = first_of(spoiler, sorts, len(outcomes))
        if spoilt is None:
            continue
        patient, gold = read_of(spoilt.records)
        spoilt_source = replace(clean, patients={patient.id: (patient, gold)})
        draft = Draft.make(spoilt_source, secret_of_seed(1))
        drafted, before = draft.patients[patient.id], told[patient.id]
        outcome = outcome_of(spoilt, drafted, blockers_of(draft), before, language.particles)
        if outcome == "out" and arguments.mode is ReleaseMode.SAFE_HARBOR and is_year(spoilt):
            outcome = "may stay"
        outcomes[spoilt.sort][outcome] += 1
        if arguments.missed and outcome == "out":
            show_missed(spoilt)
    show(outcomes)
    return sum(each["out"] for each in outcomes.values())


def first_of(spoiler: Spoiler, sorts: Iterator[str], count: int) -> Spoilt | None:
    """The patient spoilt in the first of the sorts, in turn, for which it has a place."""
    for sort in itertools.islice(sorts, count):
        try:
            return _EVERY[sort](spoiler)
        except NothingToSpoilError:
            continue
    return None


def read_of(records: Records) -> Read:
    documents = tuple(document for document, _ in records)
    return Patient(documents[0].patient_id, documents), {
        layer.record_id: layer for _, layer in records
    }


def source(patients: Sequence[Records], schema: Schema, options: SurrogateOptions) -> Source:
    read = [read_of(each) for each in patients]
    return Source.of({each[0].id: each for each in read}, schema, AUTO, options)


def blockers(of: Source, patient_id: str) -> list[ReleaseBlocker]:
    one = replace(of, patients={patient_id: of.patients[patient_id]})
    return blockers_of(Draft.make(one, secret_of_seed(1)))


def outcome_of(
    spoilt: Spoilt,
    drafted: PatientDraft,
    now: Sequence[ReleaseBlocker],
    before: Sequence[ReleaseBlocker],
    particles: frozenset[str],
) -> str:
    near = Span(max(0, spoilt.span.start - 1), spoilt.span.end + 1)
    if any(
        each.record_id == spoilt.record_id and each.span and each.span.overlaps(near)
        for each in now
    ):
        return "at the place"
    if len(now) > len(before):
        return "held up"
    return "replaced" if is_replaced(spoilt, drafted, particles) else "out"


def is_replaced(spoilt: Spoilt, drafted: PatientDraft, particles: frozenset[str]) -> bool:
    """Whether a surrogate without a word or number of it stands for all of what was spoilt.

    Small words that belong to many names may stay: `San`.
    """
    for each in drafted.new.replacements:
        if each.record_id == spoilt.record_id and each.tag.span.contains(spoilt.span):
            words = set(re.findall(r"\w{2,}", each.original.casefold()))
            return not (words - particles) & set(re.findall(r"\w{2,}", each.surrogate.casefold()))
    return False


def is_year(spoilt: Spoilt) -> bool:
    """Whether a year alone was left that safe harbor lets stay.

    None may that lies more than 89 years before another year of the patient's records.
    """
    texts = {document.record_id: document.text for document, _ in spoilt.records}
    left = re.sub(r"\W", "", spoilt.span.text_in(texts[spoilt.record_id]))
    years = re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", " ".join(texts.values()))
    return left in years and max(map(int, years)) - int(left) <= _OLDEST_NAMED


def show_alarms(name: str, told: Iterable[Sequence[ReleaseBlocker]], records: int) -> None:
    counts = Counter((each.kind, each.what) for one in told for each in one)
    review = sum(count for (kind, _), count in counts.items() if kind is BlockerKind.REVIEW)
    alarms = counts.total() - review
    print(
        f"{name}: {records} clean records, {alarms} false alarms, {alarms / records * 20:.2f} in "
        f"20 records; {review} surrogates to review"
    )
    for (_, what), count in counts.most_common(12):
        print(f"  {count:>5}  {what}")


def show_places(patients: Sequence[Records], told: Mapping[str, Sequence[ReleaseBlocker]]) -> None:
    for records in patients:
        texts = {document.record_id: document.text for document, _ in records}
        for each in told[records[0][0].patient_id]:
            start, end = (each.span.start, each.span.end) if each.span else (0, 0)
            text = texts.get(each.record_id, "")
            around = f"{text[max(0, start - 30) : start]}[{text[start:end]}]{text[end : end + 30]}"
            print(f"alarm: {each.what}: {each.type_name} {around!r}")


def show(outcomes: Mapping[str, Counter[str]]) -> None:
    print(
        f"{'spoilt':<26}{'count':>7}{'at the place':>14}{'held up':>9}{'replaced':>10}"
        f"{'may stay':>10}{'out':>6}"
    )
    whole: Counter[str] = Counter()
    for sort, counts in outcomes.items():
        whole.update(counts)
        show_row(sort, counts)
    show_row("all", whole)
    print()


def show_row(name: str, counts: Counter[str]) -> None:
    cells = f"{counts['at the place']:>14}{counts['held up']:>9}"
    cells += f"{counts['replaced']:>10}{counts['may stay']:>10}{counts['out']:>6}"
    print(f"{name:<26}{counts.total():>7}{cells}")


def show_missed(spoilt: Spoilt) -> None:
    text = next(each.text for each, _ in spoilt.records if each.record_id == spoilt.record_id)
    tags = next(each.tags for _, each in spoilt.records if each.record_id == spoilt.record_id)
    start, end = max(0, spoilt.span.start - 30), spoilt.span.end + 30
    near = [
        (tag.phi_type.name, tag.span.text_in(text))
        for tag in tags
        if start < tag.end and tag.start < end
    ]
    print(f"{spoilt.sort}: {text[start:end]!r} left {spoilt.span.text_in(text)!r}, tags {near}")


if __name__ == "__main__":
    sys.exit(main())
