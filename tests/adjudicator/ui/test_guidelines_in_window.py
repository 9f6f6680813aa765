"""F1 opens the section about the disagreement or the tag at the caret."""

from PySide6.QtWidgets import QComboBox

from shared.widgets.window.guideline_browser import GuidelineBrowser


def heading(window):
    return window.findChild(GuidelineBrowser).textCursor().block().text()


def guideline(window):
    return window.findChild(QComboBox, "guidelineChoice").currentText()


def test_f1_at_a_disagreement_opens_the_section_about_its_type(hand):
    hand.press("F1")
    assert (guideline(hand.window), heading(hand.window)) == ("Annotation guidelines", "PATIENT")


def test_f1_on_an_agreed_tag_opens_the_section_about_that(hand):
    text = hand.window.view.merged_view.text
    hand.window.view.set_caret(text.index("Mercy"))
    hand.press("F1")
    assert heading(hand.window) == "HOSPITAL"


def test_f1_on_nothing_shows_the_guidelines_of_adjudication(hand):
    hand.window.view.set_caret(hand.window.view.merged_view.text.index("Nothing"))
    hand.press("F1")
    assert hand.window._parts.guidelines.isVisible()
    assert guideline(hand.window) == "Adjudication guidelines"
