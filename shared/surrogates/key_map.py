"""The map from authentic to surrogate, encrypted: it is a key to the patients.

The file is a line of JSON that tells how the key is made of the passphrase (scrypt, RFC 7914), and
a token of Fernet (AES-128 in CBC mode with HMAC-SHA256) of the library cryptography.
"""

import base64
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError, RequestError
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.restoring import digest_of

FORMAT = "tandem surrogate map 1"
LEAST = 12
"""A passphrase has at least so many characters."""

_COST = {"n": 2**16, "r": 8, "p": 1}
_DEAREST = 2**20


def check_passphrase(passphrase: str) -> None:
    """Raise RequestError where a passphrase is too short."""
    if len(passphrase) < LEAST:
        raise RequestError(f"the passphrase of the map must have {LEAST} characters or more")


def encrypted_map(
    patients: Iterable[SurrogatePatient],
    new_ids: Mapping[str, str],
    passphrase: str,
    texts: Mapping[str, str] | None = None,
) -> bytes:
    """Return the file's content. `new_ids` are those of records that were given new ones.

    By the authentic `texts` of records, which are not in it, one can tell that they were restored.
    Raises RequestError where the passphrase is too short.
    """
    from cryptography.fernet import Fernet

    check_passphrase(passphrase)
    salt = os.urandom(16)
    head = {"format": FORMAT, "salt": base64.b64encode(salt).decode(), **_COST}
    digests = {record_id: digest_of(text) for record_id, text in (texts or {}).items()}
    rows = [
        {
            "patient": patient.patient.id,
            "record": each.record_id,
            "released_as": new_ids.get(each.record_id, each.record_id),
            "start": each.tag.start,
            "end": each.tag.end,
            "type": str(each.tag.phi_type),
            "original": each.original,
            "surrogate": each.surrogate,
            "source": digests.get(each.record_id, ""),
        }
        for patient in patients
        for each in patient.replacements
    ]
    token = Fernet(_key(passphrase, salt, _COST)).encrypt(json.dumps(rows).encode())
    return json.dumps(head).encode() + b"\n" + token + b"\n"


def decrypted_map(data: bytes, path: Path, passphrase: str) -> list[dict[str, Any]]:
    """Return the rows of a map. Raises FileFormatError, RequestError for a wrong passphrase."""
    from cryptography.fernet import Fernet, InvalidToken

    line, _, token = data.partition(b"\n")
    try:
        head = cast("dict[str, Any]", json.loads(line))
        cost = {name: int(head[name]) for name in _COST}
        salt = base64.b64decode(head["salt"], validate=True)
        known = head["format"] == FORMAT and max(cost.values()) <= _DEAREST
    except (ValueError, KeyError, TypeError):
        known, cost, salt = False, _COST, b""
    if not known:
        raise FileFormatError(path, "is not a map of surrogates")
    try:
        rows = Fernet(_key(passphrase, salt, cost)).decrypt(token.strip())
    except InvalidToken:
        raise RequestError(f"{path}: the passphrase is not the one it was written with") from None
    return cast("list[dict[str, Any]]", json.loads(rows))


def _key(passphrase: str, salt: bytes, cost: Mapping[str, int]) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    made = Scrypt(salt=salt, length=32, n=cost["n"], r=cost["r"], p=cost["p"])
    return base64.urlsafe_b64encode(made.derive(passphrase.encode()))
