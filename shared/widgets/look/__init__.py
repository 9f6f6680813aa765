"""Colours, controls, icons and how keys are drawn."""
