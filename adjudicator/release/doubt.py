"""What holds a release up, settled by a rule where no person is there to look at it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from adjudicator.release.draft import (
    Draft,
    PatientDraft,
    ReleaseBlocker,
    blockers_of,
    draft_of,
    finding_blocker,
)
from adjudicator.release.masking import MaskedTags, Place
from adjudicator.release.source import Read, Source
from shared.consistency.findings import LIKELY, TAG_KINDS, Finding, FindingKind
from shared.model import PhiType, Tag
from shared.model.phi_traits import EntityKind
from shared.surrogates.drawing import name_of
from shared.surrogates.identities import with_identities
from shared.surrogates.surrogate_kinds import ReleaseMode

_ROUNDS = 6
"""How often masks are put where something stands in the way; each may show more of it."""
LOW_CONFIDENCE = "the confidence of the recognizer is low"


class DoubtRule(StrEnum):
    """What is done where a person would have to look."""

    MASK = "mask"
    HOLD_BACK = "hold-back"
    KEEP_LIST = "keep-list"


USUAL_CERTAINTY = {
    DoubtRule.MASK: 0.2,
    DoubtRule.HOLD_BACK: LIKELY,
    DoubtRule.KEEP_LIST: LIKELY,
}
"""From which certainty on a finding is doubtful: a mask costs a word, holding back a record."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place that a person would have to look at, and why; without any text of the record."""

    patient_id: str
    record_id: str
    span: tuple[int, int] | None
    type_name: str
    what: str


@dataclass(frozen=True, slots=True)
class DoubtSettings:
    """The rule, and what is doubtful.

    A tag is taken as it is from this `confidence` on, what the check finds is looked at from this
    `certainty` on, None for what is usual for the rule. With new names for the records, what the
    old names tell is no doubt.
    """

    rule: DoubtRule
    confidence: float = 0.0
    certainty: float | None = None
    new_ids: bool = False

    @property
    def least_certainty(self) -> float:
        return USUAL_CERTAINTY[self.rule] if self.certainty is None else self.certainty


@dataclass(frozen=True, slots=True)
class SettledPatient:
    """A patient of whose records nothing stands in the way, but for those `held` back.

    `doubts` are what was to be settled, `masks` where a placeholder stands now.
    """

    read: Read
    draft: PatientDraft
    doubts: tuple[Doubt, ...]
    masks: frozenset[Place] = frozenset()
    held: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """The reasons, by record."""


def settle(
    source: Source, secret: bytes, patient_id: str, settings: DoubtSettings
) -> SettledPatient:
    """Replace every PHI of a patient and settle by rule what a person would be asked.

    Raises ModelError where a record has no tags.
    """
    if source.settings.mode is not ReleaseMode.SURROGATE:
        told = with_identities(source.settings, *source.patients[patient_id])
        source = replace(source, settings=told)
    if settings.rule is DoubtRule.MASK:
        return _masked(source, secret, patient_id, settings)
    return _held_back(source, secret, patient_id, settings)


def _held_back(
    source: Source, secret: bytes, patient_id: str, settings: DoubtSettings
) -> SettledPatient:
    """Hold back each record in which something may be left; what only tags are about is masked."""
    patient, gold = source.patients[patient_id]
    tags = MaskedTags(patient, gold, source.settings)
    low = list(_low_confidence((patient, gold), settings.confidence))
    doubts = [_low(patient_id, *each) for each in low]
    draft, left = _drafted(source, secret, patient_id, tags, settings)
    for _ in range(_ROUNDS):
        doubts += map(_doubt, left)
        if not _put(tags, _of_tags(left, tags), source):
            break
        draft, left = _drafted(source, secret, patient_id, tags, settings)
    held = _reasons(left, (patient, gold))
    for record_id, _ in low:
        held.setdefault(record_id, []).append(LOW_CONFIDENCE)
    return _as_settled((patient, tags.gold), draft, doubts, tags, held)


def _of_tags(left: Iterable[ReleaseBlocker], tags: MaskedTags) -> Iterator[ReleaseBlocker]:
    """Yield what is wrong with tags and surrogates alone, so that nothing of it is in the clear.

    Where two tags of a text contradict each other in their type, what it is nobody can tell.
    """
    for each in left:
        finding = each.finding
        if each.in_surrogate:
            yield each
        elif finding and finding.kind in TAG_KINDS and finding.kind is not FindingKind.TYPES:
            places = (finding.span, *(span for span, _ in finding.fix or ()))
            if all(tags.has_tagged(finding.record_id, place) for place in places):
                yield each


def _reasons(left: Iterable[ReleaseBlocker], read: Read) -> dict[str, list[str]]:
    """What stands in the way yet, by record."""
    held: dict[str, list[str]] = {}
    for each in left:
        for record_id in _records(each, read):
            held.setdefault(record_id, []).append(each.what)
    return held


