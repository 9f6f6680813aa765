"""Suggestions in the annotation window, by real keys and clicks."""

import pytest
from PySide6.QtCore import QItemSelectionModel, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDockWidget, QToolButton

from annotator.rejections import PlacedSuggestion
from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document, Origin
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from shared.widgets.document.marks import MarkStyle
from tests.annotator.page import wait_for_suggestions
from tests.places import take_list

FIRST = "Seen by Dr. Lee on 05/09/2007, phone (617) 555-0134.\nBack on 05/09/2007 with Dr. Lee."
TEXTS = {"1-01": FIRST, "1-02": "Called (617) 555-0134 on 6/1/2007.", "2-01": "Since 03/04/2006."}
CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(name, name[0], text)) for name, text in TEXTS.items()]
    made = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    made.set_suggestions(made.suggestions.changed("ana", Policy.RULES))
    return made


@pytest.fixture
def window(qtbot, project):
    return opened(qtbot, project)


def opened(qtbot, project):
    made = AnnotationWindow(project, "ana")
    qtbot.addWidget(made)
    made.show()
    made.open_patient("1")
    qtbot.waitUntil(made.view.hasFocus)
    wait_for_suggestions(made, qtbot)
    assert "From the rules" in pane(made).about
    return made


def pane(window):
    return window._parts.suggestions


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.view, key, modifiers)


def tags(window):
    text = window.view.merged_view.text
    return [(each.span.text_in(text), each.phi_type.name) for each in window.session.tags]


def suggested(window):
    text = window.view.merged_view.text
    return [
        each.span.text_in(text)
        for each in window.view.marks()
        if each.style is MarkStyle.SUGGESTION
    ]


def put_caret(window, text):
    window.view.set_caret(window.view.merged_view.text.index(text))


def test_suggestions_are_marked_with_confidence_in_the_note(window):
    assert suggested(window).count("05/09/2007") == 2
    (mark,) = window.view.marks_at(FIRST.index("05/09/2007"))
    assert (mark.label, mark.style) == ("DATE", MarkStyle.SUGGESTION)
    assert "% sure (rules)" in mark.note


def test_f8_walks_and_enter_accepts_and_goes_on(window):
    found = suggested(window)
    press(window, Qt.Key.Key_F8)
    for number in range(len(found)):
        assert window.view.selected_span().text_in(window.view.merged_view.text) == found[number]
        press(window, Qt.Key.Key_Return)
    assert [text for text, _ in tags(window)] == found
    assert suggested(window) == []
    assert {each.tag.origin for each in window.session.tags} == {Origin.SUGGESTION}


def test_a_walk_begun_at_the_slider_goes_on_in_the_text(window):
    found = suggested(window)
    window._parts.bring_forward(pane(window))
    pane(window).slider.setFocus()
    QTest.keyClick(pane(window).slider, Qt.Key.Key_F8)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert [text for text, _ in tags(window)] == found[:1]


def test_a_walk_over_untagged_text_begun_in_the_list_goes_on_in_the_text(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: any(each.style is MarkStyle.UNTAGGED for each in window.view.marks()))
    window._parts.bring_forward(pane(window))
    pane(window).slider.setFocus()
    pane(window).slider.setValue(100)
    QTest.keyClick(pane(window).slider, Qt.Key.Key_F9)
    QTest.keyClick(window.focusWidget(), Qt.Key.Key_Return)
    assert tags(window) == [("Lee", "PROFESSION")] * 2


def test_shift_f8_walks_back(window):
    found = suggested(window)
    press(window, Qt.Key.Key_F8, SHIFT)
    assert window.view.selected_span().text_in(window.view.merged_view.text) == found[-1]
    press(window, Qt.Key.Key_F8, SHIFT)
    assert window.view.selected_span().text_in(window.view.merged_view.text) == found[-2]


def test_enter_where_one_did_not_walk_stays(window):
    put_caret(window, "05/09/2007")
    press(window, Qt.Key.Key_Return)
    assert tags(window) == [("05/09/2007", "DATE")]
    assert window.view.selected_span() is None


def test_shift_enter_accepts_everywhere_as_one_step(window):
    put_caret(window, "05/09/2007")
    press(window, Qt.Key.Key_Return, SHIFT)
    assert tags(window) == []
    assert take_list(window) == 2
    assert tags(window) == [("05/09/2007", "DATE")] * 2
    press(window, Qt.Key.Key_Z, CONTROL)
    assert tags(window) == []
    assert suggested(window).count("05/09/2007") == 2


