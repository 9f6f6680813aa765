"""Notes and questions as a pane: the list, what was said, and the box in which one writes."""
