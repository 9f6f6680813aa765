"""What a hospital may send goes through import, tagging, saving and opening with offsets right."""

import pytest

from shared.formats.corpus import read_corpus
from shared.model import Layer, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from tests.builders import phi

NAME = "Ann Lee"
BEFORE = {
    "an emoji": ("\U0001f600\U0001f469\u200d\u2695\ufe0f ", 6),
    "a form feed": ("a\x0cb ", 4),
    "control characters": ("\x00\x1b\x7f\x85 ", 5),
    "line ends of Windows": ("a\r\nb\r\n", 4),
    "line ends of old Macs": ("a\rb\r", 4),
    "a combining accent": ("e\u0301 ", 3),
    "right to left": ("שלום مرحبا\u200f ", 12),
    "an unpaired surrogate": ("\ud83d ", 2),
    "separators of lines": ("a\u2028b\u2029", 4),
    "the end of CDATA": ("]]> ", 4),
    "5 MB": ("\U0001f600x\n" * 1_700_000, 5_100_000),
}


@pytest.mark.parametrize(("before", "offset"), BEFORE.values(), ids=BEFORE)
def test_offsets_stay_right(tmp_path, before, offset):
    (tmp_path / "in").mkdir()
    source = f"{before}{NAME} {before}".encode("utf-8", "surrogatepass")
    (tmp_path / "in" / "110-01.txt").write_bytes(source)
    records = read_corpus(tmp_path / "in").records
    made = Project.create(tmp_path / "project", "T", I2B2_2014, records, ["ana", "ben"], 0)
    document = made.patient("110").documents[0]
    tag = Tag(Span(offset, offset + len(NAME)), phi("PATIENT"))
    made.write_layer("ana", document, Layer.of("110-01", "ana", [tag]), None)

    opened = Project.open(tmp_path / "project")
    again = opened.patient("110").documents[0]
    (read,) = opened.read_layer("ana", again).layer.tags
    assert again == document
    assert read == tag
    assert read.span.text_in(again.text) == NAME
