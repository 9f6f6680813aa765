"""What may be PHI in a patient's records, and how sure to be of it."""
