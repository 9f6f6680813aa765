"""The garbage collector leaves out what is made to stay."""

import gc

import pytest

from shared.widgets.parts.garbage import collection_paused


@pytest.fixture(autouse=True)
def as_it_was():
    yield
    gc.unfreeze()


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


def test_what_fails_pauses_nothing_for_good():
    with pytest.raises(ValueError, match="wrong"), collection_paused():
        raise ValueError("wrong")
    assert gc.isenabled()
