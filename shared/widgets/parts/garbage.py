"""The garbage collector, kept from stopping a window that holds a patient with many tags."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def collection_paused() -> Generator[None]:
    """Collect nothing meanwhile: many small values are made in the block, and they stay.

    Later collections leave them out too, until `gc.unfreeze`.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
