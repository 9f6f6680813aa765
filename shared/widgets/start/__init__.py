"""Before a project is open: the start window and the new project."""
