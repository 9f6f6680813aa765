"""The hidden Markov model of IdentiFinder: counted, kept and decoded."""
