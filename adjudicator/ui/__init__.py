"""The windows and panes of the adjudicator."""
