"""Training a recognizer, in this process or beside it."""
