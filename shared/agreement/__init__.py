"""How far two layers agree: pairing, counts, measures, tables."""
