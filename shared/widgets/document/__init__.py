"""The text of a patient with everything that is marked in it."""
