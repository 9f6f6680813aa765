"""The garbage collector, kept from stopping whoever makes or holds very many small values."""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock


class CollectionSwitch:
    """Lets nothing be collected, on any thread, while somebody wants it so."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._wanted_by = 0
        self._was_enabled = False

    def put_off(self) -> None:
        """Collect nothing until as many have allowed it again."""
        with self._lock:
            if not self._wanted_by:
                self._was_enabled = gc.isenabled()
            self._wanted_by += 1
            gc.disable()

    def allow(self) -> None:
        """Take one `put_off` back; where it was the last, this thread is likely to collect."""
        with self._lock:
            self._wanted_by -= 1
            if not self._wanted_by and self._was_enabled:
                gc.enable()


collection = CollectionSwitch()


@contextmanager
def collection_put_off() -> Generator[None]:
    """Collect nothing meanwhile: many small values are made in the block."""
    collection.put_off()
    try:
        yield
    finally:
        collection.allow()


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
