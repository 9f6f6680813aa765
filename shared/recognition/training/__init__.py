"""Training a recognizer, in this process or in one of its own."""
