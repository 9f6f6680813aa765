"""Groups by text: counting agrees with counting, Qt's rules hold, groups open and stand for all."""

from collections import defaultdict
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit

from shared.consistency.untagged_index import Untagged
from shared.model import Document, MergedView, Patient, Span
from shared.text.flat_text import text_key
from shared.widgets.look.theme import DARK
from shared.widgets.parts import group_tree
from shared.widgets.tags.tag_group_tree import TagGroupModel
from shared.widgets.tags.tag_model import TagRow
from shared.widgets.tags.tag_table import TagTable

TEXT = "Lee and Lee saw Kai; Lee left. " * 3
VIEW = MergedView(Patient("1", (Document("1-01", "1", TEXT), Document("1-02", "1", TEXT))))


def row(start, text="Lee", type_label="DOCTOR", record="1-01"):
    return TagRow(record, text, type_label, "", start, start + len(text), start, "#D55E00")


def untagged(start, phrase="Lee"):
    return Untagged(start, start + len(phrase), text_key(phrase))


def shown(model):
    """Every group with the places below it."""
    found = []
    for at in range(model.rowCount()):
        index = model.index(at, 0)
        cells = [model.index(at, column).data() for column in range(3)]
        places = [model.place(model.index(n, 0, index)) for n in range(model.rowCount(index))]
        found.append((*cells, [(each.start, each.key) for each in places]))
    return found


@pytest.fixture
def model(qapp):
    made = TagGroupModel()
    rows = [row(0), row(8), row(16, "Kai", "PATIENT"), row(40, "Lee", "PATIENT")]
    made.clear(VIEW)
    made.sleep(False)
    made.change_rows((), rows)
    made.change_untagged((), [untagged(21), untagged(70)])
    return made


def test_groups_say_how_many_of_all_are_tagged(model):
    assert shown(model) == [
        ("Kai", "PATIENT", "1 of 1", [(16, 16)]),
        ("Lee", "DOCTOR", "2 of 4", [(0, 0), (8, 8), (21, None), (70, None)]),
        ("Lee", "PATIENT", "1 of 1", [(40, 40)]),
    ]


def test_a_text_is_in_one_group_however_it_stands(model):
    broken = TagRow("1-01", "Ka-\ni", "PATIENT", "", 60, 65, 60, "#D55E00")
    model.change_rows((), [broken, row(70, "KAI", "PATIENT")])
    assert shown(model)[0] == ("Kai", "PATIENT", "3 of 3", [(16, 16), (60, 60), (70, 70)])


def test_a_group_is_read_out_in_one_line(model):
    said = model.index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Lee – DOCTOR – tagged 2 of 4"


def test_a_place_shows_what_stands_around_it_and_its_record(model):
    group = model.index(1, 0)
    cells = [model.index(2, column, group).data() for column in range(3)]
    assert cells == [
        "…saw Kai; Lee left. Lee and Lee saw Kai; Lee left. Le…",
        "1-01",
        "not tagged",
    ]


def test_untagged_places_go_with_the_largest_group(model):
    model.change_rows([0, 8], [row(100, "Lee", "PATIENT"), row(108, "Lee", "PATIENT")])
    assert [each[:3] for each in shown(model)] == [
        ("Kai", "PATIENT", "1 of 1"),
        ("Lee", "PATIENT", "3 of 5"),
    ]


@pytest.mark.parametrize(
    ("column", "first"), [(0, "Kai"), (1, "Lee"), (2, "Kai")], ids=["text", "type", "share"]
)
def test_columns_sort_both_ways(model, column, first):
    model.sort(column, Qt.SortOrder.AscendingOrder)
    forwards = shown(model)
    model.sort(column, Qt.SortOrder.DescendingOrder)
    assert shown(model) == forwards[::-1]
    assert forwards[0][0] == first


@pytest.mark.parametrize(
    ("words", "texts"),
    [("lee", ["Lee", "Lee"]), ("lee patient", ["Lee"]), ("not tagged", ["Lee"]), ("x", [])],
)
def test_the_filter_narrows(model, words, texts):
    model.narrow(words)
    assert [each[0] for each in shown(model)] == texts


