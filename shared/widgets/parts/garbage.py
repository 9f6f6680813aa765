"""The garbage collector, kept from stopping a window that holds a patient with many tags."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Generator[None]:
    """Collect nothing meanwhile: many small values are made in the block, and they stay.

    Later collections leave them out too, until `spare_nothing`.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        spare_what_is_there()
        if was_enabled:
            gc.enable()


def spare_what_is_there() -> None:
    """Leave all that exists out of later collections, which would go through it each time."""
    gc.freeze()


def spare_nothing() -> None:
    """Let collections see everything again."""
    gc.unfreeze()
