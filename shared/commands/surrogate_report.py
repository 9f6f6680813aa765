"""What `tandem surrogate` asks for and says: from its arguments to a draft, from that to tables."""

import argparse
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adjudicator.release.draft import BlockerKind
from shared.commands.output import progress
from shared.errors import FileError, RequestError, TandemError
from shared.text.blocks import counted

if TYPE_CHECKING:
    from adjudicator.release.draft import Draft, ReleaseBlocker
    from adjudicator.release.source import SurrogateOptions
    from shared.project.project import Project

FINDING, REVIEW, LEAK = BlockerKind.FINDING, BlockerKind.REVIEW, BlockerKind.LEAK


@dataclass(frozen=True, slots=True)
class ReleaseRun:
    """All surrogates of a project, with what stands against their release."""

    project: "Project"
    draft: "Draft"
    seed: int | None

    blockers: "Sequence[ReleaseBlocker]"
    """What holds the release up."""

    def of_kind(self, kind: BlockerKind) -> "list[ReleaseBlocker]":
        return [each for each in self.blockers if each.kind is kind]

    @property
    def notes(self) -> Iterable[str]:
        """What the person at the terminal should know besides the tables."""
        known, patients = self.draft.source.settings.kinds, self.draft.surrogates
        if known.guessed:
            kinds = (f"{each.name} {known.kind(each)}" for each in known.guessed)
            yield f"kinds guessed from the names of types, see --kinds: {', '.join(kinds)}"
        overlapping = sum(len(each.dropped) for each in patients)
        if overlapping:
            yield f"{overlapping} tags overlapped a longer one and were left out"
        held = sum(map(len, self.draft.source.records_held.values()))
        if held:
            yield f"{counted(held, 'record')} held back, see --held-back"
        if self.seed is not None:
            yield f"MADE WITH --seed {self.seed}: FOR TESTS ONLY, NOT FOR RELEASE"

    def rows_by_type(self) -> list[tuple[str, str, str, str]]:
        """Type, kind of surrogate, how many were replaced, how many are to be looked at."""
        every = [each for patient in self.draft.surrogates for each in patient.replacements]
        counts = Counter(each.tag.phi_type for each in every)
        looks = Counter(each.tag.phi_type for each in every if each.reasons)
        kinds = self.draft.source.settings.kinds
        return [
            (str(phi_type), kinds.kind(phi_type).value, str(count), str(looks[phi_type]))
            for phi_type, count in sorted(counts.items())
        ]

    def rows(self, kind: BlockerKind) -> list[tuple[str, str, str, str, str, str]]:
        """Patient, record, start and end in the gold standard, type, and what is wrong."""
        return [
            (
                each.patient_id,
                each.record_id,
                str(each.span.start) if each.span else "-",
                str(each.span.end) if each.span else "-",
                each.type_name,
                each.what,
            )
            for each in self.of_kind(kind)
        ]

    def as_json(self, *, released: bool) -> dict[str, object]:
        heads = ("patient", "record", "start", "end", "type", "what")
        return {
            "records": self.draft.record_count,
            "released": released,
            "not_reviewed": len(self.blockers) if released else 0,
            "held_back": sum(map(len, self.draft.source.records_held.values())),
            "types": [
                {"type": row[0], "kind": row[1], "replaced": int(row[2]), "to_look_at": int(row[3])}
                for row in self.rows_by_type()
            ],
            "findings": [dict(zip(heads, row, strict=True)) for row in self.rows(FINDING)],
            "to_review": [dict(zip(heads, row, strict=True)) for row in self.rows(REVIEW)],
            "leaks": [dict(zip(heads, row, strict=True)) for row in self.rows(LEAK)],
        }


def surrogate_options(arguments: argparse.Namespace, not_phi: Path | None) -> "SurrogateOptions":
    from adjudicator.release.source import SurrogateOptions

    return SurrogateOptions(
        arguments.language or "",
        arguments.kinds,
        arguments.keep_weekdays,
        not_phi,
        arguments.seed,
        arguments.mode,
        arguments.key,
        arguments.names,
    )


def prepare_release(project: "Project", arguments: argparse.Namespace) -> ReleaseRun:
    """Read the project, make all surrogates, and look for what stands against a release.

    Raises RequestError where a patient has no gold standard, FileError.
    """
    from adjudicator.release.draft import Draft, blockers_of
    from adjudicator.release.folder import ReleaseFolder
    from adjudicator.release.source import Source

    options = surrogate_options(arguments, arguments.not_phi)
    source = Source.read(project, options, _watch)
    _refuse(source.problems_in_the_way)
    folder = ReleaseFolder(project, options.mode)
    draft = Draft.make(source, folder.secret(arguments.seed), folder.choices(), _watch)
    blockers = blockers_of(draft, new_ids=arguments.new_ids)
    return ReleaseRun(project, draft, arguments.seed, blockers)


def _watch(what: str, items: Collection[Any]) -> Iterator[Any]:
    return progress(items, what.lower())


def _refuse(problems: Mapping[str, TandemError]) -> None:
    for problem in problems.values():
        if isinstance(problem, FileError):
            raise problem
    if problems:
        raise RequestError(
            f"{counted(len(problems), 'patient')} without a gold standard: "
            f"{', '.join([*problems][:10])}{' ...' if len(problems) > 10 else ''}; "
            "adjudicate them first, or hold them back"
        )
