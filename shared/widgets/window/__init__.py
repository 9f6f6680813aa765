"""The window on a patient that both programs build on."""