def test_x_rejects_and_undo_brings_it_back(window):
    put_caret(window, "05/09/2007")
    press(window, Qt.Key.Key_X)
    assert suggested(window).count("05/09/2007") == 1
    press(window, Qt.Key.Key_Z, CONTROL)
    assert suggested(window).count("05/09/2007") == 2
    press(window, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert suggested(window).count("05/09/2007") == 1


def test_shift_x_rejects_all_alike_for_good(window, project, qtbot):
    put_caret(window, "05/09/2007")
    press(window, Qt.Key.Key_X, SHIFT)
    assert "05/09/2007" not in suggested(window)
    window.close()
    again = opened(qtbot, project)
    assert "05/09/2007" not in suggested(again)
    assert "2 rejected" in pane(again).figures


def test_x_while_walking_goes_on(window):
    found = suggested(window)
    press(window, Qt.Key.Key_F8)
    press(window, Qt.Key.Key_X)
    assert window.view.selected_span().text_in(window.view.merged_view.text) == found[1]


def test_e_accepts_and_stays_for_the_edges(window):
    put_caret(window, "05/09/2007")
    press(window, Qt.Key.Key_E)
    press(window, Qt.Key.Key_Up, ALT)
    press(window, Qt.Key.Key_Right, ALT)
    (placed,) = window.session.tags
    assert tags(window) == [("5/09/200", "DATE")]
    assert placed.tag.origin is Origin.SUGGESTION


def test_a_type_key_tags_the_suggested_span(window):
    window.view.set_caret(FIRST.index("(617) 555") + 7)
    press(window, Qt.Key.Key_T)
    assert len(tags(window)) == 1
    text, name = tags(window)[0]
    assert text in suggested_before(window)
    assert name == "PATIENT"
    (placed,) = window.session.tags
    assert placed.tag.origin is Origin.HAND


def suggested_before(window):
    return {"(617) 555-0134", "617) 555-0134", "617 555-0134"}


def test_the_suggested_type_by_its_key_is_accepting(window):
    put_caret(window, "05/09/2007")
    press(window, Qt.Key.Key_D)
    (placed,) = window.session.tags
    assert placed.tag.origin is Origin.SUGGESTION


def test_enter_on_text_tagged_elsewhere_still_tags_it(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_W)
    qtbot.waitUntil(lambda: any(each.style is MarkStyle.UNTAGGED for each in window.view.marks()))
    pane(window).slider.setValue(100)
    press(window, Qt.Key.Key_F9)
    press(window, Qt.Key.Key_Return)
    assert tags(window) == [("Lee", "PROFESSION")] * 2


def test_the_slider_shows_and_hides_with_counts(window):
    count = len(suggested(window))
    pane(window).slider.setValue(100)
    assert suggested(window) == []
    assert pane(window).figures == f"0 to look at · {count} less sure"
    pane(window).slider.setValue(0)
    assert len(suggested(window)) == count
    assert pane(window).figures == f"{count} to look at"


def test_least_sure_first(window):
    window.actions_table.action("least_sure_first").trigger()
    confidences = []
    for _ in suggested(window):
        press(window, Qt.Key.Key_F8)
        confidences.append(window.view.current_mark.key.confidence)
    assert confidences == sorted(confidences)


def double_click(window, offset):
    window.view.set_caret(offset)
    place = window.view.cursorRect().center() + QPoint(2, 0)
    QTest.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def test_a_double_click_accepts_a_suggestion(window):
    double_click(window, FIRST.index("(617)") + 3)
    assert tags(window) == [("(617) 555-0134", "PHONE")]
    press(window, Qt.Key.Key_Z, CONTROL)
    assert tags(window) == []


def test_a_double_click_elsewhere_selects_a_word(window):
    double_click(window, FIRST.index("Seen"))
    assert window.view.selected_span().text_in(FIRST) == "Seen"
    assert tags(window) == []


def test_accepting_all_above_is_one_step(window):
    review = window.session.review
    review.fill(
        type(each)(each.start, each.end, each.record_id, each.phi_type, sure, "test")
        for each, sure in zip(review.shown, (0.995, 0.993, 0.9, 0.8, 0.7), strict=False)
    )
    press(window, Qt.Key.Key_Return, CONTROL | SHIFT)
    assert tags(window) == []
    assert take_list(window) == 2
    assert len(tags(window)) == 2
    press(window, Qt.Key.Key_Z, CONTROL)
    assert tags(window) == []


def test_the_list_groups_by_text_and_a_click_goes_there(window):
    window._parts.bring_forward(pane(window))
    pane(window).catch_up()
    model, tree = pane(window).model, pane(window).tree
    groups = {model.data(model.index(row, 0)): row for row in range(model.rowCount())}
    row = groups["05/09/2007"]
    assert model.data(model.index(row, 3)) == "2"
    tree.expand(model.index(row, 0))
    second = model.index(1, 0, model.index(row, 0))
    tree.scrollTo(second)
    QTest.mouseClick(
        tree.viewport(),
        Qt.MouseButton.LeftButton,
        pos=tree.visualRect(second).center() + QPoint(0, 0),
    )
    assert window.view.selected_span().start == FIRST.rindex("05/09/2007")
    assert window.view.hasFocus()


def test_the_list_keeps_step(window):
    press(window, Qt.Key.Key_F8)
    press(window, Qt.Key.Key_Return)
    pane(window).catch_up()
    shown = [place for group in pane(window).model.groups for place in group.places]
    assert set(shown) == set(window.session.review.shown)


def test_a_long_list_is_handed_over_as_one_scrolls_and_follows_the_slider(window, qtbot):
    window._parts.bring_forward(pane(window))
    review, kind = window.session.review, next(iter(window.session.review.shown)).phi_type
    review.fill(
        PlacedSuggestion(start, end, "1-01", kind, 0.5 + end / 1000, "test")
        for end in range(20, len(FIRST), 2)
        for start in range(18)
    )
    pane(window).catch_up()
    model, tree = pane(window).model, pane(window).tree
    groups = len(model.groups)
    assert 0 < model.rowCount() < groups
    QTest.keyClick(tree, Qt.Key.Key_End)
    assert model.rowCount() == groups
    pane(window).slider.setValue(100)
    qtbot.waitUntil(lambda: model.rowCount() == 0)
    pane(window).slider.setValue(0)
    qtbot.waitUntil(lambda: len(model.groups) == groups)


def test_open_groups_stay_open_when_others_come(window):
    window._parts.bring_forward(pane(window))
    pane(window).catch_up()
    model, tree = pane(window).model, pane(window).tree
    dates = next(each for each in model.groups if each.key[0] == "05/09/2007")
    tree.expand(model.index_of_group(dates.number))
    review = window.session.review
    more = PlacedSuggestion(5, 7, "1-01", dates.phi_type, 0.6, "test")
    review.fill([*review.shown, more])
    pane(window).catch_up()
    assert model.index_of(more).isValid()
    assert tree.isExpanded(model.index_of_group(dates.number))


def test_the_list_by_keys(window):
    window._parts.bring_forward(pane(window))
    pane(window).catch_up()
    tree, model = pane(window).tree, pane(window).model
    tree.setFocus()
    tree.selectionModel().setCurrentIndex(
        model.index(0, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
    )
    QTest.keyClick(tree, Qt.Key.Key_Return)
    assert window.view.hasFocus()
    press(window, Qt.Key.Key_Return)
    assert len(tags(window)) == 1


def test_off_shows_none_and_says_so(qtbot, project):
    project.set_suggestions(project.suggestions.changed("ana", Policy.OFF, "1"))
    window = AnnotationWindow(project, "ana")
    qtbot.addWidget(window)
    window.show()
    window.open_patient("1")
    qtbot.wait(300)
    assert suggested(window) == []
    assert "no suggestions for this patient" in pane(window).about
    window.open_patient("2")
    qtbot.waitUntil(lambda: suggested(window) == ["03/04/2006"], timeout=20_000)


def test_a_broken_model_is_said_and_the_rules_serve(qtbot, project):
    project.set_suggestions(project.suggestions.changed("ana", Policy.ON))
    folder = project.root / "models" / "ana"
    folder.mkdir(parents=True)
    (folder / "card.json").write_text("{")
    window = opened(qtbot, project)
    assert str(folder) in pane(window).about
    assert suggested(window).count("05/09/2007") == 2


def test_going_on_leaves_no_suggestion_behind(window, qtbot):
    window.open_patient("2")
    qtbot.waitUntil(lambda: suggested(window) == ["03/04/2006"], timeout=20_000)
    pane(window).catch_up()
    assert [each.places[0].record_id for each in pane(window).model.groups] == ["2-01"]


def test_the_pane_is_reached_by_its_tab(window):
    docks = {each.windowTitle() for each in window.findChildren(QDockWidget)}
    assert "Suggestions" in docks
    assert window.findChild(QToolButton, "stopLearning") is not None
