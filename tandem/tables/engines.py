"""Where the parts of a job are worked on: processes of this machine, Dask, Spark.

Each engine calls the same function with the number of each part, on a machine that sees the same
files, perhaps more than once for a part, and gives back what it returns.
"""

# pyright: reportUnknownMemberType=false

import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    as_completed,
)
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeVar, cast

from shared.errors import RequestError, TandemError
from shared.processes import available_cores, process_pool

Result = TypeVar("Result")
Work = Callable[[int], Result]

ENGINES = ("processes", "dask", "spark")
_TRIES = 3
"""So often a part may take its process with it before the job is given up."""
_WAVE = 2
"""So many parts for each core are given to Spark in one list."""
_AGAIN = "run it again: what is done is kept"


class EngineError(TandemError):
    """An engine that ended before the job did; what is done is kept."""


class Engine(Protocol):
    """Works on parts, with workers that stay for the next ones."""

    def __call__(self, work: Work[Result], parts: Sequence[int]) -> Iterator[Result]:
        """Yield what `work` returns for each part, in any order.

        Raises EngineError, and what `work` raises.
        """
        ...


@contextmanager
def opened_engine(engine: str, parts: int, cores: int | None = None) -> Generator[Engine]:
    """The engine of a name of `ENGINES`, for work on about so many parts.

    `dask` and `spark` may have the address of a scheduler or master behind `=`. Its workers are
    there when they are first needed. Raises RequestError where there is no such engine.
    """
    name, _, address = engine.partition("=")
    if name not in ENGINES or (address and name == "processes"):
        raise RequestError(f"--engine: there is no {engine}; there are {', '.join(ENGINES)}")
    count = max(1, min(cores or available_cores(), parts))
    if name == "processes" and count == 1:
        yield _in_this_process
        return
    opened: _Processes | _Dask | _Spark
    if name == "processes":
        opened = _Processes(count)
    else:
        opened = _Dask(count, address) if name == "dask" else _Spark(count, address)
    try:
        yield opened
    finally:
        opened.close()


def _in_this_process(work: Work[Result], parts: Sequence[int]) -> Iterator[Result]:
    return map(work, parts)


class _Processes:
    """New processes, as copies of one with Arrow's threads may stand still."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._pool: ProcessPoolExecutor | None = None

    def __call__(self, work: Work[Result], parts: Sequence[int]) -> Iterator[Result]:
        left, tries = list(parts), 0
        while left:
            done = 0
            self._pool = self._pool or process_pool(self._count, _begin)
            futures = {self._pool.submit(work, each): each for each in left}
            try:
                for each in as_completed(futures):
                    result = each.result()
                    left.remove(futures[each])
                    done += 1
                    yield result
            except BrokenExecutor:
                self.close()
                tries = 0 if done else tries + 1
                if tries == _TRIES:
                    raise EngineError(
                        f"processes ended {_TRIES} times before a part was done, as they do where "
                        f"memory is short; use fewer --cores or a smaller --part-size and {_AGAIN}"
                    ) from None

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


_DASK_CONFIG = {"distributed.comm.retry.count": 3, "distributed.worker.profile.enabled": False}
"""Workers would look at their stacks all the time, and remember a quarter of an hour of that."""


class _Dask:
    """Workers of a cluster that runs at an address, or of one for this job."""

    def __init__(self, count: int, address: str) -> None:
        self._count, self._address = count, address
        self._client: Any = None
        self._cluster: Any = None

    def __call__(self, work: Work[Result], parts: Sequence[int]) -> Iterator[Result]:
        if not parts:
            return
        self._open()
        from distributed import KilledWorker, as_completed

        futures = self._client.map(work, parts, pure=False, retries=_TRIES - 1)
        for future in cast("Iterator[Any]", as_completed(futures)):
            try:
                yield future.result()
            except KilledWorker:
                raise EngineError(
                    "workers of Dask ended over one part again and again; give them more "
                    f"memory or use a smaller --part-size and {_AGAIN}"
                ) from None

    def close(self) -> None:
        for each in (self._client, self._cluster):
            if each is not None:
                each.close()

    def _open(self) -> None:
        """Raises RequestError where there is no Dask, or no scheduler."""
        if self._client is not None:
            return
        try:
            from dask import config
            from distributed import Client
        except ImportError:
            raise RequestError("Dask is not installed: pip install 'tandem-phi[dask]'") from None
        with config.set(_DASK_CONFIG):
            try:
                if not self._address:
                    self._begin_cluster()
                self._client = Client(self._cluster or self._address)
            except (OSError, ValueError) as error:
                said = f"no scheduler of Dask answers at {self._address}"
                raise RequestError(said) from error

    def _begin_cluster(self) -> None:
        """Raises EngineError where the workers of a cluster of this machine end as they begin."""
        from distributed import LocalCluster

        for _ in range(_TRIES):
            with suppress(RuntimeError, TimeoutError):  # it has closed what it had
                self._cluster = LocalCluster(
                    n_workers=self._count, threads_per_worker=1, dashboard_address="127.0.0.1:0",
                    silence_logs=50,
                )  # fmt: skip
                return
        raise EngineError(f"workers of Dask ended {_TRIES} times as they began; {_AGAIN}")


class _Spark:
    """The session of a notebook, or one of our own at a master."""

    def __init__(self, count: int, master: str) -> None:
        self._master = master or f"local[{count},{_TRIES}]"
        self._session: Any = None
        self._is_own = False

    def __call__(self, work: Work[Result], parts: Sequence[int]) -> Iterator[Result]:
        if not parts:
            return
        self._open()
        context = self._session.sparkContext
        size = _WAVE * int(context.defaultParallelism)
        waves = [parts[at : at + size] for at in range(0, len(parts), size)]

        def collect(wave: Sequence[int]) -> list[Result]:
            return context.parallelize(list(wave), len(wave)).map(work).collect()

        # Spark gives back whole lists; while the last parts of one are worked on, the next begins
        threads = ThreadPoolExecutor(max_workers=2)
        try:
            for each in as_completed([threads.submit(collect, wave) for wave in waves]):
                yield from each.result()
        except Exception as error:
            if type(error).__module__.partition(".")[0] not in ("py4j", "pyspark"):
                raise
            raise EngineError(f"Spark ended the job, see its log; {_AGAIN}") from None
        finally:
            threads.shutdown(cancel_futures=True)

    def close(self) -> None:
        if self._is_own:
            self._session.stop()

    def _open(self) -> None:
        """Raises RequestError where there is no Spark."""
        if self._session is not None:
            return
        try:
            from pyspark.sql import SparkSession  # pyright: ignore
        except ImportError:
            raise RequestError(
                "PySpark is not installed; use that of your cluster, or pip install pyspark"
            ) from None
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        sessions = cast("Any", SparkSession)
        known = sessions.getActiveSession()
        builder = sessions.builder.appName("tandem").config("spark.ui.showConsoleProgress", "false")
        self._session = known or builder.master(self._master).getOrCreate()
        self._is_own = known is None


def _begin() -> None:
    """In a process of the pool: one core each is enough."""
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
