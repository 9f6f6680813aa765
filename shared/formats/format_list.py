"""The file formats by name, for whoever only names them: no reader of theirs is imported here."""

from collections.abc import Mapping
from typing import NamedTuple

_FIELDS: Mapping[str, str] = {
    name: f"the name of the {name}'s field"
    for name in ("record", "patient", "date", "kind", "text")
}
"""Options of formats whose records are rows or objects."""


class ListedFormat(NamedTuple):
    """What is told of a format before it is used: `options` by name, with what each is."""

    title: str
    options: Mapping[str, str] = {}
    has_tags: bool = True


LISTED: Mapping[str, ListedFormat] = {
    "xmi": ListedFormat(
        "UIMA CAS",
        {
            "type": "the type of the annotations that are tags, or package.* for all of a package",
            "feature": "the feature that holds the label",
            "as": "xmi or json, to be written",
            "annotator": "whose annotations to read, where there are several",
        },
    ),
    "i2b2": ListedFormat("XML of i2b2 2014"),
    "mae": ListedFormat("XML of MAE"),
    "medtator": ListedFormat("XML of MedTator"),
    "brat": ListedFormat("brat"),
    "conll": ListedFormat("CoNLL columns in BIO"),
    "jsonl": ListedFormat(
        "JSON lines", {**_FIELDS, "tags": "the name of the tags' field: spans, label, entities"}
    ),
    "labelstudio": ListedFormat(
        "Label Studio",
        {
            **_FIELDS,
            "annotator": "whose annotations to read, where there are several",
            "predictions": "yes, to read what models have predicted in the place of annotations",
        },
    ),
    "table": ListedFormat(
        "table", {**_FIELDS, "as": "csv, tsv or parquet, to be written"}, has_tags=False
    ),
    "text": ListedFormat("plain text", has_tags=False),
}
"""Where several could read a file and none is named, the first does."""

LISTED_TAGGED = tuple(name for name, each in LISTED.items() if each.has_tags)
"""The names of the formats that hold tags."""
