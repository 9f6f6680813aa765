"""The project folder: manifest, assignments, layers, journal and locks, kept with care."""
