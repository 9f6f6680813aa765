"""Places: regions, cities and postal codes that agree, countries, institutions and streets."""
