"""What a release is worth: F1 lost, and the days between dates."""

from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

import pytest

from shared.model import Document
from shared.risk.attack import Marked
from shared.risk.utility import (
    KeptIntervals,
    LostF1,
    MovedDate,
    NewWords,
    Twin,
    held_out_counts,
    kept_intervals,
    loss_of_alike,
    losses,
    new_words,
)
from tests.builders import document, marked_up
from tests.shared.risk.test_attack import Found

DAY = date(2007, 5, 9)


def by_heart(train: Sequence[Marked], read: Sequence[Document]) -> list[list[Found]]:
    """Marks the words that were tagged in training."""
    known = {tag.span.text_in(each.text) for each, tags in train for tag in tags}
    return [
        [Found(each.text.index(w), each.text.index(w) + len(w), 1.0) for w in each.text.split()
         if w in known] for each in read
    ]  # fmt: skip


def twin(authentic: str, released: str, record_id: str) -> Twin:
    return Twin(
        (document(authentic, record_id), marked_up(authentic)[1]),
        (document(released, record_id), marked_up(released)[1]),
    )


def lost(authentic: str, released: str) -> tuple[float, float]:
    twins = [twin(authentic, released, f"{number}-01") for number in range(110, 118)]
    found = losses([held_out_counts(twins, by_heart, seed) for seed in (1, 2)], Random(1))
    assert found is not None
    assert all(each.low <= each.lost <= each.high for each in found)
    return found[0].lost, found[1].lost


def test_a_release_that_is_the_same_loses_nothing():
    assert lost("seen [Petty|PATIENT]", "seen [Petty|PATIENT]") == (0.0, 0.0)


def test_what_the_release_does_not_teach_is_lost():
    learnt, read = lost("seen [Petty|PATIENT]", "seen [Holcomb|PATIENT]")
    assert learnt == pytest.approx(1.0)
    assert read == pytest.approx(1.0)


def test_of_one_patient_nothing_can_be_held_out():
    assert held_out_counts([twin("[A|PATIENT]", "[B|PATIENT]", "110-01")], by_heart, 1) == {}
    assert losses([{}], Random(1)) is None
    assert loss_of_alike([{}], Random(1)) is None


def counted(authentic: str, released: str) -> tuple[NewWords, NewWords]:
    twins = [twin(authentic, released, f"{number}-01") for number in (110, 111)]
    return new_words([held_out_counts(twins, by_heart, 1)])


def test_what_recurs_is_known_by_heart_and_its_surrogates_are_new():
    was, now = counted("seen [Petty|PATIENT] [5/9|DATE]", "seen [Holcomb|PATIENT] [7/8|DATE]")
    assert was == NewWords(1, 0, 0)
    assert now == NewWords(1, 1, 0)


def test_a_word_is_known_of_its_type_alone_and_a_name_needs_all_of_its_words():
    text, other = "[Petty|DOCTOR] [Ann Lee|PATIENT]", "[Petty|PATIENT] [Ann Petty|DOCTOR]"
    was, now = counted(text, other)
    assert (was.tags, was.new) == (2, 0)
    assert (now.tags, now.new) == (2, 2)


def alike(*texts: tuple[str, str]) -> LostF1:
    twins = [twin(*each, f"{at}-01") for at, each in enumerate(texts, start=110)]
    found = loss_of_alike([held_out_counts(twins, by_heart, seed) for seed in (1, 2)], Random(1))
    assert found is not None
    assert found.low <= found.lost <= found.high
    return found


def test_what_is_lost_by_new_words_alone_is_no_other_loss():
    known = ("seen [Petty|PATIENT] [Quill|DOCTOR]", "seen [Holcomb|PATIENT] [Quill|DOCTOR]")
    never = [(f"[Name{chr(97 + at)}|PATIENT]",) * 2 for at in range(4)]
    found = alike(*[known] * 4, *never)  # new names are not found, authentic or released
    assert found.lost == pytest.approx(0.0)
    assert found.unmatched == 0.0


def test_a_loss_that_no_new_word_explains_is_told():
    glued = ("seen [Petty|PATIENT] .", "seen [Petty|PATIENT].")  # which is not found so
    found = alike(*[glued] * 6)
    assert (found.plain, found.lost, found.unmatched) == (1.0, 1.0, 0.0)


def test_what_has_nothing_alike_is_counted_and_loses_nothing():
    found = alike(*[("[Petty|PATIENT]", "[Holcomb|PATIENT]")] * 4)
    assert (found.lost, found.unmatched) == (0.0, 1.0)


def test_a_number_is_known_by_heart_as_a_word_is():
    was, now = counted("in [1997|DATE]", "in [2044|DATE]")
    assert (was.new, now.new) == (0, 1)


def test_a_new_word_that_is_found_is_counted_as_such():
    names = [f"[Name{chr(97 + at)}|PATIENT]" for at in range(4)]

    def all_capitals(train: Sequence[Marked], read: Sequence[Document]) -> list[list[Found]]:
        return [[Found(0, len(each.text), 1.0)] for each in read]

    twins = [twin(name, name, f"{at}-01") for at, name in enumerate(names, start=110)]
    was, now = new_words([held_out_counts(twins, all_capitals, 1)])
    assert was == now == NewWords(2, 2, 2)


def moved(*dates: tuple[date, int | None]) -> KeptIntervals:
    return kept_intervals(
        MovedDate(day, None if by is None else day + timedelta(by)) for day, by in dates
    )


def test_days_between_dates_that_moved_together_are_kept():
    later = DAY + timedelta(40)
    assert moved((DAY, 900), (later, 900), (DAY, 900)) == KeptIntervals(3, 3)


def test_no_date_and_one_date_make_no_pair():
    assert moved() == KeptIntervals()
    assert moved((DAY, 5)) == KeptIntervals()


def test_a_date_that_moved_otherwise_is_counted_as_such():
    found = moved((DAY, 900), (DAY, 900), (DAY, 901))
    assert (found.pairs, found.kept, found.otherwise) == (3, 1, 2)


def test_a_birth_date_too_old_is_a_known_exception():
    born = date(1910, 1, 1)
    found = moved((DAY, 900), (DAY, 900), (DAY, 901), (born, 3000))
    assert (found.pairs, found.kept, found.too_old, found.otherwise) == (6, 1, 3, 2)


def test_an_old_date_that_moved_as_all_others_is_kept():
    assert moved((DAY, 900), (date(1910, 1, 1), 900)) == KeptIntervals(1, 1)


def test_dates_that_name_no_day_any_more_are_gone():
    found = moved((DAY, None), (DAY, 900), (DAY, 900))
    assert (found.pairs, found.kept, found.gone, found.otherwise) == (3, 1, 2, 0)
    assert moved((DAY, None), (DAY, None)).gone == 1
