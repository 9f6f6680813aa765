"""The tables of the papers made anew: corpora, systems, figures beside those printed there."""
