"""Running trained CRFs: features weighed, sequences decoded, marginals read."""
