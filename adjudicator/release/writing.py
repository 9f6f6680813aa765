"""Writing a release: a folder that is whole or not there, and a map only where it is wanted."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from adjudicator.release.draft import BlockerKind, Draft, blockers_of
from adjudicator.release.folder import ReleaseFolder
from adjudicator.release.source import Watch, no_progress
from shared.consistency.dismissals import LEAK
from shared.errors import RequestError
from shared.project.files import make_folder, write_atomic, write_new
from shared.project.folders import move_aside, new_folder_atomically, replace_folder_atomically
from shared.project.project import Project
from shared.surrogates.data_card import CardFacts
from shared.surrogates.drawing import KeyedRandom
from shared.surrogates.key_map import check_passphrase, encrypted_map
from shared.surrogates.release import (
    MARKER,
    ReleasePlan,
    draw_new_ids,
    draw_test_part,
    release_files,
)


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


def check_options(project: Project, options: ReleaseOptions) -> None:
    """Refuse what could not be released so, before any work. Raises RequestError, StorageError."""
    known = {each.name for each in project.schema.types()}
    if options.unmark - known:
        raise RequestError(
            f"the schema has no type {', '.join(sorted(options.unmark - known))} to unmark; "
            f"there are {', '.join(sorted(known))}"
        )
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
    check_options(project, options)
    _refuse_blocked(draft, options)
    plan = _plan(project, draft, options)
    files = _watched(release_files(draft.surrogates, plan), draft.record_count, watch)
    with (
        replace_folder_atomically(options.out, MARKER),
        new_folder_atomically(options.out, "the writing of a release") as folder,
    ):
        for name, data in files:
            make_folder((folder / name).parent)
            write_new(folder / name, data)
        if options.kept_map is not None:
            kept = options.kept_map
            key_map = encrypted_map(draft.surrogates, plan.new_ids, kept.passphrase)
            write_atomic(kept.path, key_map)
    ReleaseFolder(project).forget()


def _check_map(kept: StoredMap, out: Path) -> None:
    check_passphrase(kept.passphrase)
    if kept.path.resolve().is_relative_to(out.resolve()):
        raise RequestError(
            "the map is a key to the patients and must not lie in the release; give another file"
        )
    if kept.path.exists():
        raise RequestError(f"{kept.path} already exists; give the map a new file")


def _refuse_blocked(draft: Draft, options: ReleaseOptions) -> None:
    if draft.source.problems:
        raise next(iter(draft.source.problems.values()))
    if not draft.patients:
        raise RequestError("the project has no patients to release")
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


def _plan(project: Project, draft: Draft, options: ReleaseOptions) -> ReleasePlan:
    randomness = KeyedRandom(draft.secret, "release")
    patients, settings = draft.surrogates, draft.source.settings
    share = options.test / 100
    test = draw_test_part(patients, share, randomness) if share else frozenset[str]()
    new_ids = draw_new_ids(patients, randomness) if options.new_ids else {}
    facts = CardFacts(
        project.title,
        options.version,
        datetime.now(UTC).date().isoformat(),
        settings.language.code,
        settings.keep_weekdays,
        options.seed,
        sum(len(each.dropped) for each in patients),
        tuple(each.name for each in settings.kinds.guessed),
        decided=dict(_decided(draft)),
        not_reviewed=len(blockers_of(draft, new_ids=options.new_ids)),
    )
    return ReleasePlan(facts, options.unmark, test, new_ids)


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
