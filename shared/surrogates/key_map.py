"""The map from authentic to surrogate, encrypted: it is a key to the patients."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from shared.encryption import check_passphrase, decrypted, encrypted
from shared.errors import FileFormatError
from shared.outside import MALFORMED, parse_json
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.restoring import digest_of

FORMAT = "tandem surrogate map 1"


def check_map_passphrase(passphrase: str) -> None:
    """Raise RequestError where the passphrase of a map is too short."""
    check_passphrase(passphrase, "the map")


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
    check_map_passphrase(passphrase)
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
    return encrypted(json.dumps(rows).encode(), FORMAT, passphrase)


def decrypted_map(data: bytes, path: Path, passphrase: str) -> list[dict[str, Any]]:
    """Return the rows of a map. Raises FileFormatError, RequestError for a wrong passphrase."""
    rows = decrypted(data, FORMAT, passphrase, path, "a map of surrogates")
    try:
        return [_row(each) for each in parse_json(rows)]
    except MALFORMED:
        raise FileFormatError(path, "does not hold a map of surrogates; restore it") from None


def _row(said: Any) -> dict[str, Any]:  # noqa: ANN401
    """A row, if it tells what stood where. Raises one of `MALFORMED`."""
    row: dict[str, Any] = dict(said)
    words = [row["record"], row["released_as"], row["original"], row["surrogate"]]
    if not all(isinstance(each, str) for each in words) or type(row["start"]) is not int:
        raise TypeError
    return row
