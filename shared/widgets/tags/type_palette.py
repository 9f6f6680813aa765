"""The PHI types of a schema: as a palette, as a list to pick from, and one that is armed."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QObject, QRect, Qt, Signal
from PySide6.QtGui import QFont, QGuiApplication, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from shared.model import PhiType, Schema, SchemaCategory, SchemaType, Span
from shared.widgets.document.document_view import DocumentView
from shared.widgets.look.icon_set import KEY_CAP_SIZE, key_cap
from shared.widgets.look.theme import LIGHT, Theme, theme_of
from shared.widgets.parts.choice_popup import ChoicePopup, PopupItem
from shared.widgets.parts.plain_tip import plain_tip

_COLUMNS = 2


_COUNT_MARGIN = 24
"""Pixels that keep a count apart from the key of its category."""


class TypeButton(QToolButton):
    """A type, and at the right how many tags of it there are; a count never moves anything."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def show_count(self, count: int) -> None:
        if count != self.count:
            self.count = count
            self.setAccessibleDescription(f"{count:,} tagged" if count else "")
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.count:
            painter = QPainter(self)
            painter.setPen(self.palette().placeholderText().color())
            rect = self.rect().adjusted(0, 0, -_COUNT_MARGIN, 0)
            side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(rect, side, f"{self.count:,}")
            painter.end()


class TypePalette(QScrollArea):
    """The types by category, as buttons; `type_clicked` (PhiType) asks to arm or disarm one."""

    type_clicked = Signal(object)

    def __init__(self, schema: Schema, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("typePalette")
        self.setAccessibleName("PHI types")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its buttons have it
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._schema = schema
        self._theme = LIGHT
        self._buttons: dict[PhiType, TypeButton] = {}
        self._armed: PhiType | None = None
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(8, 6, 8, 6)
        layout.setSpacing(2)
        for category in schema.categories:
            self._add_category(layout, category)
        layout.addStretch()
        self.setWidget(page)
        bar = self.verticalScrollBar().sizeHint().width()
        self.setMinimumWidth(page.minimumSizeHint().width() + bar + 8)

    @property
    def armed(self) -> PhiType | None:
        return self._armed

    def set_armed(self, phi_type: PhiType | None) -> None:
        """Show which type a click in the text tags with."""
        self._armed = phi_type
        for each, button in self._buttons.items():
            button.setChecked(each == phi_type)
            font = button.font()
            font.setBold(each == phi_type)
            button.setFont(font)

    def show_counts(self, counts: Mapping[PhiType, int]) -> None:
        """Show how many tags there are of these types; nothing where there are none."""
        for phi_type in counts.keys() & self._buttons.keys():
            self._buttons[phi_type].show_count(counts[phi_type])

    def clear_counts(self) -> None:
        self.show_counts(dict.fromkeys(self._buttons, 0))

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        for phi_type, button in self._buttons.items():
            button.setIcon(self._key_cap(phi_type))

    def button(self, phi_type: PhiType) -> TypeButton:
        return self._buttons[phi_type]

    def _add_category(self, layout: QVBoxLayout, category: SchemaCategory) -> None:
        grid = QGridLayout()
        grid.setSpacing(0)
        for number, each in enumerate(category.types):
            grid.addWidget(self._button(each), number // _COLUMNS, number % _COLUMNS)
        if [each.phi_type.name for each in category.types] == [category.name]:
            grid.addWidget(_title(category.key), 0, 1)  # its type says the name already
        else:
            title = _title(f"{category.name}   {category.key}".rstrip())
            title.setContentsMargins(2, 6, 0, 1)
            layout.addWidget(title)
        for column in range(_COLUMNS):
            grid.setColumnStretch(column, 1)
        layout.addLayout(grid)

    def _button(self, schema_type: SchemaType) -> TypeButton:
        phi_type, key = schema_type.phi_type, schema_type.key
        button = TypeButton()
        button.setObjectName(f"type.{phi_type}")
        button.setText(phi_type.name)
        button.setFont(_smaller(button.font(), 0.9))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(KEY_CAP_SIZE)
        # before a layout asks for its size: a grid in a box does not hear of a larger one
        button.setIcon(self._key_cap(phi_type))
        button.setAutoRaise(True)
        button.setCheckable(True)
        button.setSizePolicy(QSizePolicy.Policy.MinimumExpanding, QSizePolicy.Policy.Fixed)
        button.setAccessibleName(f"Arm {phi_type.name}" + (f", key {key}" if key else ""))
        tip = f"{phi_type}: click, then click words to tag them" + (f" ({key})" if key else "")
        button.setToolTip(plain_tip(tip))
        button.clicked.connect(lambda: self._clicked(phi_type))
        self._buttons[phi_type] = button
        return button

    def _key_cap(self, phi_type: PhiType) -> QIcon:
        key = self._schema.find(phi_type).key
        return key_cap(key, self._schema.colour(phi_type), self._theme)

    def _clicked(self, phi_type: PhiType) -> None:
        # what is armed is the owner's to say, so the button does not decide
        self.set_armed(self._armed)
        self.type_clicked.emit(phi_type)


def _title(text: str) -> QLabel:
    title = QLabel(text, textFormat=Qt.TextFormat.PlainText)
    title.setFont(_smaller(title.font(), 0.85))
    title.setForegroundRole(title.palette().ColorRole.PlaceholderText)
    return title


def _smaller(font: QFont, factor: float) -> QFont:
    smaller = QFont(font)
    smaller.setPointSizeF(font.pointSizeF() * factor)
    return smaller


class TypePicker(ChoicePopup):
    """Pops up at the caret; typing filters, a digit or Enter takes a type; `chosen` (PhiType)."""

    chosen = Signal(object)

    def __init__(self, schema: Schema, parent: QWidget) -> None:
        super().__init__(parent, digits=True)
        self.setObjectName("typePicker")
        self.setAccessibleName("Types")
        self._schema = schema
        self.picked.connect(self.chosen)

    def open(self, types: Iterable[PhiType], last: PhiType | None, rect: QRect) -> None:
        """Show these types below `rect` (screen), the last used one highlighted."""
        theme = theme_of(QGuiApplication.palette())
        self.pop_up((self._choice(each, theme) for each in types), last, rect)

    def _choice(self, phi_type: PhiType, theme: Theme) -> PopupItem:
        key = self._schema.find(phi_type).key
        return PopupItem(
            phi_type.name, phi_type, icon=key_cap(key, self._schema.colour(phi_type), theme)
        )


class ArmedType(QObject):
    """Signals: `changed` (PhiType or None); `said` (str); `picked` (Span, PhiType) at a click."""

    changed = Signal(object)
    said = Signal(str)
    picked = Signal(object, object)

    def __init__(
        self, view: DocumentView, colour: Callable[[PhiType], str], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._view = view
        self._colour = colour
        self._armed: PhiType | None = None
        view.span_picked.connect(self._pick)
        view.disarmed.connect(self.disarm)

    def arm(self, phi_type: PhiType) -> None:
        """Tag with this type at every click until disarmed; arming it again disarms."""
        if self._armed == phi_type:
            self.disarm()
            return
        self._armed = phi_type
        self._view.arm(phi_type.name, self._colour(phi_type))
        self.changed.emit(phi_type)
        self.said.emit(f"Click words to tag them as {phi_type.name}; Esc ends this.")

    def disarm(self) -> None:
        if self._armed is not None:
            self._armed = None
            self._view.arm(None, "")
            self.changed.emit(None)

    def _pick(self, span: Span) -> None:
        if self._armed is not None:
            self.picked.emit(span, self._armed)
