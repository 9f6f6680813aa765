"""The annotation window and what it knows: one annotator, one patient at a time."""
