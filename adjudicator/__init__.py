"""The adjudication window and what it knows: two annotators' layers in, one gold standard out."""
