"""What lies in the folder of guidelines is anybody's: nothing in it breaks or holds up a window."""

import os

import pytest

from shared.project.project_guidelines import file_inside, read_guidelines


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "guidelines"
    folder.mkdir()
    return folder


def names(root):
    return [each.name for each in read_guidelines(root).guidelines]


def problems(root):
    return [str(each) for each in read_guidelines(root).problems]


def test_without_a_folder_there_are_none(tmp_path):
    found = read_guidelines(tmp_path)
    assert (found.guidelines, found.problems) == ((), ())


def test_files_of_markdown_are_found_as_people_count_and_hidden_ones_are_not(folder, tmp_path):
    (folder / "sub").mkdir()
    (folder / ".git").mkdir()
    for name in ("10.md", "9.MD", "sub/a.markdown", "x.txt", ".b.md", ".git/c.md"):
        (folder / name).write_text("# x\n")
    assert names(tmp_path) == ["9.MD", "10.md", "sub/a.markdown"]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Ward 3 #\n", "Ward 3"),
        ("x\n\n# Later\n", "Later"),
        ("## x\n", "my rules"),
        ("", "my rules"),
    ],
)
def test_the_title_is_the_first_heading_or_the_name_of_the_file(folder, tmp_path, text, title):
    (folder / "my_rules.md").write_text(text)
    assert [each.title for each in read_guidelines(tmp_path).guidelines] == [title]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"\xff", "is not in UTF-8"),
        (b"a\0b", "is no text"),
        (b"x\n" * 64_001, "has more than 128 kB"),
        (b"|x|\n" * 3000, "has too long a table, list or line"),
        (b"[\n" * 5000, "has too long a table, list or line"),
        (b"1. x\n" * 3000, "has too long a table, list or line"),
        (b"  - x\n" * 3000, "has too long a table, list or line"),
        (b"x" * 20_001, "has too long a table, list or line"),
    ],
)
def test_a_file_that_cannot_be_shown_is_one_sentence_and_the_others_are_shown(
    folder, tmp_path, data, why
):
    (folder / "bad.md").write_bytes(data)
    (folder / "good.md").write_text("# x")
    assert names(tmp_path) == ["good.md"]
    (problem,) = problems(tmp_path)
    assert why in problem
    assert "\n" not in problem


def test_what_is_no_file_is_passed_over_in_a_sentence(folder, tmp_path):
    os.mkfifo(folder / "pipe.md")
    (folder / "gone.md").symlink_to(tmp_path / "nothing")
    (folder / "dir.md").mkdir()
    assert names(tmp_path) == []
    assert len(problems(tmp_path)) == 2


def test_nothing_outside_the_folder_is_read(folder, tmp_path):
    (tmp_path / "outside.md").write_text("# secret")
    (folder / "link.md").symlink_to(tmp_path / "outside.md")
    assert names(tmp_path) == []
    assert "is no file of the folder" in problems(tmp_path)[0]


def test_a_folder_that_leads_elsewhere_is_not_read(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "a.md").write_text("# secret")
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "guidelines").symlink_to(tmp_path / "elsewhere")
    assert names(tmp_path / "p") == []
    assert "leads to another folder" in problems(tmp_path / "p")[0]


def test_of_too_many_files_the_first_are_shown(folder, tmp_path):
    for number in range(101):
        (folder / f"{number}.md").write_text("# x")
    assert len(names(tmp_path)) == 100
    assert "too many or too long" in problems(tmp_path)[0]


def test_of_files_that_are_too_long_together_the_first_are_shown(folder, tmp_path):
    for number in range(5):
        (folder / f"{number}.md").write_text(f"{'x' * 9_999}\n" * 12)
    assert len(names(tmp_path)) == 4
    assert "too many or too long" in problems(tmp_path)[0]


def test_files_are_read_again_only_where_one_changed(folder, tmp_path):
    (folder / "a.md").write_text("# x")
    before = read_guidelines(tmp_path)
    assert read_guidelines(tmp_path, before) is before
    (folder / "a.md").write_text("# yy")
    assert [each.title for each in read_guidelines(tmp_path, before).guidelines] == ["yy"]


@pytest.mark.parametrize("wanted", ["../x.png", "/etc/passwd", "gone.png", "\0", "a" * 5000, "."])
def test_a_file_beside_is_given_only_from_within(folder, tmp_path, wanted):
    (tmp_path / "x.png").write_text("x")
    (folder / "in.png").write_text("x")
    assert file_inside(folder, folder / "a.md", "in.png") == (folder / "in.png").resolve()
    assert file_inside(folder, folder / "a.md", wanted) is None
