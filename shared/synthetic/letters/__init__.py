"""Fabricated letters of hospitals in languages that have templates for them, in a folder each."""

from shared.synthetic.letters.fabricated import FabricatedLetters, fabricate_letters
from shared.synthetic.letters.sources import LetterSet, letter_languages, sets_to_learn

__all__ = [
    "FabricatedLetters",
    "LetterSet",
    "fabricate_letters",
    "letter_languages",
    "sets_to_learn",
]
