"""The findings of the consistency check as a pane."""
