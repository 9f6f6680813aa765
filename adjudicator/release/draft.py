"""The surrogates of a project as they would be released, and what stands against that."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from adjudicator.release.source import Source, Watch, no_progress
from shared.consistency.findings import TAG_KINDS, Finding
from shared.model import Span
from shared.surrogates.drawing import KeyedRandom, name_of
from shared.surrogates.leak_check import FILE_NAME, Leak, surrogates_at
from shared.surrogates.mentions import Replacement, SurrogatePatient
from shared.surrogates.replacement import replace_without_collisions
from shared.surrogates.surrogate_kinds import ManualSurrogate


@dataclass(frozen=True, slots=True)
class PatientDraft:
    """One patient with surrogates, and what stands against a release."""

    new: SurrogatePatient
    findings: tuple[Finding, ...]
    leaks: tuple[Leak, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """All patients of a source with surrogates, by id; what was drawn hangs on the secret."""

    source: Source
    secret: bytes
    choices: tuple[ManualSurrogate, ...]
    patients: Mapping[str, PatientDraft]

    @classmethod
    def make(
        cls,
        source: Source,
        secret: bytes,
        choices: Sequence[ManualSurrogate] = (),
        watch: Watch = no_progress,
    ) -> "Draft":
        """Replace every PHI of all patients."""
        patient_ids = watch("Replacing", list(source.patients))
        return cls(source, secret, (), {}).with_choices(choices, patient_ids)

    @property
    def surrogates(self) -> tuple[SurrogatePatient, ...]:
        """What goes out: the patients without the records that are held back."""
        held = self.source.records_held
        without = (
            each.new.without(held.get(patient_id, frozenset()))
            for patient_id, each in self.patients.items()
        )
        return tuple(each for each in without if each.documents)

    @property
    def record_count(self) -> int:
        return sum(len(each.documents) for each in self.surrogates)

    def with_choices(
        self, choices: Sequence[ManualSurrogate], patient_ids: Iterable[str]
    ) -> "Draft":
        """Return the draft with other choices, which are about these patients."""
        again = {each: draft_of(self.source, self.secret, choices, each) for each in patient_ids}
        return replace(self, choices=tuple(choices), patients={**self.patients, **again})


def draft_of(
    source: Source,
    secret: bytes,
    choices: Sequence[ManualSurrogate],
    patient_id: str,
    findings: tuple[Finding, ...] | None = None,
) -> PatientDraft:
    """Replace every PHI of a patient; `findings` are what the check finds, where that is known."""
    patient, gold = source.patients[patient_id]
    settings = replace(source.settings, choices=tuple(choices), draft=name_of(secret))

    def stream(draw: int) -> KeyedRandom:
        return KeyedRandom(secret, f"{patient_id} {draw}")

    new, leaks = replace_without_collisions(patient, gold, settings, source.rules, stream)
    return PatientDraft(new, source.findings(patient_id) if findings is None else findings, leaks)


class BlockerKind(StrEnum):
    """Why a release has to wait for a person, in the order in which one sees to it."""

    NO_GOLD = "no gold standard"
    FINDING = "finding"
    REVIEW = "to review"
    LEAK = "leak"


@dataclass(frozen=True, slots=True)
class ReleaseBlocker:
    """What stands in the way; `what` holds no text of the record, `text` is what stands there.

    `span` is a place of the gold standard, None where there is none; then only the patient, or the
    record, is known. A leak `in_surrogate` lies in a replacement; its span is the tag's.
    """

    kind: BlockerKind
    what: str
    patient_id: str
    record_id: str = ""
    span: Span | None = None
    type_name: str = ""
    in_surrogate: bool = False
    text: str = field(default="", repr=False)
    finding: Finding | None = None

    @property
    def can_be_dismissed(self) -> bool:
        """Whether a person may say that the place is as it should be."""
        return (
            self.span is not None and not self.in_surrogate and self.kind is not BlockerKind.REVIEW
        )


def blockers_of(draft: Draft, *, new_ids: bool = False) -> list[ReleaseBlocker]:
    """Return all of them in the order in which a person sees to them; of one kind by patient.

    With new names for the records, what the old names tell is none, and nothing in what is held
    back is.
    """
    held = draft.source.records_held
    found = [
        ReleaseBlocker(BlockerKind.NO_GOLD, str(problem), patient_id)
        for patient_id, problem in draft.source.problems_in_the_way.items()
    ]
    for patient_id, each in draft.patients.items():
        patient = draft.source.patients[patient_id][0]
        texts = {one.record_id: one.text for one in patient.documents}
        found += [finding_blocker(finding) for finding in each.findings]
        found += [_to_review(patient.id, row) for row in each.new.review if row.reasons]
        found += [
            _leak(patient.id, texts, each.new, leak)
            for leak in each.leaks
            if not (new_ids and leak.what == FILE_NAME)
        ]
    order = list(BlockerKind)
    in_the_way = (each for each in found if each.record_id not in held.get(each.patient_id, ()))
    return sorted(in_the_way, key=lambda each: order.index(each.kind))


def finding_blocker(finding: Finding) -> ReleaseBlocker:
    """What the check finds, as what stands in the way."""
    about = "" if finding.kind in TAG_KINDS else "not tagged: "
    return ReleaseBlocker(
        BlockerKind.FINDING,
        f"{about}{finding.why or 'this text is tagged elsewhere'}",
        finding.patient_id,
        finding.record_id,
        finding.span,
        finding.type_name,
        text=finding.text,
        finding=finding,
    )


def _to_review(patient_id: str, row: Replacement) -> ReleaseBlocker:
    return ReleaseBlocker(
        BlockerKind.REVIEW,
        "; ".join(row.reasons),
        patient_id,
        row.record_id,
        row.tag.span,
        row.tag.phi_type.name,
        in_surrogate=True,
        text=row.original,
    )


def _leak(
    patient_id: str, texts: Mapping[str, str], new: SurrogatePatient, leak: Leak
) -> ReleaseBlocker:
    within = surrogates_at(new, leak) if leak.in_surrogate else []
    span = within[0].tag.span if within else leak.old
    return ReleaseBlocker(
        BlockerKind.LEAK,
        leak.what + (", in a surrogate" if leak.in_surrogate else ""),
        patient_id,
        leak.record_id,
        span,
        leak.phi_type.name if leak.phi_type else "",
        leak.in_surrogate,
        span.text_in(texts[leak.record_id]) if span else "",
    )
