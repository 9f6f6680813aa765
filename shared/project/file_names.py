"""By what a project is told from other folders: names alone, for whoever only looks for one."""

SETTINGS = "tandem.toml"
ASSIGNMENTS = "assignments.csv"
GOLD = "gold"
"""Stands where an annotator's name stands elsewhere, and is none."""
