"""Attackers: what each suspects, that none reads what it learnt from, and what is counted."""

import re
from collections.abc import Sequence
from random import Random

import pytest

from shared.model import Document, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.risk.attack import (
    AttackedRecord,
    Attacker,
    AttackFigures,
    Marked,
    attacked,
    drawn_misses,
    suspicions,
    together,
)
from tests.builders import document, marked_up, phi

WITH_TAGS, TEXT_ALONE, COUNTING = Attacker


class Found:
    """What a recognizer would mark."""

    def __init__(self, start: int, end: int, confidence: float) -> None:
        self.span, self.phi_type, self.confidence = Span(start, end), phi("PATIENT"), confidence


class Reader:
    """Marks every word with a capital, half as surely where training did not have it."""

    def __init__(self) -> None:
        self.learnt: list[set[str]] = []
        self.read: list[set[str]] = []

    def __call__(self, train: Sequence[Marked], read: Sequence[Document]) -> list[list[Found]]:
        self.learnt.append({each.patient_id for each, _ in train})
        self.read.append({each.patient_id for each in read})
        known = {tag.span.text_in(each.text) for each, tags in train for tag in tags}
        return [
            [
                Found(*each.span(), 0.9 if each[0] in known else 0.3)
                for each in re.finditer("[A-Z][a-z]+", document.text)
            ]
            for document in read
        ]


def record(source: str, record_id: str, left: str = "") -> AttackedRecord:
    text, tags = marked_up(source)
    place = text.find(left)
    planted = (Tag(Span(place, place + len(left)), phi("PATIENT")),) if left else ()
    return AttackedRecord(document(source, record_id), tags, planted)


PATIENTS = [
    record("seen [Petty|PATIENT] and [Petty|PATIENT]", "110-01"),
    record("seen [Petty|PATIENT] and Holcomb", "111-01", "Holcomb"),
    record("seen Petty and [Petty|PATIENT]", "112-01"),
    record("[Petty|PATIENT] alone", "113-01"),
]


def test_nobody_reads_what_was_learnt_from():
    for attacker in (WITH_TAGS, TEXT_ALONE):
        reader = Reader()
        suspicions(attacker, PATIENTS, reader, I2B2_2014)
        assert len(reader.read) == 2
        assert all(not one & other for one, other in zip(reader.learnt, reader.read, strict=True))
        assert set.union(*reader.read) == {"110", "111", "112", "113"}


def test_of_one_patient_a_recognizer_suspects_nothing():
    assert suspicions(WITH_TAGS, PATIENTS[:1], Reader(), I2B2_2014) == []


def test_with_tags_what_is_marked_and_not_tagged_is_suspected():
    found = suspicions(WITH_TAGS, PATIENTS, Reader(), I2B2_2014)
    assert {each.record_id for each in found} == {"111-01", "112-01"}
    assert [each.score for each in found] == [0.9, 0.3]


def test_in_the_text_alone_what_is_not_recognized_is_suspected():
    (found,) = suspicions(TEXT_ALONE, PATIENTS, Reader(), I2B2_2014)
    assert found.record_id == "111-01"
    assert found.span.text_in(PATIENTS[1].document.text) == "Holcomb"
    assert found.score == pytest.approx(0.7)


def test_a_name_that_stands_once_among_consistent_ones_is_suspected_first():
    records = [
        record("[Ana Petty|PATIENT] and Mr. [Petty|PATIENT], [PETTY|PATIENT]", "110-01"),
        record("Holcomb, then [Petty|PATIENT]", "110-02", "Holcomb"),
        record("[Ana Lee|DOCTOR] with [Ben May|DOCTOR], [Ben May|DOCTOR]", "111-01"),
        record("[Once|PATIENT] alone", "112-01"),
    ]
    first, second = suspicions(COUNTING, records, Reader(), I2B2_2014)
    assert (first.record_id, first.span) == ("110-02", Span(0, 7))
    assert second.record_id == "111-01"


def test_where_every_mention_is_another_name_none_stands_out():
    records = [record("[Ana|PATIENT] [Ben|PATIENT] [Cem|PATIENT] Dee", "110-01", "Dee")]
    assert suspicions(COUNTING, records, Reader(), I2B2_2014) == []


def test_what_is_found_is_counted():
    found = attacked(PATIENTS, {("111-01", Span(15, 22))}, Reader(), I2B2_2014)
    assert found.exposed(TEXT_ALONE) == 1
    assert found.precision(TEXT_ALONE) == 1.0
    assert found.exposed(WITH_TAGS) == 0  # not sure enough
    assert found.exposed(COUNTING) == 0
    assert found.precision(COUNTING) is None
    assert (found.hidden, found.held_up) == (0, 1)


def test_what_no_text_shows_is_hidden_whatever_the_tags_show():
    records = [
        record("[Petty|PATIENT] [Petty|PATIENT]", f"{number}-01") for number in (110, 111, 112)
    ]
    records.append(record("seen Petty", "113-01", "Petty"))
    found = attacked(records, set(), Reader(), I2B2_2014)
    assert (found.exposed(WITH_TAGS), found.exposed(TEXT_ALONE), found.exposed(COUNTING)) == (
        1,
        0,
        0,
    )
    assert (found.hidden, found.held_up) == (1, 0)


def test_the_precision_at_the_top_is_that_of_all_copies_with_so_many_suspicions():
    many = [record("Holcomb", f"{number}-01", "Holcomb") for number in range(110, 122)]
    many.append(record("Anderson", "100-01"))
    found = attacked(many, set(), Reader(), I2B2_2014)
    assert found.top(WITH_TAGS, 10) == pytest.approx(0.9)  # as unsure of one as of the other
    assert found.top(WITH_TAGS, 20) is None
    assert found.precision(WITH_TAGS) is None  # none is sure enough
    twice = together([found, found])
    assert len(twice.misses) == 2 * len(found.misses)
    assert twice.top(WITH_TAGS, 10) == found.top(WITH_TAGS, 10)


def test_without_planted_misses_nothing_is_found():
    found = attacked([PATIENTS[0], PATIENTS[3]], set(), Reader(), I2B2_2014)
    assert found == AttackFigures((), found.counts)
    assert found.hidden == 0


def test_misses_hang_on_seed_and_patient_alone():
    _, tags = marked_up(" ".join(f"[word{number}|PATIENT]" for number in range(200)))
    places = {"110-01": tags}
    first = drawn_misses(places, 0.05, Random("1 110"))
    assert first == drawn_misses(places, 0.05, Random("1 110"))
    assert first != drawn_misses(places, 0.05, Random("2 110"))
    assert 2 <= len(first["110-01"]) <= 25
    assert drawn_misses(places, 0.0, Random(1)) == {"110-01": ()}
