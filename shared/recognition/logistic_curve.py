"""The logistic curve that makes probabilities of scores (Platt 1999)."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def fitted_curve(scores: Floats, right: Floats) -> tuple[float, float]:
    """Return slope and offset of the curve, by Newton's method.

    `right` holds 1 for what proved right and 0 for the rest; both must occur.
    """
    hits = float(right.sum())
    hit, missed = (hits + 1) / (hits + 2), 1 / (len(right) - hits + 2)
    wanted: Floats = right * hit + (1 - right) * missed
    seen = np.column_stack([scores, np.ones(len(scores))])
    curve: Floats = np.zeros(2)
    for _ in range(50):
        chances = 1 / (1 + np.exp(-np.clip(seen @ curve, -30, 30)))
        slopes = (seen * (chances * (1 - chances))[:, None]).T @ seen + 1e-6 * np.eye(2)
        step = np.linalg.solve(slopes, seen.T @ (wanted - chances)).astype(np.float64)
        curve = curve + step * min(1.0, 5 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < 1e-8:
            break
    return float(curve[0]), float(curve[1])
