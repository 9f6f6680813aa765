"""What a window can do, its keys, and ways to find it."""
