"""What may be left in a release that is there, and what it is worth: attacked and learnt from.

Nothing of it is written into the release but figures in its data card. What is planted, trained and
drawn anew lives in memory and in a folder of the project that is gone at the end.
"""

import csv
import io
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from adjudicator.release.draft import BlockerKind, Draft, ReleaseBlocker, blockers_of
from adjudicator.release.folder import Place
from adjudicator.release.released import (
    ReleasedRecord,
    by_patient,
    other_gold,
    place_in_original,
    records_of_release,
)
from adjudicator.release.source import Source, Watch, no_progress
from shared.errors import FileError, RequestError
from shared.model import Document, Layer, Patient, Span, Tag
from shared.project.files import make_folder
from shared.project.folders import lock_beside
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.recognition.recognizer import Example
from shared.risk.attack import (
    AttackedRecord,
    Attacker,
    AttackFigures,
    Learner,
    Marked,
    Suspicion,
    attacked,
    drawn_misses,
    suspicions,
    together,
)
from shared.risk.utility import (
    KeptIntervals,
    LostF1,
    MovedDate,
    NewWords,
    Twin,
    held_out_counts,
    kept_intervals,
    loss_of_alike,
    losses,
    new_words,
)
from shared.surrogates.dates.interpretation import InterpretedDate, read_dates
from shared.surrogates.drawing import secret_of_seed
from shared.surrogates.mentions import SurrogatePatient, mentions_of
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.text.harmless import as_cell

RATES = (0.01, 0.05)
"""Which shares of the gold standard's tags are planted as misses."""
COPIES, ROUNDS = 3, 5
"""How many copies are attacked for each rate, and how often utility is measured."""
_LEARNT = ".learnt-"
_RECOGNIZER, _ITERATIONS = "token", 40
_MOST_CHARACTERS = 1_500_000
"""About so much a recognizer learns from: a minute's training."""

