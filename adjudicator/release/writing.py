"""Writing a release: a folder that is whole or not there, and a map only where it is wanted."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from adjudicator.release.card import own_digest, work_digest
from adjudicator.release.draft import BlockerKind, Draft, blockers_of
from adjudicator.release.folder import ReleaseFolder
from adjudicator.release.held_back import read_held_back
from adjudicator.release.maps import map_of_a_release, remove_orphaned_map
from adjudicator.release.source import Source, Watch, no_progress
from adjudicator.risk_statements import release_statements
from shared.consistency.dismissals import LEAK
from shared.errors import RequestError
from shared.model import Schema
from shared.project.files import make_folder, write_new
from shared.project.folders import move_aside, new_folder_atomically, replace_folder_atomically
from shared.project.project import Project
from shared.project.project_log import note_event
from shared.project.settings import GOLD
from shared.surrogates.data_card import CardFacts
from shared.surrogates.drawing import KeyedRandom
from shared.surrogates.key_map import check_map_passphrase, encrypted_map
from shared.surrogates.release import (
    MARKER,
    ReleasePlan,
    draw_new_ids,
    draw_test_part,
    release_files,
)
from shared.surrogates.release_modes import MODES
from shared.surrogates.surrogate_kinds import ReleaseMode


@dataclass(frozen=True, slots=True)
class StoredMap:
    """Where the map from authentic to surrogate is kept, under which passphrase."""

    path: Path
    passphrase: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReleaseOptions:
    """What is released how.

    `unmark` are types that are replaced but not tagged, `test` the per cent of records in a test
    part, `replace` lets an earlier release in the folder go, `seed` is for the data card. With
    `accept_unreviewed` findings and replacements that nobody has looked at hold nothing up; leaks
    always do.
    """

    out: Path
    unmark: frozenset[str] = frozenset()
    test: int = 0
    new_ids: bool = False
    version: str = "1"
    replace: bool = False
    kept_map: StoredMap | None = None
    seed: int | None = None
    accept_unreviewed: bool = False


def check_options(
    schema: Schema, options: ReleaseOptions, mode: ReleaseMode, originals: Path
) -> None:
    """Refuse what could not be released so, before any work. Raises RequestError, StorageError.

    `originals` is where the records come from.
    """
    if options.out.resolve().is_relative_to(originals.resolve()):
        raise RequestError(
            f"{options.out} lies in {originals}, where the originals are; give a folder outside, "
            "or they go out with the release"
        )
    known = {each.name for each in schema.types()}
    if options.unmark - known:
        raise RequestError(
            f"the schema has no type {', '.join(sorted(options.unmark - known))} to unmark; "
            f"there are {', '.join(sorted(known))}"
        )
    if MODES[mode].needs_map and options.kept_map is None:
        raise RequestError(
            "only the map leads back from keyed pseudonyms, so it has to be kept; give --keep-map "
            "FILE, or release tags"
        )
    remove_orphaned_map(options.out)
    move_aside(options.out, MARKER, replace=options.replace)
    if options.kept_map is not None:
        _check_map(options.kept_map, options.out)


def write_release(
    project: Project, draft: Draft, options: ReleaseOptions, watch: Watch = no_progress
) -> None:
    """Write the release, whole or not at all, then forget what could undo it.

    Raises RequestError where something stands against it, FileError. What `watch` raises ends it
    without a trace.
    """
    check_options(project.schema, options, draft.source.settings.mode, project.root)
    refuse_blocked(draft, options)
    if set(read_held_back(project.root)) != set(draft.source.held_back):
        raise RequestError("somebody changed meanwhile what is held back; reload, then release")
    patient_ids = [each.patient.id for each in draft.surrogates]
    work = work_digest(project, patient_ids)
    folder, kept = ReleaseFolder(project, draft.source.settings.mode), options.kept_map

    def note(made: Path) -> None:
        digest = own_digest(made)
        note_event(
            project.root, GOLD, "release", mode=str(draft.source.settings.mode),
            patients=patient_ids, file=str(options.out.resolve()),
            map=str(kept.path.resolve()) if kept else "", digest=digest,
        )  # fmt: skip
        folder.keep_asked(digest, patient_ids, work, options.out)

    write_files(draft, _facts(project, draft, options), options, watch, note)
    folder.forget()


def write_files(
    draft: Draft,
    facts: CardFacts,
    options: ReleaseOptions,
    watch: Watch = no_progress,
    note: Callable[[Path], object] = id,
) -> None:
    """Write the files of a release, whole or not at all. Raises FileError.

    `note` is given the folder with all of them just before it, and a map, are where they belong, so
    that nothing goes out of which a log does not know.
    """
    plan = _plan(draft, facts, options)
    files = _watched(release_files(draft.surrogates, plan), draft.record_count, watch)
    with (
        map_of_a_release(options.out) as keep_map,
        replace_folder_atomically(options.out, MARKER),
        new_folder_atomically(options.out, "the writing of a release") as folder,
    ):
        for name, data in files:
            make_folder((folder / name).parent)
            write_new(folder / name, data)
        note(folder)
        if options.kept_map is not None:
            kept = options.kept_map
            texts = {
                document.record_id: document.text
                for patient, _ in draft.source.patients.values()
                for document in patient.documents
            }
            key_map = encrypted_map(draft.surrogates, plan.new_ids, kept.passphrase, texts)
            keep_map(kept.path, key_map, folder)


def _check_map(kept: StoredMap, out: Path) -> None:
    check_map_passphrase(kept.passphrase)
    if kept.path.resolve().is_relative_to(out.resolve()):
        raise RequestError(
            "the map is a key to the patients and must not lie in the release; give another file"
        )
    if kept.path.exists():
        raise RequestError(f"{kept.path} already exists; give the map a new file")


def refuse_blocked(draft: Draft, options: ReleaseOptions) -> None:
    """Raise what stands against a release."""
    for problem in draft.source.problems_in_the_way.values():
        raise problem
    if not draft.surrogates:
        raise RequestError(
            "everything is held back; let something in"
            if draft.source.held_back
            else "the project has no patients to release"
        )
    held_up = Counter(each.kind for each in blockers_of(draft, new_ids=options.new_ids))
    if options.accept_unreviewed:
        held_up = Counter({BlockerKind.LEAK: held_up[BlockerKind.LEAK]})
    if held_up.total():
        raise RequestError(
            f"{held_up[BlockerKind.FINDING]} findings, {held_up[BlockerKind.REVIEW]} replacements "
            f"to review and {held_up[BlockerKind.LEAK]} leaks hold the release up"
        )


def _watched(
    files: Iterable[tuple[str, bytes]], records: int, watch: Watch
) -> Iterable[tuple[str, bytes]]:
    """The files of a release, looked on: two for every record, then the two of the card."""
    rest = iter(files)
    for _ in watch("Writing", range(2 * records + 2)):
        yield next(rest)


def _plan(draft: Draft, facts: CardFacts, options: ReleaseOptions) -> ReleasePlan:
    randomness = KeyedRandom(draft.secret, "release")
    patients, share = draft.surrogates, options.test / 100
    test = draw_test_part(patients, share, randomness) if share else frozenset[str]()
    new_ids = draw_new_ids(patients, randomness) if options.new_ids else {}
    return ReleasePlan(facts, options.unmark, test, new_ids)


def facts_of(draft: Draft, title: str, options: ReleaseOptions) -> CardFacts:
    """What a card says of any draft, whoever decided about it."""
    settings = draft.source.settings
    return CardFacts(
        title,
        options.version,
        datetime.now(UTC).date().isoformat(),
        settings.language.code,
        settings.keep_weekdays,
        options.seed,
        sum(len(each.dropped) for each in draft.surrogates),
        tuple(each.name for each in settings.kinds.guessed),
        settings.mode,
        bool(settings.key),
        settings.resample,
    )


def _facts(project: Project, draft: Draft, options: ReleaseOptions) -> CardFacts:
    patient_ids = [each.patient.id for each in draft.surrogates]
    return replace(
        facts_of(draft, project.title, options),
        decided=dict(_decided(draft)),
        held_back=_held_back(draft.source),
        not_reviewed=len(blockers_of(draft, new_ids=options.new_ids)),
        residual_risk=tuple(release_statements(project, patient_ids)),
    )


def _held_back(source: Source) -> dict[str, int]:
    """How many records are held back, and of how many patients all."""
    held = source.records_held
    whole = sum(len(own) == len(source.record_ids[each]) for each, own in held.items())
    return {"records": sum(map(len, held.values())), "patients": whole}


def _decided(draft: Draft) -> Iterator[tuple[str, int]]:
    """What people decided, and how often."""
    records = {each.record_id for one in draft.surrogates for each in one.documents}
    dismissed = [each for each in draft.source.dismissed if each.place.record_id in records]
    leaks = sum(each.kind == LEAK for each in dismissed)
    every = [each for one in draft.surrogates for each in one.replacements]
    chosen = sum(each.chosen for each in every)
    approved = sum(each.approved for each in draft.choices if each.record_id in records)
    yield "findings dismissed with a reason", len(dismissed) - leaks
    yield "places with authentic text that a person said is no PHI", leaks
    yield "surrogates that a person wrote", chosen
    yield "surrogates that a person looked at and let stand", approved
