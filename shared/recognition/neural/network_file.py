"""A network as a file: arrays in numpy's own archive (npz), none of them a pickle, none compressed.

`names` holds labels, attributes and characters as JSON; the others are those of `network_of`.
`numpy.load` reads the file, but would believe what an archive and its arrays say of their size;
this reader takes only what `numpy.savez` writes of plain numbers, and as much as there is.
"""

import io
import json
import math
import os
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shared.errors import FileFormatError, storage_errors
from shared.outside import MALFORMED, parse_json_object, read_bounded
from shared.recognition.crf.crfsuite_file import LARGEST_FILE, LARGEST_WEIGHT, MOST_LABELS
from shared.recognition.neural.network import (
    REACH,
    Affine,
    Network,
    NetworkLayer,
    Norm,
    Vectors,
)

MOST_LAYERS = 16
WIDEST = 2048
"""Numbers of a token, a word or a character."""
FARTHEST = 64
"""How far apart the tokens are at most that a layer sees."""
FORBIDDEN = -1000.0
"""The score of a label after one that it cannot follow."""
VECTOR_STEPS = 64
"""Vectors that are whole 64ths are stored as these, a byte each."""
_NAMES = "names"
_KINDS = {
    _NAMES: ("|u1",),
    "dilations": ("<i8",),
    "vectors": ("|i1", "<f2"),
    "layer_weights": ("<f2", "<f4"),
}
_FLOATS = ("<f4",)
_ARRAYS = (
    *("vectors", "character_vectors", "dilations", "transitions", "norm_scale", "norm_shift"),
    *("layer_scales", "layer_shifts", "layer_weights", "layer_bias"),
    *("word_weights", "word_bias", "token_weights", "token_bias", "output_weights", "output_bias"),
)
_HEADER = re.compile(
    rb"\x93NUMPY\x01\x00(..)"
    rb"\{'descr': '([|<]\w\d)', 'fortran_order': False, 'shape': \(([\d, ]{0,60})\), \} *\n",
    re.DOTALL,
)
_BROKEN = (
    *(EOFError, MemoryError, OSError, RuntimeError, struct.error),
    *(zipfile.BadZipFile, *MALFORMED),
)
"""What reading an archive that is none ends in."""

Arrays = Mapping[str, NDArray[Any]]


def write_network(path: Path, network: Network) -> None:
    """Write a network, readable by its owner only. Raises StorageError."""
    names = {
        "labels": network.labels,
        "attributes": list(network.attributes),
        "characters": list(network.characters),
    }
    text = json.dumps(names, ensure_ascii=False).encode("utf-8", "surrogatepass")
    with (
        storage_errors(path),
        os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file,
    ):
        arrays: dict[str, Any] = {_NAMES: np.frombuffer(text, np.uint8), **network_arrays(network)}
        arrays["vectors"] = _counts_of_steps(network.vectors)
        np.savez(file, **arrays)


def read_network(path: Path) -> Network:
    """Read the network at `path`.

    Raises StorageError where it cannot be read, FileFormatError where it is no whole network.
    """
    data = read_bounded(path, LARGEST_FILE)
    try:
        arrays = dict(_arrays(data))
        if arrays["vectors"].dtype == np.int8:
            arrays["vectors"] = arrays["vectors"] / np.float16(VECTOR_STEPS)
        names = parse_json_object(arrays.pop(_NAMES).tobytes())
        labels, attributes, characters = (
            [_text(each) for each in names[kind]] for kind in ("labels", "attributes", "characters")
        )
        return network_of(labels, attributes, characters, arrays)
    except _BROKEN as error:
        raise FileFormatError(
            path, "is not a whole network; train the model again or restore it"
        ) from error


def network_arrays(network: Network) -> Arrays:
    """Return the weights of a network; `network_of` makes a network of them."""
    layers = network.layers
    return {
        "vectors": network.vectors,
        "character_vectors": network.character_vectors,
        "dilations": np.array([layer.dilation for layer in layers], np.int64),
        "transitions": network.transitions.astype(np.float32),
        "norm_scale": network.norm.scale,
        "norm_shift": network.norm.shift,
        "layer_scales": np.stack([layer.norm.scale for layer in layers]),
        "layer_shifts": np.stack([layer.norm.shift for layer in layers]),
        "layer_weights": _halved(np.stack([layer.convolution.weights for layer in layers])),
        "layer_bias": np.stack([layer.convolution.bias for layer in layers]),
        "word_weights": network.words.weights,
        "word_bias": network.words.bias,
        "token_weights": network.tokens.weights,
        "token_bias": network.tokens.bias,
        "output_weights": network.output.weights,
        "output_bias": network.output.bias,
    }


