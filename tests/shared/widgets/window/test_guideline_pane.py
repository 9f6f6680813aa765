"""The guidelines of the project beside those that come with Tandem; nothing is loaded elsewhere."""

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPushButton

from guidelines import guideline_text
from shared.formats.schema_auto import schema_of_types
from shared.language.languages import language
from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS
from shared.widgets.settings.user_folders import state_folder
from shared.widgets.window.guideline_browser import GuidelineBrowser
from shared.widgets.window.guideline_pane import GuidelinePane

DATE, DOCTOR = PhiType("DATE", "DATE"), PhiType("NAME", "DOCTOR")
OWN = (
    "# Ward 3\n\nRead me.\n\n## DATE\n\nNo weekdays here.\n\n## Names of doctors\n\nInitials too.\n"
)


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "p" / "guidelines"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def opened(qtbot, folder):
    def make(who="ana", guideline="annotation_guidelines", schema=I2B2_2014):
        pane = GuidelinePane(guideline)
        qtbot.addWidget(pane)
        pane.titles = []
        pane.retitled.connect(pane.titles.append)
        pane.resize(500, 400)
        pane.open_project(folder.parent, schema, who)
        pane.show()
        qtbot.waitExposed(pane)
        return pane

    return make


def browser(pane):
    return pane.findChild(GuidelineBrowser)


def chosen(pane):
    return pane.findChild(QComboBox, "guidelineChoice").currentText()


def said(pane, name):
    label = pane.findChild(QLabel, name)
    return label.text() if label.isVisible() else ""


def at_top(pane):
    """What stands at the top of the page."""
    return browser(pane).cursorForPosition(QPoint(5, 12)).block().text()


def search(pane, words):
    line = pane.findChild(QLineEdit)
    line.clear()
    QTest.keyClicks(line, words)
    QTest.keyClick(line, Qt.Key.Key_Return)
    return browser(pane).textCursor().selectedText()


def click_link(pane, words, qtbot):
    """Click on a link by the mouse."""
    view = browser(pane)
    cursor = view.document().find(words)
    view.setTextCursor(cursor)
    qtbot.wait(1)
    cursor.setPosition(cursor.selectionStart() + 1)
    point = view.cursorRect(cursor).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=point)


def test_without_a_folder_the_guidelines_of_tandem_are_shown(opened):
    pane = opened()
    assert chosen(pane) == "Annotation guidelines"
    assert not pane.findChild(QComboBox, "guidelineChoice").isVisible()
    assert not pane.findChild(QPushButton, "markGuidelinesRead").isVisible()
    assert pane.titles[-1] == "Guidelines"


@pytest.mark.parametrize("guideline", ["annotation_guidelines", "adjudication_guidelines"])
def test_every_heading_of_what_comes_with_tandem_is_in_the_window(opened, guideline):
    pane = opened(guideline=guideline)
    heads = re.findall(r"^#+ (.*)", guideline_text(guideline), re.MULTILINE)
    text = browser(pane).toPlainText()
    assert [each for each in heads if f"\n{each}\n" not in f"\n{text}\n"] == []


def test_those_of_the_project_come_first(opened, folder):
    (folder / "rules.md").write_text(OWN)
    (folder / "more.markdown").write_text("Without a heading.")
    pane = opened()
    choice = pane.findChild(QComboBox, "guidelineChoice")
    assert [choice.itemText(at) for at in range(choice.count())] == [
        "more (this project)",
        "Ward 3 (this project)",
        "Annotation guidelines",
    ]
    assert choice.isVisible()


def test_the_adjudicator_has_both_that_come_with_tandem(opened):
    pane = opened(guideline="adjudication_guidelines")
    choice = pane.findChild(QComboBox, "guidelineChoice")
    assert [choice.itemText(at) for at in range(choice.count())] == [
        "Adjudication guidelines",
        "Annotation guidelines",
    ]


