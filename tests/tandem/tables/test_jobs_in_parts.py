"""However an archive is cut into parts, and whoever works on them, the same comes out."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import tandem
from shared.commands import tables
from shared.commands.main import main
from shared.formats.base import Record
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from tandem.tag_frames import documents_of, records_of
from tests.tandem.tables.conftest import Archive

SURROGATES = ("--doubtful", "mask", "--mode", "keyed", "--key", "key")
JOBS = {
    "suggest": ("suggest", "notes.parquet", "--model", "rules"),
    "check": ("check", "notes.parquet", "--tags", "tags.parquet", "--all"),
    "surrogate": ("surrogate", "notes.parquet", "--tags", "tags.parquet", *SURROGATES),
}
BY = ["patient", "record"]


def in_order(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sort_values(BY, kind="stable", ignore_index=True)


@pytest.mark.parametrize("job", JOBS)
def test_parts_of_any_size_give_the_same(small: Archive, job: str) -> None:
    whole, cut = f"{job}-whole.parquet", f"{job}-cut.parquet"
    assert small.run(*JOBS[job], "--out", whole, "--part-size", 100) == 0
    assert small.run(*JOBS[job], "--out", cut, "--part-size", 0.01) == 0
    for table in ("", ".read", ".tags", ".left-out"):
        names = [f"{job}-{each}{table}.parquet" for each in ("whole", "cut")]
        if (small / names[0]).exists():
            first, second = map(small.frame, names)
            assert_frame_equal(in_order(first), in_order(second))
    assert len(small.frame(cut))


def test_a_job_does_what_the_frames_of_the_library_do(small: Archive) -> None:
    direct = tandem.load_recognizer("rules").suggest(small.notes, cores=1)
    assert_frame_equal(in_order(small.frame("tags.parquet")), in_order(direct), check_dtype=False)
    tags = small.frame("tags.parquet")
    small.run("check", "notes.parquet", "--tags", "tags.parquet", "--out", "found.parquet")
    found = tandem.check_frame(small.notes, tags)
    assert_frame_equal(in_order(small.frame("found.parquet")), in_order(found), check_dtype=False)
    small.run(*JOBS["surrogate"], "--out", "direct.parquet")
    made = tandem.surrogate_frame(
        small.notes, tags, mode="keyed", key=small / "key", doubtful="mask"
    )
    assert_frame_equal(
        in_order(small.frame("direct.parquet")), in_order(made.records), check_dtype=False
    )


def test_scores_add_up_exactly(small: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    printed: list[str] = []
    for size in (100, 0.01, 0.03):
        out = f"counts-{size}.parquet"
        capsys.readouterr()
        said = ("tags.parquet", "gold.parquet", "--notes", "notes.parquet", "--out", out)
        assert small.run("score", *said, "--part-size", size) == 0
        printed.append(capsys.readouterr().out.partition("measure")[2])
    assert printed[0] == printed[1] == printed[2]
    assert "strict" in printed[0]
    corpora = {
        "ours": tandem.TaggedCorpus.of(small.notes, small.frame("tags.parquet")),
        "theirs": tandem.TaggedCorpus.of(small.notes, small.gold),
    }
    for name, each in corpora.items():
        each.write(small / name, "i2b2")
    plain = tandem.score(small / "ours", small / "theirs").frame()
    cells = plain[["precision", "recall", "f1", "macro_precision", "macro_recall", "macro_f1"]]
    strict = [f"{each:.4f}" for each in cells.iloc[0]]
    assert printed[0].splitlines()[2].split()[2:8] == strict


def test_a_patient_is_never_cut(small: Archive) -> None:
    small.run(
        *JOBS["suggest"],
        "--out",
        "cut_out",
        "--part-size",
        0.01,
        "--engine",
        "processes",
        "--cores",
        1,
    )
    patients = [
        set(pd.read_parquet(each)["patient"]) for each in sorted((small / "cut_out").iterdir())
    ]
    assert len(patients) > 2
    assert sum(map(len, patients)) == len(set.union(*patients))


def test_a_partitioned_table_makes_one(small: Archive) -> None:
    notes = small.notes.assign(year=["2068", "2071"] * (len(small.notes) // 2) + ["2068"] * (
        len(small.notes) % 2))  # fmt: skip
    notes.to_parquet(small / "by-year", partition_cols=["year"], index=False)
    small.run("suggest", "by-year", "--model", "rules", "--out", "tags_by_year_out",
              "--engine", "processes", "--cores", "1")  # fmt: skip
    assert {each.name for each in (small / "tags_by_year_out").iterdir()} == {
        "year=2068", "year=2071"
    }  # fmt: skip
    made = pd.read_parquet(small / "tags_by_year_out").drop(columns="year").astype(object)
    assert_frame_equal(
        in_order(made), in_order(small.frame("tags.parquet")).astype(object), check_dtype=False
    )


def test_a_release_has_no_year_in_the_name_of_a_folder(small: Archive) -> None:
    notes = small.notes.assign(year="2068")
    notes.to_parquet(small / "of-2068", partition_cols=["year"], index=False)
    said = ("surrogate", "of-2068", "--tags", "tags.parquet", *SURROGATES)
    small.run(*said, "--out", "new_of_2068_out")
    names = [each.name for each in (small / "new_of_2068_out").rglob("*")]
    assert names
    assert not any("2068" in each for each in names)


def test_a_table_of_csv_gives_the_same(small: Archive) -> None:
    small.notes.to_csv(small / "notes.csv", index=False)
    small.run("suggest", "notes.csv", "--model", "rules", "--out", "of-csv.parquet")
    assert_frame_equal(
        in_order(small.frame("of-csv.parquet")), in_order(small.frame("tags.parquet"))
    )


def missing(frame: pd.DataFrame, seed: int) -> pd.DataFrame:
    return frame.sample(frac=0.9, random_state=seed).sort_index()


@pytest.mark.parametrize("third", [False, True])
def test_risk_is_told_of_tables_as_of_a_project(
    small: Archive, tmp_path: Path, capsys: pytest.CaptureFixture[str], third: bool
) -> None:
    """Whatever the parts: the same figures, those of the same tags in a project."""
    read = {name: missing(small.gold, seed) for seed, name in enumerate(("ana", "ben"))}
    for name, frame in read.items():
        frame.to_parquet(small / f"{name}.parquet", index=False)
    said = ["risk", "notes.parquet", "--tags", "ana.parquet", "--tags", "ben.parquet"]
    said += ["--gold", "gold.parquet"]
    said += ["--recognizer", "tags.parquet", "--judged"] if third else []
    printed: list[str] = []
    for size in (100, 0.01, 0.03):
        capsys.readouterr()
        out = f"risk-{third}-{size}.parquet"
        assert small.run(*said, "--out", out, "--part-size", size) == 0
        printed.append(capsys.readouterr().out.partition("PHI that no")[2])
    assert printed[0] == printed[1] == printed[2]

    records = [Record(each) for each in documents_of(small.notes)]
    project = Project.create(tmp_path / "project", "Same", I2B2_2014, records, ("ana", "ben"), 1)
    for name, frame in {**read, "gold": small.gold}.items():
        for each in records_of(small.notes, frame):
            project.write_layer(name, each.document, each.layer, None)
    for patient_id in project.patient_ids:
        for name in ("ana", "ben"):
            project.set_state(patient_id, name, State.DONE)
    capsys.readouterr()
    others = ["--model", "rules", "--judged"] if third else []
    assert main(["risk", str(project.root), *others]) == 0
    of_project = capsys.readouterr().out.partition("PHI that no")[2]
    named = of_project.replace("ana ", "first ").replace("ben ", "second ")
    assert sorted(named.split()) == sorted(printed[0].split())  # readers come by their names


def test_of_risk_two_readers_are_asked_for(small: Archive) -> None:
    said = ("risk", "notes.parquet", "--gold", "gold.parquet", "--tags", "tags.parquet")
    assert small.run(*said, "--out", "one_reader_out") == 2
    assert small.run("risk", "notes.parquet", "--tags", "tags.parquet") == 2


def test_each_stage_tells_how_far_it_is(small: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    told: dict[str, list[tuple[int, int]]] = {}

    @contextmanager
    def heard() -> Iterator[Callable[[str, int, int], None]]:
        yield lambda what, done, total: told.setdefault(what, []).append((done, total))

    monkeypatch.setattr(tables, "bar_of_stages", heard)
    assert small.run(*JOBS["check"], "--out", "told.parquet", "--part-size", 0.01) == 0
    assert list(told) == ["counting words", "check"]
    for stage in told.values():
        assert len(stage) > 2
        assert stage == sorted(stage)
        assert stage[-1] == (len(small.notes), len(small.notes))
