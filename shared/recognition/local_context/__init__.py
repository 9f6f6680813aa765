"""What Stat De-id sees of a word: itself, what stands beside it, and what it is linked to."""
