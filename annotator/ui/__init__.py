"""The annotation window: panes around the document view; it decides nothing itself."""
