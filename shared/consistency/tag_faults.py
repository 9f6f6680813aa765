"""Findings about tags: one text with two types or two extents, faulty edges, broken guidelines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from shared.consistency.findings import Finding, FindingKind, times_in_words
from shared.consistency.guideline_rules import check_tag
from shared.consistency.name_extents import name_findings
from shared.consistency.overlapping_tags import overlap_findings
from shared.consistency.patient_records import CheckedRecord, PatientRecords, TaggedText
from shared.consistency.rule_notes import GuidelineRule
from shared.language.ambiguity import ambiguity_reason
from shared.model import PhiType, Schema, Span, Tag
from shared.model.phi_traits import INSTITUTIONS, EntityKind

_BOUNDARY = frozenset(
    {
        *(GuidelineRule.EDGE, GuidelineRule.CUT_WORD, GuidelineRule.BROKEN_WORD),
        GuidelineRule.DATE_PART,
    }
)

PartlyTagged = Mapping[str, Sequence[tuple[Span, TaggedText]]]
"""By record: places of tagged texts that tags touch, though none covers all of it."""


def tag_findings(
    patient: PatientRecords, kinds: frozenset[FindingKind], partly: PartlyTagged
) -> Iterator[Finding]:
    """Yield the findings about the tags of a patient, of the kinds that are asked for."""
    if FindingKind.TYPES in kinds:
        yield from _types(patient)
    extents = list(_extents(patient, partly)) if FindingKind.EXTENTS in kinds else []
    yield from extents
    if FindingKind.OVERLAP in kinds:
        yield from overlap_findings(patient)
    if kinds & {FindingKind.BOUNDARY, FindingKind.GUIDELINE}:
        yield from (each for each in _guidelines(patient) if each.kind in kinds)
    if FindingKind.BOUNDARY in kinds:
        told = {each.place for each in extents}
        yield from (each for each in name_findings(patient) if each.place not in told)


def _types(patient: PatientRecords) -> Iterator[Finding]:
    records = {record.record_id: record for record in patient.records}
    for tagged in patient.texts.values():
        if len(tagged.types) < 2 or _is_one_line(tagged, patient.schema):
            continue
        usual = tagged.usual_type
        for record_id, tag in tagged.tags:
            record = records[record_id]
            # of two types on one stretch, the finding about the overlap tells
            if tag.phi_type != usual and record.spans[tag.start, tag.end] == 1:
                yield _two_types(record, tag, tagged, usual)


def _is_one_line(tagged: TaggedText, schema: Schema) -> bool:
    """Whether a number is that of a telephone and of a fax, which share a line."""
    kinds = {schema.traits_of(each).kind for each in tagged.types}
    return kinds <= {EntityKind.PHONE, EntityKind.FAX}


def _two_types(
    record: CheckedRecord, tag: Tag, tagged: TaggedText, usual: PhiType | None
) -> Finding:
    """The finding about a tag whose text has another type elsewhere; `usual` is None for a tie."""
    here = f"this is tagged as {tag.phi_type.name}, the same text"
    others = [each for each in tagged.choices if each.phi_type != tag.phi_type]
    if usual is None:
        names = " and ".join(each.phi_type.name for each in others)
        there = tuple(place for each in others for place in each.places)
        why = f"{here} {times_in_words(len(there))} as {names}: which is right?"
    else:
        there = next(each.places for each in others if each.phi_type == usual)
        why = f"{here} {times_in_words(len(there))} as {usual.name}"
    return replace(
        record.finding(
            tag.span,
            usual,
            FindingKind.TYPES,
            why,
            _types_certainty(tag, tagged),
            there,
            ((tag.span, usual),) if usual else None,
        ),
        choices=() if usual else tagged.choices,
    )


def _types_certainty(tag: Tag, tagged: TaggedText) -> float:
    """How sure it is that one text is not rightly of two types.

    A text that may mean two things may well be of two types, but not two sorts of institution or of
    person.
    """
    schema, mine = tagged.schema, tagged.schema.traits_of(tag.phi_type)
    others = [schema.traits_of(each) for each in tagged.types if each != tag.phi_type]
    alike = all({mine.kind, each.kind} <= INSTITUTIONS for each in others)
    both, spoken = (mine, *others), tagged.language
    if not alike and any(ambiguity_reason(tagged.text, each, spoken) for each in both):
        return 0.3
    if all(each.category == tag.phi_type.category for each in tagged.types):
        return 0.8
    # a text of which each type is there again and again may well be two things
    return 0.4 if min(tagged.types.values()) > 1 else 0.6


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
                f"elsewhere a tag of type {tagged.phi_type.name} covers more of what stands here",
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
