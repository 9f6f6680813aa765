"""A release under way: what replaces what, what stands in the way, and the writing."""
