"""Training a network by PyTorch, which is imported here and nowhere else.

The loss is how improbable a CRF finds the right labels of each segment, the optimizer AdamW
(Loshchilov and Hutter 2019) with a cosine schedule; what comes out is the running mean of the
weights (Polyak and Juditsky 1992). The same seed makes the same network by the same PyTorch on the
same kind of processor: one thread works.
"""

import math
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shared.errors import RequestError
from shared.recognition.neural.batches import (
    Batch,
    BatchMaker,
    LabelledTokens,
    Segment,
    TrainingTokens,
    training_tokens,
)
from shared.recognition.neural.network import NO_CHARACTER, REACH, Network, Vectors
from shared.recognition.neural.network_file import FORBIDDEN, VECTOR_STEPS, network_of
from shared.recognition.training_settings import NetworkSettings

WARM_UP = 100
"""The rate of learning rises for so many batches, or for a fifth of all, and falls afterwards."""
LEAST_RATE = 0.02
"""To this share of the rate it falls."""
WEIGHT_DECAY = 1e-3
LONGEST_GRADIENT = 2.0
MEMORY = 0.99
"""How much of the running mean of the weights stays with each batch."""
DROPOUT = 0.4
"""The share of a token's numbers that training leaves out by chance; of a layer's, half of it."""
_CHARACTER_WIDTH, _WORD_WIDTH = 24, 48
_LEAST = 1e-30

Tensor = Any
Weights = dict[str, Tensor]


def has_pytorch() -> bool:
    """Whether networks can be trained here."""
    return find_spec("torch") is not None


def fit_network(
    documents: Iterator[LabelledTokens], settings: NetworkSettings, seed: int
) -> Network:
    """Train a network on documents; its labels are BIOES of the types in them.

    Raises RequestError where PyTorch is not installed, or no document has a tag.
    """
    if not has_pytorch():
        raise RequestError(
            f"{settings.name} is trained by PyTorch, which is not installed; install "
            "tandem-phi[neural], or train a recognizer without networks"
        )
    tokens = training_tokens(documents, settings.rare)
    if len(tokens.labels) < 2:
        raise RequestError("there is nothing to train on: no record has a tag; tag some first")
    torch: Any = import_module("torch")
    start = Random(f"{seed} {settings.name}").getrandbits(32)  # networks differ by their names
    with _alone(torch, start):
        weights = _Training(torch, tokens, settings).run(Random(start))
    arrays = {name: each.detach().numpy() for name, each in weights.items()}
    arrays["transitions"] = arrays["transitions"] + _forbidden(tokens.labels)
    # nearly all of a model, which others are to get
    arrays["vectors"] = _rounded(arrays["vectors"])
    arrays["layer_weights"] = arrays["layer_weights"].astype(np.float16)
    arrays["dilations"] = np.array(settings.dilations, np.int64)
    return network_of(tokens.labels, list(tokens.attributes), list(tokens.characters), arrays)


def _rounded(vectors: NDArray[np.float32]) -> Vectors:
    """Vectors in the steps that a file has a byte for."""
    return (np.round(vectors * VECTOR_STEPS) / VECTOR_STEPS).astype(np.float16)