@pytest.mark.parametrize(
    ("phi_type", "guideline", "heading"),
    [
        (DATE, "Ward 3 (this project)", "DATE"),
        (DOCTOR, "Ward 3 (this project)", "Names of doctors"),
        (PhiType("NAME", "PATIENT"), "Annotation guidelines", "PATIENT"),
        (PhiType("LOCATION", "LOCATION-OTHER"), "Annotation guidelines", "LOCATION-OTHER"),
        (PhiType("OTHER", "OTHER"), "Annotation guidelines", "OTHER"),
    ],
)
def test_the_section_of_a_type_is_that_of_the_project_if_it_has_one(
    opened, folder, phi_type, guideline, heading
):
    (folder / "rules.md").write_text(OWN)
    pane = opened()
    assert pane.open_type(phi_type)
    assert (chosen(pane), browser(pane).textCursor().block().text()) == (guideline, heading)


def test_the_section_stands_at_the_top(opened):
    pane = opened()
    pane.open_type(PhiType("LOCATION", "STREET"))
    assert at_top(pane) == "STREET"
    pane.open_type(PhiType("NAME", "USERNAME"))
    assert at_top(pane) == "USERNAME"


def test_a_type_that_no_section_is_about_opens_none(opened):
    pane = opened()
    before = browser(pane).textCursor().position()
    assert not pane.open_type(PhiType("STARS", "ZODIAC"))
    assert browser(pane).textCursor().position() == before


def test_the_search_goes_through_all_guidelines_and_around(opened, folder):
    (folder / "rules.md").write_text(OWN)
    pane = opened()
    assert search(pane, "weekdays") == "weekdays"
    assert chosen(pane) == "Ward 3 (this project)"
    assert search(pane, "pacemaker") == "pacemaker"
    assert chosen(pane) == "Annotation guidelines"
    assert search(pane, "weekdays") == "weekdays"
    assert chosen(pane) == "Ward 3 (this project)"


def test_what_stands_nowhere_is_said_until_other_words_are_typed(opened):
    pane = opened()
    search(pane, "zzz")
    assert said(pane, "guidelineMessage") == "The words stand in none of the guidelines."
    QTest.keyClicks(pane.findChild(QLineEdit), "z")
    assert said(pane, "guidelineMessage") == ""


def test_what_is_new_is_said_until_it_is_marked_as_read(opened, folder):
    (folder / "rules.md").write_text(OWN)
    pane = opened()
    assert said(pane, "guidelineChanges") == "You have not marked these guidelines as read yet."
    assert pane.titles[-1] == "Guidelines (new)"
    QTest.mouseClick(pane.findChild(QPushButton), Qt.MouseButton.LeftButton)
    assert said(pane, "guidelineChanges") == ""
    assert pane.titles[-1] == "Guidelines"
    assert opened().titles[-1] == "Guidelines"
    assert opened("ben").titles[-1] == "Guidelines (new)"


def mark_read(pane):
    button = pane.findChild(QPushButton, "markGuidelinesRead")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("No weekdays", "All weekdays", "Changed since you marked them as read: DATE."),
        ("Read me", "Read us", "Changed since you marked them as read: Ward 3."),
        ("## DATE", "## DATES", "Changed since you marked them as read: DATES."),
        ("here.", "[here](b.md).", "Changed since you marked them as read: DATE."),
        ("# Ward 3", "Go.\n\n# Ward 3", "Changed since you marked them as read: the beginning."),
        (
            "## Names of doctors\n\nInitials too.\n",
            "",
            "A section was taken out since you marked these guidelines as read.",
        ),
    ],
)
def test_a_change_since_they_were_read_is_marked_by_section(opened, folder, before, after, told):
    (folder / "rules.md").write_text(OWN)
    mark_read(opened())
    (folder / "rules.md").write_text(OWN.replace(before, after))
    pane = opened()
    assert said(pane, "guidelineChanges") == told
    assert pane.titles[-1] == "Guidelines (changed)"
    mark_read(pane)
    assert opened().titles[-1] == "Guidelines"


