"""Training, in this process or another, and what is learnt about suggestions beside a model."""
