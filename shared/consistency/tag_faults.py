"""Findings about tags: one text with two types or two extents, faulty edges, broken guidelines."""

from collections.abc import Iterator, Mapping, Sequence

from shared.consistency.findings import Finding, FindingKind, FindingLocation, times_in_words
from shared.consistency.guideline_rules import GuidelineRule, check_tag
from shared.consistency.patient_records import CheckedRecord, PatientRecords, TaggedText
from shared.language.ambiguity import ambiguity_reason
from shared.model import PhiType, Span, Tag

_BOUNDARY = frozenset({GuidelineRule.EDGE, GuidelineRule.CUT_WORD})


PartlyTagged = Mapping[str, Sequence[tuple[Span, TaggedText]]]
"""By record: places of tagged texts that tags touch, though none covers all of it."""


def tag_findings(
    patient: PatientRecords, kinds: frozenset[FindingKind], partly: PartlyTagged
) -> Iterator[Finding]:
    """Yield the findings about the tags of a patient, of the kinds that are asked for."""
    if FindingKind.TYPES in kinds:
        yield from _types(patient)
    if FindingKind.EXTENTS in kinds:
        yield from _extents(patient, partly)
    if kinds & {FindingKind.BOUNDARY, FindingKind.GUIDELINE}:
        yield from (each for each in _guidelines(patient) if each.kind in kinds)


def _types(patient: PatientRecords) -> Iterator[Finding]:
    records = {record.record_id: record for record in patient.records}
    for tagged in patient.texts.values():
        if len(tagged.types) < 2:
            continue
        usual = tagged.phi_type
        there = tuple(
            FindingLocation(name, tag.span) for name, tag in tagged.tags if tag.phi_type == usual
        )
        for record_id, tag in tagged.tags:
            if tag.phi_type != usual:
                times = times_in_words(len(there))
                yield records[record_id].finding(
                    tag.span,
                    usual,
                    FindingKind.TYPES,
                    f"this is tagged as {tag.phi_type.name}, the same text {times} as {usual.name}",
                    _types_certainty(tagged, tag.phi_type),
                    there,
                    ((tag.span, usual),),
                )


def _types_certainty(tagged: TaggedText, phi_type: PhiType) -> float:
    traits = tagged.schema.traits_of(phi_type)
    both, spoken = (traits, tagged.traits), tagged.language
    if any(ambiguity_reason(tagged.text, each, spoken) for each in both):
        return 0.3
    return 0.8 if phi_type.category == tagged.phi_type.category else 0.6


def _extents(patient: PatientRecords, partly: PartlyTagged) -> Iterator[Finding]:
    """Tags inside a place whose whole text is one tag elsewhere, and rightly so."""
    for record in patient.records:
        longest: dict[Tag, tuple[Span, TaggedText]] = {}
        for span, tagged in partly.get(record.record_id, ()):
            tag = _only_part(record, span, tagged)
            if tag is None or not _is_sound(record, span, tagged):
                continue
            if tag not in longest or len(span) > len(longest[tag][0]):
                longest[tag] = span, tagged
        for tag, (span, tagged) in longest.items():
            yield record.finding(
                tag.span,
                tagged.phi_type,
                FindingKind.EXTENTS,
                f"elsewhere the tag {tagged.phi_type.name} covers more of what stands here",
                0.7 if tag.phi_type == tagged.phi_type else 0.5,
                tagged.tagged_at,
                ((span, tagged.phi_type),),
            )


def _only_part(record: CheckedRecord, span: Span, tagged: TaggedText) -> Tag | None:
    tags = record.tags_in(span.start, span.end)
    if len(tags) != 1 or not span.contains(tags[0].span) or tags[0].span == span:
        return None
    return tags[0] if tags[0].phi_type.category == tagged.phi_type.category else None


def _is_sound(record: CheckedRecord, span: Span, tagged: TaggedText) -> bool:
    """False where the longer extent is the one at fault, as in `Dr. Lee` beside `Lee`."""
    return not check_tag(
        record.text, Tag(span, tagged.phi_type), tagged.schema, language=record.language
    )


def _guidelines(patient: PatientRecords) -> Iterator[Finding]:
    for record in patient.records:
        for tag in record.tags:
            for note in check_tag(record.text, tag, patient.schema, language=patient.language):
                kind = FindingKind.BOUNDARY if note.rule in _BOUNDARY else FindingKind.GUIDELINE
                yield record.finding(
                    tag.span, tag.phi_type, kind, note.why, note.certainty, (), note.fix
                )
