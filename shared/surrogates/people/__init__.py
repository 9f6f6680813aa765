"""Names of people: taken apart, replaced word by word, and put together in the same form."""
