"""Preferences survive, whatever is in their file, and hold no more than they say."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.widgets.settings.preferences import (
    MOST_RECENT,
    Preferences,
    PreferenceStore,
    from_json,
    preference_store,
    to_json,
)

KEYS = st.dictionaries(st.text(max_size=5), st.lists(st.text(max_size=5), max_size=2).map(tuple))
VALUES = st.builds(
    Preferences,
    st.text(max_size=8),
    st.floats(6, 48),
    st.floats(1, 3),
    st.sampled_from(["system", "light", "dark"]),
    st.dictionaries(st.text(max_size=5), KEYS, max_size=2),
    st.booleans(),
    st.lists(st.text(max_size=9), max_size=3).map(tuple),
    st.booleans(),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)


@pytest.fixture
def store(qapp, tmp_path):
    return PreferenceStore(tmp_path / "p.json")


@given(VALUES)
def test_what_is_written_is_read(values):
    assert from_json(to_json(values)) == values


@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ["font_family", "font_size", "line_spacing", "theme", "keys", "recent", "compact"], JSON
        ),
    )
)
def test_broken_values_are_as_at_first(table):
    values = from_json(json.dumps(table).encode())
    assert from_json(to_json(values)) == values
    assert values.theme in {"system", "light", "dark"}


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"3", b"\xff\xfe", b"null"])
def test_a_broken_file_is_as_none(data):
    assert from_json(data) == Preferences()


@pytest.mark.parametrize(("size", "kept"), [(1, 6.0), (500, 48.0), (12, 12.0), (0, 0.0)])
def test_sizes_stay_readable(size, kept):
    assert from_json(json.dumps({"font_size": size}).encode()).font_size == kept


def test_a_change_is_told_at_once_and_written_soon(store, tmp_path, qtbot):
    with qtbot.waitSignal(store.changed) as told:
        store.change(theme="dark")
    assert told.args == [Preferences(theme="dark")]
    qtbot.waitUntil((tmp_path / "p.json").exists)
    assert PreferenceStore(tmp_path / "p.json").values.theme == "dark"


def test_what_changes_nothing_is_not_told(store, qtbot):
    with qtbot.assertNotEmitted(store.changed):
        store.change(theme="system")


def test_another_program_is_heard_of(store, tmp_path):
    other = PreferenceStore(tmp_path / "p.json")
    other.change(font_size=20.0)
    other.flush()
    store.change(theme="dark")
    assert (store.values.font_size, store.values.theme) == (20.0, "dark")


def test_a_file_that_cannot_be_written_is_said_and_the_change_holds(store, tmp_path, qtbot):
    (tmp_path / "p.json").mkdir()
    store.change(theme="dark")
    with qtbot.waitSignal(store.failed):
        store.flush()
    assert store.values.theme == "dark"


def test_the_file_is_for_its_owner_only(store, tmp_path):
    store.change(theme="dark")
    store.flush()
    assert (tmp_path / "p.json").stat().st_mode & 0o077 == 0


def test_recent_projects_are_few_and_once_each(tmp_path):
    values = Preferences()
    for name in [*map(str, range(MOST_RECENT + 3)), "5"]:
        values = values.with_recent(tmp_path / name)
    assert len(values.recent) == MOST_RECENT
    assert values.recent[:2] == (str(tmp_path / "5"), str(tmp_path / str(MOST_RECENT + 2)))


def test_a_recent_project_can_be_forgotten(tmp_path):
    values = Preferences().with_recent(tmp_path)
    assert values.without_recent(str(tmp_path)) == Preferences()


def test_keys_of_one_window_leave_those_of_the_other():
    values = Preferences().with_bindings("annotation", {"find": ("F3",)})
    values = values.with_bindings("adjudication", {"find": ("F4",)})
    assert values.bindings("annotation") == {"find": ("F3",)}
    assert values == replace(values)


def test_windows_share_one_store(qapp):
    assert preference_store() is preference_store()
