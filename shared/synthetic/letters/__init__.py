"""Fabricated letters of hospitals in languages that have templates for them, in a folder each."""

from shared.synthetic.letters.fabricated import FabricatedLetters, fabricate_letters
from shared.synthetic.letters.sources import LETTERS_TO_LEARN, LetterSet, letter_languages

__all__ = [
    "LETTERS_TO_LEARN",
    "FabricatedLetters",
    "LetterSet",
    "fabricate_letters",
    "letter_languages",
]
