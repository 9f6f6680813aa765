"""What a user has chosen, and where they were."""
