"""A data card tells of its own release, its own gold standard and its own mode, or nothing new."""

import shutil
from itertools import permutations
from pathlib import Path

import pytest

from adjudicator import release_risk as measures
from adjudicator.release_measuring import measure_release
from adjudicator.release_risk import records_of_release
from shared.errors import RequestError
from shared.project.project import Project
from shared.surrogates.data_card import CARD
from shared.surrogates.release import MARKER
from shared.surrogates.surrogate_kinds import ReleaseMode
from tests.adjudicator.test_release_risk import changed, regold, release_of, sources

DAY = "2026-11-23"


@pytest.fixture(autouse=True)
def one_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "COPIES", 1)
    monkeypatch.setattr(measures, "ROUNDS", 1)


def cards(out: Path) -> list[bytes]:
    return [(out / name).read_bytes() for name in (MARKER, CARD)]


@pytest.mark.parametrize(("mode", "said"), tuple(permutations(ReleaseMode, 2)))
def test_a_card_of_another_mode_is_refused(
    tmp_path: Path, mode: ReleaseMode, said: ReleaseMode
) -> None:
    for each in (mode, said):
        (tmp_path / each.value).mkdir()
    project, out = release_of(mode, tmp_path / mode.value, sources())
    _, other = release_of(said, tmp_path / said.value, sources())
    for name in (MARKER, CARD):
        shutil.copy(other / name, out / name)
    before = cards(out)
    with pytest.raises(RequestError, match=r"was not made (as its data card|from the gold)"):
        measure_release(project, out, DAY)
    assert cards(out) == before


def test_a_gold_standard_that_was_edited_leaves_the_card_as_it_was(tmp_path: Path) -> None:
    project, out = release_of(ReleaseMode.SURROGATE, tmp_path, sources())
    before = cards(out)
    regold(project, "111-01", 3)
    with pytest.raises(RequestError, match="release again"):
        measure_release(Project.open(project.root), out, DAY)
    assert cards(out) == before


@pytest.mark.parametrize("what", ["gold", "release"])
def test_what_changes_while_it_is_measured_is_not_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    project, out = release_of(ReleaseMode.SURROGATE, tmp_path, sources())
    before = cards(out)
    _, (first, *_) = records_of_release(project, out)
    day = first.tags[0].span.text_in(first.document.text)

    def measured(*_: object) -> None:
        """Somebody edits while it runs; what it would find does not matter."""
        if what == "gold":
            regold(project, "111-01", 3)
        else:
            changed(out, day, day[:-1] + ("7" if day[-1] != "7" else "8"))

    monkeypatch.setattr(measures, "measured", measured)
    with pytest.raises(RequestError, match="was not made from the gold standard"):
        measure_release(Project.open(project.root), out, DAY)
    assert cards(out) == before
