"""Data under a passphrase: maps to originals, and work that is handed to somebody.

A file is a line of JSON that tells what it is and how the key is made of the passphrase (scrypt,
RFC 7914), and a token of Fernet (AES-128 in CBC mode with HMAC-SHA256) of the library cryptography.
"""

import base64
import json
import os
from collections.abc import Mapping
from pathlib import Path

from shared.errors import FileFormatError, RequestError
from shared.outside import MALFORMED, parse_json_object

LEAST = 12
"""A passphrase has at least so many characters."""

_COST = {"n": 2**16, "r": 8, "p": 1}
_DEAREST = 2**22
"""The product of the costs that a file may ask for: eight times our own."""


def check_passphrase(passphrase: str, of: str) -> None:
    """Raise RequestError where the passphrase `of` something is too short."""
    if len(passphrase) < LEAST:
        raise RequestError(f"the passphrase of {of} must have {LEAST} characters or more")


def encrypted(data: bytes, form: str, passphrase: str) -> bytes:
    """Return the content of a file of the form, such as `tandem surrogate map 1`."""
    from cryptography.fernet import Fernet

    salt = os.urandom(16)
    head = {"format": form, "salt": base64.b64encode(salt).decode(), **_COST}
    token = Fernet(_key(passphrase, salt, _COST)).encrypt(data)
    return json.dumps(head).encode() + b"\n" + token + b"\n"


def decrypted(content: bytes, form: str, passphrase: str, path: Path, what: str) -> bytes:
    """Return the data of a file at `path`, which should be `what` and of this form.

    Raises FileFormatError where it is not, RequestError for a wrong passphrase.
    """
    from cryptography.fernet import Fernet, InvalidToken

    line, _, token = content.partition(b"\n")
    try:
        head = parse_json_object(line)
        cost = {name: int(head[name]) for name in _COST}
        salt = base64.b64decode(head["salt"], validate=True)
        known = head["format"] == form and _is_payable(cost)
    except MALFORMED:
        known, cost, salt = False, _COST, b""
    if not known:
        raise FileFormatError(path, f"is not {what}")
    try:
        return Fernet(_key(passphrase, salt, cost)).decrypt(token.strip())
    except InvalidToken:
        raise RequestError(
            f"{path}: the passphrase is not the one it was written with, or the file is damaged"
        ) from None


def _is_payable(cost: Mapping[str, int]) -> bool:
    """Whether a key can be made at this cost, in at most 256 MB and some seconds."""
    n, r, p = (cost[name] for name in _COST)
    is_sound = n > 1 and n & (n - 1) == 0 and r > 0 and p > 0
    return is_sound and n * r <= 2**21 and n * r * p <= _DEAREST


def _key(passphrase: str, salt: bytes, cost: Mapping[str, int]) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    made = Scrypt(salt=salt, length=32, n=cost["n"], r=cost["r"], p=cost["p"])
    return base64.urlsafe_b64encode(made.derive(passphrase.encode()))
