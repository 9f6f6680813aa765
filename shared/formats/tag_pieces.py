"""Tags in several pieces, which other programs have: in Tandem, several tags that say so."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from shared.errors import FileFormatError
from shared.model import Span, Tag

PIECE_OF = "pieceOf"
"""The attribute of a tag that is one piece of several: the id of the whole."""


def pieces_of(tag: Tag, spans: Sequence[Span]) -> list[Tag]:
    """Return a tag for each of the spans; several have the attribute that holds them together.

    The first has the id of the tag, the others have it with a number.
    """
    if len(spans) == 1:
        return [replace(tag, span=spans[0])]
    whole = tag.id or f"at-{spans[0].start}-{spans[0].end}"
    made = replace(tag, attributes=(*tag.attributes, (PIECE_OF, whole)))
    return [
        replace(made, span=span, id=f"{whole}.{number}" if number > 1 else tag.id)
        for number, span in enumerate(spans, 1)
    ]


def put_together(tags: Iterable[Tag]) -> list[tuple[Tag, list[Span]]]:
    """Return each tag with its spans: the pieces of a whole are one again, as they were read.

    Those of which one was moved over another, changed or removed stay tags of their own.
    """
    wholes: dict[object, list[Tag]] = {}
    for number, tag in enumerate(sorted(tags, key=Tag.sort_key)):
        whole = dict(tag.attributes).get(PIECE_OF)
        wholes.setdefault(number if whole is None else (whole, tag.phi_type), []).append(tag)
    made: list[tuple[Tag, list[Span]]] = []
    for pieces in wholes.values():
        spans = [each.span for each in pieces]
        attributes = tuple(pair for pair in pieces[0].attributes if pair[0] != PIECE_OF)
        whole = replace(pieces[0], attributes=attributes)
        if (
            len(pieces) > 1
            and not _do_overlap(spans)
            and _are_same(pieces, pieces_of(whole, spans))
        ):
            made.append((whole, spans))
        else:
            made += ((each, [each.span]) for each in pieces)
    return made


def _are_same(tags: Sequence[Tag], others: Sequence[Tag]) -> bool:
    pairs = zip(tags, others, strict=True)
    return all(one == other and one.id == other.id for one, other in pairs)


def _do_overlap(spans: Sequence[Span]) -> bool:
    return any(one.overlaps(other) for one, other in pairwise(sorted(spans)))


def refuse_overlapping_pieces(path: Path, tag_id: str, spans: Sequence[Span]) -> None:
    """Raise FileFormatError where two pieces of a tag share a character."""
    if _do_overlap(spans):
        raise FileFormatError(path, f"tag {tag_id} has pieces that overlap; correct them")
