"""Gold standards spoilt as people spoil them, each with the authentic text that is left over."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from shared.language.date_mentions import read_date
from shared.language.languages import Language
from shared.model import Document, Layer, PhiType, Schema, Span, Tag
from shared.model.phi_traits import EntityKind

Records = Sequence[tuple[Document, Layer]]

NAMED = (EntityKind.PERSON, EntityKind.HOSPITAL, EntityKind.STREET, EntityKind.CITY)
DIGITS = (
    *(EntityKind.PHONE, EntityKind.FAX, EntityKind.RECORD_NUMBER, EntityKind.NUMBER),
    *(EntityKind.SSN, EntityKind.HEALTH_PLAN, EntityKind.POSTAL_CODE, EntityKind.ACCOUNT),
)
_DAY_WRITTEN = {"es": "{day} de {month}", "de": "{day}. {month}"}
_OTHER_KIND = {
    EntityKind.PERSON: (EntityKind.DATE, EntityKind.AGE, EntityKind.PROFESSION),
    EntityKind.DATE: (EntityKind.PERSON, EntityKind.AGE),
    EntityKind.RECORD_NUMBER: (EntityKind.AGE, EntityKind.DATE),
    EntityKind.PHONE: (EntityKind.AGE, EntityKind.DATE),
    EntityKind.HOSPITAL: (EntityKind.AGE, EntityKind.PERSON),
    EntityKind.STREET: (EntityKind.DATE, EntityKind.AGE),
}


@dataclass(frozen=True, slots=True)
class Spoilt:
    """Records with one fault, and what of a direct identifier or date it leaves at `span`."""

    sort: str
    records: Records
    record_id: str
    span: Span


class NothingToSpoilError(Exception):
    """The patient has no place for a fault of this sort."""


@dataclass(slots=True)
class Spoiler:
    """One patient's gold standard, about to be spoilt once."""

    records: Records
    schema: Schema
    language: Language
    rng: Random

    def tags(self, *kinds: EntityKind) -> list[tuple[int, Tag, str]]:
        """Number of the record, tag and text of each tag of these kinds, in random order."""
        found = [
            (at, tag, tag.span.text_in(document.text))
            for at, (document, layer) in enumerate(self.records)
            for tag in layer.tags
            if not kinds or self.schema.traits_of(tag.phi_type).kind in kinds
            if not any(tag.span.overlaps(other.span) for other in layer.tags if other is not tag)
        ]
        self.rng.shuffle(found)
        return found

    def type_of(self, *kinds: EntityKind) -> PhiType:
        for kind in kinds:
            for each in self.schema.types():
                if self.schema.traits_of(each.phi_type).kind is kind:
                    return each.phi_type
        raise NothingToSpoilError

    def spoilt(
        self, sort: str, at: int, left: Span, tags: Sequence[Tag], text: str | None = None
    ) -> Spoilt:
        """The records with other tags, and maybe another text, in one of them."""
        document, layer = self.records[at]
        changed = list(self.records)
        changed[at] = (
            document if text is None else replace(document, text=text),
            Layer.of(document.record_id, layer.annotator, tags),
        )
        return Spoilt(sort, changed, document.record_id, left)

    def without(self, at: int, tag: Tag) -> list[Tag]:
        return [each for each in self.records[at][1].tags if each is not tag]

    def cut(self, sort: str, at: int, tag: Tag, kept: Span) -> Spoilt:
        """The tag over a part of what it was over; the rest is left."""
        left = Span(kept.end, tag.end) if kept.end < tag.end else Span(tag.start, kept.start)
        return self.spoilt(sort, at, left, [*self.without(at, tag), replace(tag, span=kept)])

    def rewritten(
        self, sort: str, at: int, tag: Tag, new: str, kept: Span | None, left: Span
    ) -> Spoilt:
        """Other text in place of a tag's; `kept` and `left` lie in the new text, from 0."""
        document, layer = self.records[at]
        moved = len(new) - len(tag.span)
        tags = [
            each if each.end <= tag.start else replace(each, span=each.span.shifted(moved))
            for each in layer.tags
            if each is not tag
        ]
        tags += [replace(tag, span=kept.shifted(tag.start))] if kept else []
        text = document.text[: tag.start] + new + document.text[tag.end :]
        return self.spoilt(sort, at, left.shifted(tag.start), tags, text)


