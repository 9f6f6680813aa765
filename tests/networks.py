"""A network that no PyTorch made, small enough to be computed by hand."""

import json

import numpy as np

from shared.recognition.model_card import CARD
from shared.recognition.neural.network_file import network_of, write_network


def floats(*rows):
    return np.array(rows, np.float32)


def tiny():
    """A network whose every number is known: each of its parts has a single one."""
    arrays = {
        "vectors": floats([2]).astype(np.float16),
        "character_vectors": floats([0], [0], [1]),
        "dilations": np.array([1]),
        "transitions": floats([0, 0], [0, 0]),
        "norm_scale": floats(1, 1),
        "norm_shift": floats(0, 0),
        "layer_scales": floats([1]),
        "layer_shifts": floats([1]),
        "layer_weights": floats([[1], [10], [100]]),
        "layer_bias": floats([0]),
        "word_weights": floats([0], [1], [0]),
        "word_bias": floats(0),
        "token_weights": floats([1], [0]),
        "token_bias": floats(0),
        "output_weights": floats([0, 1], [0, 0.5]),
        "output_bias": floats(0.25, 0),
    }
    return network_of(["O", "S-NAME:PATIENT"], ["w=ann"], ["a"], arrays)


def add_network(folder):
    """Put the network beside the CRFs of the model in a folder."""
    write_network(folder / "tiny.npz", tiny())
    card = json.loads((folder / CARD).read_text())
    features = {"groups": ["word"], "window": 0, "locales": ["und"]}
    card["settings"]["networks"] = [{"name": "tiny", "features": features, "dilations": [1]}]
    (folder / CARD).write_text(json.dumps(card))
