"""Qt parts that both windows use. They know values, text, icons and guidelines, no sessions."""
