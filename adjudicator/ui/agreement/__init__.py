"""The agreement window."""
