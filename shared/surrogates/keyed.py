"""Placeholders with pseudonyms in place of PHI: `[PATIENT-KQZMTRWVBD]`, made with a secret key.

Whoever has not the key can neither make the pseudonym of a name to look for it, nor tell whether
those of two patients mean the same: each patient's are made with a key of their own, which nobody
keeps. With a key from outside, what is written alike is named alike in all patients and releases.
"""

import hashlib
import hmac
from collections.abc import Sequence
from random import Random

from shared.model import Patient
from shared.surrogates.identities import identities_of
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.surrogates.surrogate_kinds import SurrogateSettings
from shared.surrogates.tags import placeholders

LEAST_KEY = 32
"""A key has at least so many bytes."""

_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""Without vowels, so that no pseudonym is a word."""
_LENGTH = 10
_KEY_BITS = 256


def keyed(
    patient: Patient,
    mentions: Sequence[PhiMention],
    settings: SurrogateSettings,
    randomness: Random,
) -> dict[int, Surrogate]:
    """Return the placeholder of every mention: its type and a pseudonym."""
    key = settings.key or randomness.getrandbits(_KEY_BITS).to_bytes(_KEY_BITS // 8)
    identities = identities_of(patient, mentions, settings)
    return placeholders(mentions, identities, lambda identity: pseudonym(key, *identity))


def pseudonym(key: bytes, type_name: str, text: str) -> str:
    """The name that stands for a text of a type: letters of an HMAC-SHA-256."""
    digest = hmac.new(key, f"{type_name}\0{text}".encode("utf-8", "surrogatepass"), hashlib.sha256)
    number = int.from_bytes(digest.digest())
    letters: list[str] = []
    for _ in range(_LENGTH):
        number, place = divmod(number, len(_LETTERS))
        letters.append(_LETTERS[place])
    return "".join(letters)