def test_what_is_marked_as_read_leads_on_to_what_is_not(opened, folder):
    for name in ("a", "b"):
        (folder / f"{name}.md").write_text(f"# {name}\n")
    pane = opened()
    mark_read(pane)
    assert (chosen(pane), pane.titles[-1]) == ("b (this project)", "Guidelines (new)")
    mark_read(pane)
    assert (chosen(pane), pane.titles[-1]) == ("b (this project)", "Guidelines")


def test_only_what_was_shown_is_marked_as_read(opened, folder):
    (folder / "rules.md").write_text(OWN)
    pane = opened()
    (folder / "rules.md").write_text(OWN.replace("No weekdays", "All the weekdays"))
    mark_read(pane)
    pane.open_type(DATE)
    assert said(pane, "guidelineChanges") == "Changed since you marked them as read: DATE."
    assert pane.titles[-1] == "Guidelines (changed)"


def test_what_was_read_is_known_however_the_project_is_named(opened, folder, monkeypatch):
    (folder / "rules.md").write_text(OWN)
    mark_read(opened())
    monkeypatch.chdir(folder.parent.parent)
    pane = opened()
    pane.open_project(Path("p"), I2B2_2014, "ana")
    assert pane.titles[-1] == "Guidelines"


def test_the_heading_of_a_changed_section_has_another_ground(opened, folder):
    (folder / "rules.md").write_text(OWN)
    mark_read(opened())
    (folder / "rules.md").write_text(OWN.replace("No weekdays", "All weekdays"))
    pane = opened()
    (selection,) = browser(pane).extraSelections()
    assert selection.cursor.block().text() == "DATE"


def test_a_change_is_seen_while_the_window_is_open(opened, folder):
    (folder / "rules.md").write_text(OWN)
    pane = opened()
    mark_read(pane)
    (folder / "rules.md").write_text(OWN.replace("No weekdays", "All the weekdays"))
    pane.open_type(DATE)
    assert said(pane, "guidelineChanges") == "Changed since you marked them as read: DATE."


def test_no_word_of_the_guidelines_is_kept_outside_the_project(opened, folder):
    (folder / "secret-rules.md").write_text(OWN)
    mark_read(opened())
    (kept,) = (state_folder() / "guidelines").iterdir()
    text = kept.read_text() + kept.name
    assert not any(word in text for word in ("Ward", "DATE", "secret", "ana", "Initials"))


def test_links_are_followed_within_the_folder_only(opened, folder, qtbot):
    (folder / "a.md").write_text(
        "# A\n\n[inside](b.md#dates)\n\n[outside](../../x.md)\n\n[network](http://x.example/b.md)\n"
    )
    (folder / "b.md").write_text("# B\n\nx\n\n" + "y\n\n" * 60 + "## Dates\n\nz\n" + "y\n\n" * 60)
    (folder.parent.parent / "x.md").write_text("# X")
    pane = opened()
    for words in ("outside", "network"):
        click_link(pane, words, qtbot)
        assert said(pane, "guidelineMessage") == (
            "This link leads out of the guidelines and is not followed."
        )
        assert chosen(pane) == "A (this project)"
    click_link(pane, "inside", qtbot)
    assert (chosen(pane), at_top(pane)) == ("B (this project)", "Dates")


def loads(pane, name):
    kind = QTextDocument.ResourceType.ImageResource.value
    return browser(pane).document().loadResource(kind, QUrl(name)).width() > 16


