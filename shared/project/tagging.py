"""What one can do to the tags of a patient; each is one edit, so one undo step.

Used by whoever edits: the annotators their own layers, the adjudicator the gold standard. A
request that changes nothing or cannot be carried out raises RequestError with the reason.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from shared.errors import RequestError
from shared.language.ambiguity import ambiguity_reason
from shared.language.variant_rules import Rule
from shared.language.variants import find_variants
from shared.model import MergedView, Origin, PhiType, Schema, Span, Tag
from shared.project.edits import Edit, Making, PlacedTag, at_once, in_portions
from shared.project.patient_layer import PatientLayer
from shared.text.occurrences import occurrences

_UNSURE = frozenset({Rule.OPEN_DATE, Rule.SHORT_NUMBER, Rule.INITIALS, Rule.ACRONYM})
"""Variants that are shown, for a person to tick."""
_OF_ANOTHER_TYPE = frozenset({Rule.LOGIN})
"""Variants that say who is meant and are another type of PHI."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a phrase stands in the merged view, for the review list of annotate all.

    `tagged` names the types of the tags there, `rule` says how it is written otherwise, `doubt`
    why it may be something else; `offered`, whether tagging it is proposed.
    """

    span: Span
    record_id: str
    tagged: tuple[PhiType, ...] = ()
    glued: bool = False
    rule: Rule = Rule.SAME
    doubt: str | None = None

    @property
    def offered(self) -> bool:
        return not (self.tagged or self.glued or self.doubt or self.rule in _UNSURE)


class Suggested(NamedTuple):
    """What a recognizer proposes in the merged view, and how sure it is (0 to 1)."""

    span: Span
    phi_type: PhiType
    confidence: float


Mend = tuple[PlacedTag | None, Sequence[tuple[Span, PhiType]]]
"""A tag, or none, and the tags in the merged view to have in its place."""


class Tagger:
    """Edits the tags of one patient; what it adds carries the origin `by`."""

    def __init__(
        self, view: MergedView, layer: PatientLayer, schema: Schema, by: Origin = Origin.HAND
    ) -> None:
        self._view = view
        self._layer = layer
        self._schema = schema
        self._by = by

    def tag(self, span: Span, phi_type: PhiType) -> Edit:
        """Tag a stretch; where it is tagged already as another type, retype it.

        Tags of the same type within it were parts of it: the first becomes the whole, the others
        go.
        """
        there = self._layer.tags.on(span.start, span.end)
        if there:
            return self.retype(there[:1], phi_type)
        self._schema.find(phi_type)
        parts = [
            each
            for each in self._at(span)
            if each.phi_type == phi_type and span.contains(each.span)
        ]
        self._refuse_overlap(span, but=parts)
        if parts:
            added = self._layer.moved(parts[0], span)
        else:
            added = self._layer.new_tag(span, Tag(span, phi_type, origin=self._by))
        return self._layer.apply(Edit(f"tag as {phi_type.name}", tuple(parts), (added,)))

    def tag_all(self, spans: Iterable[Span], phi_type: PhiType) -> Edit:
        """Tag many stretches as one step; those that have this very tag already stay."""
        return at_once(self.tagging_all(spans, phi_type))

    def tagging_all(self, spans: Iterable[Span], phi_type: PhiType) -> Making:
        """Do what `tag_all` does, in portions; nothing is done before the last."""
        self._schema.find(phi_type)

        def untagged(some: Iterable[Span]) -> list[Span]:
            fitting = (each for each in some if not self._has(each, phi_type))
            return [each for each in fitting if self._may_overlap(each)]

        def tags(some: Iterable[Span]) -> list[PlacedTag]:
            return list(self._layer.new_tags(some, phi_type, Origin.ANNOTATE_ALL))

        wanted = yield from in_portions(tuple(spans), untagged)
        if not wanted:
            raise RequestError("every ticked place is tagged already")
        added = yield from in_portions(wanted, tags)
        edit = Edit(f"annotate all as {phi_type.name}", added=tuple(added))
        return (yield from self._layer.applying(edit))

    def accept(self, suggested: Iterable[Suggested]) -> Edit:
        """Tag stretches as a recognizer suggested them, as one step; those tagged so stay."""
        return at_once(self.accepting(suggested))

    def accepting(self, suggested: Iterable[Suggested]) -> Making:
        """Do what `accept` does, in portions; nothing is done before the last."""
        items = tuple(suggested)
        for phi_type in {id(each.phi_type): each.phi_type for each in items}.values():
            self._schema.find(phi_type)
        wanted = yield from in_portions(items, self._not_tagged)
        if items and not wanted:
            raise RequestError(f"this is tagged as {items[0].phi_type.name} already")
        if len(wanted) == 1:
            self._refuse_overlap(wanted[0].span)
        added = yield from in_portions(wanted, self._accepted)
        if not added:
            raise RequestError("there is no suggestion to accept")
        what = "accept suggestion" if len(added) == 1 else f"accept {len(added)} suggestions"
        return (yield from self._layer.applying(Edit(what, added=tuple(added))))

    def retype(self, tags: Iterable[PlacedTag], phi_type: PhiType) -> Edit:
        return at_once(self.retyping(tags, phi_type))

    def retyping(self, tags: Iterable[PlacedTag], phi_type: PhiType) -> Making:
        """Do what `retype` does, in portions; nothing is done before the last."""
        self._schema.find(phi_type)

        def others(some: Iterable[PlacedTag]) -> list[PlacedTag]:
            return [each for each in some if not self._has(each.span, phi_type)]

        def retyped(some: Iterable[PlacedTag]) -> list[PlacedTag]:
            # quicker than replacing in the placed tag too, as there may be many
            return [
                PlacedTag(each.start, each.end, *each.key, replace(each.tag, phi_type=phi_type))
                for each in some
            ]

        old = yield from in_portions(tuple(tags), others)
        if not old:
            raise RequestError(f"this is tagged as {phi_type.name} already")
        new = yield from in_portions(old, retyped)
        edit = Edit(f"retype as {phi_type.name}", tuple(old), tuple(new))
        return (yield from self._layer.applying(edit))

    def remove(self, tags: Iterable[PlacedTag]) -> Edit:
        return at_once(self.removing(tags))

    def removing(self, tags: Iterable[PlacedTag]) -> Making:
        """Do what `remove` does, in portions; nothing is done before the last."""
        removed = tuple(tags)
        if not removed:
            raise RequestError("there is no tag here")
        what = "remove tag" if len(removed) == 1 else f"remove {len(removed)} tags"
        return (yield from self._layer.applying(Edit(what, removed=removed)))

    def resize(self, placed: PlacedTag, span: Span) -> Edit:
        """Give a tag another span of the same record."""
        record_id, _ = self._view.record_span(span)
        if record_id != placed.record_id:
            raise RequestError("a tag cannot move to another record")
        if self._has(span, placed.phi_type):
            raise RequestError(f"there is a tag {placed.phi_type.name} already")
        self._refuse_overlap(span, but=[placed])
        return self._layer.apply(Edit("move edge", (placed,), (self._layer.moved(placed, span),)))

    def replace(self, placed: PlacedTag, marks: Iterable[tuple[Span, PhiType]]) -> Edit:
        """Put other tags, or none, in place of one; the first keeps its id and its comment."""
        return self.mend([(placed, tuple(marks))])

    def mend(self, mends: Iterable[Mend]) -> Edit:
        """Put other tags in place of some, or tags where there was none, as one step."""
        removed: list[PlacedTag] = []
        added: list[PlacedTag] = []
        for placed, marks in mends:
            removed += [placed] if placed else []
            added += self._mended(placed, marks)
        if not removed and not added:
            raise RequestError("this is tagged so already")
        return self._layer.apply(Edit("mend", tuple(removed), tuple(added)))

    def comment(self, placed: PlacedTag, text: str) -> Edit:
        if text == placed.tag.comment:
            raise RequestError("the comment is unchanged")
        new = replace(placed, tag=replace(placed.tag, comment=text))
        return self._layer.apply(Edit("comment", (placed,), (new,)))

    def alike(self, placed: PlacedTag) -> list[PlacedTag]:
        """All tags of the same type on the same text, blanks and line ends counting as one."""
        wanted = self._words(placed.span)
        return [
            each
            for each in self._layer.tags
            if each.phi_type == placed.phi_type and self._words(each.span) == wanted
        ]

    def places(
        self, span: Span, phi_type: PhiType, *, ignore_case: bool = False, variants: bool = False
    ) -> list[Place]:
        """Every place of the patient where the text at `span` stands, tagged or not, in order.

        With `variants`, also where it is written otherwise, as a text of this type is.
        """
        phrase = span.text_in(self._view.text)
        documents = self._view.patient.documents
        found = {
            self._view.merged_span(document.record_id, each.span): (Rule.SAME, each.glued)
            for document in documents
            for each in occurrences(phrase, document.text, ignore_case=ignore_case)
        }
        if variants:
            texts = [document.text for document in documents]
            for each in find_variants(phrase, phi_type, texts):
                record_id = documents[each.text_number].record_id
                merged = self._view.merged_span(record_id, each.span)
                if each.rule not in _OF_ANOTHER_TYPE:
                    found.setdefault(merged, (each.rule, False))
        return [self._place(each, phi_type, *found[each]) for each in sorted(found)]

    def _mended(
        self, placed: PlacedTag | None, marks: Iterable[tuple[Span, PhiType]]
    ) -> Iterator[PlacedTag]:
        kept = placed
        for span, phi_type in marks:
            self._schema.find(phi_type)
            if self._has(span, phi_type) or not (placed or self._may_overlap(span)):
                continue
            if kept is not None:
                tag = replace(kept.tag, phi_type=phi_type)
                yield self._layer.moved(replace(kept, tag=tag), span)
            elif placed is not None:
                tag = replace(placed.tag, phi_type=phi_type, comment="")
                yield self._layer.new_tag(span, tag)
            else:
                yield self._layer.new_tag(span, Tag(span, phi_type, origin=self._by))
            kept = None

    def _place(self, span: Span, phi_type: PhiType, rule: Rule, glued: bool) -> Place:
        return Place(
            span,
            self._view.section_at(span.start).record_id,
            tuple(each.phi_type for each in self._at(span)),
            glued,
            rule,
            ambiguity_reason(span.text_in(self._view.text), phi_type),
        )

    def _not_tagged(self, suggested: Iterable[Suggested]) -> list[Suggested]:
        return [each for each in suggested if not self._has(each.span, each.phi_type)]

    def _accepted(self, suggested: Iterable[Suggested]) -> list[PlacedTag]:
        origin = Origin.SUGGESTION
        return [
            self._layer.tag_of(span, phi_type, origin, round(confidence, 4))
            for span, phi_type, confidence in suggested
            if self._may_overlap(span)
        ]

    def _at(self, span: Span) -> list[PlacedTag]:
        return self._layer.tags.query(span.start, span.end)

    def _has(self, span: Span, phi_type: PhiType) -> bool:
        there = self._layer.tags.on(span.start, span.end)
        return any(each.phi_type == phi_type for each in there)

    def _may_overlap(self, span: Span, but: Sequence[PlacedTag] = ()) -> bool:
        return self._schema.overlaps or not any(each not in but for each in self._at(span))

    def _refuse_overlap(self, span: Span, but: Sequence[PlacedTag] = ()) -> None:
        if not self._may_overlap(span, but):
            raise RequestError(
                f"the schema {self._schema.name} allows no overlaps, and this would be one"
            )

    def _words(self, span: Span) -> list[str]:
        return span.text_in(self._view.text).split()
