"""What a bundle says that it is made of is what lies in it."""

import json

import pytest

from bundle.bill_of_materials import (
    BILL,
    Part,
    bill_of,
    differences,
    licence_files,
    part_of,
    shipped,
)

PART = Part("numpy", "1.0", "BSD-3-Clause", "pkg:pypi/numpy@1.0")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "_internal").mkdir()
    (tmp_path / "tandem").write_bytes(b"program")
    (tmp_path / "_internal" / "a.so").write_bytes(b"library")
    (tmp_path / "_internal" / "link.so").symlink_to("a.so")
    bill = bill_of(tmp_path, {PART: shipped(tmp_path)})
    (tmp_path / BILL).write_text(json.dumps(bill))
    return tmp_path


def test_a_bill_of_what_is_there_differs_in_nothing(folder):
    assert shipped(folder) == ["_internal/a.so", "tandem"]
    assert differences(folder) == []


def test_a_file_that_is_added_removed_or_changed_is_told(folder):
    (folder / "_internal" / "b.so").touch()
    (folder / "_internal" / "a.so").write_bytes(b"another")
    (folder / "tandem").unlink()
    assert differences(folder) == ["_internal/a.so", "_internal/b.so", "tandem"]


def test_a_file_is_that_of_the_package_that_brought_it():
    import numpy as np

    part = part_of("_internal/numpy/__init__.py", np.__file__)
    assert part is not None
    assert (part.name, part.version) == ("numpy", np.__version__)
    texts = [each.read_text("utf-8") for each in licence_files(part)]
    assert any("Redistribution and use" in each for each in texts)
    assert part_of("_internal/of-nobody", "") is None
