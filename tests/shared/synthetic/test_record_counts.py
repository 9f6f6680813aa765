"""How many records the patients have."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import RequestError
from shared.synthetic import record_counts


def test_the_corpus_of_the_paper():
    counts = record_counts(296, seed=1, records=1304)
    assert (len(counts), sum(counts)) == (296, 1304)


@given(st.data(), st.integers(0, 50), st.integers(0, 99))
def test_the_sum_is_met_with_two_to_five_each(data, patients, seed):
    records = data.draw(st.integers(2 * patients, 5 * patients))
    counts = record_counts(patients, seed, records)
    assert sum(counts) == records
    assert all(2 <= count <= 5 for count in counts)


@pytest.mark.parametrize("records", [9, 26])
def test_what_cannot_be_shared_out_is_refused(records):
    with pytest.raises(RequestError, match="10 to 25"):
        record_counts(5, 1, records)


def test_fewer_than_no_patients_are_refused():
    with pytest.raises(RequestError):
        record_counts(-1, 1)
