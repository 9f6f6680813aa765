"""What is particular to a language: kinds of words, patterns, and where names come from."""
