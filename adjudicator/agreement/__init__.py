"""The agreement of a project as its window shows it, narrowed, and the tags behind a number."""
