"""A release under way: the replacements of a project, what people choose, and the release itself.

Knows no window. To make a session takes long; edits are of one patient and quick.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from adjudicator.release.draft import Draft, ReleaseBlocker, blockers_of
from adjudicator.release.folder import ReleaseFolder
from adjudicator.release.held_back import Held, HeldBack, keep_held_back, read_held_back
from adjudicator.release.rows import PlaceKey, ReleaseRow, ReviewSection, rows_of
from adjudicator.release.source import Source, SurrogateOptions, Watch, no_progress
from adjudicator.release.writing import ReleaseOptions, write_release
from shared.consistency.dismissals import (
    LEAK,
    Dismissal,
    dismissal_key_at,
    dismissals_path,
)
from shared.consistency.findings import FindingLocation
from shared.errors import RequestError
from shared.project.current_user import current_user
from shared.project.files import FileSignature, signature_of
from shared.project.journal import append_to_journal
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.surrogates.drawing import name_of
from shared.surrogates.surrogate_kinds import ManualSurrogate


@dataclass(frozen=True, slots=True)
class _Step:
    """What was chosen and held back before an edit."""

    choices: tuple[ManualSurrogate, ...]
    held_back: tuple[HeldBack, ...]


@dataclass(frozen=True, slots=True)
class Edited:
    """How many replacements an edit changed, and how many of the same group it did not."""

    changed: int
    others: int


class ReleaseSession:
    """The draft of a release; what was chosen is on disk before it is in the list.

    Making it reads the project and replaces every PHI. Raises FileError.
    """

    def __init__(
        self,
        project: Project,
        options: SurrogateOptions | None = None,
        watch: Watch = no_progress,
    ) -> None:
        self.project = project
        self.options = options = options or SurrogateOptions()
        self.is_released = False
        self._folder = folder = ReleaseFolder(project, options.mode)
        self._seen = self._signatures()
        source = Source.read(project, options, watch)
        draft = Draft.make(source, folder.secret(options.seed), folder.choices(), watch)
        self._past: list[_Step] = []
        self._rows: dict[str, tuple[ReleaseRow, ...]] = {}
        self.draft, self.blockers = draft, list[ReleaseBlocker]()
        """What is to be released, and what stands in the way of that."""
        self._take(draft)

    def is_outdated(self) -> bool:
        """Whether the gold standard was edited since, or a place of it dismissed elsewhere."""
        return self._seen != self._signatures()

    @property
    def type_names(self) -> list[str]:
        return sorted({each.replacement.tag.phi_type.name for each in self.rows()})

    @property
    def can_undo(self) -> bool:
        return bool(self._past) and not self.is_released

    def rows(self, patient_id: str = "") -> list[ReleaseRow]:
        """The replacements of a patient, or of all, by section; in a section by patient."""
        if patient_id:
            return list(self._rows.get(patient_id, ()))
        every = [row for rows in self._rows.values() for row in rows]
        return sorted(every, key=lambda row: row.section.number)

    def to_look_at(self) -> int:
        return sum(row.section is ReviewSection.LOOK for row in self.rows())

    def same_text(self, row: ReleaseRow) -> list[ReleaseRow]:
        """The replacements of the patient with the same words and type, the row among them."""
        one = row.replacement
        words = one.original.split()
        return [
            each
            for each in self._rows[row.patient_id]
            if each.replacement.tag.phi_type == one.tag.phi_type
            and each.replacement.original.split() == words
        ]

    def edit(self, row: ReleaseRow, surrogate: str, *, same_text: bool = True) -> Edited:
        """Let this stand for the row, or for all of its text. Raises RequestError, StorageError."""
        text = " ".join(surrogate.split())
        if not text:
            raise RequestError("a surrogate needs some text; type what should stand there")
        changed = self.same_text(row) if same_text else [row]
        keys = {each.key for each in changed}
        choice = self._choice(row, text, same_text=same_text)
        self._choose([*self._choices_without(keys), choice], [row.patient_id])
        same = [each for each in self._rows[row.patient_id] if each.group == row.group]
        return Edited(len(changed), sum(each.key not in keys for each in same))

    def approve(self, rows: Iterable[ReleaseRow]) -> int:
        """Note that these were looked at and are good, with all of the same text and surrogate.

        Returns how many that are. Raises RequestError, StorageError.
        """
        found: dict[PlaceKey, ReleaseRow] = {}
        for row in rows:
            drawn = row.replacement.surrogate
            for each in self.same_text(row):
                if each.section is ReviewSection.LOOK and each.replacement.surrogate == drawn:
                    found[each.key] = each
        if found:
            fresh = [
                self._choice(each, each.replacement.surrogate, approved=not each.replacement.chosen)
                for each in found.values()
            ]
            patient_ids = {each.patient_id for each in found.values()}
            self._choose([*self._choices_without(found), *fresh], patient_ids)
        return len(found)

    @property
    def held_back(self) -> tuple[HeldBack, ...]:
        """What is not to be released, in the order in which that was said."""
        return self.draft.source.held_back

    @property
    def records_held(self) -> int:
        return sum(map(len, self.draft.source.records_held.values()))

    def hold_back(self, keys: Iterable[Held], reason: str) -> None:
        """Leave these patients or records out of the release. Raises RequestError, FileError."""
        self._hold([HeldBack.now(key, reason) for key in keys])

    def let_in(self, key: Held) -> None:
        """Hold it back no more. Raises RequestError, FileError."""
        self._hold([], [key])

    def undo(self) -> None:
        """Take the last edit, approval or holding back back. Raises RequestError, FileError."""
        if not self._past:
            raise RequestError("there is nothing to undo in this list")
        before = self._past[-1]
        if before.choices != self.draft.choices:
            self._choose(before.choices, self._touched(before.choices))
        else:
            wanted = {each.key for each in before.held_back}
            now = {each.key: each for each in self.held_back}
            self._hold(
                [each for each in before.held_back if now.get(each.key) != each],
                now.keys() - wanted,
            )
        del self._past[-2:]

    def dismiss(self, blocker: ReleaseBlocker, reason: str) -> None:
        """Keep that the place of a blocker is as it should be, and why.

        Raises RequestError, StorageError.
        """
        self._refuse_released()
        if blocker.span is None or not blocker.can_be_dismissed:
            raise RequestError("only a place in a record can be dismissed; edit this one")
        if not reason.strip():
            raise RequestError("say why: the data card counts what was dismissed with a reason")
        place = FindingLocation(blocker.record_id, blocker.span)
        document = self.draft.source.patients[blocker.patient_id][0].document(place.record_id)
        kind = blocker.finding.kind if blocker.finding else LEAK
        key = dismissal_key_at(place, kind, document)
        was_outdated = self.is_outdated()
        who = current_user()
        made = Dismissal.now(key, GOLD, who, reason.strip())
        append_to_journal(dismissals_path(self.project.root, GOLD), [made.as_entry()], who)
        if not was_outdated:
            self._seen = self._signatures()
        draft = replace(self.draft, source=self.draft.source.with_dismissed(key))
        self._take(draft.with_choices(draft.choices, [blocker.patient_id]))

    def release(self, options: ReleaseOptions, watch: Watch = no_progress) -> None:
        """Write the release, whole or not at all; the list is closed then.

        Raises RequestError where something stands against it, FileError.
        """
        self._refuse_released()
        write_release(self.project, self.draft, replace(options, seed=self.options.seed), watch)
        self.is_released = True

    def _signatures(self) -> list[FileSignature | None]:
        """How the files are in which edits and dismissals are kept as they are made."""
        project = self.project
        journals = [project.journal_path(GOLD, each) for each in project.patient_ids]
        return [signature_of(each) for each in (*journals, dismissals_path(project.root, GOLD))]

    def _choice(self, row: ReleaseRow, text: str, **how: bool) -> ManualSurrogate:
        replaced = row.replacement
        return ManualSurrogate(
            replaced.record_id, replaced.tag.span, text, draft=name_of(self.draft.secret), **how
        )

    def _choices_without(self, keys: Iterable[PlaceKey]) -> list[ManualSurrogate]:
        """The choices but for these places; one for all of a text moves on to another of them."""
        gone = set(keys)
        kept = [each for each in self.draft.choices if _key(each) not in gone]
        taken = gone | {_key(each) for each in kept}
        by_key = {row.key: row for rows in self._rows.values() for row in rows}
        for each in self.draft.choices:
            row = by_key.get(_key(each))
            if not each.same_text or _key(each) not in gone or row is None:
                continue
            others = [other for other in self.same_text(row) if other.key not in taken]
            if others:
                span = others[0].replacement.tag.span
                kept.append(replace(each, record_id=others[0].key[0], span=span))
        return kept

    def _choose(self, choices: Sequence[ManualSurrogate], patient_ids: Iterable[str]) -> None:
        self._refuse_released()
        if self.options.seed is None:
            self._folder.keep_secret(self.draft.secret)
        self._folder.keep_choices(choices)
        self._folder.drop_table()
        self._past.append(_Step(self.draft.choices, self.held_back))
        self._take(self.draft.with_choices(choices, patient_ids))

    def _hold(self, held: Iterable[HeldBack], into: Iterable[Held] = ()) -> None:
        """Keep what is held back from now on, and what no more; on the disk first."""
        self._refuse_released()
        root, before = self.project.root, _Step(self.draft.choices, self.held_back)
        keep_held_back(root, held, into)
        self._past.append(before)
        source = replace(self.draft.source, held_back=read_held_back(root))
        self._take(replace(self.draft, source=source))

    def _touched(self, choices: Iterable[ManualSurrogate]) -> set[str]:
        """The patients whose choices are others now."""
        records = {each.record_id for each in set(choices) ^ set(self.draft.choices)}
        return {
            patient_id
            for patient_id, each in self.draft.patients.items()
            if any(document.record_id in records for document in each.new.documents)
        }

    def _take(self, draft: Draft) -> None:
        held, earlier = draft.source.records_held, self.draft.source.records_held
        for patient_id, each in draft.patients.items():
            out = held.get(patient_id, frozenset[str]())
            is_same = self.draft.patients.get(patient_id) is each and patient_id in self._rows
            if not is_same or out != earlier.get(patient_id, frozenset()):
                self._rows[patient_id] = rows_of(each.new.without(out))
        self.draft, self.blockers = draft, blockers_of(draft)

    def _refuse_released(self) -> None:
        if self.is_released:
            raise RequestError("this list has been released; reload (F5) to begin the next release")


def _key(choice: ManualSurrogate) -> PlaceKey:
    return choice.record_id, choice.span.start, choice.span.end
