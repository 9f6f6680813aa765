"""Tagging: the editor, the types, the table, and what follows a tag."""
