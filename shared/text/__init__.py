"""Text as positions: words, occurrences of a phrase, tokens, UTF-16 units, what lies where."""
