"""Tags of a patient with masks: places over which a placeholder stands instead of a surrogate."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from shared.language.date_grammar import parse
from shared.language.languages import Language
from shared.model import Layer, Patient, PhiType, Span, Tag
from shared.surrogates.mentions import placeholder
from shared.surrogates.surrogate_kinds import ManualSurrogate, SurrogateKind, SurrogateSettings
from shared.text.scripts import is_unspaced
from shared.text.words import snapped

Place = tuple[str, Span]

_JOINED = re.compile(r"[^\W_]+(?:[-./:'’_@\u00ad\u2010-\u2012+#][^\W_]+)*")
_REACH = 60
"""How far a word, number or date is looked for on either side."""


class MaskedTags:
    """The tags of a patient's records, to which masks are put one after the other."""

    def __init__(
        self, patient: Patient, gold: Mapping[str, Layer], settings: SurrogateSettings
    ) -> None:
        self._texts = {each.record_id: each.text for each in patient.documents}
        self._gold = dict(gold)
        self._settings = settings
        self._masks: dict[str, dict[Span, PhiType]] = {each: {} for each in self._texts}

    @property
    def gold(self) -> Mapping[str, Layer]:
        return self._gold

    @property
    def places(self) -> frozenset[Place]:
        return frozenset(
            (record_id, span) for record_id, masks in self._masks.items() for span in masks
        )

    def choices(self, draft: str) -> tuple[ManualSurrogate, ...]:
        """What makes the surrogates of a draft placeholders where there are masks."""
        return tuple(
            ManualSurrogate(record_id, span, placeholder(phi_type), draft=draft)
            for record_id, masks in self._masks.items()
            for span, phi_type in masks.items()
        )

    def covers(self, record_id: str, span: Span) -> bool:
        """Whether one mask has all of a place."""
        return any(each.contains(span) for each in self._masks[record_id])

    def has_tagged(self, record_id: str, span: Span) -> bool:
        """Whether tags have every letter and digit of a place."""
        tags = (each for each in self._gold[record_id].tags if each.span.overlaps(span))
        tagged = {at for each in tags for at in range(each.start, each.end)}
        text = self._texts[record_id]
        return all(at in tagged for at in range(span.start, span.end) if text[at].isalnum())

    def mask(self, record_id: str, span: Span, phi_type: PhiType) -> bool:
        """Put a mask over the place and all of the word, number, date and tags that it touches.

        It is of the type of the longest tag there, else of this type. False where it is there.
        """
        if self.covers(record_id, span):
            return False
        layer = self._gold[record_id]
        whole = self._whole(record_id, span, phi_type)
        inside: list[Tag] = []
        while found := [
            each for each in layer.tags if each not in inside and each.span.overlaps(whole)
        ]:
            inside += found
            whole = _union(whole, (each.span for each in found))
        longest = max(inside, key=lambda each: len(each.span), default=None)
        kept = [each for each in layer.tags if each not in inside]
        own = Tag(whole, longest.phi_type if longest else phi_type)
        self._gold[record_id] = Layer.of(record_id, layer.annotator, [*kept, own])
        masks = self._masks[record_id]
        for covered in [each for each in masks if each.overlaps(whole)]:
            del masks[covered]
        masks[whole] = own.phi_type
        return True

    def _whole(self, record_id: str, span: Span, phi_type: PhiType) -> Span:
        text = self._texts[record_id]
        span = Span(span.start, min(span.end, len(text)))
        whole = snapped(text, span.start, span.end) or span
        if not any(map(is_unspaced, span.text_in(text))):
            whole = _union(whole, _around(_JOINED, text, whole))
        if self._settings.kinds.kind(phi_type) is SurrogateKind.DATE:
            whole = _union(whole, _dates(text, whole, self._settings.language))
        return whole


def without_tags(gold: Mapping[str, Layer], places: Iterable[Place]) -> dict[str, Layer]:
    """The layers less the tags at exactly these places."""
    gone = set(places)
    return {
        record_id: replace(
            layer, tags=tuple(each for each in layer.tags if (record_id, each.span) not in gone)
        )
        for record_id, layer in gold.items()
    }


def _union(span: Span, others: Iterable[Span]) -> Span:
    every = [span, *others]
    return Span(min(each.start for each in every), max(each.end for each in every))


def _around(pattern: re.Pattern[str], text: str, span: Span) -> list[Span]:
    low, high = max(0, span.start - _REACH), min(len(text), span.end + _REACH)
    found = (Span(*each.span()) for each in pattern.finditer(text, low, high))
    return [each for each in found if each.overlaps(span)]


def _dates(text: str, span: Span, language: Language) -> list[Span]:
    low, high = max(0, span.start - _REACH), min(len(text), span.end + _REACH)
    found = (
        Span(low + min(part.start for part in each.parts), low + each.end)
        for each in parse(text[low:high], language).expressions
    )
    return [each for each in found if each.overlaps(span)]
