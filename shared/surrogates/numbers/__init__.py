"""Numbers, contacts and ages: new digits and letters in the same format."""
