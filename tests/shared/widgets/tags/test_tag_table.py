"""Tags as a table: Qt's rules, order, filter, jumps and comments."""

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit, QTableView

from shared.widgets.tags import tag_model
from shared.widgets.tags.tag_model import TagModel, TagRow
from shared.widgets.tags.tag_table import TagTable

TEXT, TYPE, RECORD, COMMENT = range(4)


def row(start, text="Lee", type_label="DOCTOR", comment="", record="110-01"):
    return TagRow(record, text, type_label, comment, start, start + 3, start, "#D55E00")


ROWS = [
    row(40, "Mercy\n Hospital", "HOSPITAL", record="110-02"),
    row(0, "lee"),
    row(20, "3/4", "DATE", "which year?"),
]


@pytest.fixture
def table(qtbot):
    table = TagTable()
    qtbot.addWidget(table)
    table.resize(600, 300)
    table.show()
    table.set_rows(ROWS)
    yield table
    table.close()


@pytest.fixture
def view(table):
    return table.findChild(QTableView, "tagTable")


def column(table, number):
    model = table.model
    return [model.index(at, number).data() for at in range(model.rowCount())]


def test_rows_stand_in_order_of_place(table):
    assert column(table, TEXT) == ["lee", "3/4", "Mercy Hospital"]


@pytest.mark.parametrize(
    ("by", "texts"),
    [
        (TEXT, ["3/4", "lee", "Mercy Hospital"]),
        (TYPE, ["3/4", "lee", "Mercy Hospital"]),
        (RECORD, ["lee", "3/4", "Mercy Hospital"]),
        (COMMENT, ["lee", "Mercy Hospital", "3/4"]),
    ],
)
@pytest.mark.parametrize("order", Qt.SortOrder)
def test_every_column_sorts_both_ways(table, view, by, texts, order):
    view.sortByColumn(by, order)
    assert column(table, TEXT) == (texts if order is Qt.SortOrder.AscendingOrder else texts[::-1])


@pytest.mark.parametrize(
    ("typed", "texts"),
    [
        ("LEE", ["lee"]),
        ("hospital", ["Mercy Hospital"]),
        ("110-01 date", ["3/4"]),
        ("year", ["3/4"]),
        ("nothing like it", []),
    ],
)
def test_the_filter_line_narrows(table, typed, texts):
    QTest.keyClicks(table.findChild(QLineEdit, "tagFilter"), typed)
    assert column(table, TEXT) == texts


def test_a_click_jumps(table, view, qtbot):
    point = view.visualRect(table.model.index(1, TYPE)).center()
    with qtbot.waitSignal(table.row_activated) as activated:
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert activated.args == [20]


def test_enter_jumps(table, view, qtbot):
    table.select_key(40)
    view.setFocus()
    with qtbot.waitSignal(table.row_activated) as activated:
        QTest.keyClick(view, Qt.Key.Key_Return)
    assert activated.args == [40]


def test_a_comment_is_written_in_place(table, view, qtbot):
    table.edit_comment(0)
    editor = view.findChild(QLineEdit)
    QTest.keyClicks(editor, "who?")
    with qtbot.waitSignal(table.comment_edited) as edited:
        QTest.keyClick(editor, Qt.Key.Key_Return)
    assert edited.args == [0, "who?"]
    assert column(table, COMMENT)[0] == "who?"


def test_a_comment_left_as_it_was_is_no_edit(table, qtbot):
    with qtbot.assertNotEmitted(table.comment_edited):
        table.model.setData(table.model.index(1, COMMENT), "which year?", Qt.ItemDataRole.EditRole)


@pytest.mark.parametrize("number", [TEXT, TYPE, RECORD])
def test_nothing_else_can_be_edited(table, number):
    index = table.model.index(0, number)
    assert not index.flags() & Qt.ItemFlag.ItemIsEditable
    assert not table.model.setData(index, "x", Qt.ItemDataRole.EditRole)


def test_selected_keys_follow_the_screen(table, view):
    view.sortByColumn(TEXT, Qt.SortOrder.AscendingOrder)
    view.selectAll()
    assert table.selected_keys() == [20, 0, 40]


def test_the_selection_outlives_the_filter(table):
    table.select_key(20)
    table.findChild(QLineEdit, "tagFilter").setText("3/4")
    assert table.selected_keys() == [20]


def test_selecting_an_unknown_key_selects_nothing(table):
    table.select_key(40)
    table.select_key(99)
    assert table.selected_keys() == []


