"""What went wrong, in a sentence, without a word of a record."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QMessageBox, QToolButton, QWidget

from shared.errors import FileError, RequestError
from shared.widgets.look.theme import DARK, LIGHT
from shared.widgets.parts.messages import StatusBanner, Tone, sentence, show_error

NAME = "Maria Lee"


@pytest.fixture
def banner(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    banner = StatusBanner(window)
    yield banner
    banner.clear()


def test_it_is_not_there_until_there_is_something_to_say(banner):
    assert banner.text == ""
    assert banner.isHidden()


def test_it_says_a_sentence_and_offers_what_to_do(banner):
    done = []
    buttons = {
        "Try again": lambda: done.append("again"),
        "Save elsewhere": lambda: done.append("x"),
    }
    banner.show_message("The folder is gone.", Tone.WARNING, buttons)
    next(each for each in banner.findChildren(QToolButton) if each.text() == "Try again").click()
    assert (banner.text, done) == ("The folder is gone.", ["again"])
    assert banner.accessibleName() == "The folder is gone."


def test_the_next_message_brings_its_own_buttons(banner, qapp):
    banner.show_message("one", buttons={"Do one": print})
    banner.show_message("two", buttons={"Do two": print})
    texts = [each.text() for each in banner._buttons]
    assert texts == ["Do two"]


def test_it_can_be_closed(banner, qtbot):
    banner.show_message("one")
    with qtbot.waitSignal(banner.dismissed):
        banner._close.click()
    assert banner.text == ""


def test_it_can_be_cleared(banner):
    banner.show_message("one")
    banner.clear()
    assert banner.isHidden()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_tones_have_grounds_of_their_own(banner, theme):
    banner.apply_theme(theme)
    grounds = set()
    for tone in Tone:
        banner.show_message("one", tone)
        grounds.add(banner.palette().window().color().name())
    assert len(grounds) == 3


def test_a_text_is_never_taken_for_markup(banner):
    banner.show_message("<b>a & b</b>")
    assert banner.findChild(QLabel).textFormat().name == "PlainText"


def test_an_error_of_ours_says_what_it_says():
    assert sentence(RequestError("choose another")) == "Choose another."


def test_a_file_keeps_its_name_in_the_sentence():
    assert sentence(FileError(Path("p/110"), "is gone")) == "p/110: is gone."


def test_an_unforeseen_error_tells_no_more_than_its_type():
    told = sentence(ValueError(NAME))
    assert "ValueError" in told
    assert NAME not in told


def test_an_error_is_shown_beside_the_window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    box = show_error(window, RequestError("choose another folder"))
    assert isinstance(box, QMessageBox)
    assert (box.text(), box.isModal(), box.isVisible()) == ("Choose another folder.", False, True)
    box.close()