def network_of(
    labels: Sequence[str], attributes: Sequence[str], characters: Sequence[str], arrays: Arrays
) -> Network:
    """Put a network together; attributes and characters are named in the order of their rows.

    Raises ValueError and its like, `MALFORMED`, where arrays do not fit or hold what is no weight.
    """
    dilations: list[int] = arrays["dilations"].tolist()
    vector, character = (arrays[name].shape[1] for name in ("vectors", "character_vectors"))
    word, width, layers = len(arrays["word_bias"]), len(arrays["token_bias"]), len(dilations)
    token, count = vector + word, len(labels)
    _refuse_large(count, (vector, character, word, width), dilations)
    shapes = {
        "vectors": (len(attributes), vector),
        "character_vectors": (len(characters) + 2, character),
        "dilations": (layers,),
        "transitions": (count, count),
        "norm_scale": (token,),
        "norm_shift": (token,),
        "layer_scales": (layers, width),
        "layer_shifts": (layers, width),
        "layer_weights": (layers, REACH * width, width),
        "layer_bias": (layers, width),
        "word_weights": (REACH * character, word),
        "word_bias": (word,),
        "token_weights": (token, width),
        "token_bias": (width,),
        "output_weights": (width + vector, count),
        "output_bias": (count,),
    }
    for name, shape in shapes.items():
        if arrays[name].shape != shape or not (np.abs(arrays[name]) <= LARGEST_WEIGHT).all():
            raise ValueError
    of_layers = zip(
        *(
            arrays[f"layer_{name}"].astype(np.float32)  # halves would be slow to reckon with
            for name in ("scales", "shifts", "weights", "bias")
        ),
        dilations,
        strict=True,
    )
    return Network(
        tuple(labels),
        arrays["transitions"].astype(np.float64),
        _numbered(attributes, 0),
        arrays["vectors"],
        _numbered(characters, 2),
        arrays["character_vectors"],
        Affine(arrays["word_weights"], arrays["word_bias"]),
        Norm(arrays["norm_scale"], arrays["norm_shift"]),
        Affine(arrays["token_weights"], arrays["token_bias"]),
        tuple(
            NetworkLayer(Norm(a, b), Affine(c, d), dilation) for a, b, c, d, dilation in of_layers
        ),
        Affine(arrays["output_weights"], arrays["output_bias"]),
    )


def _counts_of_steps(vectors: Vectors) -> NDArray[Any]:
    """Bytes that count steps where these are the same, as what is trained has them."""
    steps = vectors.astype(np.float32) * VECTOR_STEPS
    counts = np.clip(steps, -127, 127).astype(np.int8)
    return counts if (counts == steps).all() else vectors


def _halved(weights: NDArray[np.float32]) -> NDArray[Any]:
    """Numbers of half as many bytes where these are the same, as what is trained has them."""
    halves = weights.astype(np.float16)
    return halves if (halves == weights).all() else weights


def _refuse_large(labels: int, widths: Sequence[int], dilations: Sequence[int]) -> None:
    if not (0 < labels <= MOST_LABELS and 0 < len(dilations) <= MOST_LAYERS):
        raise ValueError
    if not (min(widths) > 0 and max(widths) <= WIDEST):
        raise ValueError
    if not (min(dilations) > 0 and max(dilations) <= FARTHEST):
        raise ValueError


def _numbered(names: Sequence[str], first: int) -> dict[str, int]:
    numbers = {name: at for at, name in enumerate(names, first)}
    if len(numbers) != len(names):
        raise ValueError
    return numbers


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError  # noqa: TRY004  one error for whatever is no network
    return value


def _arrays(data: bytes) -> Iterator[tuple[str, NDArray[Any]]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        wanted = sorted(f"{name}.npy" for name in (_NAMES, *_ARRAYS))
        listed = archive.infolist()
        is_plain = all(
            each.compress_type == zipfile.ZIP_STORED and each.compress_size == each.file_size
            for each in listed
        )
        if sorted(each.filename for each in listed) != wanted or not is_plain:
            raise ValueError
        if sum(each.file_size for each in listed) > len(data):
            raise ValueError
        for each in listed:
            name = each.filename.removesuffix(".npy")
            yield name, _array(archive.read(each), _KINDS.get(name, _FLOATS))


def _array(data: bytes, kinds: Sequence[str]) -> NDArray[Any]:
    header = _HEADER.match(data)
    if header is None or header[3].count(b",") > REACH:
        raise ValueError
    kind = header[2].decode()
    if kind not in kinds:
        raise ValueError
    shape = [int(size) for size in header[3].split(b",") if size.strip()]
    found = np.frombuffer(data, np.dtype(kind), offset=header.end())
    if len(found) != math.prod(shape):
        raise ValueError
    return found.reshape(shape)
