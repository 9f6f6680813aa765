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
NAMES = {
    "English": ("Mary had Ultram. Mary Smith left.", "Mary Smith"),
    "German": ("Herr Weber kam. Dann ging Klaus Weber.", "Klaus Weber"),
    "Spanish": ("Vino María. Luego se fue María Pérez.", "María Pérez"),
}


@pytest.fixture(params=NAMES)
def name(request):
    return NAMES[request.param]


@pytest.fixture
def texts(name):
    return {"1-01": name[0]}


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


def test_what_is_tagged_by_hand_is_not_tagged_again_by_a_key(window, qtbot, monkeypatch, name):
    found, whole = freeze(window, qtbot, monkeypatch), name[1]
    assert over(window, whole)
    start = name[0].rindex(whole)
    window.editor.tag_span(Span(start, start + len(whole)), DOCTOR)
    assert not over(window, whole)
    assert len(listed(window)) < len(found)
    press_everywhere(window, whole)
    assert [each for each in tags(window) if each[0] in whole] == [(whole, "DOCTOR")]


def test_nor_where_a_look_from_before_comes_in_after(window, qtbot, monkeypatch, name):
    freeze(window, qtbot, monkeypatch)
    start = name[0].rindex(name[1])
    window._findings._search.look()
    window.editor.tag_span(Span(start, start + len(name[1])), DOCTOR)
    with qtbot.waitSignal(window._findings._search.found, timeout=20_000):
        pass
    assert not over(window, name[1])


def test_what_was_undone_is_found_again(window, qtbot, monkeypatch, name):
    found = freeze(window, qtbot, monkeypatch)
    start = name[0].rindex(name[1])
    window.editor.tag_span(Span(start, start + len(name[1])), DOCTOR)
    press(window, Qt.Key.Key_Z, CONTROL)
    qtbot.waitUntil(lambda: tuple(listed(window)) == found, timeout=20_000)


class TestTags:
    """Findings about a tag, which is of another type or gone since."""

    @pytest.fixture
    def name(self):
        return "Seen by Dr. Okafor today. No Okafor came.", "Dr. Okafor"

    @pytest.fixture
    def boundary(self, window, qtbot, monkeypatch, name):
        start = name[0].index(name[1])
        window.editor.tag_span(Span(start, start + len(name[1])), DOCTOR)
        kinds = {FindingKind.BOUNDARY, FindingKind.GUIDELINE}
        qtbot.waitUntil(lambda: any(each.kind in kinds for each in listed(window)), timeout=20_000)
        found = tuple(listed(window))
        monkeypatch.setattr(FindingService, "look", lambda *_: found)
        return next(each for each in found if each.kind in kinds)

    def test_a_retyped_tag_is_not_given_its_old_type_back(self, window, boundary, name):
        put_caret(window, name[1])
        placed = next(iter(window.session.tags))
        window.editor.carry_out(lambda: window.session.retype([placed], PATIENT))
        assert boundary not in listed(window)
        press_everywhere(window, name[1])
        assert {phi_type for _, phi_type in tags(window)} == {"PATIENT"}

    def test_a_removed_tag_does_not_come_back(self, window, boundary):
        placed = next(iter(window.session.tags))
        window.editor.carry_out(lambda: window.session.remove([placed]))
        assert boundary not in listed(window)
        press(window, Qt.Key.Key_M, CONTROL)
        assert not tags(window)
