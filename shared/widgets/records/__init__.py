"""The records of a patient: as a list beside the text, and on paper."""
