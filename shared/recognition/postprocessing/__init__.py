"""What the records of a patient decide together about what was found in each of them."""
