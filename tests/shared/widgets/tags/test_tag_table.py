"""Tags as a table: Qt's rules, order, filter, jumps and comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit, QTableView

from shared.consistency.untagged_index import Untagged
from shared.model import Document, MergedView, Patient, PhiType, Span, Tag
from shared.project.edits import Edit, PlacedTag
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
    table.comment_edited.connect(
        lambda _, comment: table.change_rows([], [ROWS[1]._replace(comment=comment)])
    )
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


def many(count):
    return [row(at * 10, f"name {at}") for at in range(count)]


VIEW = MergedView(Patient("110", (Document("110-01", "110", "Lee saw Kai."),)))
LEE, KAI = (
    PlacedTag.of(VIEW, "110-01", Tag(Span(start, start + 3), PhiType("NAME", "DOCTOR"), number))
    for start, number in ((0, "P0"), (8, "P1"))
)


def row_of(placed):
    return row(placed.start, VIEW.text[placed.start : placed.end])._replace(key=placed.key)


def test_an_edit_is_shown(table, view):
    table.open(VIEW, [LEE], row_of)
    table.apply_edit(Edit("tag", (LEE,), (KAI,)))
    assert [each.text for each in view.model().rows] == ["Kai"]


@pytest.mark.parametrize("grouped", [False, True])
def test_a_table_out_of_sight_is_filled_anew_when_it_is_seen(table, view, grouped):
    tags = [LEE]
    table.open(VIEW, tags, row_of)
    table.show_grouped(grouped)
    table.hide()
    tags.append(KAI)
    table.apply_edit(Edit("tag", (), (KAI,)))
    assert [each.text for each in view.model().rows] == ["Lee"]
    table.show()
    assert [each.text for each in view.model().rows] == ["Lee", "Kai"]
    table.show_grouped(True)
    assert [each.phrase for each in table.tree.groups._groups.groups] == ["Kai", "Lee"]


def test_whoever_asks_a_table_out_of_sight_is_told_of_all(table):
    tags = [LEE]
    table.open(VIEW, tags, row_of)
    table.hide()
    tags.append(KAI)
    table.apply_edit(Edit("tag", (), (KAI,)))
    table.select_keys([KAI.key])
    assert table.selected_keys() == [KAI.key]


def test_what_stands_by_text_has_what_was_tagged_meanwhile_and_what_is_untagged(table):
    table.open(VIEW, [LEE], row_of)
    table.change_untagged([], [Untagged(8, 11, "kai")])
    table.apply_edit(Edit("tag", (), (KAI,)))
    table.show_grouped(True)
    shares = {each.phrase: each.share for each in table.tree.groups._groups.groups}
    assert shares == {"Lee": "1 of 1", "Kai": "1 of 2"}


def test_what_is_selected_stays_selected_when_many_come(table):
    table.select_keys([20])
    table.change_rows([40], iter(many(2) + many(60)[5:]))
    assert len(column(table, TEXT)) > 50
    assert table.selected_keys() == [20]


def test_comments_take_no_room_from_the_texts_before_there_are_any(table, view):
    table.resize(360, 300)
    long = "O'Halloran-Sato, Yukihiro"
    table.set_rows([row(0, long)])
    assert view.isColumnHidden(COMMENT)
    assert view.columnWidth(TEXT) > view.fontMetrics().horizontalAdvance(long)
    table.change_rows([0], [row(0, long, comment="which one?")])
    assert not view.isColumnHidden(COMMENT)
    table.change_rows([0], [row(0, long)])
    assert view.isColumnHidden(COMMENT)


def test_a_text_that_does_not_fit_is_told_whole_in_the_tooltip(table, view):
    index = view.model().index(2, TEXT)
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "Mercy Hospital"


def test_the_column_of_comments_is_there_to_write_the_first_one(table, view):
    table.set_rows([row(0)])
    table.edit_comment(0)
    assert not view.isColumnHidden(COMMENT)
