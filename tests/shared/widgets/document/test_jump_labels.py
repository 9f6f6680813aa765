"""Letters over the words: typing them selects, Shift with the last reaches up to the word."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from shared.model import Span
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.jump_labels import LETTERS, JumpLabels, codes
from shared.widgets.document.marks import Mark

NOTE = (
    "Seen by Dr. Lena (Ana) Voss-Hale of Mercy on 2067-05-09.\n"
    "Call 555-0139 if O'Brien's pain is back."
)
SHIFT = Qt.KeyboardModifier.ShiftModifier
Show = Callable[..., DocumentView]


@pytest.fixture
def hints(show_view: Show) -> JumpLabels:
    view = show_view(NOTE)
    view.activateWindow()
    QApplication.processEvents()
    return JumpLabels(view)


def view_of(hints: JumpLabels) -> DocumentView:
    page = hints.parentWidget()
    view = page.parentWidget() if page else None
    assert isinstance(view, DocumentView)
    return view


def words(hints: JumpLabels) -> list[str]:
    return [each.word.text_in(NOTE) for each in hints.hints]


def go_to(hints: JumpLabels, word: str, *, extend: bool = False) -> None:
    """Start, and type what stands over a word."""
    hints.start()
    letters = next(each.letters for each in hints.hints if each.word.text_in(NOTE) == word)
    for letter in letters[:-1]:
        QTest.keyClick(hints, Qt.Key(ord(letter)))
    last = Qt.Key(ord(letters[-1]))
    QTest.keyClick(hints, last, SHIFT if extend else Qt.KeyboardModifier.NoModifier)


def selected(hints: JumpLabels) -> str:
    span = view_of(hints).selected_span()
    return span.text_in(NOTE) if span else ""


def test_every_word_has_letters_as_a_click_would_tag_it(hints: JumpLabels) -> None:
    hints.start()
    expected = (
        "Seen by Dr Lena Ana Voss-Hale of Mercy on 2067-05-09 Call 555-0139 if O'Brien pain is back"
    ).split()
    assert words(hints) == expected


def test_the_letters_select_the_word_and_give_the_keyboard_back(hints: JumpLabels) -> None:
    go_to(hints, "555-0139")
    assert selected(hints) == "555-0139"
    assert not hints.isVisible()
    assert QApplication.focusWidget() is view_of(hints)


def test_shift_with_the_last_letter_reaches_up_to_the_word(hints: JumpLabels) -> None:
    go_to(hints, "Lena")
    go_to(hints, "Voss-Hale", extend=True)
    assert selected(hints) == "Lena (Ana) Voss-Hale"


def test_shift_reaches_back_too(hints: JumpLabels) -> None:
    go_to(hints, "Voss-Hale")
    go_to(hints, "Lena", extend=True)
    assert selected(hints) == "Lena (Ana) Voss-Hale"


def test_esc_leaves_everything_as_it_was(hints: JumpLabels) -> None:
    view_of(hints).set_caret(5)
    hints.start()
    QTest.keyClick(hints, Qt.Key.Key_Escape)
    assert not hints.isVisible()
    assert (view_of(hints).caret(), selected(hints)) == (5, "")
    assert QApplication.focusWidget() is view_of(hints)


def test_what_is_tagged_has_no_letters(hints: JumpLabels, mark: Callable[..., Mark]) -> None:
    view = view_of(hints)
    view.set_marks([mark(view, "Lena (Ana) Voss"), mark(view, "Mercy")])
    hints.start()
    assert not {"Lena", "Ana", "Voss-Hale", "Mercy"} & set(words(hints))
    assert {"Dr", "of", "on"} <= set(words(hints))


def test_the_keys_of_the_text_sleep_while_letters_are_typed(hints: JumpLabels) -> None:
    view = view_of(hints)
    tagged: list[bool] = []
    action = QAction(view)
    action.setShortcut("S")
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(lambda: tagged.append(True))
    view.addAction(action)
    hints.start()
    QTest.keyClick(hints, Qt.Key.Key_S)
    assert not tagged
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_S)
    assert len(tagged) == 1


def test_scrolling_and_other_keys_end_it(show_view: Show) -> None:
    view = show_view("\n".join(f"line {n}" for n in range(200)))
    hints = JumpLabels(view)
    hints.start()
    shown = len(hints.hints)
    assert 0 < shown < 100
    view.verticalScrollBar().setValue(5)
    assert not hints.isVisible()
    hints.start()
    QTest.keyClick(hints, Qt.Key.Key_Space)
    assert not hints.isVisible()


def test_the_first_of_two_letters_leaves_only_its_words(show_view: Show) -> None:
    view = show_view(" ".join(f"word{n}" for n in range(120)), width=1400)
    hints = JumpLabels(view)
    hints.start()
    everything = len(hints.hints)
    first = hints.hints[-1].letters[0]
    QTest.keyClick(hints, Qt.Key(ord(first)))
    assert 0 < len(hints.hints) < everything
    assert all(each.letters[0] == first for each in hints.hints)
    QTest.keyClick(hints, Qt.Key.Key_Backspace)
    assert len(hints.hints) == everything


def test_names_and_numbers_have_the_shortest_letters(show_view: Show) -> None:
    view = show_view("plain words here and " * 12 + "Lena came on 2067-05-09.", width=1400)
    hints = JumpLabels(view)
    hints.start()
    text = view.merged_view.text
    single = {each.word.text_in(text) for each in hints.hints if len(each.letters) == 1}
    assert {"Lena", "2067-05-09"} <= single


@pytest.mark.parametrize("count", [0, 1, 25, 26, 27, 60, 300, 676, 900])
def test_no_code_begins_another(count: int) -> None:
    given = codes(count)
    assert len(given) == min(count, len(LETTERS) ** 2)
    assert len(set(given)) == len(given)
    single = {each for each in given if len(each) == 1}
    assert not any(each[0] in single for each in given if len(each) == 2)


def test_a_selection_ends_with_its_record(show_view: Show) -> None:
    view = show_view("Lena came.", "Voss went.", width=900)
    hints = JumpLabels(view)
    view.select(Span(0, 4))
    hints.start()
    target = next(
        each for each in hints.hints if each.word.text_in(view.merged_view.text) == "Voss"
    )
    QTest.keyClick(hints, Qt.Key(ord(target.letters)), SHIFT)
    span = view.selected_span()
    assert span is not None
    assert (
        len({view.merged_view.section_at(at).record_id for at in (span.start, span.end - 1)}) == 1
    )


@pytest.mark.parametrize(
    ("text", "tagged", "left"),
    [
        ("García-López", "García", ["López"]),
        ("Müllers", "Müller", []),
        ("王小明来", "王小明", ["来"]),
        ("Lee", "Lee", []),
        ("O'Brien-Sato, Ana", "O'Brien", ["Sato", "Ana"]),
    ],
)
def test_that_every_word_is_tagged_is_said_only_when_it_is(
    show_view: Show, text: str, tagged: str, left: list[str]
) -> None:
    view = show_view(text)
    view.activateWindow()
    QApplication.processEvents()
    labels = JumpLabels(view)
    said: list[str] = []
    labels.said.connect(said.append)
    view.change_marks([], [Mark(0, len(tagged), "T", "#000000")])
    labels.start()
    assert sorted(each.word.text_in(text) for each in labels.hints) == sorted(left)
    assert (said == ["No untagged word is on the screen."]) == (not left)
    labels.leave()
