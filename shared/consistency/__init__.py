"""What is tagged in one place of a patient's records and not in another."""
