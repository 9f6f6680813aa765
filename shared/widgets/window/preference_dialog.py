"""The preferences beside the window: what is chosen there holds at once."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from shared.widgets.actions.actions import ActionTable
from shared.widgets.actions.key_bindings import KeyBindings
from shared.widgets.document.spaced_text import READING_SIZE
from shared.widgets.settings.preferences import (
    LARGEST,
    SMALLEST,
    TIGHTEST,
    WIDEST,
    Preferences,
    PreferenceStore,
)

Pages = Mapping[str, Callable[[PreferenceStore], QWidget]]
"""What makes a page, by its title."""

_THEMES = {"system": "As the system", "light": "Light", "dark": "Dark"}
_SYSTEM_FONT = "The system's font"


class PreferenceDialog(QDialog):
    """Letters and colours for all windows, keys and `pages` for the one that it belongs to."""

    def __init__(
        self,
        store: PreferenceStore,
        table: ActionTable,
        window: str,
        parent: QWidget,
        pages: Pages | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("preferenceDialog")
        self.setWindowTitle("Preferences")
        tabs = QTabWidget()
        tabs.setAccessibleName("Preferences")
        tabs.addTab(LookPage(store), "&Appearance")
        tabs.addTab(KeyBindings(store, table, window), "&Keys")
        for title, make in (pages or {}).items():
            tabs.addTab(make(store), title)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(tabs)
        layout.addWidget(buttons)
        self.resize(620, 560)


class LookPage(QWidget):
    """Font, size, line spacing and theme."""

    def __init__(self, store: PreferenceStore) -> None:
        super().__init__()
        self._store = store
        self._family = QComboBox()
        self._monospaced = QCheckBox("&Monospaced fonts only")
        self._size = _number("Size", SMALLEST, LARGEST, 1.0, " pt")
        self._spacing = _number("Line spacing", TIGHTEST, WIDEST, 0.1, " lines")
        self._compact = QCheckBox("&Compact text")
        self._theme = QComboBox()
        self._usual = QPushButton("Restore &defaults")
        self._lay_out()
        self._show(store.values)
        self._connect()

    def _lay_out(self) -> None:
        self._family.setObjectName("preferredFamily")
        self._family.setAccessibleName("Font")
        self._compact.setObjectName("preferredCompact")
        self._compact.setToolTip("Lines close together, with the type over the current tag alone")
        self._theme.setObjectName("preferredTheme")
        self._theme.setAccessibleName("Theme")
        for value, text in _THEMES.items():
            self._theme.addItem(text, value)
        form = QFormLayout(self)
        form.addRow("&Font", self._family)
        form.addRow("", self._monospaced)
        form.addRow("&Size", self._size)
        form.addRow("L&ine spacing", self._spacing)
        form.addRow("", self._compact)
        form.addRow("&Theme", self._theme)
        form.addRow("", self._usual)

    def _connect(self) -> None:
        self._store.changed.connect(self._show)
        self._monospaced.toggled.connect(self._fill_families)
        change = self._store.change
        self._family.activated.connect(lambda: change(font_family=self._family.currentData()))
        self._size.valueChanged.connect(lambda: change(font_size=self._size.value()))
        spacing = self._spacing
        spacing.valueChanged.connect(lambda: change(line_spacing=round(spacing.value(), 2)))
        self._compact.clicked.connect(lambda: change(compact=self._compact.isChecked()))
        self._theme.activated.connect(lambda: change(theme=self._theme.currentData()))
        self._usual.clicked.connect(self._reset)

    def _show(self, values: Preferences) -> None:
        """Show what holds now, whoever changed it."""
        blockers = [QSignalBlocker(each) for each in (self._size, self._spacing)]
        self._size.setValue(values.font_size or max(self.font().pointSizeF(), READING_SIZE))
        self._spacing.setValue(values.line_spacing)
        self._compact.setChecked(values.compact)
        del blockers
        self._theme.setCurrentIndex(list(_THEMES).index(values.theme))
        self._fill_families()

    def _fill_families(self) -> None:
        wanted = self._store.values.font_family
        families = QFontDatabase.families()
        if self._monospaced.isChecked():
            families = [each for each in families if QFontDatabase.isFixedPitch(each)]
        self._family.clear()
        self._family.addItem(_SYSTEM_FONT, "")
        for each in families:
            self._family.addItem(each, each)
        self._family.setCurrentIndex(max(0, self._family.findData(wanted)))

    def _reset(self) -> None:
        usual = Preferences()
        self._store.change(
            font_family=usual.font_family,
            font_size=usual.font_size,
            line_spacing=usual.line_spacing,
            compact=usual.compact,
            theme=usual.theme,
        )


def _number(name: str, least: float, most: float, step: float, unit: str) -> QDoubleSpinBox:
    box = QDoubleSpinBox()
    box.setObjectName(f"preferred{name.title().replace(' ', '')}")
    box.setAccessibleName(name)
    box.setRange(least, most)
    box.setSingleStep(step)
    box.setDecimals(1)
    box.setSuffix(unit)
    return box
