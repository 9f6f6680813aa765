"""Records on paper: every line once, in order, with heads and tags, whatever they hold."""

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QFont, QPdfWriter

from shared.errors import RequestError
from shared.model import MergedView
from shared.widgets.document.marks import Mark
from shared.widgets.records.record_pages import (
    _paragraphs,
    draw_records,
    screen_resolution,
    set_margins,
)
from tests.builders import patient

FONT = QFont("DejaVu Sans", 10)
ODD = "Kai 😀 Lee\n\nالمريض أحمد علي زار الطبيب\n\u202eabc\0\x0c\ud800\n王小明先生于2071年"
ODD += "x" * 9000


def drawn(qapp, *texts, marks=()):
    view = MergedView(patient(*texts))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(screen_resolution())
    set_margins(writer)
    records = [each.record_id for each in view.sections]
    pages = list(draw_records(writer, view, records, marks, FONT))
    return pages, buffer.data().data()


@pytest.mark.parametrize("text", ["", "\n", "a\n\nb", "a\n", ODD, "word " * 3000, "é" * 9001])
def test_the_paragraphs_of_a_record_are_all_of_it_and_nothing_twice(text):
    found = list(_paragraphs(f"before\n{text}\nafter", 7, 7 + len(text)))
    whole = f"before\n{text}\nafter"
    at = 7
    for start, end in found:
        assert start in (at, at + 1)
        assert whole[at:start] in ("", "\n")
        assert end - start <= 4001
        assert "\n" not in whole[start:end]
        at = end
    assert whole[at : 7 + len(text)] in ("", "\n")


def test_each_record_begins_on_a_page_of_its_own(qapp):
    pages, data = drawn(qapp, "One.", "Two.", "")
    assert pages[-1] == 3
    assert data.startswith(b"%PDF")


def test_a_long_record_goes_on_from_page_to_page(qapp):
    pages, _ = drawn(qapp, "A line.\n" * 200)
    assert 3 <= pages[-1] <= 6
    assert pages == sorted(pages)


def test_nasty_text_with_tags_over_each_other_and_over_lines_is_drawn(qapp):
    marks = [Mark(0, 12, "DOCTOR", "#d55e00"), Mark(4, 40, "PATIENT", "#0072b2")]
    marks += [Mark(20, 9050, "DATE", "#cc79a7"), Mark(0, 3, "DATE", "#cc79a7")]
    pages, data = drawn(qapp, ODD, marks=marks)
    assert pages[-1] >= 1
    assert len(data) > 1000


@pytest.mark.qt_log_ignore("QPainter::begin")
def test_what_cannot_be_drawn_on_is_said_in_a_sentence(qapp, tmp_path):
    writer = QPdfWriter(str(tmp_path / "nowhere" / "a.pdf"))
    with pytest.raises(RequestError):
        list(draw_records(writer, MergedView(patient("One.")), ["110-01"], (), FONT))
