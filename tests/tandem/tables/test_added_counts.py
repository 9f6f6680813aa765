"""Counts of more parts than a process may have open are added up all the same."""

from collections import Counter
from pathlib import Path

import pytest

from adjudicator.corpus_counts import CorpusCounts, CorpusSummary
from tandem.tables import run_folder
from tandem.tables.part_work import sum_up
from tandem.tables.run_folder import RunFolder


@pytest.mark.parametrize("parts", [1, 2, 3, 8, 13])
def test_many_parts_are_added_in_rounds(
    parts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_folder, "_OPEN_AT_ONCE", 2)
    counts = [CorpusCounts(small=Counter({f"w{each % 3}": 1, "all": 1})) for each in range(parts)]
    run = RunFolder(tmp_path)
    for number, each in enumerate(counts):
        run.write_counts(each, number)
    for _ in range(2):  # again after a kill
        assert list(run.added_counts(parts)) == list(CorpusCounts.added(counts).lines())
        assert sum_up(str(tmp_path), parts) == parts
        lines = CorpusCounts.added(counts).lines()
        assert run.summary() == CorpusSummary.of_lines(lines)
