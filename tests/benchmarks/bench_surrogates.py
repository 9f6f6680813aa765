"""How good and how fast surrogates are.

Run it as a program: `python -m tests.benchmarks.bench_surrogates [quality|speed|transfer]`.

quality   296 fabricated patients (1,304 records), of whom everything is known: intervals between
          full dates, coreference, form by an independent shape, tags for a person, leaks
speed     records a second beside a call of Faker for every tag, at growing sizes
transfer  the `general` CRF trained on the records as they were, tested on held-out patients with
          surrogates, and the other way round: strict F1 over several seeds, with an interval
"""

import argparse
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from statistics import mean, stdev

from faker import Faker
from scipy.stats import t

from shared.language.languages import language
from shared.metrics.counts import MatchCounts
from shared.model import Layer, Patient
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.crf_recognizer import CrfRecognizer
from shared.recognition.evaluation import ALL, above, strict_scores
from shared.recognition.recognizer import Example
from shared.surrogates.leak_check import LeakRules
from shared.surrogates.mentions import Replacement, SurrogatePatient
from shared.surrogates.numbers.contacts import PAGE
from shared.surrogates.ordinary_words import ordinary_words
from shared.surrogates.places.other_details import DETAIL
from shared.surrogates.replacement import replace_patient, replace_without_collisions
from shared.surrogates.splice import article_rule, splice
from shared.surrogates.surrogate_kinds import SurrogateKind, SurrogateSettings, kinds_of
from shared.synthetic import FabricatedPatient, fabricate
from shared.text.spelling import match_key

PATIENTS, RECORDS, SEED = 296, 1304, 7
SIZES = ((74, 326), (148, 652), (296, 1304), (592, 2608))
RULE = article_rule(language("en"), is_place=False)
SETTINGS = SurrogateSettings(kinds_of(I2B2_2014), language("en"))
FORMS = (
    "%Y-%m-%d;%m/%d/%y;%m/%d/%Y;%m-%d-%y;%m-%d-%Y;%d-%b-%Y;%B %d, %Y;%b %d, %Y;%b. %d, %Y".split(
        ";"
    )
)
"""The forms of full dates."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="?", default="all")
    parser.add_argument("--patients", type=int, default=80, help="for transfer")
    parser.add_argument("--seeds", type=int, default=3, help="for transfer")
    parser.add_argument("--cores", type=int, default=2, help="for transfer")
    arguments = parser.parse_args()
    if arguments.what in {"all", "quality"}:
        judged()
    if arguments.what in {"all", "speed"}:
        speed()
    if arguments.what in {"all", "transfer"}:
        transfer(arguments.patients, arguments.seeds, arguments.cores)


def replaced(patients: Iterable[FabricatedPatient]) -> list[SurrogatePatient]:
    return [
        replace_patient(each.patient, each.gold, SETTINGS, Random(each.patient.id))
        for each in patients
    ]


# ---------------------------------------------------------------- quality


def judged() -> None:
    patients = list(fabricate(PATIENTS, SEED, records=RECORDS))
    ordinary = ordinary_words(
        [(each, one.gold[each.record_id]) for each in one.patient.documents] for one in patients
    )
    rules = LeakRules(language("en"), ordinary)
    checked = [
        replace_without_collisions(
            one.patient,
            one.gold,
            SETTINGS,
            rules,
            lambda n, one=one: Random(f"{one.patient.id} {n}"),
        )
        for one in patients
    ]
    pairs = [(one, new) for one, (new, _) in zip(patients, checked, strict=True)]
    every = [each for _, new in pairs for each in new.replacements]
    print(f"{len(patients)} patients, {RECORDS} records, {len(every)} tags")
    dates = [_dates(*pair) for pair in pairs]
    print(
        f"full dates with their interval: {sum(d[0] for d in dates)} of {sum(d[1] for d in dates)}"
    )
    for what in ("people", "places", "numbers"):
        same, groups, merged = map(
            sum, zip(*(_coreference(*pair, what) for pair in pairs), strict=True)
        )
        print(f"{what}: {same} of {groups} texts of an entity with one surrogate, {merged} merged")
    shaped = [
        each
        for each in every
        if each.kind not in {SurrogateKind.OTHER, SurrogateKind.URL, SurrogateKind.DEPARTMENT}
    ]
    kept = sum(shape(each.original) == shape(each.surrogate) for each in shaped)
    print(f"form kept: {kept / len(shaped):.2%}")
    looks = sum(bool(set(each.reasons) - {DETAIL, PAGE}) for each in every)
    print(f"for a person to look at, but OTHER and URL: {looks / len(every):.2%}")
    leaks = [leak for _, found in checked for leak in found]
    print(
        f"leaks: {len(leaks)}, of them in a surrogate {sum(each.in_surrogate for each in leaks)}\n"
    )


def _dates(one: FabricatedPatient, new: SurrogatePatient) -> tuple[int, int]:
    """How many full dates came out as their day moved by the patient's shift, and all of them."""
    full: list[tuple[datetime, Replacement]] = []
    for each in new.replacements:
        days = one.dates.get((each.record_id, each.tag.id))
        if days is not None and days.full:
            full.append((datetime.combine(days.first, datetime.min.time()), each))
    shifts = [
        datetime.strptime(each.surrogate, "%Y-%m-%d") - day  # noqa: DTZ007
        for day, each in full
        if re.fullmatch(r"\d{4}-\d\d-\d\d", each.surrogate)
    ]
    by = shifts[0] if shifts else timedelta()
    return sum(_says(each.surrogate, day + by) for day, each in full) if shifts else 0, (
        len(full) if shifts else 0
    )


