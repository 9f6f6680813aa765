"""All that a patient's records decide, in one go."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.postprocessing.passes import apply_passes
from shared.recognition.recognizer import Suggestion

DATE, ROOM = PhiType("DATE", "DATE"), PhiType("LOCATION", "ROOM")


@pytest.mark.parametrize(("sure", "sharper"), [(0.9, 0.96), (0.5, 0.5), (0.2, 0.11), (1.0, 1.0)])
def test_confidence_is_sharper_in_the_end(sure, sharper):
    ((one,),) = apply_passes(["in bed 12 now"], [[Suggestion(Span(3, 9), ROOM, sure, "crf")]])

    assert round(one.confidence, 2) == sharper


def test_what_cannot_be_is_gone_before_anything_is_decided():
    assert apply_passes(["score 26/30"], [[Suggestion(Span(6, 11), DATE, 0.9, "crf")]]) == [()]
