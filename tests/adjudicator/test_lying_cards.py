"""A data card tells of its own release, its own gold standard and its own mode, or nothing new."""

import json
import shutil
from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from adjudicator import release_risk as measures
from adjudicator.audit_book import AuditBook, adjudicated_records
from adjudicator.release.card import is_outdated, own_digest, rewrite_card
from adjudicator.release.draft import Draft
from adjudicator.release.released import records_of_release
from adjudicator.release.source import Source, SurrogateOptions
from adjudicator.release.writing import ReleaseOptions, write_release
from adjudicator.release_measuring import measure_release
from adjudicator.release_statements import known_of_release
from shared.errors import FileFormatError, RequestError
from shared.model import Layer
from shared.project.assignments import State
from shared.project.project import Project
from shared.surrogates.data_card import CARD
from shared.surrogates.drawing import secret_of_seed
from shared.surrogates.release import MARKER
from shared.surrogates.residual_risk import RiskStatement
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
    with pytest.raises(RequestError, match=r"was not made (as its data card|from the gold)"):
        measure_release(Project.open(project.root), out, DAY)
    assert cards(out) == before


OTHER = r"was not made as its data card says: the card is of another release, or something was"


def released_again(project: Project, out: Path, version: str = "1") -> Path:
    """Another release of the same gold standard in the same mode."""
    draft = Draft.make(Source.read(project, SurrogateOptions()), secret_of_seed(4))
    options = ReleaseOptions(out, accept_unreviewed=True, version=version)
    write_release(project, draft, options)
    return out


def is_refused(project: Project, out: Path) -> None:
    before = cards(out)
    for ask in (own_digest, lambda it: is_outdated(project, it),
                lambda it: known_of_release(project, it),
                lambda it: measure_release(project, it, DAY)):  # fmt: skip
        with pytest.raises(RequestError, match=OTHER):
            ask(out)
    assert cards(out) == before


@pytest.mark.parametrize("names", [(MARKER, CARD), (MARKER,), (CARD,)])
def test_a_card_of_another_release_of_the_same_gold_standard_and_mode_is_refused(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    project, out = release_of(ReleaseMode.SURROGATE, tmp_path, sources())
    other = released_again(project, tmp_path / "other")
    for name in names:
        shutil.copy(other / name, out / name)
    is_refused(project, out)


def edited(path: Path) -> None:
    path.write_text(path.read_text().replace("went home", "came home"))


def said_otherwise(out: Path, key: str, value: object) -> None:
    content = json.loads((out / MARKER).read_text())
    (out / MARKER).write_text(json.dumps(content | {key: value}))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda out: edited(out / "text" / "112-01.txt"),
        lambda out: (out / "text" / "112-01.txt").unlink(),
        lambda out: shutil.copy(out / "text" / "112-01.txt", out / "text" / "112-09.txt"),
        lambda out: said_otherwise(out, "names", "resample=0.5"),
        lambda out: said_otherwise(out, "not_reviewed", 1000),
        lambda out: said_otherwise(out, "limits", []),
        lambda out: said_otherwise(out, "digest", ""),
    ],
    ids=["edited", "removed", "added", "names", "not reviewed", "limits", "no digest"],
)
def test_a_release_or_card_that_was_changed_since_is_refused(
    tmp_path: Path, spoil: Callable[[Path], object]
) -> None:
    project, out = release_of(ReleaseMode.SURROGATE, tmp_path, sources())
    assert own_digest(out)
    spoil(out)
    is_refused(project, out)


def test_a_release_elsewhere_with_its_card_said_anew_is_still_its_own(tmp_path: Path) -> None:
    project, out = release_of(ReleaseMode.SURROGATE, tmp_path, sources())
    (out / "text" / ".DS_Store").write_bytes(b"of a file manager")
    (out / "README").write_text("Ask us.")
    digest = own_digest(out)
    rewrite_card(out, [RiskStatement("attack", "An attack", ("Nothing was found.",))], DAY)
    moved = out.rename(tmp_path / "moved")
    assert own_digest(moved) == digest
    assert is_outdated(project, moved) is False


def put_to_work(project: Project, name: str, tags: int | None) -> None:
    """Let an annotator have so many tags in a record; None: mark its patient as done."""
    if tags is None:
        project.set_state("111", name, State.DONE)
        return
    record = project.patient("111").document("111-01")
    gold = project.read_layer("gold", record).layer
    stored = project.read_layer(name, record) if project.has_layer(name, "111-01") else None
    layer = Layer.of("111-01", name, gold.tags[:tags])
    project.write_layer(name, record, layer, stored and stored.digest)


def drawn(project: Project) -> None:
    AuditBook(project).draw(adjudicated_records(project), 2, "carol", "hidden", 1)


@pytest.mark.parametrize(
    "change",
    [
        lambda project: put_to_work(project, "ana", 1),
        lambda project: put_to_work(project, "ben", None),
        drawn,
    ],
    ids=["a layer", "a state", "an audit"],
)
def test_work_that_was_changed_since_the_card_was_asked_is_told_until_it_is_asked_anew(
    tmp_path: Path, change: Callable[[Project], object]
) -> None:
    project, out = release_of(ReleaseMode.SURROGATE, tmp_path, sources())

    def says_so() -> bool:
        said = [text for each in known_of_release(project, out) for text in each.says]
        assert bool(is_outdated(project, out)) is any("before somebody changed" in e for e in said)
        return bool(is_outdated(project, out))

    put_to_work(project, "ana", 3)
    measure_release(project, out, DAY)
    assert not says_so()
    change(project)
    assert says_so()
    measure_release(project, out, DAY)
    assert not says_so()


def test_of_a_card_that_the_project_does_not_know_it_says_that_it_cannot_tell(
    tmp_path: Path,
) -> None:
    project, out = release_of(ReleaseMode.SURROGATE, tmp_path, sources())
    kept = project.root / "surrogates" / "cards.json"
    kept.unlink()
    assert is_outdated(project, out) is None
    assert "cannot be told" in known_of_release(project, out)[0].says[0]
    for broken in ("[", "[1]", json.dumps({own_digest(out): 1})):
        kept.write_text(broken)
        with pytest.raises(FileFormatError, match="is not a list of data cards"):
            known_of_release(project, out)
