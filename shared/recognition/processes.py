"""Processes beside this one, which end when it ends, in whatever way."""

import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread


def process_pool(count: int, begin: Callable[[], object] | None = None) -> ProcessPoolExecutor:
    """Return a pool of new processes, in each of which `begin` is called first."""
    return ProcessPoolExecutor(
        count, mp_context=get_context("spawn"), initializer=_start, initargs=(begin,)
    )


def end_with_parent() -> None:
    """Let this process end as soon as the one that started it has ended."""
    Thread(target=_wait_for_parent, daemon=True).start()


def _start(begin: Callable[[], object] | None) -> None:
    end_with_parent()
    if begin is not None:
        begin()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # nobody waits for what this process does, and it might wait for ever
