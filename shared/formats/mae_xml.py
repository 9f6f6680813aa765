"""What MAE and MedTator need: `spans` in UTF-16 units, and the text in a single CDATA section."""

from shared.errors import ModelError
from shared.formats.xml_characters import attribute, cdata, is_xml_name
from shared.model import Layer, Tag
from shared.text.utf16 import Utf16Map

TASK = "deIdi2b2"
"""The root element, which must be the name of the task definition."""


def format_mae(text: str, layer: Layer) -> bytes:
    """Return the file that MAE opens; elements that Tandem does not know are left out.

    Raises ModelError where the text holds `]]>`, which MAE cannot read, or a tag lies outside it.
    """
    if "]]>" in text:
        offset = text.index("]]>")
        raise ModelError(
            f"record {layer.record_id} holds ]]> at {offset}, which MAE cannot read; leave it out"
        )
    units = Utf16Map(text)
    lines = [
        '<?xml version="1.0" encoding="UTF-8" ?>',
        f"<{TASK}>",
        f"<TEXT>{cdata(text)}</TEXT>",
        "<TAGS>",
        *(_element(tag, text, units) for tag in layer.tags),
        "</TAGS>",
        f"</{TASK}>",
        "",
    ]
    return "\n".join(lines).encode()


def _element(tag: Tag, text: str, units: Utf16Map) -> str:
    category = tag.phi_type.category
    if tag.end > len(text) or not is_xml_name(category):
        raise ModelError(f"tag {tag.id} lies outside its record or has no category that MAE knows")
    pairs = {
        "id": tag.id,
        "spans": f"{units.to_units(tag.start)}~{units.to_units(tag.end)}",
        "text": " ".join(tag.span.text_in(text).split("\n")),
        "TYPE": tag.phi_type.name,
        "comment": tag.comment,
    }
    return f"<{category}{''.join(attribute(*pair) for pair in pairs.items())} />"
