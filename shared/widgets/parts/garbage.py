"""The garbage collector, kept from stopping a window that holds a patient with many tags."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collection_put_off() -> Generator[None]:
    """Collect nothing meanwhile: many small values are made in the block."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def collection_paused() -> Generator[None]:
    """Collect nothing meanwhile: what is made in the block stays.

    Later collections leave it out too, until `gc.unfreeze`.
    """
    with collection_put_off():
        try:
            yield
        finally:
            gc.freeze()
