"""All that is known of a language, as data in a folder each, and the code that reads it."""
