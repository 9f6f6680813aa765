"""Processes beside this one, which end when it ends, in whatever way."""

import contextlib
import gc
import os
import shutil
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import (
    Pipe,
    active_children,
    current_process,
    forkserver,
    get_context,
    parent_process,
    resource_tracker,
    util,
)
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from threading import Lock, Thread, active_count
from types import ModuleType
from typing import Any, TypeVar

_Made = TypeVar("_Made")
_Part = TypeVar("_Part")
_JOIN_SECONDS = 5
_SELDOM = 100_000, 50, 50
"""When a process that helps collects garbage: it makes many small values, but few cycles."""
_HELPERS = "tandempy-"
"""Short, since a socket in there may have a hundred letters with all that is above it."""
_IS_COPIED = sys.platform == "linux"
"""Only Linux makes copies of a process that its own libraries can live with."""


def preload(module: str) -> None:
    """Let a process begin that imports a module, and of which every `begin_process` makes a copy.

    To be called early, for helpers to be there when they are needed. Where processes are not
    copied, each imports on its own what it needs. Where there is no room for it now, each
    process that is begun tries again.
    """
    if _IS_COPIED:
        _leave_none()
        get_context("forkserver").set_forkserver_preload([module])
        with contextlib.suppress(OSError):
            _talk_in_own_folder()
            forkserver.ensure_running()


class PipedProcess:
    """A process that answers through a pipe, begun when it is first needed or was ended.

    It calls `serve` with its end of the pipe and the `arguments`, after whoever is at the window,
    until the pipe is closed.
    """

    def __init__(self, serve: Callable[..., object], *arguments: object) -> None:
        self._arguments = (serve, *arguments)
        self._running: tuple[BaseProcess, Connection] | None = None
        self._is_closed = False
        self._turn = Lock()

    def pipe(self) -> Connection:
        """Our end of the pipe; another one where the process had to begin anew.

        Raises EOFError once this is closed.
        """
        with self._turn:
            if self._is_closed:
                raise EOFError
            if self._running is None or not self._running[0].is_alive():
                self._running = self._begun()
            return self._running[1]

    def stop(self) -> None:
        """End the process, whatever it does, until it is needed again."""
        with self._turn:
            running, self._running = self._running, None
            if running is not None:
                end_process(running[0])

    def close(self) -> None:
        """End the process, whatever it does, for good."""
        self._is_closed = True
        self.stop()

    def _begun(self) -> tuple[BaseProcess, Connection]:
        ours, theirs = Pipe()
        process = begin_process(_serve, theirs, *self._arguments)
        theirs.close()
        return process, ours


def begin_process(work: Callable[..., object], *arguments: object) -> BaseProcess:
    """Begin a process that does one work: a copy of the one that `preload` began, where there is.

    It ends when this one does, in whatever way. Raises OSError where there is no room for it.
    """
    _leave_none()
    with _beginning:  # nobody ends the server that another has just begun anew
        try:
            return _begun(work, *arguments)
        except (OSError, EOFError):  # something has cleaned its folder away, or it died; or no room
            _end_server(forkserver, "_forkserver", "_forkserver_pid")
            _talk_in_own_folder.cache_clear()
            return _begun(work, *arguments)


_beginning = Lock()


def _begun(work: Callable[..., object], *arguments: object) -> BaseProcess:
    _talk_in_own_folder()
    context = get_context("forkserver") if _IS_COPIED else get_context("spawn")
    process = context.Process(target=_do, args=(work, *arguments), daemon=True)
    process.start()
    return process


def end_process(process: BaseProcess) -> None:
    """End a process, whatever it does, and wait until it has."""
    process.terminate()
    process.join(timeout=_JOIN_SECONDS)
    if process.is_alive():
        process.kill()
        process.join(timeout=_JOIN_SECONDS)


def process_pool(
    count: int, begin: Callable[[], object] | None = None, *, copied: bool = False
) -> ProcessPoolExecutor:
    """Return a pool of processes, in each of which `begin` is called first.

    They are new, or `copied` from this one, which has to be `can_be_copied` when they are first
    given work: all that this one holds is there from the start, and so is what `begin` is made of.
    """
    _leave_none()
    return ProcessPoolExecutor(
        count,
        mp_context=get_context("fork" if copied else "spawn"),
        initializer=_start,
        initargs=(begin,),
    )


def can_be_copied() -> bool:
    """Whether a copy of this process can go on: it has no threads, nor what they hold locked."""
    return _IS_COPIED and active_count() == 1


