"""What a tag has settled is listed no more, and no key acts on it, before the next look is done."""

import pytest
from PySide6.QtCore import Qt

from shared.consistency.findings import FindingKind
from shared.model import PhiType, Span
from shared.widgets.findings.finding_pane import FindingPane
from shared.widgets.findings.finding_service import FindingService
from tests.annotator.page import press, put_caret, tags

PATIENT, DOCTOR = PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")
CONTROL = Qt.KeyboardModifier.ControlModifier
RECORDS = {
    "English": ("Mary Smith", "Mary had Ultram. Mary Smith left."),
    "German": ("Klaus Weber", "Herr Weber kam. Dann ging Klaus Weber."),
    "Spanish": ("María Pérez", "Vino María. Luego se fue María Pérez."),
    "Chinese": ("13800138000", "患者王小明，电话13800138000，入院。\n"),
}
"""A name, or a number, and a record in which it is found before anything is tagged."""


@pytest.fixture(params=RECORDS)
def record(request):
    return RECORDS[request.param]


@pytest.fixture
def texts(record):
    return {"1-01": record[1]}


def listed(window):
    return window.findChild(FindingPane).model.all_rows


def freeze(window, qtbot, monkeypatch):
    """Wait for findings; from then on each look finds the same, as one would that began before."""
    with qtbot.waitSignal(window._findings._search.found, timeout=20_000):
        pass
    found = tuple(listed(window))
    monkeypatch.setattr(FindingService, "look", lambda *_: found)
    return found


def over(window, name):
    """The findings in the last place of a name."""
    start = window.view.merged_view.text.rindex(name)
    return [each for each in listed(window) if Span(start, start + len(name)).overlaps(each.span)]


def press_everywhere(window, name):
    """Press Enter, and the key that applies a fix, at each letter of a name."""
    start = window.view.merged_view.text.rindex(name)
    for at in range(start, start + len(name) + 1):
        for key, modifiers in ((Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
                               (Qt.Key.Key_M, CONTROL)):  # fmt: skip
            window.view.set_caret(at)
            press(window, key, modifiers)


def tag_whole(window, name):
    start = window.view.merged_view.text.rindex(name)
    window.editor.tag_span(Span(start, start + len(name)), DOCTOR)


def test_what_is_tagged_by_hand_is_not_tagged_again_by_a_key(window, qtbot, monkeypatch, record):
    found, (name, _) = freeze(window, qtbot, monkeypatch), record
    assert over(window, name)
    tag_whole(window, name)
    assert not over(window, name)
    assert len(listed(window)) < len(found)
    press_everywhere(window, name)
    assert [each for each in tags(window) if each[0] in name] == [(name, "DOCTOR")]


def test_nor_where_a_look_from_before_comes_in_after(window, qtbot, monkeypatch, record):
    freeze(window, qtbot, monkeypatch)
    window._findings._search.look()
    tag_whole(window, record[0])
    with qtbot.waitSignal(window._findings._search.found, timeout=20_000):
        pass
    assert not over(window, record[0])


def test_what_was_undone_is_found_again(window, qtbot, monkeypatch, record):
    found = freeze(window, qtbot, monkeypatch)
    tag_whole(window, record[0])
    press(window, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: tuple(listed(window)) == found, timeout=20_000)


class TestTags:
    """Findings about a tag, which is of another type or gone since."""

    @pytest.fixture
    def record(self):
        return "Dr. Okafor", "Seen by Dr. Okafor today. No Okafor came."

    @pytest.fixture
    def boundary(self, window, qtbot, monkeypatch, record):
        tag_whole(window, record[0])
        kinds = {FindingKind.BOUNDARY, FindingKind.GUIDELINE}
        qtbot.waitUntil(lambda: any(each.kind in kinds for each in listed(window)), timeout=20_000)
        found = tuple(listed(window))
        monkeypatch.setattr(FindingService, "look", lambda *_: found)
        return next(each for each in found if each.kind in kinds)

    def test_a_retyped_tag_is_not_given_its_old_type_back(self, window, boundary, record):
        put_caret(window, record[0])
        placed = next(iter(window.session.tags))
        window.editor.carry_out(lambda: window.session.retype([placed], PATIENT))
        assert boundary not in listed(window)
        press_everywhere(window, record[0])
        assert {phi_type for _, phi_type in tags(window)} == {"PATIENT"}

    def test_a_removed_tag_does_not_come_back(self, window, boundary):
        placed = next(iter(window.session.tags))
        window.editor.carry_out(lambda: window.session.remove([placed]))
        assert boundary not in listed(window)
        press(window, Qt.Key.Key_M, CONTROL)
        assert not tags(window)
