"""The garbage collector leaves out what is made to stay."""

import gc
import threading

import pytest

from shared import garbage
from shared.garbage import CollectionSwitch, collection_paused, collection_put_off


@pytest.fixture(autouse=True)
def as_it_was(monkeypatch):
    was_enabled = gc.isenabled()
    monkeypatch.setattr(garbage, "collection", CollectionSwitch())  # tasks of others have their own
    gc.enable()
    yield
    gc.unfreeze()
    if not was_enabled:
        gc.disable()


class Kept:
    """Something that the collector has to look at."""


def spared(thing):
    return all(each is not thing for each in gc.get_objects())


def test_what_is_made_in_a_pause_is_spared():
    with collection_paused():
        assert not gc.isenabled()
        made = Kept()
    assert gc.isenabled()
    assert spared(made)


def test_what_is_put_off_is_collected_later():
    with collection_paused(), collection_put_off():
        assert not gc.isenabled()
    with collection_put_off():
        assert not gc.isenabled()
        made = Kept()
    assert gc.isenabled()
    assert not spared(made)


@pytest.mark.parametrize("pause", [collection_paused, collection_put_off])
def test_a_pause_in_a_pause_does_not_end_it(pause):
    with collection_put_off():
        with pause():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_fails_pauses_nothing_for_good():
    with pytest.raises(ValueError, match="wrong"), collection_paused():
        raise ValueError("wrong")
    assert gc.isenabled()


def test_blocks_of_two_threads_that_end_in_any_order_put_it_off_until_the_last():
    inside, leave = threading.Event(), threading.Event()

    def hold():
        with collection_put_off():
            inside.set()
            leave.wait(60)

    other = threading.Thread(target=hold)
    with collection_put_off():
        other.start()
        inside.wait(60)
    assert not gc.isenabled()
    leave.set()
    other.join()
    assert gc.isenabled()
