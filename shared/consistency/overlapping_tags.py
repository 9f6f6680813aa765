"""Findings about tags that overlap, of which a release takes one and leaves out the others."""

from collections.abc import Iterator
from dataclasses import replace

from shared.consistency.findings import Finding, FindingKind, FindingLocation, TypeChoice
from shared.consistency.patient_records import CheckedRecord, PatientRecords
from shared.model import PhiType, Span, Tag
from shared.text.flat_text import flattened


def overlap_findings(patient: PatientRecords) -> Iterator[Finding]:
    """Yield a finding for each tag that is not the longest, or the first, of those at its place."""
    for record in patient.records:
        for tag in record.tags:
            others = [each for each in record.tags_in(tag.start, tag.end) if each is not tag]
            if others and (finding := _finding(patient, record, tag, others)) is not None:
                yield finding


def _finding(
    patient: PatientRecords, record: CheckedRecord, tag: Tag, others: list[Tag]
) -> Finding | None:
    same = [each for each in others if each.span == tag.span]
    if same:
        return _on_one_stretch(patient, record, tag, same)
    longer = [each for each in others if _goes_first(each, tag)]
    if not longer:
        return None
    outer = max(longer, key=lambda each: (each.phi_type == tag.phi_type, len(each.span)))
    there = (FindingLocation(record.record_id, outer.span),)
    is_inside, alike = outer.span.contains(tag.span), outer.phi_type == tag.phi_type
    kind, phi_type = FindingKind.OVERLAP, tag.phi_type
    if alike and is_inside:
        why = f"this {phi_type.name} lies within another tag of the same type"
        return record.finding(tag.span, phi_type, kind, why, 0.9, there, ())
    if alike:
        why = f"this {phi_type.name} and another overlap; they should be one, or two apart"
        whole = Span(min(tag.start, outer.start), max(tag.end, outer.end))
        return record.finding(tag.span, phi_type, kind, why, 0.9, there, ((whole, phi_type),))
    where = "lies within" if is_inside else "overlaps"
    why = (
        f"this {phi_type.name} {where} a tag of type {outer.phi_type.name}; a release leaves it out"
    )
    return record.finding(tag.span, phi_type, kind, why, 0.8, there, None)


def _goes_first(each: Tag, tag: Tag) -> bool:
    """Whether a release takes `each` before `tag`: the longest, of equally long ones the first."""
    return (-len(each.span), *each.sort_key()) < (-len(tag.span), *tag.sort_key())


def _on_one_stretch(
    patient: PatientRecords, record: CheckedRecord, tag: Tag, same: list[Tag]
) -> Finding | None:
    """The finding about several tags on one stretch: the type that the text has elsewhere stays."""
    here = sorted({tag.phi_type, *(each.phi_type for each in same)})
    place, kind = (FindingLocation(record.record_id, tag.span),), FindingKind.OVERLAP
    is_first = not any(_goes_first(each, tag) for each in same)
    usual = _usual_elsewhere(patient, record, tag, here)
    if len(here) == 1:
        why = f"this is tagged as {tag.phi_type.name} twice"
        return None if is_first else record.finding(tag.span, usual, kind, why, 0.9, place, ())
    if usual is None:
        why = f"this is tagged as {' and '.join(each.name for each in here)}: which is right?"
        found = record.finding(tag.span, None, kind, why, 0.9, (), None)
        choices = tuple(TypeChoice(each, place) for each in here)
        return replace(found, choices=choices) if is_first else None
    why = f"this is tagged as {tag.phi_type.name} and as {usual.name}, which its text is elsewhere"
    found = record.finding(tag.span, tag.phi_type, kind, why, 0.9, place, ())
    return None if tag.phi_type == usual else found


def _usual_elsewhere(
    patient: PatientRecords, record: CheckedRecord, tag: Tag, here: list[PhiType]
) -> PhiType | None:
    """The type here that the same text has at most other places; None where nothing tells."""
    tagged = patient.texts[flattened(tag.span.text_in(record.text))]
    times = {
        phi_type: sum(
            each.phi_type == phi_type and (name, each.span) != (record.record_id, tag.span)
            for name, each in tagged.tags
        )
        for phi_type in here
    }
    most = [phi_type for phi_type in here if times[phi_type] == max(times.values())]
    return most[0] if len(most) == 1 else None
