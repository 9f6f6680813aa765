"""CRFs whose scores come from a small convolutional network: trained by PyTorch, run by numpy."""