def _partial_date(spoiler: Spoiler) -> Spoilt:
    """`03/14` of `03/14/2071`, `March` of `March 3`, `3, 2071` of `March 3, 2071`."""
    for at, tag, text in spoiler.tags(EntityKind.DATE):
        edges = [each.span() for each in re.finditer(r"[^\W\d_]+|\d+", text)]
        if len(edges) < 2 or not any(char.isdigit() for char in text):
            continue
        cut = spoiler.rng.randrange(1, len(edges))
        kept = Span(0, edges[cut - 1][1]), Span(edges[cut][0], len(text))
        chosen = spoiler.rng.choice(kept)
        left = text[chosen.end :] if chosen.start == 0 else text[: chosen.start]
        if re.search(r"\d", left) or re.search(r"[^\W\d_]{4}", left):
            return spoiler.cut("partial date", at, tag, chosen.shifted(tag.start))
    raise NothingToSpoilError


def _glued(spoiler: Spoiler) -> Spoilt:
    """A letter or two of a word, or digits of a number, left outside the tag."""
    for at, tag, text in spoiler.tags(*NAMED, *DIGITS, EntityKind.DATE):
        length = spoiler.rng.randrange(1, 4)
        if len(text) < length + 3:
            continue
        starts = (0, len(text) - length)
        start = spoiler.rng.choice(starts)
        left, inner = text[start : start + length], text[length if start == 0 else start - 1]
        if left.isalnum() and inner.isalnum():
            kept = Span(length, len(text)) if start == 0 else Span(0, start)
            return spoiler.cut("glued", at, tag, kept.shifted(tag.start))
    raise NothingToSpoilError


def _half_name(spoiler: Spoiler) -> Spoilt:
    return _half(spoiler, "half name", r"[^\W\d_]{2,}", EntityKind.PERSON)


def _half_number(spoiler: Spoiler) -> Spoilt:
    return _half(spoiler, "half number", r"\d{2,}", *DIGITS)


def _half(spoiler: Spoiler, how: str, part: str, *kinds: EntityKind) -> Spoilt:
    """A tag of which the first of several parts is left out, or the last."""
    for at, tag, text in spoiler.tags(*kinds):
        parts = [each.span() for each in re.finditer(part, text)]
        if len(parts) < 2:
            continue
        kept = spoiler.rng.choice((Span(parts[1][0], len(text)), Span(0, parts[-2][1])))
        return spoiler.cut(how, at, tag, kept.shifted(tag.start))
    raise NothingToSpoilError


def _half_address(spoiler: Spoiler) -> Spoilt:
    for at, tag, text in spoiler.tags(EntityKind.STREET):
        found = re.match(r"(\d+\w?)\s+(\S.*)", text) or re.match(r"(\D+?),?\s+(\d+\w?)$", text)
        if not found:
            continue
        which = 2 if text[0].isdigit() else 1
        return spoiler.cut("half address", at, tag, Span(*found.span(which)).shifted(tag.start))
    raise NothingToSpoilError


def _wrong_type(spoiler: Spoiler) -> Spoilt:
    for at, tag, _ in spoiler.tags(*_OTHER_KIND):
        kinds = list(_OTHER_KIND[spoiler.schema.traits_of(tag.phi_type).kind])
        spoiler.rng.shuffle(kinds)
        other = replace(tag, phi_type=spoiler.type_of(*kinds))
        return spoiler.spoilt("wrong type", at, tag.span, [*spoiler.without(at, tag), other])
    raise NothingToSpoilError


def _overlap(spoiler: Spoiler) -> Spoilt:
    """A longer tag reaches into this one, which the release leaves out: its tail is left."""
    for at, tag, text in spoiler.tags(EntityKind.PERSON, EntityKind.DATE, *DIGITS):
        cut = re.search(r"(?<=\w)\W+(?=\w)", text)
        if cut is None:
            continue
        document, layer = spoiler.records[at]
        before = max((each.end for each in layer.tags if each.end <= tag.start), default=0)
        start = max(before, tag.start - len(text) - 2)
        while start < tag.start and not document.text[start].isalnum():
            start += 1
        reaching = Tag(Span(start, tag.start + cut.start()), spoiler.type_of(EntityKind.HOSPITAL))
        if len(reaching.span) > len(tag.span):
            left = Span(tag.start + cut.end(), tag.end)
            return spoiler.spoilt("overlap", at, left, [*layer.tags, reaching])
    raise NothingToSpoilError


def _line_end(spoiler: Spoiler) -> Spoilt:
    """A name or number broken over a line end, of which one part is tagged."""
    for at, tag, text in spoiler.tags(EntityKind.PERSON, EntityKind.CITY, *DIGITS):
        found = re.search(r"[^\W_]{6,}", text)
        if found is None:
            continue
        cut = found.start() + spoiler.rng.randrange(2, len(found[0]) - 2)
        joint = "-\n" if text[cut].isalpha() else "\n"
        new = text[:cut] + joint + text[cut:]
        first, second = Span(0, cut), Span(cut + len(joint), len(new))
        kept, left = (first, second) if spoiler.rng.random() < 0.5 else (second, first)
        return spoiler.rewritten("split by line end", at, tag, new, kept, left)
    raise NothingToSpoilError


