"""A tag as an object of JSON, or as a list of its offsets and its label."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError
from shared.formats.labels import label_of_type, type_of_label
from shared.model import Origin, PhiType, Span, Tag

_STARTS = ("start", "start_offset", "begin")
_ENDS = ("end", "end_offset")
_LABELS = ("label", "type", "entity_type", "labels")
_TAKEN = frozenset({*_STARTS, *_ENDS, "text"})
"""No attribute can be called so: it would be read as something else."""
_ORIGINS = {str(origin): origin for origin in Origin if origin is not Origin.IMPORT}


@dataclass(frozen=True, slots=True)
class JsonSpan:
    """A tag whose offsets nobody has understood yet; `said` is the text that is said of it."""

    start: int
    end: int
    label: str
    tag_id: str = ""
    said: str | None = None
    comment: str = ""
    origin: Origin = Origin.IMPORT
    confidence: float | None = None
    attributes: tuple[tuple[str, str], ...] = ()

    def tag(self, span: Span, phi_type: PhiType | None = None) -> Tag:
        """The tag at a place, of the type that the label means, or another."""
        return Tag(
            span,
            phi_type or type_of_label(self.label),
            self.tag_id,
            self.comment,
            self.origin,
            self.confidence,
            self.attributes,
        )


def span_in(said: object, where: Path) -> JsonSpan | None:
    """Read a span; None where it has a label alone. Raises FileFormatError."""
    if isinstance(said, str):
        return None
    if isinstance(said, list):
        start, end, label, *_ = [*cast("list[Any]", said), None, None, None]
        return JsonSpan(*_offsets(start, end, where), _label(label, where))
    if not isinstance(said, dict):
        raise FileFormatError(where, "has a tag that is neither a list nor an object; correct it")
    return _from_object({**cast("dict[str, Any]", said)}, where)


def span_out(tag: Tag, suffix: str = "", *, bare: bool = False) -> dict[str, Any]:
    """Return the object of a tag; `suffix` ends the names of its offsets."""
    known: dict[str, Any] = {
        f"start{suffix}": tag.start,
        f"end{suffix}": tag.end,
        "label": label_of_type(tag.phi_type),
        "id": _value(tag.id) if suffix else tag.id,
    }
    if tag.comment:
        known["comment"] = tag.comment
    if tag.origin is not Origin.IMPORT and not bare:
        known["origin"] = str(tag.origin)
        if tag.confidence is not None:
            known["confidence"] = tag.confidence
    others = {name: _value(said) for name, said in tag.attributes if name not in _TAKEN}
    return {**known, **others, **known}


def take_own(said: dict[str, Any]) -> tuple[str, Origin, float | None]:
    """Take comment, origin and confidence out of what is said of a tag, where they are ours."""
    comment = _text(said.pop("comment", ""))
    origin = _ORIGINS.get(str(said.get("origin", "")), Origin.IMPORT)
    if origin is Origin.IMPORT:
        return comment, origin, None
    del said["origin"]
    share = _share(said.get("confidence"))
    if share is not None:
        del said["confidence"]
    return comment, origin, share


def _from_object(said: dict[str, Any], where: Path) -> JsonSpan:
    start, end, label = (
        next((said.pop(name) for name in names if name in said), None)
        for names in (_STARTS, _ENDS, _LABELS)
    )
    offsets = _offsets(start, end, where)
    text, tag_id = said.pop("text", None), said.pop("id", "")
    comment, origin, confidence = take_own(said)
    return JsonSpan(
        *offsets,
        _label(label, where),
        _text(tag_id),
        text if isinstance(text, str) else None,
        comment,
        origin,
        confidence,
        tuple((name, _text(value)) for name, value in said.items()),
    )


def _offsets(start: object, end: object, where: Path) -> tuple[int, int]:
    if isinstance(start, int) and isinstance(end, int) and not isinstance(start, bool):
        return start, end
    raise FileFormatError(where, "has a tag whose offsets are no whole numbers; correct them")


def _label(label: object, where: Path) -> str:
    if isinstance(label, list):
        label = cast("list[object]", label)[0] if label else None
    if isinstance(label, str) and label:
        return label
    raise FileFormatError(where, "has a tag without a label; correct it")


def _share(said: object) -> float | None:
    if isinstance(said, bool) or not isinstance(said, int | float | str):
        return None
    try:
        share = float(said)
    except ValueError:
        return None
    return share if 0 <= share <= 1 else None


def _text(value: object) -> str:
    """A value as an attribute has it: what is no text, as JSON."""
    return value if isinstance(value, str) else json.dumps(value)


def _value(said: str) -> object:
    """The value of an attribute; a number, true, a list are what they were."""
    try:
        value = json.loads(said)
    except (json.JSONDecodeError, RecursionError):
        return said
    is_same = not isinstance(value, str) and json.dumps(value) == said
    return value if is_same and "NaN" not in said and "Infinity" not in said else said
