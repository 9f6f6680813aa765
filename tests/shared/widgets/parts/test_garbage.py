"""The garbage collector leaves out what is there to stay, and sees everything again afterwards."""

import gc

import pytest

from shared.widgets.parts.garbage import (
    collection_paused,
    collection_postponed,
    spare_nothing,
    spare_what_is_there,
)


@pytest.fixture(autouse=True)
def as_it_was():
    yield
    spare_nothing()


class Kept:
    """Something that the collector has to look at."""


def spared(thing):
    return all(each is not thing for each in gc.get_objects())


def test_what_is_there_is_spared_and_what_outlives_a_collection_too():
    there = Kept()
    spare_what_is_there()
    later = Kept()
    assert spared(there)
    assert not spared(later)
    gc.collect()
    assert spared(later)


def test_a_collection_of_what_is_young_spares_nothing():
    spare_what_is_there()
    young = Kept()
    gc.collect(1)
    assert not spared(young)


def test_afterwards_everything_is_seen_as_usual():
    usual = gc.get_threshold()
    there = Kept()
    spare_what_is_there()
    spare_what_is_there()
    assert gc.get_threshold()[2] < usual[2]
    spare_nothing()
    assert gc.get_threshold() == usual
    gc.collect()
    assert not spared(there)


def test_what_is_made_in_a_pause_is_spared():
    with collection_paused():
        assert not gc.isenabled()
        made = Kept()
    assert gc.isenabled()
    assert spared(made)


def test_a_collection_that_is_postponed_is_made_up_for_once_the_window_is_free(qtbot):
    with collection_postponed():
        assert not gc.isenabled()
        with collection_postponed():
            made = Kept()
    assert not gc.isenabled()
    qtbot.waitUntil(gc.isenabled)
    assert not spared(made)


def test_what_fails_postpones_nothing_for_good(qtbot):
    with pytest.raises(ValueError, match="wrong"), collection_postponed():
        raise ValueError("wrong")
    qtbot.waitUntil(gc.isenabled)
    with pytest.raises(ValueError, match="wrong"), collection_paused():
        raise ValueError("wrong")
    assert gc.isenabled()