def _says(text: str, day: datetime) -> bool:
    plain = re.sub(r"(?<=\d)(?:st|nd|rd|th)", "", " ".join(text.split()))
    written = (day.strftime(form) for form in FORMS)
    return any(re.sub(r"\b0", "", each) == re.sub(r"\b0", "", plain) for each in written)


def _coreference(one: FabricatedPatient, new: SurrogatePatient, what: str) -> tuple[int, int, int]:
    """Texts of an entity with one surrogate, all such texts, surrogates that two texts share."""
    found = {(each.record_id, each.tag.id): each for each in new.replacements}
    surrogates: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    originals: dict[tuple[str, str], set[str]] = defaultdict(set)
    for key, entity in getattr(one, what).items():
        each, name = found[key], found[key].tag.phi_type.name
        surrogates[entity, name, match_key(each.original)].add(match_key(each.surrogate))
        if each.kind is not SurrogateKind.DEPARTMENT:
            originals[name, match_key(each.surrogate)].add(match_key(each.original))
    return (
        sum(len(each) == 1 for each in surrogates.values()),
        len(surrogates),
        sum(len(each) > 1 for each in originals.values()),
    )


def shape(text: str) -> tuple[str, ...]:
    """Words by their case, runs of them as one; numbers by their digits, one as two; signs."""
    month = r"(?i)\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
    text = re.sub(r"(?<=\d)(?:st|nd|rd|th)\b", "th", re.sub(month, "Month", text))
    pieces: list[str] = []
    for found in re.finditer(r"[^\W\d_]+|\d+|[^\w\s]", text):
        piece = found[0]
        if piece.isdigit():
            piece = "9" * max(2, len(piece))
        elif piece.isalpha() and len(piece) > 1:
            piece = "AA" if piece.isupper() else "aa" if piece.islower() else "Aa"
        elif piece.isalpha():
            piece = "A" if piece.isupper() else "a"
        if not pieces or pieces[-1] != piece or piece not in {"AA", "aa", "Aa"}:
            pieces.append(piece)
    return tuple(pieces)


# ---------------------------------------------------------------- speed


def speed() -> None:
    print(f"{'patients':>9}{'records':>9}{'seconds':>9}{'records/s':>11}{'Faker/s':>9}{'ratio':>7}")
    for count, records in SIZES:
        patients = list(fabricate(count, SEED, records=records))
        replaced(patients[:1])
        ours = min(_timed(replaced, patients) for _ in range(3))
        theirs = _timed(by_faker, patients)
        print(
            f"{count:>9}{records:>9}{ours:>9.2f}{records / ours:>11.0f}{records / theirs:>9.0f}"
            f"{theirs / ours:>7.2f}"
        )
    print()


def _timed(
    what: Callable[[Sequence[FabricatedPatient]], object], patients: Sequence[FabricatedPatient]
) -> float:
    started = time.perf_counter()
    what(patients)
    return time.perf_counter() - started


