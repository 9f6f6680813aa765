"""The error classes of He and others, and the confusion matrix."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import (
    ErrorClass,
    confusion,
    error_classes,
    nearest_tags,
)
from shared.model import Tag
from tests.builders import document, marked_up, phi
from tests.strategies import tags

TEXT = "Seen by John Smith, MD on 5 August 2060."


def compare(candidate: str, reference: str) -> Comparison:
    return Comparison(document(reference), marked_up(candidate)[1], marked_up(reference)[1])


@pytest.mark.parametrize(
    ("candidate", "expected"),
    [
        ("on [5 August 2060|DATE].", "correct"),
        ("on [5 August 2060|AGE].", "type"),
        ("on 5 [August 2060|DATE].", "extent short"),
        ("[on 5 August 2060|DATE].", "extent long"),
        ("[on 5 August|DATE] 2060.", "extent short and long"),
        ("on 5 [August 2060|AGE].", "type and extent"),
        ("on 5 August 2060.", "missing"),
    ],
)
def test_the_classes(candidate: str, expected: str) -> None:
    found = error_classes(nearest_tags([compare(candidate, "on [5 August 2060|DATE].")]))
    assert found == {(phi("DATE"), ErrorClass(expected)): 1}


def test_what_touches_nothing_is_spurious() -> None:
    found = error_classes(
        nearest_tags([compare("[Seen|DATE] by [Lee|DOCTOR]", "Seen by [Lee|DOCTOR]")])
    )
    assert found[phi("DATE"), ErrorClass.SPURIOUS] == 1


def test_the_exact_match_goes_before_the_longer_overlap() -> None:
    comparison = compare("[John Smith|DOCTOR]", "[John Smith|DOCTOR]")
    with_type = Comparison(
        comparison.document,
        (Tag(comparison.reference[0].span, phi("PATIENT")), *comparison.candidate),
        comparison.reference,
    )
    assert error_classes(nearest_tags([with_type])) == {(phi("DOCTOR"), ErrorClass.CORRECT): 1}


def test_confusion() -> None:
    comparison = compare(
        "[John|PATIENT] [Lee|DOCTOR] [3/4|DATE] x", "[John|DOCTOR] [Lee|DOCTOR] 3/4 [x|ROOM]"
    )
    assert confusion(nearest_tags([comparison])) == {
        ("NAME:DOCTOR", "NAME:PATIENT"): 1,
        ("NAME:DOCTOR", "NAME:DOCTOR"): 1,
        ("spurious", "DATE"): 1,
        ("LOCATION:ROOM", "missed"): 1,
    }


some = st.lists(tags(len(TEXT)), max_size=8)


@given(some, some)
def test_every_reference_tag_is_in_one_class(ours: list[Tag], theirs: list[Tag]) -> None:
    comparison = Comparison(document(TEXT), tuple(ours), tuple(theirs))
    classes = Counter[ErrorClass]()
    for (_, error), number in error_classes(nearest_tags([comparison])).items():
        classes[error] += number
    spurious = classes.pop(ErrorClass.SPURIOUS, 0)
    assert classes.total() == len({tag.mark for tag in theirs})
    assert spurious <= len({tag.mark for tag in ours})
    assert confusion(nearest_tags([comparison])).total() == classes.total() + spurious


@given(some)
def test_a_layer_makes_no_error_against_itself(ours: list[Tag]) -> None:
    comparison = Comparison(document(TEXT), tuple(ours), tuple(ours))
    found = error_classes(nearest_tags([comparison]))
    assert {error for _, error in found} <= {ErrorClass.CORRECT}
