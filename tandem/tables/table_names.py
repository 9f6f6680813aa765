"""What the tables of a job are called, by what they say of records."""

NOTES, TAGS, READ, REFERENCE = "notes", "tags", "read", "reference"
"""The tables that jobs read: records, tags, the records that a recognizer read, other tags."""
SECOND, RECOGNIZER = "second", "recognizer"
"""The tags of further readers, beside TAGS."""
ROWS, LEFT_OUT = "rows", "left-out"
"""Tables that jobs write: what is asked for, and the records of which nothing is in it, with the
reason; beside them READ, and TAGS at their new places."""
