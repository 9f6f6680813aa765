"""Where the parts of a job are worked on: processes of this machine, Dask, Spark.

Each engine calls the same function with the number of each part, on a machine that sees the same
files, perhaps more than once for a part, and gives back what it returns.
"""

# pyright: reportUnknownMemberType=false

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, as_completed
from typing import Any, TypeVar, cast

from shared.errors import RequestError, TandemError
from shared.processes import available_cores, process_pool

Result = TypeVar("Result")
Work = Callable[[int], Result]

ENGINES = ("processes", "dask", "spark")
_TRIES = 3
"""So often a part may take its process with it before the job is given up."""


class EngineError(TandemError):
    """An engine that ended before the job did; what is done is kept."""


def run_parts(
    engine: str, work: Work[Result], parts: Sequence[int], *, cores: int | None
) -> Iterator[Result]:
    """Yield what `work` returns for each part, in any order.

    `engine` is a name of `ENGINES`, `dask` and `spark` with the address of a scheduler or master
    behind `=`. Raises RequestError where there is no
    such engine, EngineError, and what `work` raises.
    """
    name, _, address = engine.partition("=")
    if name not in ENGINES or (address and name == "processes"):
        raise RequestError(f"--engine: there is no {engine}; there are {', '.join(ENGINES)}")
    if not parts:
        return
    count = min(cores or available_cores(), len(parts))
    if name == "processes" and count == 1:
        yield from map(work, parts)
    elif name == "processes":
        yield from _processes(work, parts, count)
    elif name == "dask":
        yield from _dask(work, parts, count, address)
    else:
        yield from _spark(work, parts, count, address)


def _processes(work: Work[Result], parts: Sequence[int], count: int) -> Iterator[Result]:
    """New processes, as copies of one with Arrow's threads may stand still."""
    left, tries = list(parts), 0
    while left:
        done = 0
        with process_pool(min(count, len(left)), _begin) as pool:
            futures = {pool.submit(work, each): each for each in left}
            try:
                for each in as_completed(futures):
                    result = each.result()
                    left.remove(futures[each])
                    done += 1
                    yield result
            except BrokenExecutor:
                tries = 0 if done else tries + 1
                if tries == _TRIES:
                    raise EngineError(
                        f"processes ended {_TRIES} times before a part was done, as they do where "
                        "memory is short; use fewer --cores or a smaller --part-size and run it "
                        "again: what is done is kept"
                    ) from None
            finally:
                pool.shutdown(cancel_futures=True)


def _dask(work: Work[Result], parts: Sequence[int], count: int, address: str) -> Iterator[Result]:
    try:
        from dask import config
        from distributed import Client, KilledWorker, LocalCluster
        from distributed import as_completed as completed
    except ImportError:
        raise RequestError("Dask is not installed: pip install 'tandem-phi[dask]'") from None
    with config.set({"distributed.comm.retry.count": 3}):
        try:
            cluster: Any = address or LocalCluster(
                n_workers=count, threads_per_worker=1, dashboard_address="", silence_logs=50
            )
            client = Client(cluster)
        except (OSError, ValueError) as error:
            raise RequestError(f"no scheduler of Dask answers at {address}") from error
        try:
            futures = client.map(work, parts, pure=False, retries=_TRIES - 1)
            for future in cast("Iterator[Any]", completed(futures)):
                try:
                    yield future.result()
                except KilledWorker:
                    raise EngineError(
                        "workers of Dask ended over one part again and again; give them more "
                        "memory or use a smaller --part-size and run it again: what is done is kept"
                    ) from None
        finally:
            client.close()
            if not address:
                cluster.close()


def _spark(work: Work[Result], parts: Sequence[int], count: int, master: str) -> Iterator[Result]:
    try:
        from pyspark.sql import SparkSession  # pyright: ignore
    except ImportError:
        raise RequestError(
            "PySpark is not installed; use that of your cluster, or pip install pyspark"
        ) from None
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    sessions = cast("Any", SparkSession)
    builder = sessions.builder.appName("tandem").config("spark.ui.showConsoleProgress", "false")
    known = sessions.getActiveSession()
    session = known or builder.master(master or f"local[{count},{_TRIES}]").getOrCreate()
    try:
        context = session.sparkContext
        yield from context.parallelize(list(parts), len(parts)).map(work).collect()
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("py4j", "pyspark"):
            raise
        raise EngineError(
            "Spark ended the job, see its log; run it again: what is done is kept"
        ) from None
    finally:
        if known is None:
            session.stop()


def _begin() -> None:
    """In a process of the pool: one core each is enough."""
    import pyarrow as pa

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