KEYS = st.integers(0, 12)
ROWS = st.builds(
    row, KEYS, st.sampled_from(["Lee", "lee", "Le\ne", "Kai"]), st.sampled_from(["A", "B"])
)
PLACES = st.builds(untagged, st.integers(20, 26), st.sampled_from(["Lee", "Kai", "Le e"]))
CHANGES = st.lists(
    st.tuples(
        st.lists(KEYS, max_size=25),
        st.lists(ROWS, max_size=25),
        st.lists(PLACES, max_size=4, unique=True),
    ),
    max_size=5,
)


def as_they_should_be(rows, places):
    groups = defaultdict(list)
    for each in rows:
        groups[text_key(each.text), each.type_label].append(each.key)
    counts = {name: len(keys) for name, keys in groups.items()}
    bare = defaultdict(int)
    for place in places:
        bare[place.phrase] += 1
    return counts, bare


@given(
    CHANGES,
    st.sampled_from(range(3)),
    st.sampled_from(Qt.SortOrder),
    st.sampled_from(["", "a"]),
    st.sampled_from([1, 2, 400]),
)
def test_changes_keep_counts_and_qts_rules(qapp, changes, by, order, words, at_once):
    with patch("shared.widgets.parts.group_tree._AT_ONCE", at_once):
        keep_counts_and_rules(changes, by, order, words)


def keep_counts_and_rules(changes, by, order, words):
    model = TagGroupModel()
    model.clear(VIEW)
    model.sleep(False)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.sort(by, order)
    model.narrow(words)
    held, bare = {}, set()
    for removed, added, places in changes:
        for key in removed:
            held.pop(key, None)
        held.update((each.key, each) for each in added)
        model.change_rows(removed, added)
        model.change_untagged(bare - set(places), set(places) - bare)
        bare = set(places)
        counts, untagged_counts = as_they_should_be(held.values(), bare)
        model.narrow("")
        model.fetch_all()
        found = shown(model)
        model.narrow(words)
        assert {(text_key(text), label): share.split()[0] for text, label, share, _ in found} == {
            name: str(count) for name, count in counts.items()
        }
        for phrase, number in untagged_counts.items():
            below = [
                key for text, *_, places in found if text_key(text) == phrase for _, key in places
            ]
            assert below.count(None) == (number if below else 0)
        for *_, below in found:
            assert [start for start, _ in below] == sorted(start for start, _ in below)
    assert tester.model() is model


@pytest.fixture
def table(qtbot):
    made = TagTable()
    qtbot.addWidget(made)
    made.resize(600, 400)
    made.show()
    made.set_rows([row(0), row(8), row(16, "Kai", "PATIENT")], VIEW)
    made.change_untagged([], [untagged(21)])
    made.findChild(QCheckBox, "tagsByText").click()
    return made


def select(tree, *indexes):
    flags = QItemSelectionModel.SelectionFlag
    for index in indexes:
        tree.selectionModel().select(index, flags.Select | flags.Rows)


def test_the_tick_box_shows_groups_and_goes_back(table):
    assert table.is_grouped
    assert [each[2] for each in shown(table.tree.groups)] == ["1 of 1", "2 of 3"]
    table.findChild(QCheckBox, "tagsByText").click()
    assert not table.is_grouped
    assert table.table.isVisible()


def test_a_group_stands_for_all_its_tags(table):
    groups = table.tree.groups
    lee = groups.index(1, 0)
    select(table.tree, lee, groups.index(0, 0, lee))
    assert table.selected_keys() == [0, 8]


def test_untagged_places_are_no_tags(table):
    groups = table.tree.groups
    select(table.tree, groups.index(2, 0, groups.index(1, 0)))
    assert table.selected_keys() == []


def test_what_is_selected_stays_selected_between_the_two(table):
    table.select_keys([8])
    table.show_grouped(False)
    assert table.selected_keys() == [8]


def test_selecting_a_tag_opens_its_group(table):
    table.select_key(8)
    groups = table.tree.groups
    assert table.tree.isExpanded(groups.index(1, 0))
    assert groups.place(table.tree.currentIndex()).key == 8


