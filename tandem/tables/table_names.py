"""What the tables of a job are called, by what they say of records."""

from collections.abc import Mapping, Sequence
from typing import Any

NOTES, TAGS, READ, REFERENCE = "notes", "tags", "read", "reference"
"""The tables that jobs read: records, tags, the records that a recognizer read, other tags."""
SECOND, RECOGNIZER = "second", "recognizer"
"""The tags of further readers, beside TAGS."""
ROWS, LEFT_OUT = "rows", "left-out"
"""Tables that jobs write: what is asked for, and the records of which nothing is in it, with the
reason; beside them READ, and TAGS at their new places."""

TableRows = Mapping[str, Sequence[Mapping[Any, Any]]]
"""The rows that tables, by name, have of one patient; each leads from names of columns to cells."""
