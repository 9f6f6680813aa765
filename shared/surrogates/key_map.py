"""The map from authentic to surrogate, encrypted: it is a key to the patients."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, cast

from shared.encryption import check_passphrase, decrypted, encrypted
from shared.outside import parse_json
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
    return cast("list[dict[str, Any]]", parse_json(rows))