@pytest.mark.parametrize(("number", "signal"), [(0, "row_activated"), (2, "place_activated")])
def test_a_click_on_a_place_goes_there(table, qtbot, number, signal):
    groups, tree = table.tree.groups, table.tree
    tree.expandAll()
    point = tree.visualRect(groups.index(number, 0, groups.index(1, 0))).center()
    with qtbot.waitSignal(getattr(table, signal)) as activated:
        QTest.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert activated.args == [0 if number == 0 else Span(21, 24)]


def test_the_keyboard_opens_a_group_and_takes_a_place(table, qtbot):
    tree = table.tree
    tree.setCurrentIndex(tree.groups.index(1, 0))
    tree.setFocus()
    with qtbot.waitSignal(table.row_activated) as activated:
        QTest.keyClick(tree, Qt.Key.Key_Right)
        QTest.keyClick(tree, Qt.Key.Key_Down)
        QTest.keyClick(tree, Qt.Key.Key_Return)
    assert activated.args == [0]


@pytest.mark.parametrize("grouped", [True, False])
def test_delete_asks_for_removal(table, qtbot, grouped):
    table.show_grouped(grouped)
    shown_now = table.tree if grouped else table.table
    with qtbot.waitSignal(table.removal_wanted):
        QTest.keyClick(shown_now, Qt.Key.Key_Delete)


def test_open_groups_stay_open_when_all_is_arranged_anew(table):
    table.tree.expand(table.tree.groups.index(1, 0))
    QTest.keyClicks(table.findChild(QLineEdit, "tagFilter"), "lee")
    assert table.tree.isExpanded(table.tree.groups.index(0, 0))


def test_changes_are_shown_while_grouped(table):
    table.change_rows([0], [row(30, "Kai", "PATIENT")])
    table.change_untagged([untagged(21)], [])
    assert [each[2] for each in shown(table.tree.groups)] == ["2 of 2", "1 of 1"]


def test_another_patient_has_other_groups(table):
    table.set_rows([row(16, "Kai", "PATIENT")], VIEW)
    assert [each[2] for each in shown(table.tree.groups)] == ["1 of 1"]


def test_a_comment_is_written_in_the_table(table):
    table.edit_comment(8)
    assert not table.is_grouped
    assert table.table.findChild(QLineEdit).isVisible()


def test_caps_follow_the_theme(table):
    index = table.tree.groups.index(0, 1)
    before = index.data(Qt.ItemDataRole.DecorationRole).pixmap(24, 20).toImage()
    table.apply_theme(DARK)
    assert index.data(Qt.ItemDataRole.DecorationRole).pixmap(24, 20).toImage() != before


def many(count):
    return [
        TagRow("1-01", f"name {at:04}", "DOCTOR", "", at * 3, at * 3 + 2, at, "#D55E00")
        for at in range(count)
    ]


def test_what_is_asleep_shows_nothing_and_is_in_step_when_it_wakes(qapp):
    model = TagGroupModel()
    model.clear(VIEW)
    model.change_rows((), [row(0), row(8)])
    assert model.rowCount() == 0
    model.change_rows([0], [row(40, "Lee", "PATIENT")])
    model.sleep(False)
    assert [cells[:3] for cells in shown(model)] == [
        ("Lee", "DOCTOR", "1 of 1"),
        ("Lee", "PATIENT", "1 of 1"),
    ]


def test_a_tree_gets_many_groups_as_one_scrolls(qapp):
    model = TagGroupModel()
    model.clear(VIEW)
    model.sleep(False)
    model.change_rows((), many(1000))
    assert model.rowCount() == group_tree._AT_ONCE
    model.fetchMore(QModelIndex())
    assert model.rowCount() == 2 * group_tree._AT_ONCE
    assert model.index_of(999).isValid()
    assert model.rowCount() == 1000
    assert not model.canFetchMore(QModelIndex())


def test_a_key_goes_to_the_last_of_many_groups(qtbot):
    table = TagTable()
    qtbot.addWidget(table)
    table.show()
    table.set_rows(many(1000), VIEW)
    table.show_grouped(True)
    table.tree.setFocus()
    for key in (Qt.Key.Key_Home, Qt.Key.Key_End):
        QTest.keyClick(table.tree, key)
    assert table.tree.currentIndex().data() == "name 0999"
