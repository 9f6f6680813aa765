"""Processes beside this one, which end when it ends, in whatever way."""

import contextlib
import os
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import forkserver, get_context, parent_process
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread, active_count

_JOIN_SECONDS = 5
_IS_COPIED = sys.platform == "linux"
"""Only Linux makes copies of a process that its own libraries can live with."""


def preload(module: str) -> None:
    """Let a process begin that imports a module, and of which every `PipedProcess` is a copy.

    To be called early, for helpers to be there when they are needed. Where processes are not
    copied, each imports on its own what it needs.
    """
    if _IS_COPIED:
        get_context("forkserver").set_forkserver_preload([module])
        forkserver.ensure_running()


class PipedProcess:
    """A process that answers through a pipe, begun when it is first needed or was ended.

    It calls `serve` with its end of the pipe and the `arguments`, after whoever is at the window,
    until the pipe is closed.
    """

    def __init__(self, serve: Callable[..., object], *arguments: object) -> None:
        self._arguments = (serve, *arguments)
        self._running: tuple[BaseProcess, Connection] | None = None

    def pipe(self) -> Connection:
        """Our end of the pipe; another one where the process had to begin anew."""
        if self._running is None or not self._running[0].is_alive():
            context = get_context("forkserver") if _IS_COPIED else get_context("spawn")
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, *self._arguments), daemon=True)
            process.start()
            theirs.close()
            self._running = process, ours
        return self._running[1]

    def close(self) -> None:
        """End the process, whatever it does."""
        running, self._running = self._running, None
        if running is not None:
            running[0].terminate()
            running[0].join(timeout=_JOIN_SECONDS)


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
    """Whether a copy of this process can go on: it has no threads, nor what they hold locked."""
    return _IS_COPIED and active_count() == 1


def end_with_parent() -> None:
    """Let this process end as soon as the one that started it has ended."""
    Thread(target=_wait_for_parent, daemon=True).start()


def _serve(pipe: Connection, serve: Callable[..., object], *arguments: object) -> None:
    end_with_parent()
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)
    with contextlib.suppress(EOFError, OSError):
        serve(pipe, *arguments)


def _start(begin: Callable[[], object] | None) -> None:
    end_with_parent()
    if begin is not None:
        begin()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # nobody waits for what this process does, and it might wait for ever
