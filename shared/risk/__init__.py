"""What may be left in records after all was done: estimates, each with what it rests on."""