_HEADER = (
    "rank", "confidence", "type", "text", "record", "start", "end", "release", "released record",
    "released start", "released end",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SuspiciousPlace:
    """A place of a release that looks left over: there, and in the gold standard where it is."""

    suspicion: Suspicion
    released_as: str
    text: str
    original: Span | None


@dataclass(frozen=True, slots=True)
class ReleaseRisk:
    """What attackers find in a release, by rate of planted misses, and what the release is worth.

    `places` are ranked, the likeliest first; `misled` counts the surrogates that an attacker with
    the text alone would take for something left.
    """

    places: tuple[SuspiciousPlace, ...]
    misled: int
    figures: Mapping[float, AttackFigures]
    losses: tuple[LostF1, LostF1] | None
    intervals: KeptIntervals
    records: int
    patient_ids: frozenset[str]
    new_words: tuple[NewWords, NewWords] = (NewWords(), NewWords())
    """What was new to recognizers that read the other half, as it was and as released."""
    alike: LostF1 | None = None
    """What is lost by reading the release but for what is new there."""


def token_learner(
    folder: Path, seed: int = 1, watch: Callable[[], object] = lambda: None
) -> Learner:
    """A quick CRF, trained in a folder of its own within `folder`; `watch` is told of each."""

    def learn(train: Sequence[Marked], read: Sequence[Document]) -> Sequence[Sequence[Any]]:
        from shared.recognition.model_folder import load_model
        from shared.recognition.training.train import train as train_model
        from shared.recognition.training_settings import named_settings

        settings = named_settings(_RECOGNIZER)
        crfs = tuple(replace(crf, iterations=_ITERATIONS) for crf in settings.crfs)
        examples = [Example(document, tuple(tags)) for document, tags in _some(train, seed)]
        with TemporaryDirectory(dir=folder, prefix=_LEARNT) as into:
            train_model(examples, replace(settings, crfs=crfs, seed=seed), Path(into))
            found = load_model(Path(into)).suggest(read)
        watch()
        return found

    return learn


def _some(train: Sequence[Marked], seed: int) -> Iterator[Marked]:
    """The records of patients drawn at random, until there is enough to learn from."""
    patients = sorted({document.patient_id for document, _ in train})
    Random(seed).shuffle(patients)
    order = {patient_id: at for at, patient_id in enumerate(patients)}
    size = 0
    for document, tags in sorted(train, key=lambda each: order[each[0].patient_id]):
        if size < _MOST_CHARACTERS:
            yield document, tags
        size += len(document.text)


def release_risk(project: Project, out: Path, watch: Watch = no_progress) -> ReleaseRisk:
    """Attack the release in a folder and copies with planted misses, and measure what it is worth.

    Raises RequestError where it was not made from the project's gold standard as it is now, before
    and after, or has fewer than two patients, FileError.
    """
    source, records = records_of_release(project, out, watch)
    if len(by_patient(records)) < 2:
        raise RequestError(
            f"{out} has one patient only; an attack learns from others, so from two on"
        )
    with _place_to_learn(project) as folder:
        found = measured(source, records, folder, watch)
    if records_of_release(project, out)[1] != records:
        raise other_gold(out, "one of the two was changed while it was measured")
    return found


def forget_learnt(project: Project) -> None:
    """Remove what a process that was killed had learnt, unless another one is at it."""
    with suppress(FileError), _place_to_learn(project):
        pass


@contextmanager
def _place_to_learn(project: Project) -> Generator[Path]:
    """A folder of the project for recognizers, which nobody else uses meanwhile."""
    folder = project.root / "surrogates"
    make_folder(folder)
    with lock_beside(folder / "learnt", "tandem risk"):
        for remains in folder.glob(f"{_LEARNT}*"):  # of a process that was killed
            shutil.rmtree(remains, ignore_errors=True)
        yield folder


def measured(
    source: Source, records: Sequence[ReleasedRecord], folder: Path,
    watch: Watch = no_progress,
) -> ReleaseRisk:  # fmt: skip
    """The measures of a release; copies of it are made as the source says."""
    learner = token_learner(folder)
    own = [AttackedRecord(each.document, each.tags) for each in records]
    with_tags, text_alone = (
        suspicions(each, own, learner, source.schema)
        for each in watch("Attacking the release", [Attacker.WITH_TAGS, Attacker.TEXT_ALONE])
    )
    copies = [(rate, seed) for rate in RATES for seed in range(1, COPIES + 1)]
    runs: dict[float, list[AttackFigures]] = {rate: [] for rate in RATES}
    for rate, seed in watch("Attacking copies with planted misses", copies):
        runs[rate].append(planted_attack(source, records, learner, rate, seed))
    utility = [
        held_out_counts(twins(records), token_learner(folder, seed), seed)
        for seed in watch("Learning from the release", range(1, ROUNDS + 1))
    ]
    return ReleaseRisk(
        tuple(_places(with_tags, records)),
        len(text_alone),
        {rate: together(each) for rate, each in runs.items()},
        losses(utility, Random(1)),
        date_intervals(source, records),
        len(records),
        frozenset(by_patient(records)),
        new_words(utility),
        loss_of_alike(utility, Random(1)),
    )


def twins(records: Iterable[ReleasedRecord]) -> list[Twin]:
    return [Twin((each.original, each.gold), (each.document, each.tags)) for each in records]


def _places(
    found: Iterable[Suspicion], records: Iterable[ReleasedRecord]
) -> Iterator[SuspiciousPlace]:
    by_id = {each.original.record_id: each for each in records}
    for each in found:
        record = by_id[each.record_id]
        text = each.span.text_in(record.document.text)
        original = place_in_original(record, each.span)
        yield SuspiciousPlace(each, record.released_as, text, original)


def places_table(places: Iterable[SuspiciousPlace], release: str) -> bytes:
    """The ranked list as CSV: where each stands in the project, and in the release."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(_HEADER)
    for rank, each in enumerate(places, start=1):
        one, there, text = each.suspicion, each.original, " ".join(each.text.split())
        writer.writerow(
            (
                *(
                    rank,
                    f"{one.score:.3f}",
                    one.phi_type.name,
                    as_cell(text),
                ),
                *(one.record_id, there.start if there else "", there.end if there else ""),
                *(release, each.released_as, one.span.start, one.span.end),
            )
        )
    return file.getvalue().encode("utf-8", "surrogatepass")


def planted_attack(
    source: Source,
    records: Sequence[ReleasedRecord],
    learner: Learner,
    rate: float,
    seed: int,
) -> AttackFigures:
    """Attack a copy of a release, made of a gold standard in which that share of tags is missing.

    Only tags that the release replaced by something else are taken out: the others leave nothing.
    """
    missed = dict(_missed(records, rate, seed))
    without = {
        patient_id: (
            patient,
            {name: _without(layer, missed.get(name, ())) for name, layer in gold.items()},
        )
        for patient_id, (patient, gold) in source.patients.items()
    }
    draft = Draft.make(replace(source, patients=without), secret_of_seed(seed))
    told = [each for each in blockers_of(draft) if each.kind in _LOOKED_FOR]
    shown = {tag.phi_type for each in records for tag in each.tags}
    copy: list[AttackedRecord] = []
    held_up: set[Place] = set()
    for each in draft.surrogates:
        for document in each.documents:
            name = document.record_id
            tags = tuple(tag for tag in each.layers[name].tags if tag.phi_type in shown)
            left = [(tag, _moved(each, name, tag)) for tag in missed.get(name, ())]
            copy.append(AttackedRecord(document, tags, tuple(new for _, new in left)))
            held_up |= {(name, new.span) for tag, new in left if _is_told(told, name, tag)}
    return attacked(copy, held_up, learner, source.schema)


_LOOKED_FOR = (BlockerKind.FINDING, BlockerKind.LEAK)


def _missed(
    records: Iterable[ReleasedRecord], rate: float, seed: int
) -> Iterator[tuple[str, tuple[Tag, ...]]]:
    for patient_id, own in by_patient(records).items():
        places = {each.original.record_id: list(_replaced(each)) for each in own}
        yield from drawn_misses(places, rate, Random(f"{seed} {patient_id}")).items()


def _replaced(record: ReleasedRecord) -> Iterator[Tag]:
    for gold, tag in zip(record.gold, record.tags, strict=True):
        was, now = gold.span.text_in(record.original.text), tag.span.text_in(record.document.text)
        if was != now:
            yield gold


def _without(layer: Layer, missed: Iterable[Tag]) -> Layer:
    """The layer without these tags, and without what lies over them."""
    spans = [tag.span for tag in missed]
    kept = (tag for tag in layer.tags if not any(tag.span.overlaps(span) for span in spans))
    return Layer.of(layer.record_id, layer.annotator, kept)


def _moved(new: SurrogatePatient, record_id: str, missed: Tag) -> Tag:
    """What was missed, where it stands in the copy."""
    spliced = new.spliced[record_id]
    start, end = spliced.to_new(missed.start), spliced.to_new(missed.end - 1) + 1
    return replace(missed, span=Span(start, end))


def _is_told(told: Iterable[ReleaseBlocker], record_id: str, tag: Tag) -> bool:
    return any(
        each.record_id == record_id and each.span is not None and each.span.overlaps(tag.span)
        for each in told
    )


def date_intervals(source: Source, records: Iterable[ReleasedRecord]) -> KeptIntervals:
    """Compare the days between the full dates of each patient, as they were and as released."""
    total = KeptIntervals()
    for own in by_patient(records).values():
        was = _dates(source, [(each.original, each.gold) for each in own])
        now = _dates(source, [(each.document, each.tags) for each in own])
        pairs = zip(was, now, strict=True)
        total += kept_intervals(
            MovedDate(day, _day(new)) for old, new in pairs if (day := _day(old))
        )
    return total


def _dates(source: Source, records: Sequence[Marked]) -> list[InterpretedDate | None]:
    """What the dates mean among the tags of a patient, in order; None of a tag that is no date."""
    documents = tuple(document for document, _ in records)
    layers = {
        document.record_id: Layer.of(document.record_id, GOLD, tags) for document, tags in records
    }
    kinds, language = source.settings.kinds, source.settings.language
    mentions, _ = mentions_of(Patient(documents[0].patient_id, documents), layers, kinds)
    dates = [each for each in mentions if each.kind is SurrogateKind.DATE]
    read = read_dates(dates, language)
    return [read.get(each.number) for each in mentions]


def _day(text: InterpretedDate | None) -> date | None:
    """The day of a text that is one full date."""
    if text is None or not text.read or len(text.readings) != 1 or not text.readings[0].full:
        return None
    return text.readings[0].day