def _as_settled(
    read: Read,
    draft: PatientDraft,
    doubts: Iterable[Doubt],
    tags: MaskedTags,
    held: Mapping[str, Iterable[str]],
) -> SettledPatient:
    each_once = {record_id: tuple(dict.fromkeys(reasons)) for record_id, reasons in held.items()}
    return SettledPatient(read, draft, tuple(dict.fromkeys(doubts)), tags.places, each_once)


def _records(blocker: ReleaseBlocker, read: Read) -> Iterator[str]:
    """The records that a blocker is about; where two contradict each other, both are."""
    if not blocker.record_id:
        yield from (each.record_id for each in read[0].documents)
        return
    yield blocker.record_id
    for choice in blocker.finding.choices if blocker.finding else ():
        yield from (place.record_id for place in choice.places)


def _masked(
    source: Source, secret: bytes, patient_id: str, settings: DoubtSettings
) -> SettledPatient:
    patient, gold = source.patients[patient_id]
    tags = MaskedTags(patient, gold, source.settings)
    doubts: list[Doubt] = []
    for record_id, tag in _low_confidence((patient, gold), settings.confidence):
        doubts.append(_low(patient_id, record_id, tag))
        tags.mask(record_id, tag.span, tag.phi_type)
    findings: tuple[Finding, ...] | None = None
    for _ in range(_ROUNDS):  # what the check finds needs no draft, which costs four times as much
        findings = _findings(source, patient_id, tags)
        found = list(map(finding_blocker, findings))
        doubts += map(_doubt, found)
        if not _put(tags, found, source):
            break
        findings = None
    draft, left = _drafted(source, secret, patient_id, tags, settings, findings)
    for _ in range(_ROUNDS):
        doubts += map(_doubt, left)
        if not _put(tags, left, source):
            break
        draft, left = _drafted(source, secret, patient_id, tags, settings)
    held = _reasons(left, (patient, gold))
    return _as_settled((patient, tags.gold), draft, doubts, tags, held)


def _drafted(
    source: Source,
    secret: bytes,
    patient_id: str,
    tags: MaskedTags,
    settings: DoubtSettings,
    findings: tuple[Finding, ...] | None = None,
) -> tuple[PatientDraft, list[ReleaseBlocker]]:
    """The patient with masks, and what stands in the way yet; `findings` where they are known."""
    read = source.patients[patient_id][0], tags.gold
    one = replace(source, patients={patient_id: read})
    made = draft_of(one, secret, tags.choices(name_of(secret)), patient_id, findings)
    draft = replace(made, findings=_not_covered(made.findings, tags))
    whole = Draft(one, secret, (), {patient_id: draft})
    return draft, blockers_of(whole, new_ids=settings.new_ids)


def _findings(source: Source, patient_id: str, tags: MaskedTags) -> tuple[Finding, ...]:
    """What the check finds of the patient with masks."""
    read = source.patients[patient_id][0], tags.gold
    return _not_covered(replace(source, patients={patient_id: read}).findings(patient_id), tags)


def _not_covered(findings: Iterable[Finding], tags: MaskedTags) -> tuple[Finding, ...]:
    """Those that matter yet: not what is wrong with a tag where a placeholder stands."""
    return tuple(
        each
        for each in findings
        if not (each.kind in TAG_KINDS and tags.covers(each.record_id, each.span))
    )


def _put(tags: MaskedTags, blockers: Iterable[ReleaseBlocker], source: Source) -> bool:
    """Put masks where something stands in the way; False where there was nowhere to put one."""
    put = False
    for each in blockers:
        if each.span is not None and each.record_id:
            put |= tags.mask(each.record_id, each.span, _type(each, source))
        for choice in each.finding.choices if each.finding else ():
            for place in choice.places:
                put |= tags.mask(place.record_id, place.span, choice.phi_type)
    return put


def _type(blocker: ReleaseBlocker, source: Source) -> PhiType:
    """The type of a mask: that of what stands in the way, else one for what is nothing else."""
    types = [each.phi_type for each in source.schema.types()]
    named = [each for each in types if each.name == blocker.type_name]
    other = source.schema.type_for(EntityKind.OTHER)
    return next(iter(named), other or types[0])


def _low_confidence(read: Read, confidence: float) -> Iterator[tuple[str, Tag]]:
    for record_id, layer in read[1].items():
        for tag in layer.tags:
            if tag.confidence is not None and tag.confidence < confidence:
                yield record_id, tag


def _low(patient_id: str, record_id: str, tag: Tag) -> Doubt:
    return Doubt(patient_id, record_id, (tag.start, tag.end), tag.phi_type.name, LOW_CONFIDENCE)


def _doubt(blocker: ReleaseBlocker) -> Doubt:
    span = (blocker.span.start, blocker.span.end) if blocker.span else None
    return Doubt(blocker.patient_id, blocker.record_id, span, blocker.type_name, blocker.what)
