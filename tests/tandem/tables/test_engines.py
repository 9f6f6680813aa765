"""Engines work on every part, whatever becomes of their workers."""

import hashlib
import os
import shutil
import signal
import time
from collections.abc import Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from multiprocessing import active_children
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from shared.errors import RequestError
from tandem.tables.engines import EngineError, Result, Work, opened_engine
from tests.tandem.tables.conftest import Archive, archive_of

pq = pytest.importorskip("pyarrow.parquet")
needs_dask = pytest.mark.skipif(find_spec("distributed") is None, reason="needs Dask")
needs_spark = pytest.mark.skipif(
    find_spec("pyspark") is None or shutil.which("java") is None, reason="needs Spark and Java"
)
IN_DASK = "ignore::DeprecationWarning", "ignore::ResourceWarning"


def run_parts(
    engine: str, work: Work[Result], parts: Sequence[int], cores: int
) -> Iterator[Result]:
    with opened_engine(engine, len(parts), cores) as run:
        yield from run(work, parts)


def squared(part: int) -> int:
    return part**2


def killed_once(folder: Path, part: int) -> int:
    """End this process the first time that the second part is worked on."""
    mark = folder / str(part)
    if part == 1 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return part**2


def always_killed(_part: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def test_processes_work_on_every_part(tmp_path: Path) -> None:
    found = run_parts("processes", squared, range(7), cores=2)
    assert sorted(found) == [each**2 for each in range(7)]


def test_workers_have_ended_when_tables_are_put_together(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, workers = pq.ParquetWriter, list[BaseProcess]()

    def write(*args: Any, **options: Any) -> object:
        workers.extend(active_children())
        return real(*args, **options)

    monkeypatch.setattr(pq, "ParquetWriter", write)
    said = ("--model", "rules", "--part-size", 0.01, "--engine", "processes", "--cores", 2)
    assert archive.run("suggest", "notes.parquet", *said, "--out", "tags.parquet") == 0
    assert (archive / "tags.parquet").exists()
    assert not workers


def process_id(_part: int) -> int:
    return os.getpid()


def test_processes_stay_for_the_next_parts() -> None:
    with opened_engine("processes", 9, 2) as run:
        first = set(run(process_id, range(9)))
        assert os.getpid() not in first
        assert set(run(process_id, range(9))) | first == first


def test_killed_processes_cost_their_parts_only(tmp_path: Path) -> None:
    work = partial(killed_once, tmp_path)
    found = run_parts("processes", work, range(5), cores=2)
    assert sorted(found) == [each**2 for each in range(5)]
    assert (tmp_path / "1").exists()


def test_a_part_that_always_kills_is_told(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="processes ended 3 times before a part was done"):
        list(run_parts("processes", always_killed, range(2), cores=2))


@pytest.mark.parametrize("engine", ["ray", "processes=2", ""])
def test_an_engine_that_there_is_not_is_refused(engine: str, tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="there are processes, dask, spark"):
        list(run_parts(engine, squared, [0], cores=1))


@needs_dask
@pytest.mark.filterwarnings(*IN_DASK)
def test_no_scheduler_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    from dask import config

    with config.set({"distributed.comm.timeouts.connect": "1s"}):  # noqa: SIM117
        with pytest.raises(RequestError, match=r"no scheduler of Dask answers at 127\.0\.0\.1:9"):
            list(run_parts("dask=127.0.0.1:9", squared, [0], cores=1))


def digests(archive: Archive, folder: str) -> dict[str, str]:
    return {
        each.name: hashlib.sha256(each.read_bytes()).hexdigest()
        for each in sorted((archive / folder).iterdir())
    }


def suggested(archive: Archive, engine: str, folder: str) -> dict[str, str]:
    """What an engine makes of the notes, and what each file then is."""
    (archive / folder).mkdir()
    archive.run(
        "suggest", "notes.parquet", "--model", "rules", "--out", f"{folder}/tags.parquet",
        "--part-size", 0.03, "--engine", engine, "--cores", 2,
    )  # fmt: skip
    return digests(archive, folder)


def released(archive: Archive, engine: str, folder: str) -> dict[str, str]:
    """What an engine releases of a few of them."""
    (archive / folder).mkdir()
    archive.run(
        "surrogate", "notes.parquet", "--tags", "tags.parquet", "--out", f"{folder}/new.parquet",
        "--doubtful", "mask", "--mode", "keyed", "--key", "key", "--part-size", 0.02,
        "--engine", engine, "--cores", 2,
    )  # fmt: skip
    return digests(archive, folder)


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    made = archive_of(tmp_path_factory.mktemp("engines"), 20, 3)
    assert len(made.notes) >= 80
    return made


@needs_dask
@pytest.mark.timeout(400)  # processes are begun four times
@pytest.mark.filterwarnings(*IN_DASK)
def test_dask_gives_the_same_files(notes: Archive, small: Archive) -> None:
    assert suggested(notes, "dask", "by-dask") == suggested(notes, "processes", "by-processes")
    assert released(small, "dask", "by-dask") == released(small, "processes", "by-processes")


@needs_spark
@pytest.mark.slow
def test_spark_gives_the_same_files(notes: Archive, small: Archive) -> None:
    assert suggested(notes, "spark", "by-spark") == suggested(notes, "processes", "beside-spark")
    assert released(small, "spark", "by-spark") == released(small, "processes", "beside-spark")


def slowly(part: int) -> int:
    time.sleep(0.2)
    return part


@needs_spark
@pytest.mark.slow
def test_spark_tells_what_is_done_before_all_is() -> None:
    begun, told = time.monotonic(), list[float]()
    found: list[int] = []
    for each in run_parts("spark", slowly, range(24), cores=2):
        found.append(each)
        told.append(time.monotonic() - begun)
    assert sorted(found) == list(range(24))
    assert told[0] < told[-1] - 1


@needs_spark
@pytest.mark.slow
def test_a_job_that_spark_ends_is_told_in_one_sentence() -> None:
    with pytest.raises(EngineError, match="run it again: what is done is kept"):
        list(run_parts("spark", always_killed, range(3), cores=1))


def listening(_part: int) -> set[str]:
    """The addresses at which this process and the one that began it listen."""
    psutil = pytest.importorskip("psutil")
    return {
        each.laddr.ip
        for process in (os.getpid(), os.getppid())
        for each in psutil.Process(process).net_connections()
        if each.status == psutil.CONN_LISTEN
    }


@needs_dask
@pytest.mark.filterwarnings(*IN_DASK)
def test_nothing_of_a_cluster_of_our_own_listens_to_other_machines() -> None:
    found = set().union(*run_parts("dask", listening, range(3), cores=2))
    assert found == {"127.0.0.1"}


@needs_dask
@pytest.mark.filterwarnings(*IN_DASK)
@pytest.mark.parametrize("ends", [2, 3])
def test_workers_that_end_as_they_begin_are_begun_again(
    ends: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed, times = pytest.importorskip("distributed"), iter(range(ends))
    real = distributed.LocalCluster

    def begin(**options: object) -> object:
        if next(times, None) is not None:
            raise RuntimeError("Nanny failed to start.")  # as it says where its process is killed
        return real(**options)

    monkeypatch.setattr(distributed, "LocalCluster", begin)
    if ends < 3:
        assert sorted(run_parts("dask", squared, range(3), cores=2)) == [0, 1, 4]
    else:
        with pytest.raises(EngineError, match="ended 3 times as they began; run it again"):
            list(run_parts("dask", squared, range(3), cores=2))