def _repeated(spoiler: Spoiler, *kinds: EntityKind) -> tuple[int, Tag, str]:
    times = Counter(text for _, _, text in spoiler.tags())
    for at, tag, text in spoiler.tags(*kinds):
        if times[text] > 1 and len(text) > 3:
            return at, tag, text
    raise NothingToSpoilError


def _untagged_repeat(spoiler: Spoiler) -> Spoilt:
    kinds = (*NAMED, *DIGITS, EntityKind.DATE)
    at, tag, _ = _repeated(spoiler, *kinds)
    return spoiler.spoilt("untagged repeat", at, tag.span, spoiler.without(at, tag))


def _other_form(spoiler: Spoiler) -> Spoilt:
    """An untagged repeat in capitals, without its accents' marks, or broken at its blank."""
    at, tag, text = _repeated(spoiler, EntityKind.PERSON, EntityKind.HOSPITAL, EntityKind.STREET)
    forms = (text.upper(), text.replace(" ", "\n"), text.replace(" ", "  "))
    new = spoiler.rng.choice([each for each in forms if each != text] or [text])
    left = Span(0, len(new))
    return spoiler.rewritten("untagged in another form", at, tag, new, None, left)


def _family_name(spoiler: Spoiler) -> Spoilt:
    """The family name of somebody, with an initial, untagged."""
    for at, tag, text in spoiler.tags(EntityKind.PERSON):
        found = re.fullmatch(r"([^\W\d_])[^\W\d_]+ ([^\W\d_]{3,})", text)
        if found and Counter(t for _, _, t in spoiler.tags())[text] > 1:
            new = f"{found[1]}. {found[2]}"
            left = Span(0, len(new))
            return spoiler.rewritten("initial and family name", at, tag, new, None, left)
    raise NothingToSpoilError


def _year_alone(spoiler: Spoiler) -> Spoilt:
    """The year of one of the patient's dates stands alone in a sentence."""
    for at, _, text in spoiler.tags(EntityKind.DATE):
        found = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)
        spoilt = found and told_again(spoiler, "year alone", at, found[0])
        if spoilt:
            return spoilt
    raise NothingToSpoilError


def _other_day(spoiler: Spoiler) -> Spoilt:
    """One of the patient's dates stands in a sentence again, with its month as a word."""
    written = _DAY_WRITTEN.get(spoiler.language.code, "{month} {day}")
    names = spoiler.language.dates.months
    for at, _, text in spoiler.tags(EntityKind.DATE):
        date = read_date(text, spoiler.language)
        if date is None or not date.has_day or len(date.readings) > 1:
            continue
        day = date.readings[0]
        month = names[day.month - 1]
        words = written.format(month=month.title(), day=day.day)
        spoilt = told_again(spoiler, "day in another form", at, words)
        if spoilt and words not in text:
            return spoilt
    raise NothingToSpoilError


def told_again(spoiler: Spoiler, sort: str, at: int, words: str) -> Spoilt | None:
    """The words in brackets at the end of a sentence; None where there is none."""
    document, layer = spoiler.records[at]
    ends = re.search(r"[a-záéíóú]{4}(?=\.\s)", document.text)
    added = f" ({words})"
    if ends is None or any(each.start < ends.end() < each.end for each in layer.tags):
        return None
    tags = [
        each if each.start < ends.end() else replace(each, span=each.span.shifted(len(added)))
        for each in layer.tags
    ]
    new = document.text[: ends.end()] + added + document.text[ends.end() :]
    left = Span(ends.end() + 2, ends.end() + 2 + len(words))
    return spoiler.spoilt(sort, at, left, tags, new)


def _last_digits(spoiler: Spoiler) -> Spoilt:
    """A number given again by its last four digits, untagged."""
    for at, tag, text in spoiler.tags(*DIGITS):
        digits = "".join(filter(str.isdigit, text))
        if len(digits) >= 7:
            new = f"{text} (…{digits[-4:]})"
            left = Span(len(new) - 5, len(new) - 1)
            return spoiler.rewritten("last four digits", at, tag, new, Span(0, len(text)), left)
    raise NothingToSpoilError


SORTS: dict[str, Callable[[Spoiler], Spoilt]] = {
    "partial date": _partial_date,
    "glued": _glued,
    "half name": _half_name,
    "half number": _half_number,
    "half address": _half_address,
    "wrong type": _wrong_type,
    "overlap": _overlap,
    "split by line end": _line_end,
    "untagged repeat": _untagged_repeat,
    "untagged in another form": _other_form,
    "initial and family name": _family_name,
    "year alone": _year_alone,
    "day in another form": _other_day,
    "last four digits": _last_digits,
}
