"""What is counted where two layers stand side by side: clusters of tags, precision, recall, F1."""
