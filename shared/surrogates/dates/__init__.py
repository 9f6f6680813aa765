"""Dates: read in every form that records have, shifted, and written in the same form again."""