@contextmanager
def _alone(torch: Any, seed: int) -> Generator[None]:  # noqa: ANN401
    """Let one thread of torch's work, and chance begin with a seed; then all is as before."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(threads)


class _Training:
    def __init__(self, torch: Any, tokens: TrainingTokens, settings: NetworkSettings) -> None:  # noqa: ANN401
        self._torch = torch
        self._settings = settings
        margin = max(settings.dilations)
        self._maker = BatchMaker(tokens, settings.negatives, settings.dropout, margin)
        self._steps = settings.epochs * self._maker.batches_of_epoch
        self._weights = first_weights(torch, tokens, settings)
        self._loss = CrfLoss(torch, tokens.labels)

    def run(self, chance: Random) -> Weights:
        torch, weights = self._torch, self._weights
        mean = {name: each.detach().clone() for name, each in weights.items()}
        optimizer = torch.optim.AdamW(
            weights.values(), lr=self._settings.rate, weight_decay=WEIGHT_DECAY, fused=True
        )
        step = 0
        for _ in range(self._settings.epochs):
            for batch in self._maker.batches(chance):
                for group in optimizer.param_groups:
                    group["lr"] = self._settings.rate * self._share_of_rate(step)
                loss = self._loss_of(batch)
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(weights.values(), LONGEST_GRADIENT)
                optimizer.step()
                step += 1
                share = 1 - min(MEMORY, (1 + step) / (10 + step))
                with torch.no_grad():
                    for name, each in weights.items():
                        mean[name].lerp_(each, share)
        return mean

    def _share_of_rate(self, step: int) -> float:
        warm_up = min(WARM_UP, self._steps // 5)
        done = min(1.0, step / self._steps)
        falling = LEAST_RATE + (1 - LEAST_RATE) * 0.5 * (1 + math.cos(math.pi * done))
        return min(1.0, (step + 1) / max(1, warm_up)) * falling

    def _loss_of(self, batch: Batch) -> Tensor:
        if not batch.segments:  # all lines of it were left out
            return sum(each.sum() * 0 for each in self._weights.values())
        scores = network_scores(
            self._torch, self._weights, batch, self._settings.dilations, dropout=DROPOUT
        )
        return self._loss(scores, self._weights["transitions"], batch)


def first_weights(torch: Any, tokens: TrainingTokens, settings: NetworkSettings) -> Weights:  # noqa: ANN401
    """Return weights by chance, as those of `network_of` are called."""
    attribute, width, labels = settings.vector, settings.width, len(tokens.labels)
    token, layers = attribute + _WORD_WIDTH, len(settings.dilations)

    def affine(*shape: int) -> tuple[Tensor, Tensor]:
        bound = 1 / math.sqrt(shape[-2])
        bias = (*shape[:-2], shape[-1])
        return torch.empty(*shape).uniform_(-bound, bound), torch.empty(*bias).uniform_(
            -bound, bound
        )

    weights: Weights = {
        "vectors": torch.empty(len(tokens.attributes), attribute).normal_(0, 0.15),
        "character_vectors": torch.empty(len(tokens.characters) + 2, _CHARACTER_WIDTH).normal_(),
        "norm_scale": torch.ones(token),
        "norm_shift": torch.zeros(token),
        "layer_scales": torch.ones(layers, width),
        "layer_shifts": torch.zeros(layers, width),
        "transitions": torch.zeros(labels, labels),
    }
    weights["character_vectors"][NO_CHARACTER] = 0
    for name, shape in {
        "word": (REACH * _CHARACTER_WIDTH, _WORD_WIDTH),
        "token": (token, width),
        "layer": (layers, REACH * width, width),
        "output": (width + attribute, labels),
    }.items():
        weights[f"{name}_weights"], weights[f"{name}_bias"] = affine(*shape)
    return {name: each.requires_grad_() for name, each in weights.items()}


def network_scores(
    torch: Any,  # noqa: ANN401
    weights: Weights,
    batch: Batch,
    dilations: Sequence[int],
    dropout: float = 0.0,
) -> Tensor:
    """Return the scores of the rows of a batch x labels, as `Network.scores` computes them."""
    functional = torch.nn.functional
    attributes, offsets, words, letters, is_token = map(
        torch.from_numpy,
        (batch.attributes, batch.offsets, batch.words, batch.letters, batch.is_token[:, None]),
    )
    sums = functional.embedding_bag(attributes, weights["vectors"], offsets, mode="sum")
    of_words = _words(torch, weights, letters)[words]
    token = torch.cat([sums, of_words], 1)
    token = functional.layer_norm(
        token, token.shape[1:], weights["norm_scale"], weights["norm_shift"]
    )
    token = functional.dropout(token, dropout, dropout > 0)
    found = token @ weights["token_weights"] + weights["token_bias"]
    margin = max(dilations)
    names = ("layer_scales", "layer_shifts", "layer_weights", "layer_bias")
    layers = zip(dilations, *(weights[name].unbind(0) for name in names), strict=True)
    count = len(found)
    for dilation, scale, shift, filters, bias in layers:
        normed = functional.layer_norm(found, found.shape[1:], scale, shift) * is_token
        wide = functional.pad(normed, (0, 0, margin, margin))
        firsts = (margin - dilation, margin, margin + dilation)
        beside = torch.cat([wide[first : first + count] for first in firsts], 1)
        seen = functional.relu(torch.addmm(bias, beside, filters))
        found = found + functional.dropout(seen, dropout / 2, dropout > 0)
    own = token[:, : sums.shape[1]]
    last = functional.dropout(torch.cat([found, own], 1), dropout, dropout > 0)
    return last @ weights["output_weights"] + weights["output_bias"]


def _words(torch: Any, weights: Weights, letters: Tensor) -> Tensor:  # noqa: ANN401
    functional = torch.nn.functional
    read = functional.embedding(letters, weights["character_vectors"], padding_idx=NO_CHARACTER)
    wide = functional.pad(read, (0, 0, 1, 1))
    beside = torch.cat([wide[:, at : at + letters.shape[1]] for at in range(REACH)], 2)
    return functional.relu((beside @ weights["word_weights"] + weights["word_bias"]).amax(1))


class CrfLoss:
    """The mean negative log likelihood of the labels of segments, by the forward recursion."""

    def __init__(self, torch: Any, labels: Sequence[str]) -> None:  # noqa: ANN401
        self._torch = torch
        self._forbidden = torch.from_numpy(_forbidden(labels))
        kinds = [label[0] for label in labels]
        self._first = torch.tensor([float(kind in "OBS") for kind in kinds])
        self._last = torch.tensor([float(kind in "OES") for kind in kinds])

    def __call__(self, scores: Tensor, transitions: Tensor, batch: Batch) -> Tensor:
        torch = self._torch
        segments = sorted(batch.segments, key=lambda each: each[0] - each[1])
        rows, active = _steps(segments)
        order = torch.from_numpy(rows)
        scores = scores.index_select(0, order)
        labels = torch.from_numpy(batch.labels[rows])
        greatest = scores.detach().amax(1, keepdim=True)
        chances = (scores - greatest).exp()
        moves = (transitions + self._forbidden).exp()
        logs = [greatest.sum()]
        steps = chances.split(active)
        forward = steps[0] * self._first
        ended: list[Tensor] = []
        for chance in steps[1:]:
            ended.append(forward[len(chance) :])
            forward = (forward[: len(chance)] @ moves) * chance
            total = forward.sum(1, keepdim=True).clamp_min(_LEAST)
            forward = forward / total
            logs.append(total.log().sum())
        ended.append(forward)
        last = torch.cat(ended) @ self._last
        partition = torch.stack(logs).sum() + last.clamp_min(_LEAST).log().sum()
        right = scores.gather(1, labels[:, None]).sum()
        before, after = _neighbours(active)
        right = right + transitions[labels[before], labels[after]].sum()
        return (partition - right) / len(segments)


def _steps(segments: Sequence[Segment]) -> tuple[NDArray[np.int64], list[int]]:
    """Return the tokens of segments, the longest first, step by step, and how many each has."""
    firsts = np.array([first for first, _ in segments], np.int64)
    lengths = np.array([last - first for first, last in segments], np.int64)
    active = [int((lengths > step).sum()) for step in range(int(lengths[0]))]
    rows = [firsts[:count] + step for step, count in enumerate(active)]
    return np.concatenate(rows), active


def _neighbours(active: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where, step by step, tokens lie that follow each other."""
    starts = np.cumsum([0, *active])[:-1]
    before = [start + np.arange(count) for start, count in zip(starts, active[1:], strict=False)]
    after = [start + np.arange(count) for start, count in zip(starts[1:], active[1:], strict=True)]
    none = [np.zeros(0, np.int64)]
    return np.concatenate(none + before), np.concatenate(none + after)


def _forbidden(labels: Sequence[str]) -> NDArray[np.float32]:
    """Return 0 for each label that may follow another, else `FORBIDDEN`."""
    found = np.full((len(labels), len(labels)), FORBIDDEN, np.float32)
    for row, before in enumerate(labels):
        for column, after in enumerate(labels):
            is_closed, begins = before[0] in "OES", after[0] in "OBS"
            goes_on = not is_closed and not begins and before[2:] == after[2:]
            if goes_on or (is_closed and begins):
                found[row, column] = 0
    return found