def done_in_copies(
    work: Callable[[_Part], _Made],
    parts: Sequence[_Part],
    cores: int,
    *,
    made_anew: Callable[[], Callable[[_Part], _Made]] | None = None,
) -> Iterator[_Made]:
    """Yield what `work` makes of each part, in their order, in so many copies of this process.

    Where there can be no copies, new processes do it, each with a work that it has `made_anew`,
    which is pickled. Without that, or of but one part, it is done here, and so is what is left
    where processes have died.
    """
    done, copied = 0, can_be_copied()
    make = (lambda: work) if copied else made_anew
    if cores > 1 and len(parts) > 1 and make is not None:
        begin = partial(_begin_work, make)
        with process_pool(min(cores, len(parts)), begin, copied=copied) as pool:
            try:
                for made in pool.map(_work, parts):
                    yield made
                    done += 1
            except BrokenExecutor:
                pass
            finally:
                pool.shutdown(cancel_futures=True)
    yield from map(work, parts[done:])


_works: list[Callable[[Any], Any]] = []
"""In a process of a pool, what it does with a part."""


def _begin_work(make: Callable[[], Callable[[Any], Any]]) -> None:
    _works.append(make())
    gc.freeze()  # what is there stays, and is looked through no more


def _work(part: Any) -> Any:  # noqa: ANN401
    return _works[0](part)


@contextlib.contextmanager
def done_beside(work: Callable[[], _Made]) -> Generator[Callable[[], _Made]]:
    """Let `work` be done in a copy of this process during the block; what is given returns it.

    Where there can be no copy, where it has died or where `work` raised, it is done here, then.
    """
    if available_cores() < 2 or not can_be_copied():
        yield work
        return
    with process_pool(1, _leave_interrupts, copied=True) as pool:
        made = pool.submit(work)

        def done() -> _Made:
            try:
                return made.result()
            except Exception:  # noqa: BLE001  whatever it was, it is raised here if it is so here
                return work()

        try:
            yield done
        finally:
            pool.shutdown(cancel_futures=True)


def available_cores() -> int:
    """How many processes can run at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _end_with_parent() -> None:
    """Let this process end as soon as the one that started it has ended."""
    Thread(target=_wait_for_parent, daemon=True).start()


@cache
def _talk_in_own_folder() -> None:
    """Let helpers be called in a folder that is locked, and remove those of killed programs.

    Of Python's own folder nobody could tell whether it is still in use.
    """
    if not _IS_COPIED:  # nor is a folder needed
        return
    for each in Path(gettempdir()).glob(f"{_HELPERS}*"):
        with contextlib.suppress(OSError):  # another user's, or in use
            os.close(_locked(each))
            for socket in each.glob("listener-*"):
                socket.unlink()
            each.rmdir()
    while True:
        folder = mkdtemp(prefix=_HELPERS)
        with contextlib.suppress(OSError):  # somebody else took it for one that is left
            _locked(Path(folder))  # until the program ends, in whatever way
            break
    util.Finalize(None, shutil.rmtree, args=(folder, True), exitpriority=-100)
    vars(current_process())["_config"]["tempdir"] = folder


def _locked(folder: Path) -> int:
    """Lock a folder; raises OSError where it is locked, or gone by now."""
    import fcntl  # not on Windows

    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        folder.stat()
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


@cache
def _leave_none() -> None:
    """Let the program end only when its processes have, also those that begin and watch others."""
    util.Finalize(None, _end_children, exitpriority=0)
    util.Finalize(None, _end_servers, exitpriority=-1)  # after all that they serve


def _end_children() -> None:
    for child in active_children():
        if child.daemon:
            end_process(child)


def _end_servers() -> None:
    _end_server(forkserver, "_forkserver", "_forkserver_pid")
    _end_server(resource_tracker, "_resource_tracker", "_pid")


def _end_server(module: ModuleType, name: str, pid_name: str) -> None:
    """End a process of Python's own, where there is one; Python lets that be done by name alone."""
    server = getattr(module, name, None)
    pid, stop = getattr(server, pid_name, None), getattr(server, "_stop", None)
    if pid is not None and stop is not None:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)  # else it would wait for whoever has its pipe
            stop()


def _do(work: Callable[..., object], *arguments: object) -> None:
    _end_with_parent()
    work(*arguments)


def _serve(pipe: Connection, serve: Callable[..., object], *arguments: object) -> None:
    gc.set_threshold(*_SELDOM)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(5)
    with contextlib.suppress(EOFError, OSError):
        serve(pipe, *arguments)


def _leave_interrupts() -> None:
    """Leave it to the process that began this one, which ends it, to be interrupted by a key."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _start(begin: Callable[[], object] | None) -> None:
    _end_with_parent()
    gc.set_threshold(*_SELDOM)
    if begin is not None:
        begin()


def _wait_for_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # nobody waits for what this process does, and it might wait for ever
