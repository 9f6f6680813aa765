"""Two candidates against one reference."""

import pytest

from shared.agreement.comparison import Comparison
from shared.agreement.rivals import compare_candidates
from shared.errors import RequestError
from tests.builders import document, marked_up


def compare(record_id: str, candidate: str, reference: str) -> Comparison:
    return Comparison(
        document(reference, record_id), marked_up(candidate)[1], marked_up(reference)[1]
    )


def test_only_records_that_both_have_count() -> None:
    first = [compare(each, "[Lee|DOCTOR]", "[Lee|DOCTOR]") for each in ("110-01", "111-01")]
    second = [compare(each, "Lee", "[Lee|DOCTOR]") for each in ("111-01", "112-01")]
    (strict, *_) = compare_candidates(first, second, shuffles=9)
    assert (strict.measure, strict.records) == ("strict", 1)
    assert (strict.difference.first, strict.difference.second) == (1.0, 0.0)


def test_a_candidate_does_not_differ_from_itself() -> None:
    some = [compare("110-01", "[Lee|DOCTOR] Wu", "[Lee|DOCTOR] [Wu|DOCTOR]")]
    for each in compare_candidates(some, some, shuffles=9):
        assert (each.difference.p, each.z, each.z_p) == (1.0, 0.0, 1.0)


def test_a_reference_without_tags() -> None:
    (strict, *_) = compare_candidates(
        [compare("110-01", "Lee", "Lee")], [compare("110-01", "[Lee|DOCTOR]", "Lee")], shuffles=9
    )
    assert (strict.z, strict.difference.first, strict.difference.second) == (0.0, 1.0, 0.0)


def test_nothing_in_common() -> None:
    with pytest.raises(RequestError, match="no record in common"):
        compare_candidates([compare("110-01", "a", "a")], [compare("111-01", "a", "a")])
