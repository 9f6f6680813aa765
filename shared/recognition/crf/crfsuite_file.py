"""Reading a model that CRFsuite wrote, without trusting it.

CRFsuite's own reader takes what it finds at its word, and a truncated or foreign file ends the
process. This one checks every offset, and gives the weights as arrays, from which labels are
computed for whole batches at a time.

The format (CRFsuite 0.12): a header of eleven numbers after the magic, a table of features (kind,
source, target, weight), and two string tables, of labels and of attributes, each a constant
database ("CQDB") whose backward array leads from number to string.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from shared.errors import FileFormatError, StorageError
from shared.outside import MALFORMED, read_bounded

LARGEST_FILE = 1 << 28
MOST_LABELS = 1000
"""Transitions are their square; a schema of 200 types has some 800."""
MOST_WEIGHTS = 1 << 27
"""Labels times attributes."""
LARGEST_WEIGHT = 1e4
_HEADER = struct.Struct("<4sI4sIIIIIIIII")
_FEATURES_AT = 7
"""Which number of the header tells where the features are."""
_FEATURES_HEAD = struct.Struct("<4sII")
_FEATURE = np.dtype([("kind", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
_TABLE = struct.Struct("<4sIIIII")
_RECORD = struct.Struct("<II")
_BYTE_ORDER = 0x62445371


@dataclass(frozen=True, slots=True)
class Weights:
    """A linear-chain CRF: what each attribute says for each label, and each label for the next.

    `states` has a row per attribute and a last row of zeros, a column per label; `attributes`
    leads from an attribute to its row; `transitions[i, j]` is the weight of label j after i.
    """

    labels: tuple[str, ...]
    attributes: dict[str, int]
    states: NDArray[np.float32]
    transitions: NDArray[np.float64]


def read_weights(path: Path) -> Weights:
    """Read the model at `path`.

    Raises StorageError where it cannot be read, FileFormatError where it is no whole model.
    """
    data = read_bounded(path, LARGEST_FILE)
    try:
        return _weights(data)
    except (struct.error, MemoryError, *MALFORMED) as error:
        raise _not_whole(path) from error


def halve_precision(path: Path) -> None:
    """Give the weights of a model eleven binary digits, with which it packs in less room.

    The other digits are zeros. Raises StorageError and FileFormatError.
    """
    data = read_bounded(path, LARGEST_FILE)
    try:
        offset = _HEADER.unpack_from(data)[_FEATURES_AT]
        features = _features(data, offset).copy()
    except (struct.error, *MALFORMED) as error:
        raise _not_whole(path) from error
    features["weight"] = features["weight"].astype(np.float16)
    start = offset + _FEATURES_HEAD.size
    try:
        path.write_bytes(data[:start] + features.tobytes() + data[start + features.nbytes :])
    except OSError as error:
        raise StorageError.from_os(path, error) from error


def _not_whole(path: Path) -> FileFormatError:
    return FileFormatError(path, "is not a whole CRFsuite model; train it again or restore it")


def _weights(data: bytes) -> Weights:
    magic, size, kind, _, _, label_count, attribute_count, *offsets = _HEADER.unpack_from(data)
    if magic != b"lCRF" or kind != b"FOMC" or size > len(data):
        raise ValueError
    features = _features(data, offsets[0])
    if label_count > MOST_LABELS or (attribute_count + 1) * label_count > MOST_WEIGHTS:
        raise ValueError
    labels = _strings(data, offsets[1], label_count)
    attributes = _strings(data, offsets[2], attribute_count)
    states = np.zeros((len(attributes) + 1, len(labels)), np.float32)
    transitions = np.zeros((len(labels), len(labels)))
    is_state = features["kind"] == 0
    _put(states, features[is_state])
    _put(transitions, features[~is_state])
    rows = {attribute: row for row, attribute in enumerate(attributes)}
    return Weights(tuple(labels), rows, states, transitions)


def _put(matrix: NDArray[np.floating], features: NDArray[np.void]) -> None:
    if not (np.abs(features["weight"]) <= LARGEST_WEIGHT).all():
        raise ValueError
    matrix[features["source"], features["target"]] = features["weight"]


def _features(data: bytes, offset: int) -> NDArray[np.void]:
    magic, _, count = _FEATURES_HEAD.unpack_from(data, offset)
    if magic != b"FEAT":
        raise ValueError
    return np.frombuffer(data, _FEATURE, count, offset + _FEATURES_HEAD.size)


def _strings(data: bytes, offset: int, wanted: int) -> list[str]:
    magic, size, _, order, count, backward = _TABLE.unpack_from(data, offset)
    if magic != b"CQDB" or order != _BYTE_ORDER or offset + size > len(data) or count != wanted:
        raise ValueError
    records = struct.unpack_from(f"<{count}I", data, offset + backward)
    if len(set(records)) != count:  # one long string told to be all of them
        raise ValueError
    return [_string(data, offset + record) for record in records]


def _string(data: bytes, offset: int) -> str:
    _, size = _RECORD.unpack_from(data, offset)
    start = offset + _RECORD.size
    text = data[start : start + size]
    if size == 0 or len(text) != size or text[-1]:
        raise ValueError
    return text[:-1].decode()
