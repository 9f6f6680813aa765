"""The guidelines inside the window, those of the project before those that come with Tandem."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from guidelines import guideline_text
from shared.language.guideline_sections import (
    about_english_guidelines,
    guidelines_in,
    i2b2_section_about,
    section_about,
    section_named,
)
from shared.language.languages import Language
from shared.model import PhiType, Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project_guidelines import ProjectGuidelines, file_inside, read_guidelines
from shared.widgets.look.theme import LIGHT, Theme
from shared.widgets.parts.messages import sentence
from shared.widgets.settings.sections_read import SectionsRead
from shared.widgets.window.guideline_browser import Guideline, GuidelineBrowser, GuidelineSection

_ANNOTATION = "annotation_guidelines"
_LISTED = 4
_SHORT = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
_FEW = 10


class GuidelinePane(QWidget):
    """The guidelines with a search line above them, which goes through all of them.

    `guideline` is the one that comes with Tandem and is shown first where the project has none.
    Signals: `retitled` (str) when the pane is to be called otherwise, since something in it has
    changed; `appeared` when it has come into sight.
    """

    retitled = Signal(str)
    appeared = Signal()

    def __init__(self, guideline: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._names = tuple(dict.fromkeys((guideline, _ANNOTATION)))
        self._theme = LIGHT
        self._root: Path | None = None
        self._schema = I2B2_2014
        self._language: Language | None = None
        self._own: ProjectGuidelines | None = None
        self._read: SectionsRead | None = None
        self._guidelines: list[Guideline] = []
        self._browser = GuidelineBrowser()
        self._choice = QComboBox()
        self._search = QLineEdit()
        self._said = _label("guidelineMessage")
        self._note = _label("guidelineNote")
        self._changes = _label("guidelineChanges")
        self._mark_read = QPushButton("Mark as read")
        self._lay_out()
        self._refill()

    def open_project(self, root: Path, schema: Schema, who: str) -> None:
        """Show the guidelines of a project, and what of them `who` has not read yet."""
        self._root, self._schema, self._read = root, schema, SectionsRead(root, who)
        self.refresh()
        self._show(self._guidelines[0])

    def refresh(self) -> None:
        """Take over what has changed in the project's folder."""
        before = self._own
        if self._root is not None:
            self._own = read_guidelines(self._root, before)
        if self._own is not before:
            self._refill()

    def fit(self, language: Language) -> None:
        """Show the guidelines that there are in the language of the records, too."""
        if language is not self._language:
            was_first = self._choice.currentIndex() == 0
            self._language = language
            self._refill()
            if was_first:
                self._show(self._guidelines[0])

    def open_type(self, phi_type: PhiType) -> bool:
        """Go to the section about a type; False where there is none.

        Guidelines of the project come first, by the name of the type or by what it is.
        """
        self.refresh()
        traits = self._schema.traits_of(phi_type)
        return (
            self._go(lambda _, heads: section_about(heads, phi_type, traits))
            or self._go(
                lambda each, heads: None if each.path else i2b2_section_about(heads, traits)
            )
            or self._go(lambda _, heads: section_named(heads, phi_type.category))
        )

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._show_changes()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        self.appeared.emit()

    def _lay_out(self) -> None:
        self._choice.setObjectName("guidelineChoice")
        self._choice.setAccessibleName("Which guidelines")
        self._choice.setSizeAdjustPolicy(_SHORT)
        self._choice.setMinimumContentsLength(_FEW)
        self._choice.activated.connect(self._choose)
        self._search.setPlaceholderText("Search the guidelines")
        self._search.setAccessibleName("Search the guidelines")
        self._search.setClearButtonEnabled(True)
        self._search.returnPressed.connect(self._find_next)
        self._search.textEdited.connect(self._said.hide)
        self._mark_read.setObjectName("markGuidelinesRead")
        self._mark_read.clicked.connect(self._keep_as_read)
        self._browser.anchorClicked.connect(self._follow)
        changes = QHBoxLayout()
        changes.addWidget(self._changes, 1)
        changes.addWidget(self._mark_read)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        line = QHBoxLayout()
        for each in (self._choice, self._search):
            line.addWidget(each, 1)
        layout.addLayout(line)
        for each in (self._said, self._note):
            layout.addWidget(each)
        layout.addLayout(changes)
        layout.addWidget(self._browser, 1)

    def _choose(self, at: int) -> None:
        self._show(self._guidelines[at])

    def _refill(self) -> None:
        """Have the guidelines as they are now, and stay with the one that is shown."""
        shown = self._choice.currentIndex()
        before = self._guidelines[shown] if shown >= 0 else None
        self._guidelines = [*self._of_project(), *self._of_language(), *self._shipped()]
        self._choice.clear()
        self._choice.addItems([each.title for each in self._guidelines])
        self._choice.setVisible(len(self._guidelines) > 1)
        same = (each for each in self._guidelines if before and _is_same(each, before))
        self._show(next(same, self._guidelines[0]))
        self._browser.keep(self._guidelines)
        self._tell_title()

    def _of_project(self) -> list[Guideline]:
        if self._own is None:
            return []
        return [
            Guideline(
                f"{each.title} (this project)", each.markdown, "", each.path, self._own.folder
            )
            for each in self._own.guidelines
        ]

    def _of_language(self) -> list[Guideline]:
        markdown = guidelines_in(self._language) if self._language else ""
        return [Guideline(_title(markdown), markdown)] if markdown else []

    def _shipped(self) -> list[Guideline]:
        texts = ((name, guideline_text(name)) for name in self._names)
        return [
            Guideline(_title(text), text, self._about_english() if name == _ANNOTATION else "")
            for name, text in texts
        ]

    def _about_english(self) -> str:
        if self._language is None:
            return ""
        same_types = all(each.phi_type in I2B2_2014 for each in self._schema.types())
        return about_english_guidelines(self._language, same_types=same_types)

    def _show(self, guideline: Guideline) -> None:
        self._choice.setCurrentIndex(self._guidelines.index(guideline))
        self._browser.show_guideline(guideline)
        problems = self._own.problems if self._own else ()
        told = [*map(sentence, problems[:_LISTED]), guideline.note]
        _tell(self._note, "\n".join(filter(None, told)))
        self._show_changes()

    def _show_changes(self) -> None:
        """Say what has changed since it was marked as read, and show where it is."""
        shown = self._guidelines[self._choice.currentIndex()]
        known, sections = self._known(shown), self._sections_of_project(shown)
        changed = [each for each in sections if known is not None and each.digest not in known]
        self._browser.underlay((each.start for each in changed), self._theme.found)
        is_same = known == _digests(sections)
        _tell(self._changes, "" if is_same else _about_changes(known, changed))
        self._mark_read.setVisible(not is_same)

    def _known(self, guideline: Guideline) -> frozenset[str] | None:
        """The digests of the sections that were read, none for what does not change."""
        if self._read is None or guideline.path is None:
            return frozenset()
        return self._read.of(guideline.name)

    def _sections_of_project(self, guideline: Guideline) -> list[GuidelineSection]:
        return self._browser.sections(guideline) if guideline.path else []

    def _keep_as_read(self) -> None:
        """Take note that what is shown has been read, and go on to what has not."""
        shown = self._guidelines[self._choice.currentIndex()]
        if self._read is not None and shown.path is not None:
            self._read.keep(shown.name, _digests(self._browser.sections(shown)))
        self._show(next(iter(self._unread()), shown))
        self._tell_title()
        self._browser.setFocus()

    def _unread(self) -> list[Guideline]:
        """The guidelines of the project of which something has not been read."""
        return [
            each
            for each in self._guidelines
            if self._known(each) != _digests(self._sections_of_project(each))
        ]

    def _tell_title(self) -> None:
        """Let the title of the pane say whether there is something to read."""
        unread = self._unread()
        said = " (new)" if all(self._known(each) is None for each in unread) else " (changed)"
        self.retitled.emit(f"Guidelines{said if unread else ''}")

    def _go(self, find: Callable[[Guideline, list[str]], int | None]) -> bool:
        """Show the first section that is found, in the order of the guidelines."""
        for each in self._guidelines:
            sections = self._browser.sections(each)
            place = find(each, [section.heading for section in sections])
            if place is not None:
                self._show(each)
                self._browser.go_to(sections[place].start)
                return True
        return False

    def _find_next(self) -> None:
        """Go to the next place of the words, in the guidelines that follow, and around."""
        words, here = self._search.text(), self._choice.currentIndex()
        if not words:
            return
        turned = [*self._guidelines[here:], *self._guidelines[: here + 1]]
        for number, each in enumerate(turned):
            found = self._browser.find_in(each, words, onwards=number == 0)
            if found is not None:
                self._show(each)
                self._browser.setTextCursor(found)
                _tell(self._said, "")
                return
        _tell(self._said, "The words stand in none of the guidelines.")

    def _follow(self, url: QUrl) -> None:
        """Go where a link within the guidelines leads; no other is followed."""
        shown = self._guidelines[self._choice.currentIndex()]
        target = shown
        if url.scheme() or url.host():
            target = None
        elif url.path() and shown.path and shown.folder:
            path = file_inside(shown.folder, shown.path, url.path())
            named = (each for each in self._guidelines if each.path and each.path.resolve() == path)
            target = next(named, None)
        elif url.path():
            target = None
        if target is None:
            _tell(self._said, "This link leads out of the guidelines and is not followed.")
            return
        self._show(target)
        sections = self._browser.sections(target)
        place = section_named([each.heading for each in sections], url.fragment())
        if place is not None:
            self._browser.go_to(sections[place].start)


def _label(name: str) -> QLabel:
    label = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
    label.setObjectName(name)
    label.hide()
    return label


def _tell(label: QLabel, text: str) -> None:
    label.setText(text)
    label.setVisible(bool(text))


def _title(markdown: str) -> str:
    return markdown.partition("\n")[0].lstrip("# ")


def _digests(sections: Iterable[GuidelineSection]) -> frozenset[str]:
    return frozenset(each.digest for each in sections)


def _is_same(one: Guideline, other: Guideline) -> bool:
    return one.path == other.path and (one.path is not None or one.title == other.title)


def _about_changes(known: frozenset[str] | None, changed: Sequence[GuidelineSection]) -> str:
    if known is None:
        return "You have not marked these guidelines as read yet."
    if not changed:
        return "A section was taken out since you marked these guidelines as read."
    names = [each.heading or "the beginning" for each in changed]
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return f"Changed since you marked them as read: {', '.join(names[:_LISTED])}{more}."