def by_faker(patients: Sequence[FabricatedPatient]) -> None:
    """A call of Faker for every tag: no consistency, no form, no check of anything."""
    fake = Faker("en_US")
    calls: dict[str, Callable[[], str]] = {
        "NAME": fake.name,
        "DATE": fake.date,
        "LOCATION": fake.city,
        "PROFESSION": fake.job,
        "CONTACT": fake.phone_number,
        "AGE": lambda: str(fake.random_int(1, 89)),
        "ID": lambda: fake.bothify("???#######"),
        "OTHER": fake.word,
    }
    for one in patients:
        for document in one.patient.documents:
            tags = one.gold[document.record_id].tags
            texts = [calls[tag.phi_type.category]() for tag in tags]
            splice(document.text, [tag.span for tag in tags], texts, [RULE] * len(tags))


# ---------------------------------------------------------------- transfer


def transfer(count: int, seeds: int, cores: int) -> None:
    """Strict F1 on unseen patients as they were and with surrogates, by what was trained on.

    Over several seeds: how much is lost on the other kind of record, with its 95 % interval, of all
    types and without those that a release leaves unmarked since their surrogates say less.
    """
    print(f"{count} patients a seed, a quarter of them held out; strict F1 in per cent")
    print(f"{'seed':>6}{'trained on':>14}{'tested on':>14}{'all types':>11}{'as released':>13}")
    lost: dict[tuple[str, str], list[float]] = defaultdict(list)
    for seed in range(SEED, SEED + seeds):
        for name, own, other in _transferred(count, seed, cores):
            foreign = CHANGED if name == ORIGINAL else ORIGINAL
            for tested, scores in ((name, own), (foreign, other)):
                print(f"{seed:>6}{name:>14}{tested:>14}{scores[0]:>11.2f}{scores[1]:>13.2f}")
            for types, before, after in zip(("all types", "as released"), own, other, strict=True):
                lost[name, types].append(before - after)
    for (name, types), points in lost.items():
        print(f"trained on {name}: {_interval(points)} points lost on the other, {types}")


ORIGINAL, CHANGED = "as they were", "surrogates"
UNMARKED = {"LOCATION:ROOM", "LOCATION:DEPARTMENT", "OTHER:OTHER"}

Scores = tuple[float, float]
"""Strict F1 in per cent of all types, and without UNMARKED."""


def _transferred(count: int, seed: int, cores: int) -> Iterable[tuple[str, Scores, Scores]]:
    """What was trained on, F1 on the same kind of record, F1 on the other."""
    from shared.recognition.training_settings import SETTINGS as RECOGNIZERS
    from tests.benchmarks.bench_recognition import trained

    patients = list(fabricate(count, seed))
    cut = count * 3 // 4
    before = [_examples(one.patient, one.gold) for one in patients]
    after = [_examples(one.patient, one.layers) for one in replaced(patients)]
    for name, own, other in ((ORIGINAL, before, after), (CHANGED, after, before)):
        model = trained([each for one in own[:cut] for each in one], RECOGNIZERS["general"], cores)
        yield name, _strict(model, own[cut:]), _strict(model, other[cut:])


def _examples(patient: Patient, layers: Mapping[str, Layer]) -> list[Example]:
    return [Example(each, layers[each.record_id].tags) for each in patient.documents]


def _strict(model: CrfRecognizer, test: Sequence[Sequence[Example]]) -> Scores:
    examples = [each for one in test for each in one]
    found = above(model.suggest([each.document for each in examples]), model.card.threshold)
    counts = strict_scores(examples, found)
    kept = MatchCounts()
    for name, each in counts.items():
        if name not in UNMARKED | {ALL}:
            kept += each
    return 100 * counts[ALL].f1, 100 * kept.f1


def _interval(points: Sequence[float]) -> str:
    """The mean with its 95 % interval by Student's t."""
    if len(points) < 2:
        return f"{mean(points):.2f}"
    half = float(t.ppf(0.975, len(points) - 1)) * stdev(points) / len(points) ** 0.5
    return f"{mean(points):.2f} ({mean(points) - half:.2f} to {mean(points) + half:.2f})"


if __name__ == "__main__":
    main()
