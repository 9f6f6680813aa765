"""What nobody has begun is shared out as evenly as can be, and nothing else changes hands."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import RequestError
from shared.project.even_shares import OpenWork, even_shares


@st.composite
def works(draw):
    """Annotators of whom some leave, patients in their hands, some begun, some without anybody."""
    everybody = [f"a{number}" for number in range(draw(st.integers(3, 6)))]
    leaving = draw(st.sets(st.sampled_from(everybody), max_size=len(everybody) - 2))
    people = [each for each in everybody if each not in leaving]
    having, free, missing = {}, set(), {}
    for number in range(draw(st.integers(0, 14))):
        patient_id = str(number)
        names = draw(st.lists(st.sampled_from(everybody), unique=True, max_size=len(people)))
        having[patient_id] = names
        free |= {(patient_id, name) for name in names if draw(st.booleans())}
        if not names:
            missing[patient_id] = 2
    return OpenWork(having, free, missing), people


def applied(work, moves):
    pairs = {(patient, name) for patient, names in work.having.items() for name in names}
    assert set(moves.take_back) <= pairs
    assert not set(moves.give) & pairs
    return pairs - set(moves.take_back) | set(moves.give)


def loads(pairs, fixed, people):
    counts = Counter(name for patient, name in pairs if (patient, name) not in fixed)
    return [counts[name] for name in people]


def shared(work, people, seed):
    """The moves, or None where a patient would need more annotators than there are."""
    try:
        return even_shares(work, people, seed)
    except RequestError:
        fixed = {(p, name) for p, names in work.having.items() for name in names} - work.free
        for patient_id, names in work.having.items():
            wanted = len(names) + work.missing.get(patient_id, 0)
            held = {name for p, name in fixed if p == patient_id}
            if wanted > len(held | set(people)):
                return None
        raise


@given(works(), st.integers())
def test_every_patient_keeps_its_number_and_work_stays(drawn, seed):
    work, people = drawn
    moves = shared(work, people, seed)
    if moves is None:
        return
    assert set(moves.take_back) <= set(work.free)
    after = applied(work, moves)
    sizes = Counter(patient for patient, _ in after)
    for patient_id, names in work.having.items():
        assert sizes[patient_id] == len(names) + work.missing.get(patient_id, 0)
    assert {name for _, name in moves.give} <= set(people)
    assert not [pair for pair in after & set(work.free) if pair[1] not in people]


@given(works(), st.integers())
def test_shares_differ_by_one_at_most_wherever_that_can_be(drawn, seed):
    work, people = drawn
    moves = shared(work, people, seed)
    if moves is None:
        return
    fixed = {(p, name) for p, names in work.having.items() for name in names} - set(work.free)
    after = applied(work, moves)
    counts = loads(after, fixed, people)
    assert sum(n * n for n in counts) == least_squares(work, people, fixed)
    if not fixed:
        assert max(counts) - min(counts) <= 1


def least_squares(work, people, fixed):
    """The least sum of squares of shares, by going through every way that loads can come about."""
    reached = {(0,) * len(people)}
    for patient_id, names in work.having.items():
        held = {name for p, name in fixed if p == patient_id}
        wanted = len(names) + work.missing.get(patient_id, 0) - len(held)
        able = [name not in held for name in people]
        ways = [
            way
            for way in product((0, 1), repeat=len(people))
            if sum(way) == wanted and all(a or not w for a, w in zip(able, way, strict=True))
        ]
        reached = {
            tuple(a + b for a, b in zip(each, way, strict=True)) for each in reached for way in ways
        }
    return min(sum(n * n for n in each) for each in reached)


def test_the_seed_decides():
    having = {str(n): ["ana", "ben"] for n in range(30)}
    work = OpenWork(having, {(p, name) for p, names in having.items() for name in names}, {})
    draws = [even_shares(work, ["ana", "ben", "cem"], seed) for seed in (1, 1, 2)]
    assert draws[0] == draws[1] != draws[2]


def test_a_way_over_a_third_is_found():
    # ana has two, cem none; cem has begun both of ana's, so ben takes one and gives cem his
    having = {"1": ["ana", "cem"], "2": ["ana", "cem"], "3": ["ben", "dora"]}
    work = OpenWork(having, {("1", "ana"), ("2", "ana"), ("3", "ben")}, {})
    moves = even_shares(work, ["ana", "ben", "cem"], 0)
    assert ("3", "cem") in moves.give
    assert len(moves.give) == 2


def test_what_cannot_be_is_said():
    work = OpenWork({"1": ["ana", "ben"]}, {("1", "ana")}, {})
    with pytest.raises(RequestError, match="patient 1 needs 2 annotators; there are not so many"):
        even_shares(work, ["ben"], 0)
