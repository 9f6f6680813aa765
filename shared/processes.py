"""Processes beside this one, which end when it ends, in whatever way."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context, parent_process
from threading import Thread, active_count


def process_pool(
    count: int, begin: Callable[[], object] | None = None, *, copied: bool = False
) -> ProcessPoolExecutor:
    """Return a pool of processes, in each of which `begin` is called first.

    They are new, or `copied` from this one, which has to be `can_be_copied` when they are first
    given work: all that this one holds is there from the start, and so is what `begin` is made of.
    """
    return ProcessPoolExecutor(
        count,
        mp_context=get_context("fork" if copied else "spawn"),
        initializer=_start,
        initargs=(begin,),
    )


def can_be_copied() -> bool:
    """Whether a copy of this process can go on: a copy has no threads, nor what they hold locked.

    Only Linux makes copies that its own libraries can live with.
    """
    return sys.platform == "linux" and active_count() == 1


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
