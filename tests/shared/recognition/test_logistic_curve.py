import numpy as np
import pytest

from shared.recognition.logistic_curve import fitted_curve


def test_the_curve_goes_through_what_was_right():
    random = np.random.default_rng(3)
    margins = random.normal(1, 2, 4000)
    chances = 1 / (1 + np.exp(-(1.5 * margins - 0.5)))
    slope, offset = fitted_curve(margins, (random.random(4000) < chances).astype(float))

    assert slope == pytest.approx(1.5, abs=0.15)
    assert offset == pytest.approx(-0.5, abs=0.15)
