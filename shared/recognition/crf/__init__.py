"""CRFs trained and run: features weighed, sequences decoded, marginals read."""
