"""How far two layers agree: measures, significance, official scorers, reports."""