def test_images_come_from_the_folder_only(opened, folder, tmp_path):
    for place in (folder / "in.png", tmp_path / "out.png"):
        image = QImage(1200, 4, QImage.Format.Format_RGB32)
        image.save(str(place))
    (folder / "link.png").symlink_to(tmp_path / "out.png")
    (folder / "broken.png").write_text("no image")
    (folder / "a.md").write_text("# A\n\n![x](in.png)\n")
    pane = opened()
    assert loads(pane, "in.png")
    outside = (tmp_path / "out.png").as_posix()
    for name in (
        *("../../out.png", outside, f"file://{outside}", "http://x.example/in.png", "link.png"),
        *("broken.png", "gone.png", "//host/in.png", "in.png\0"),
    ):
        assert not loads(pane, name), name
    kind = QTextDocument.ResourceType.StyleSheetResource.value
    assert browser(pane).document().loadResource(kind, QUrl("in.png")) is None


@pytest.mark.parametrize("place", ["p/guidelines/in.png", "out.png"])
def test_an_image_is_painted_only_if_it_lies_in_the_folder(opened, folder, tmp_path, place):
    image = QImage(200, 200, QImage.Format.Format_RGB32)
    image.fill("#ff0000")
    image.save(str(tmp_path / place))
    inside = place != "out.png"
    name = "in.png" if inside else (tmp_path / place).as_posix()
    (folder / "a.md").write_text(f"# A\n\n![x]({name})\n")
    pane = opened()
    painted = browser(pane).grab().toImage()
    colours = {painted.pixelColor(x, y).name() for x in range(0, 300, 5) for y in range(0, 200, 5)}
    assert ("#ff0000" in colours) == inside


def test_markup_of_the_web_is_shown_as_it_is_written(opened, folder):
    (folder / "a.md").write_text("# A\n\n<script>alert(1)</script>\n\n<img src='http://x/y.png'>\n")
    pane = opened()
    assert "<script>alert(1)</script>" in browser(pane).toPlainText()


def test_what_cannot_be_read_is_said_and_the_rest_is_shown(opened, folder):
    (folder / "good.md").write_text(OWN)
    (folder / "bad.md").write_bytes(b"\xff\xfe\x00")
    pane = opened()
    assert chosen(pane) == "Ward 3 (this project)"
    note = said(pane, "guidelineNote")
    assert note == f"{folder / 'bad.md'}: is not in UTF-8; save it as UTF-8."


@pytest.mark.parametrize(
    ("spoken", "foreign", "note"),
    [
        ("en", False, ""),
        ("de", False, "These are the i2b2 2014 guidelines, in English."),
        (
            "en",
            True,
            "These are the i2b2 2014 guidelines, in English; this project has other types.",
        ),
    ],
)
def test_guidelines_of_another_language_or_of_other_types_are_called_what_they_are(
    opened, spoken, foreign, note, other_schema
):
    pane = opened(schema=other_schema if foreign else I2B2_2014)
    pane.fit(language(spoken))
    pane.open_type(DATE)
    assert said(pane, "guidelineNote") == note


@pytest.fixture
def other_schema():
    return schema_of_types([PhiType("DATE", "DATE"), PhiType("DATE", "WEEK")], "own")


def test_spanish_records_have_guidelines_in_spanish_and_the_english_ones_are_called_so(opened):
    pane = opened(schema=schema_of_types(MEDDOCAN_TRAITS, "auto"))
    pane.fit(language("es"))
    choice = pane.findChild(QComboBox, "guidelineChoice")
    assert [choice.itemText(at) for at in range(choice.count())] == [
        "Guía de anotación en español",
        "Annotation guidelines",
    ]
    assert pane.open_type(PhiType("NAME", "NOMBRE_SUJETO_ASISTENCIA"))
    assert chosen(pane) == "Guía de anotación en español"
    assert said(pane, "guidelineNote") == ""


def test_the_guidelines_of_the_language_are_shown_unless_one_has_chosen_others(opened):
    pane = opened()
    pane.fit(language("es"))
    assert chosen(pane) == "Guía de anotación en español"
    other = opened(guideline="adjudication_guidelines")
    QTest.keyClick(other.findChild(QComboBox, "guidelineChoice"), Qt.Key.Key_Down)
    other.fit(language("es"))
    assert chosen(other) == "Annotation guidelines"
