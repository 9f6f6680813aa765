"""Guidelines as text to read: headings to go to, and nothing shown that lies elsewhere."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QObject, QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QImage,
    QImageReader,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from shared.errors import StorageError
from shared.project.files import read_file
from shared.project.project_guidelines import file_inside
from shared.text.flat_text import FlatText, text_key
from shared.text.utf16 import Utf16Map

_MARKDOWN = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)
"""With HTML Qt loses all text that follows the first `<br>`."""
_LARGEST_IMAGE = 5_000_000
_MOST_PIXELS = 40_000_000
_WIDEST = 900
_NO_IMAGE = ":/qt-project.org/styles/commonstyle/images/file-16.png"


@dataclass(frozen=True, slots=True)
class Guideline:
    """A text in Markdown; `note` is said above it, `path` and `folder` are those of a project's."""

    title: str
    markdown: str
    note: str = ""
    path: Path | None = None
    folder: Path | None = None

    @property
    def name(self) -> str:
        """What a file is called in its folder; "" for what comes with Tandem."""
        if self.path is None or self.folder is None:
            return ""
        return self.path.relative_to(self.folder).as_posix()


@dataclass(frozen=True, slots=True)
class GuidelineSection:
    """A heading, where its block begins, and a digest of all that stands below it."""

    heading: str
    start: int
    digest: str


class GuidelineDocument(QTextDocument):
    """A guideline as text; of what it refers to it shows images of its own folder alone."""

    def __init__(self, guideline: Guideline, parent: QObject) -> None:
        super().__init__(parent)
        self._guideline = guideline
        self.setMarkdown(guideline.markdown, _MARKDOWN)

    @cached_property
    def sections(self) -> list[GuidelineSection]:
        """The sections in order; what stands before the first heading is one."""
        found: list[GuidelineSection] = []
        heading, start, parts = "", 0, list[str]()
        for block in _blocks(self):
            if _is_heading(block):
                found.append(GuidelineSection(heading, start, _digest(parts)))
                heading, start, parts = block.text(), block.position(), []
            parts.extend(_content(block))
        found.append(GuidelineSection(heading, start, _digest(parts)))
        return [each for each in found if each.heading or each.digest != _digest([])]

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Give an image from the folder of the guidelines; nothing else, from nowhere else.

        For an image that is not given Qt itself would look all over the disk.
        """
        if kind != QTextDocument.ResourceType.ImageResource.value:
            return None
        return self._image(QUrl(name)) or QImage(_NO_IMAGE)

    def _image(self, url: QUrl) -> QImage | None:
        own = self._guideline
        if url.scheme() or url.host() or own.folder is None or own.path is None:
            return None
        path = file_inside(own.folder, own.path, url.path())
        return _image(path) if path else None


class GuidelineBrowser(QTextBrowser):
    """Shows one guideline at a time; a link is told by `anchorClicked` and never followed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Guidelines")
        self.setOpenLinks(False)
        self._owner = QObject(self)  # a browser deletes a document of its own with the next
        self._documents: dict[Guideline, GuidelineDocument] = {}

    def keep(self, guidelines: Iterable[Guideline]) -> None:
        """Forget the texts of all other guidelines."""
        kept = set(guidelines)
        for gone in set(self._documents) - kept:
            document = self._documents.pop(gone)
            if self.document() is document:
                self.setDocument(QTextDocument(self._owner))
            document.deleteLater()

    def show_guideline(self, guideline: Guideline) -> None:
        document = self._document(guideline)
        if self.document() is not document:
            document.setDefaultFont(self.font())
            self.setDocument(document)

    def sections(self, guideline: Guideline) -> list[GuidelineSection]:
        return self._document(guideline).sections

    def go_to(self, start: int) -> None:
        """Let the block that begins there stand at the top."""
        self.moveCursor(QTextCursor.MoveOperation.End)  # what is above is laid out by then
        cursor = self.textCursor()
        cursor.setPosition(start)
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(
            self.verticalScrollBar().value() + self.cursorRect(cursor).top()
        )

    def find_in(self, guideline: Guideline, words: str, *, onwards: bool) -> QTextCursor | None:
        """Where the words stand: after what is selected, or from the beginning.

        In whatever case, with accents or without.
        """
        document = self._document(guideline)
        after = self.textCursor().selectionEnd() if onwards else 0
        places = (place for each in _blocks(document) for place in _places(words, each))
        place = next((each for each in places if each[0] >= after), None)
        if place is None:
            return None
        found = QTextCursor(document)
        found.setPosition(place[0])
        found.setPosition(place[1], QTextCursor.MoveMode.KeepAnchor)
        return found

    def underlay(self, starts: Iterable[int], colour: str) -> None:
        """Give the headings that begin there another ground."""
        selections: list[QTextEdit.ExtraSelection] = []
        for start in starts:
            selection = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            selection.cursor = cursor
            selection.format.setBackground(QColor(colour))
            selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            selections.append(selection)
        self.setExtraSelections(selections)

    def _document(self, guideline: Guideline) -> GuidelineDocument:
        if guideline not in self._documents:
            self._documents[guideline] = GuidelineDocument(guideline, self._owner)
        return self._documents[guideline]


def _blocks(document: QTextDocument) -> Iterator[QTextBlock]:
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def _places(words: str, block: QTextBlock) -> Iterator[tuple[int, int]]:
    """Where words stand in a block, as positions in its document."""
    sought = text_key(words)
    flat, units = FlatText(block.text()), Utf16Map(block.text())
    at = flat.key.find(sought) if sought else -1
    while at >= 0:
        start, end = flat.original(*flat.in_text(at, at + len(sought)))
        yield block.position() + units.to_units(start), block.position() + units.to_units(end)
        at = flat.key.find(sought, at + len(sought))


def _is_heading(block: QTextBlock) -> bool:
    """Whether a block is a heading; the cells below one are formatted as if they were."""
    return bool(block.blockFormat().headingLevel()) and not QTextCursor(block).currentTable()


def _content(block: QTextBlock) -> Iterator[str]:
    """What a block says and leads to."""
    yield f"{block.text()}\n"
    for each in block.textFormats():
        if each.format.isImageFormat() or each.format.anchorHref():
            yield f"{each.format.toImageFormat().name()} {each.format.anchorHref()}\n"


def _digest(parts: Iterable[str]) -> str:
    return sha256("".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _image(path: Path) -> QImage | None:
    """Read an image of a bearable size, made smaller where it is wide; None for any other."""
    try:
        if path.stat().st_size > _LARGEST_IMAGE:
            return None
        buffer = QBuffer()
        buffer.setData(QByteArray(read_file(path) or b""))
    except (OSError, StorageError):
        return None
    reader = QImageReader(buffer)
    size = reader.size()
    if not size.isValid() or size.width() * size.height() > _MOST_PIXELS:
        return None
    if size.width() > _WIDEST:
        bounds = QSize(_WIDEST, size.height())
        reader.setScaledSize(size.scaled(bounds, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else image
