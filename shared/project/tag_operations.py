"""What one can do to the tags of a patient; each is one edit, so one undo step.

Used by whoever edits: the annotators their own layers, the adjudicator the gold standard. A
request that changes nothing or cannot be carried out raises RequestError with the reason.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from shared.errors import RequestError
from shared.language.ambiguity import ambiguity_reason, other_case_reason
from shared.language.languages import Language
from shared.language.person_roles import other_role_reason
from shared.language.variant_rules import Rule
from shared.language.variants import find_variants, repeats_of
from shared.model import Document, MergedView, Origin, PhiType, Schema, Span, SuggestedTag, Tag
from shared.project.edits import Edit, PlacedTag
from shared.project.patient_layer import PatientLayer
from shared.text.flat_text import FlatText, text_key
from shared.text.span_index import SpanIndex

_UNSURE = frozenset({Rule.OPEN_DATE, Rule.SHORT_NUMBER, Rule.INITIALS, Rule.ACRONYM})
"""Variants that are shown, for a person to tick."""
_OTHER_CASE = frozenset({Rule.CASE, Rule.ACCENTS})
_OF_ANOTHER_TYPE = frozenset({Rule.LOGIN})
"""Variants that say who is meant and are another type of PHI."""


@dataclass(frozen=True, slots=True)
class TagCandidate:
    """Where a phrase stands in the merged view, for the review list of annotate all.

    `tagged` names the types of the tags there, `rule` says how it is written otherwise, `doubt`
    why it may be something else; `is_preselected`, whether tagging it is proposed.
    """

    span: Span
    record_id: str
    tagged: tuple[PhiType, ...] = ()
    glued: bool = False
    rule: Rule = Rule.SAME
    doubt: str | None = None

    @property
    def is_preselected(self) -> bool:
        return not (self.tagged or self.glued or self.doubt or self.rule in _UNSURE)


TagChange = tuple[PlacedTag | None, Sequence[tuple[Span, PhiType]]]
"""A tag, or none, and the tags in the merged view to have in its place."""


class TagOperations:
    """Edits the tags of one patient, those of `layer`; what it adds carries the origin `by`."""

    def __init__(
        self,
        view: MergedView,
        layer: PatientLayer,
        schema: Schema,
        by: Origin = Origin.HAND,
        language: Language | None = None,
    ) -> None:
        self.view = view
        self.layer = layer
        self._schema = schema
        self._by = by
        self._language: Language | None = language
        self._flats: dict[str, FlatText] = {}

    @property
    def language(self) -> Language | None:
        """The language of the records; None for any of the default ones."""
        return self._language

    @property
    def tags(self) -> SpanIndex[PlacedTag]:
        return self.layer.tags

    def find(self, record_id: str, tag_id: str) -> PlacedTag | None:
        return self.layer.find(record_id, tag_id)

    def tag(self, span: Span, phi_type: PhiType) -> Edit:
        """Tag a stretch; where it is tagged already as another type, retype it.

        Tags of the same type within it were parts of it: the first becomes the whole, the others
        go. Within a tag of the same type, it is what is left of that.
        """
        there = self.layer.tags.on(span.start, span.end)
        if there:
            return self.retype(there[:1], phi_type)
        self._schema.find(phi_type)
        if around := self._around(span, phi_type):
            return self.resize(min(around, key=lambda each: each.end - each.start), span)
        parts = self._parts(span, phi_type)
        self._refuse_overlap(span, but=parts)
        if parts:
            added = self.layer.moved(parts[0], span)
        else:
            added = self.layer.new_tag(span, Tag(span, phi_type, origin=self._by))
        return self.layer.apply(Edit(f"tag as {phi_type.name}", tuple(parts), (added,)))

    def tag_all(self, spans: Iterable[Span], phi_type: PhiType) -> Edit:
        """Tag many stretches as one step; those that have this tag already stay."""
        self._schema.find(phi_type)
        added = tuple(
            self.layer.tag_of(each, phi_type, Origin.ANNOTATE_ALL)
            for each in spans
            if not self._around(each, phi_type) and self._may_overlap(each)
        )
        if not added:
            raise RequestError("every ticked place is tagged already")
        return self.layer.apply(Edit(f"annotate all as {phi_type.name}", added=added))

    def accept(self, suggestions: Iterable[SuggestedTag]) -> Edit:
        """Tag stretches as a recognizer suggested them, as one step; those tagged so stay."""
        items = tuple(suggestions)
        for phi_type in {each.phi_type for each in items}:
            self._schema.find(phi_type)
        places = [(each, each.span) for each in items]
        wanted = [pair for pair in places if not self._around(pair[1], pair[0].phi_type)]
        if items and not wanted:
            raise RequestError(f"this is tagged as {items[0].phi_type.name} already")
        if len(wanted) == 1:
            self._refuse_overlap(wanted[0][1])
        added = tuple(
            self.layer.tag_of(
                span,
                each.phi_type,
                Origin.SUGGESTION,
                round(each.confidence, 4),
                str(getattr(each, "source", "")),  # of those that were imported
            )
            for each, span in wanted
            if self._may_overlap(span)
        )
        if not added:
            raise RequestError("there is no suggestion to accept")
        what = "accept suggestion" if len(added) == 1 else f"accept {len(added)} suggestions"
        return self.layer.apply(Edit(what, added=added))

    def retype(self, tags: Iterable[PlacedTag], phi_type: PhiType) -> Edit:
        """Give tags another type as one step; those that would be there twice stay."""
        self._schema.find(phi_type)
        old = tuple(each for each in tags if not self._has(each.span, phi_type))
        if not old:
            raise RequestError(f"this is tagged as {phi_type.name} already")
        new = tuple(
            # quicker than replacing in the placed tag too, as there may be many
            PlacedTag(each.start, each.end, *each.key, replace(each.tag, phi_type=phi_type))
            for each in old
        )
        return self.layer.apply(Edit(f"retype as {phi_type.name}", old, new))

    def remove(self, tags: Iterable[PlacedTag]) -> Edit:
        removed = tuple(tags)
        if not removed:
            raise RequestError("there is no tag here")
        what = "remove tag" if len(removed) == 1 else f"remove {len(removed)} tags"
        return self.layer.apply(Edit(what, removed=removed))

    def resize(self, placed: PlacedTag, span: Span) -> Edit:
        """Give a tag another span of the same record; tags of its type within that go."""
        record_id, _ = self.view.record_span(span)
        if record_id != placed.record_id:
            raise RequestError("a tag cannot move to another record")
        if self._has(span, placed.phi_type):
            raise RequestError(f"there is a tag {placed.phi_type.name} already")
        parts = [each for each in self._parts(span, placed.phi_type) if each.key != placed.key]
        self._refuse_overlap(span, but=[placed, *parts])
        moved = self.layer.moved(placed, span)
        return self.layer.apply(Edit("move edge", (placed, *parts), (moved,)))

    def replace(self, changes: Iterable[TagChange]) -> Edit:
        """Put other tags, or none, in place of some, or tags where there was none, as one step.

        The first that takes the place of a tag keeps its id and its comment.
        """
        removed: list[PlacedTag] = []
        added: list[PlacedTag] = []
        for placed, marks in changes:
            removed += [placed] if placed else []
            added += self._replacements(placed, marks)
        if not removed and not added:
            raise RequestError("this is tagged so already")
        return self.layer.apply(Edit("mend", tuple(removed), tuple(added)))

    def comment(self, placed: PlacedTag, text: str) -> Edit:
        if text == placed.tag.comment:
            raise RequestError("the comment is unchanged")
        new = replace(placed, tag=replace(placed.tag, comment=text))
        return self.layer.apply(Edit("comment", (placed,), (new,)))

    def undo(self) -> Edit | None:
        """Take the last edit back; returns what that changed, None where there is nothing."""
        return self.layer.undo()

    def redo(self) -> Edit | None:
        return self.layer.redo()

    def same_text(self, placed: PlacedTag) -> list[PlacedTag]:
        """All tags of the same type on the same text, in whatever case and however broken."""
        wanted = self._key(placed.span)
        return [
            each
            for each in self.layer.tags
            if each.phi_type == placed.phi_type and self._key(each.span) == wanted
        ]

    def occurrences(
        self, span: Span, phi_type: PhiType, *, ignore_case: bool = False, variants: bool = False
    ) -> list[TagCandidate]:
        """Every place of the patient where the text at `span` stands, tagged or not, in order.

        Over line ends, in other case and without accents too; one word in small letters with
        `ignore_case`. With `variants`, also where it is written otherwise, as a text of this type
        is.
        """
        phrase = span.text_in(self.view.text)
        documents = self.view.patient.documents
        found = {
            self.view.merged_span(document.record_id, each.span): (rule, each.glued)
            for document in documents
            for each, rule in repeats_of(phrase, self._flat(document), small=ignore_case)
        }
        if variants:
            texts = [document.text for document in documents]
            traits = self._schema.traits_of(phi_type)
            for each in find_variants(phrase, traits, texts, self.language):
                record_id = documents[each.text_number].record_id
                merged = self.view.merged_span(record_id, each.span)
                if each.rule not in _OF_ANOTHER_TYPE:
                    found.setdefault(merged, (each.rule, False))
        return [self._candidate(each, phi_type, *found[each]) for each in sorted(found)]

    def _replacements(
        self, placed: PlacedTag | None, marks: Iterable[tuple[Span, PhiType]]
    ) -> Iterator[PlacedTag]:
        kept = placed
        for span, phi_type in marks:
            self._schema.find(phi_type)
            if self._has(span, phi_type) or not (placed or self._may_overlap(span)):
                continue
            tag = placed.tag if placed else Tag(span, phi_type, origin=self._by)
            tag = replace(tag, phi_type=phi_type)
            if kept is not None and self.view.record_span(span)[0] == kept.record_id:
                yield self.layer.moved(replace(kept, tag=tag), span)
            else:
                yield self.layer.new_tag(span, replace(tag, comment=""))
            kept = None

    def _flat(self, document: Document) -> FlatText:
        if document.record_id not in self._flats:
            self._flats[document.record_id] = FlatText(document.text)
        return self._flats[document.record_id]

    def _candidate(self, span: Span, phi_type: PhiType, rule: Rule, glued: bool) -> TagCandidate:
        reason = other_case_reason if rule in _OTHER_CASE else ambiguity_reason
        text, traits = self.view.text, self._schema.traits_of(phi_type)
        doubt = reason(span.text_in(text), traits, self.language)
        return TagCandidate(
            span,
            self.view.section_at(span.start).record_id,
            tuple(each.phi_type for each in self._at(span)),
            glued,
            rule,
            doubt or other_role_reason(text, span, traits, self.language),
        )

    def _at(self, span: Span) -> list[PlacedTag]:
        return self.layer.tags.query(span.start, span.end)

    def _parts(self, span: Span, phi_type: PhiType) -> list[PlacedTag]:
        """The tags of a type that lie within a stretch."""
        there = self._at(span)
        return [each for each in there if each.phi_type == phi_type and span.contains(each.span)]

    def _around(self, span: Span, phi_type: PhiType) -> list[PlacedTag]:
        """The tags of a type that a stretch lies in."""
        there = self._at(span)
        return [each for each in there if each.phi_type == phi_type and each.span.contains(span)]

    def _has(self, span: Span, phi_type: PhiType) -> bool:
        there = self.layer.tags.on(span.start, span.end)
        return any(each.phi_type == phi_type for each in there)

    def _may_overlap(self, span: Span, but: Sequence[PlacedTag] = ()) -> bool:
        return self._schema.overlaps or not any(each not in but for each in self._at(span))

    def _refuse_overlap(self, span: Span, but: Sequence[PlacedTag] = ()) -> None:
        if not self._may_overlap(span, but):
            raise RequestError(
                f"the schema {self._schema.name} allows no overlaps, and this would be one"
            )

    def _key(self, span: Span) -> str:
        return text_key(span.text_in(self.view.text))
