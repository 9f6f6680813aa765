"""The release window."""