CHANGES = st.lists(
    st.tuples(
        st.lists(st.integers(0, 30), max_size=25),
        st.lists(st.builds(row, st.integers(0, 30), st.sampled_from(["b", "a"])), max_size=25),
    ),
    max_size=5,
)


@given(
    CHANGES, st.sampled_from(range(4)), st.sampled_from(Qt.SortOrder), st.sampled_from(["", "a"])
)
def test_changing_and_setting_agree_and_keep_qts_rules(qapp, changes, by, order, words):
    model, other = TagModel(), TagModel()
    mode = QAbstractItemModelTester.FailureReportingMode.Fatal
    tester = QAbstractItemModelTester(model, mode)
    held = {}
    for each in (model, other):
        each.sort(by, order)
        each.narrow(words)
    for removed, added in changes:
        for key in removed:
            held.pop(key, None)
        held.update((each.key, each) for each in added)
        model.change_rows(removed, added)
        other.set_rows(held.values())
        assert list(model.rows) == list(other.rows)
    assert tester.model() is model


@given(
    CHANGES,
    st.sampled_from(range(4)),
    st.sampled_from(Qt.SortOrder),
    st.sampled_from(["", "a"]),
    st.integers(1, 5),
    st.sampled_from([None, "sort", "change", "narrow"]),
)
def test_a_change_made_ready_in_steps_is_the_same(  # noqa: PLR0917, C901
    qapp, changes, by, order, words, portion, meanwhile
):
    model, other = TagModel(), TagModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    first = [row(at, "ab"[at % 2]) for at in range(20, 50)]
    for each in (model, other):
        each.set_rows(first)
        each.sort(by, order)
        each.narrow(words)
    with patch.object(tag_model, "_PORTION", portion):
        for removed, added in changes:
            steps = model.changing(removed, added)
            next(steps)
            for each in (model, other):
                if meanwhile == "sort":
                    each.sort(TEXT, Qt.SortOrder.DescendingOrder)
                elif meanwhile == "change":
                    each.change_rows([21], [row(22, "a"), row(60, "b")])
                elif meanwhile == "narrow":
                    each.narrow("b")
            before = list(model.rows)
            change = None
            while change is None:
                try:
                    next(steps)
                except StopIteration as end:
                    change = end.value
            assert list(model.rows) == before
            change()
            other.change_rows(removed, added)
            assert set(model.rows) == set(other.rows)
            key = model._order
            assert list(map(key, model.rows)) == list(map(key, other.rows))
            assert {each.key for each in model.all_rows} == {each.key for each in other.all_rows}
    assert tester.model() is model


def many(count):
    return [row(at * 10, f"name {at}") for at in range(count)]


def test_many_tags_follow_a_moment_later(table, view, qtbot):
    table.change_soon([0], iter(many(60)))
    assert view.model().rowCount() == 3
    qtbot.waitUntil(lambda: view.model().rowCount() == 60)


@pytest.mark.parametrize(
    "ask",
    [
        lambda table: table.change_rows([], []),
        lambda table: table.show_grouped(True),
        lambda table: table.select_key(590),
        lambda table: table.edit_comment(590),
    ],
)
def test_whoever_needs_the_rows_does_not_wait_for_them(table, view, ask):
    table.change_soon([], iter(many(60)))
    ask(table)
    assert view.model().rowCount() == 60


def test_changes_that_wait_are_shown_one_after_the_other(table, view, qtbot):
    rows = many(60)
    table.change_soon([], iter(rows[:40]))
    table.change_soon([rows[3].key], iter([rows[5]._replace(comment="later"), *rows[40:]]))
    assert view.model().rowCount() == 3
    qtbot.waitUntil(lambda: view.model().rowCount() == 59)
    assert table.model.number(rows[3].key) is None
    assert table.model.rows[table.model.number(rows[5].key)].comment == "later"


def test_another_patient_has_nothing_of_what_waited(table, view, qtbot):
    table.change_soon([], iter(many(60)))
    table.set_rows(ROWS)
    qtbot.wait(10)
    assert column(table, TEXT) == ["lee", "3/4", "Mercy Hospital"]


@pytest.mark.parametrize("change", [TagTable.change_rows, TagTable.change_soon])
def test_what_is_selected_stays_selected_when_many_come(table, qtbot, change):
    table.select_keys([20])
    change(table, [40], iter(many(2) + many(60)[5:]))
    qtbot.waitUntil(lambda: len(column(table, TEXT)) > 50)
    assert table.selected_keys() == [20]
