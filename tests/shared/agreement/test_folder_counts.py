"""Counts of two folders are those of all their records compared, however they are read."""

from pathlib import Path

import pytest

from shared.agreement import folder_counts
from shared.agreement.folder_comparison import compare_folders
from shared.agreement.folder_counts import FolderCounts, count_folders
from shared.errors import FileError, RequestError, TandemError
from shared.formats.base import ReadOptions
from shared.formats.i2b2_xml import format_record
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import layer, marked_up

HIPAA = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa)
TEXTS = ("Seen by [Lee|DOCTOR] on [3/4|DATE].", "Seen by [Lee|PATIENT] on [3/4|DATE].", "Nothing.")


def write(folder: Path, name: str, source: str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(format_record(marked_up(source)[0], layer(source, path.stem)))


def plain(root: Path, number: int = 5) -> tuple[Path, Path]:
    for at in range(number):
        write(root / "one", f"11{at}-1.xml", TEXTS[at % 2])
        write(root / "two", f"11{at}-1.xml", TEXTS[0])
    return root / "one", root / "two"


def one_sided(one: Path, two: Path) -> None:
    write(one, "110-1-a.xml", TEXTS[0])
    write(two, "109-1.xml", TEXTS[0])
    write(two, "below/999-1.xml", TEXTS[1])
    write(one, "below/998-1.xml", TEXTS[1])
    write(one, "998-2.xml", TEXTS[1])
    write(two, "elsewhere/998-2.xml", TEXTS[1])


def other_text(one: Path, two: Path) -> None:
    write(two, "112-1.xml", TEXTS[2])


def broken(one: Path, two: Path) -> None:
    (one / "111-1.xml").write_text("<deIdi2b2>")
    (two / "777-1.xml").write_text("not XML at all")
    (two / "README.md").write_text("read me")
    (one / "page.html").write_text("<html>")


def twice(one: Path, two: Path) -> None:
    write(one, "copy/110-1.xml", TEXTS[1])
    write(two, "copy/111-1.XML", TEXTS[1])


def in_another_case(one: Path, two: Path) -> None:
    write(one, "A-1.xml", TEXTS[0])
    write(one, "a-1.xml", TEXTS[0])
    write(two, "a-1.xml", TEXTS[0])


def with_texts(one: Path, two: Path) -> None:
    (one / "555-1.txt").write_text("Text alone.")
    (two / "110-1.txt").write_text("Seen by Lee on 3/4.")


def many_in_one(one: Path, two: Path) -> None:
    (two / "more.jsonl").write_text('{"id": "300-1", "text": "Lee", "tags": []}\n')


def without_patient(one: Path, two: Path) -> None:
    for each in (one, two):
        write(each, "..-1.xml", TEXTS[0])


ODD = (
    *(one_sided, other_text, broken, twice, in_another_case, with_texts, many_in_one),
    without_patient,
)


def said(found: FolderCounts) -> tuple[object, ...]:
    return (
        *(found.sums.records, found.sums.times, found.sums.by_label, found.left_out),
        *([sorted(map(str, each)) for each in (found.problems, found.unread)]),
    )


def expected(one: Path, two: Path) -> FolderCounts:
    return FolderCounts.of(compare_folders(one, two), HIPAA)


@pytest.mark.parametrize("odd", ODD)
def test_whatever_lies_in_the_folders_the_counts_are_those_of_the_records(
    odd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = plain(tmp_path)
    odd(one, two)
    for part in (1, 3, 100):
        monkeypatch.setattr(folder_counts, "_PART", part)
        found = count_folders(one, two, (), ReadOptions(), HIPAA)
        assert said(found) == said(expected(one, two))


def test_all_at_once(tmp_path: Path) -> None:
    one, two = plain(tmp_path)
    for odd in (one_sided, other_text, broken):
        odd(one, two)
    found = count_folders(one, two, (), ReadOptions(), HIPAA)
    assert said(found) == said(expected(one, two))
    assert (found.sums.records, len(found.problems)) == (3 + 1, 2)


def test_plain_files_are_not_compared_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = plain(tmp_path)
    broken(one, two)
    monkeypatch.setattr(folder_counts, "compare_folders", None)
    assert count_folders(one, two, (), ReadOptions(), HIPAA).sums.records == 4


def test_any_number_of_processes_counts_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = plain(tmp_path, 30)
    one_sided(one, two)
    broken(one, two)
    monkeypatch.setattr(folder_counts, "_PART", 4)
    monkeypatch.setattr(folder_counts, "_FEW", 0)
    alone, *shared = (
        count_folders(one, two, (), ReadOptions(), HIPAA, cores=cores) for cores in (1, 2, 3)
    )
    for each in shared:
        assert said(each) == said(alone)
        assert list(map(type, each.problems)) == list(map(type, alone.problems))


def refusals(one: Path, two: Path) -> list[tuple[type[TandemError], str]]:
    found: list[tuple[type[TandemError], str]] = []
    for compare in (
        compare_folders,
        lambda *sides: count_folders(*sides, (), ReadOptions(), HIPAA),
    ):
        with pytest.raises((FileError, RequestError)) as refused:
            compare(one, two)
        found.append((refused.type, str(refused.value)))
    return found


def test_what_cannot_be_compared_is_refused_in_the_same_words(tmp_path: Path) -> None:
    one, two = plain(tmp_path)
    other, empty, texts = (tmp_path / each for each in ("other", "empty", "texts"))
    write(other, "777-1.xml", TEXTS[0])
    empty.mkdir()
    texts.mkdir()
    (texts / "110-1.txt").write_text("Seen by Lee.")
    changed = tmp_path / "changed"
    write(changed, "110-1.xml", TEXTS[2])
    for each in (other, empty, texts, changed, tmp_path / "nowhere"):
        first, second = refusals(one, each)
        assert first == second
        first, second = refusals(each, two)
        assert first == second
