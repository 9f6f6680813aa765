"""A release that was written, read again beside the gold standard that it was made from."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

from adjudicator.release.card import own_digest
from adjudicator.release.source import Source, SurrogateOptions, Watch, no_progress
from shared.errors import FileFormatError, RequestError
from shared.formats.corpus import read_ungrouped
from shared.formats.registry import FORMATS
from shared.model import Document, Span, Tag
from shared.outside import MALFORMED, parse_json_object
from shared.project.files import read_file
from shared.project.folders import bring_back
from shared.project.project import Project
from shared.surrogates.mentions import mentions_of, untouched
from shared.surrogates.release import MARKER
from shared.surrogates.release_modes import MODES
from shared.surrogates.splice import ArticleRule
from shared.surrogates.surrogate_kinds import ReleaseMode
from shared.text.blocks import counted

_FOLDERS = ("xml", "train/xml", "test/xml")
_NUMBERED = re.compile(r"\[[^]]+-\d+\]")
_KEYED = re.compile(r"\[[^]]+-[A-Z]+\]")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MOST, _FEW = 0.8, 10
_CHANGED = 12
"""Characters of an article before one, at most."""


@dataclass(frozen=True, slots=True)
class ReleasedRecord:
    """A record of the project and what was released of it, tag by tag.

    `document` is the released one under the names that the project has for record and patient,
    `released_as` its name in the release. `gold` are the tags that were replaced and are tagged in
    the release, in order, `tags` what stands for each.
    """

    original: Document
    gold: tuple[Tag, ...]
    document: Document
    tags: tuple[Tag, ...]
    released_as: str


@dataclass(frozen=True, slots=True)
class _Replaced:
    """A record of the gold standard as a release has it: without tags that lie within others."""

    document: Document
    tags: tuple[Tag, ...]
    is_shown: tuple[bool, ...]
    articles: tuple[ArticleRule, ...]

    @property
    def shown(self) -> tuple[Tag, ...]:
        return tuple(
            tag for tag, is_shown in zip(self.tags, self.is_shown, strict=True) if is_shown
        )


_Read = tuple[Document, tuple[Tag, ...]]
Item = TypeVar("Item")


def read_made(out: Path) -> tuple[SurrogateOptions, frozenset[str]]:
    """How the release in a folder was made, by its data card, and the types it does not tag.

    Raises RequestError where it is no release, FileError.
    """
    bring_back(out)
    data = read_file(out / MARKER)
    if data is None:
        raise RequestError(f"{out} is not a release with a data card; give the folder of one")
    try:
        card = parse_json_object(data)
        return SurrogateOptions(
            str(card["language"]),
            keep_weekdays=bool(card["keep_weekdays"]),
            mode=ReleaseMode(card.get("mode", ReleaseMode.SURROGATE)),
            resample=float(str(card.get("names", "")).partition("=")[2] or 0),
        ), frozenset(map(str, card["unmarked"]))
    except MALFORMED:
        raise FileFormatError(out / MARKER, "is not a data card; release again") from None


def other_gold(out: Path, why: str) -> RequestError:
    """The refusal of a release that was made from something else."""
    return RequestError(
        f"{out} was not made from the gold standard that this project has now: {why}; "
        "release again, then ask again"
    )


def records_of_release(
    project: Project, out: Path, watch: Watch = no_progress
) -> tuple[Source, list[ReleasedRecord]]:
    """The records of a release beside the gold standard that it was made from.

    Raises RequestError where that is not the project's as it is now, or its card is another's;
    FileError.
    """
    options, unmarked = read_made(out)
    source = Source.read(project, options, watch)
    for patient_id in source.problems_in_the_way:
        raise other_gold(out, f"patient {patient_id} has none that is finished and can be read")
    records = read_released(out, source, unmarked)
    own_digest(out)
    return source, records


def read_released(out: Path, source: Source, unmarked: frozenset[str]) -> list[ReleasedRecord]:
    """Return every record of a release beside the project's own, in the project's order.

    Raises RequestError where the release was not made from this gold standard as it is now,
    FileError.
    """
    known, released = list(_replaced(source, unmarked)), list(_released(out))
    if len(known) != len(released):
        raise other_gold(
            out, f"it has {counted(len(released), 'record')} and the project {len(known)}"
        )
    named = {each.document.record_id: each for each in known}
    misfits = [
        each.record_id
        for each, tags in released
        if each.record_id not in named or not _fits(each.text, tags, named[each.record_id])
    ]
    if not misfits:
        read = {each.record_id: (each, tags) for each, tags in released}
        return [_beside(each, *read[name]) for name, each in named.items()]
    found = _renamed(known, released)
    if found is None:
        raise other_gold(out, f"its record {misfits[0]} differs from the project's")
    return found


def _renamed(known: Iterable[_Replaced], released: Sequence[_Read]) -> list[ReleasedRecord] | None:
    """The records whose names are new: patients are known by all their records, in their order."""
    waiting = list(_of_patients(released, lambda each: each[0].record_id.rpartition("-")[0]))
    found: list[ReleasedRecord] = []
    for own in _of_patients(known, lambda each: each.document.patient_id):
        for theirs in waiting:
            if len(own) == len(theirs) and all(
                _fits(document.text, tags, one)
                for one, (document, tags) in zip(own, theirs, strict=True)
            ):
                break
        else:
            return None
        waiting.remove(theirs)
        found += [_beside(one, *read) for one, read in zip(own, theirs, strict=True)]
    return found


def _of_patients(items: Iterable[Item], patient_of: Callable[[Item], str]) -> list[list[Item]]:
    found: defaultdict[str, list[Item]] = defaultdict(list)
    for each in items:
        found[patient_of(each)].append(each)
    return list(found.values())


def _beside(known: _Replaced, released: Document, tags: tuple[Tag, ...]) -> ReleasedRecord:
    document = replace(known.document, text=released.text)
    return ReleasedRecord(known.document, known.shown, document, tags, released.record_id)


def _replaced(source: Source, unmarked: frozenset[str]) -> Iterator[_Replaced]:
    held, settings = source.records_held, source.settings
    for patient, gold in source.patients.values():
        mentions, _ = mentions_of(patient, gold, settings.kinds)
        for document in patient.documents:
            if document.record_id in held.get(patient.id, ()):
                continue
            own = [each for each in mentions if each.record_id == document.record_id]
            is_shown = (each.tag.phi_type.name not in unmarked for each in own)
            rules = (MODES[settings.mode].articles(each, settings.language) for each in own)
            tags = tuple(each.tag for each in own)
            yield _Replaced(document, tags, tuple(is_shown), tuple(rules))


def _released(out: Path) -> Iterator[_Read]:
    for folder in _FOLDERS:
        if (out / folder).is_dir():
            found = read_ungrouped(out / folder, formats=[FORMATS["i2b2"]])
            for problem in found.problems:
                raise problem
            for each in found.records:
                yield each.document, tuple(sorted(each.tags, key=Tag.sort_key))


def _types(tags: Iterable[Tag]) -> list[tuple[str, str]]:
    return [(tag.phi_type.category, tag.phi_type.name) for tag in tags]


def _fits(text: str, tags: Sequence[Tag], known: _Replaced) -> bool:
    """Whether all that is not replaced is the same, but for articles that a surrogate changed."""
    if _types(tags) != _types(known.shown):
        return False
    pieces = untouched(text, [tag.span for tag in tags])
    old = untouched(known.document.text, [tag.span for tag in known.tags])
    shown = [at for at, is_shown in enumerate(known.is_shown) if is_shown]
    start = 0
    for piece, tag, at in zip_longest(pieces, tags, shown):
        end = len(known.tags) if at is None else at
        ends = {old[end]}
        if tag is not None:
            was, now = known.tags[end].span.text_in(known.document.text), tag.span.text_in(text)
            ends.add(known.articles[end](old[end], was, now))
        if not any(_is_made_of(piece, old[start:end], each) for each in ends):
            return False
        start = end + 1
    return True


def _is_made_of(piece: str, before: Sequence[str], end: str) -> bool:
    """Whether a released stretch is these stretches in order, with something else after each."""
    if not before:
        return piece == end
    at = 0
    for number, each in enumerate(before):
        head = each[: max(0, len(each) - _CHANGED)]  # an article may have changed at its end
        found = piece.find(head, at)
        if found < 0 or (number == 0 and found > 0):
            return False
        at = found + len(head)
    return piece.endswith(end) and at < len(piece) - len(end)


def place_in_original(record: ReleasedRecord, span: Span) -> Span | None:
    """Where a place of the released record, which no tag touches, stands in the old one.

    None where it does not stand there: it lies in what was replaced without a tag.
    """
    before = [at for at, tag in enumerate(record.tags) if tag.end <= span.start]
    new, old = (
        (record.tags[before[-1]].end, record.gold[before[-1]].end) if before else (0, 0)
    )  # fmt: skip
    text, wanted = record.original.text, span.text_in(record.document.text)
    start = old + span.start - new
    if text[start : start + len(wanted)] != wanted:
        later = [tag.start for tag in record.gold if tag.start >= old]
        start = text.find(wanted, old, min(later, default=len(text)))
    return Span(start, start + len(wanted)) if start >= 0 else None


def by_patient(records: Iterable[ReleasedRecord]) -> Mapping[str, list[ReleasedRecord]]:
    own = _of_patients(records, lambda each: each.original.patient_id)
    return {each[0].original.patient_id: each for each in own}
