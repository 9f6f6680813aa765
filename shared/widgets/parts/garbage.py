"""The garbage collector, kept from stopping a window that holds a patient with many tags."""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QTimer

_USUAL = gc.get_threshold()
_OFTEN = (*_USUAL[:2], 2)
"""Looked through so often, what is new does not hold a window up for long."""


@contextmanager
def collection_paused() -> Generator[None]:
    """Collect nothing meanwhile: many small values are made in the block, and they stay.

    Later collections leave them out too, until `spare_nothing`.
    """
    was_enabled = _collect_nothing()
    try:
        yield
    finally:
        spare_what_is_there()
        if was_enabled:
            gc.enable()


@contextmanager
def collection_postponed() -> Generator[None]:
    """Collect nothing until the window has painted what the block did; for its own thread."""
    was_enabled = _collect_nothing()
    try:
        yield
    finally:
        if was_enabled:
            QTimer.singleShot(0, gc.enable)


def _collect_nothing() -> bool:
    """Returns whether there were collections so far."""
    was_enabled = gc.isenabled()
    gc.disable()
    return was_enabled


def spare_what_is_there() -> None:
    """Leave all that exists out of later collections, which would go through it each time.

    So is what comes later, once it has outlived a full collection.
    """
    gc.freeze()
    if _spare_survivors not in gc.callbacks:
        gc.callbacks.append(_spare_survivors)
        gc.set_threshold(*_OFTEN)


def spare_nothing() -> None:
    """Let collections see everything again."""
    if _spare_survivors in gc.callbacks:
        gc.callbacks.remove(_spare_survivors)
        gc.set_threshold(*_USUAL)
    gc.unfreeze()


def _spare_survivors(phase: str, info: dict[str, Any]) -> None:
    if phase == "stop" and info["generation"] == len(_USUAL) - 1:
        gc.freeze()
