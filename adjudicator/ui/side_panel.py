"""What one annotator says about the disagreement to decide, what differs in bold."""

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QToolButton, QVBoxLayout

from adjudicator.difference import Run, TypeSaid
from adjudicator.questions import Question, Side
from shared.model import Schema
from shared.widgets.look.theme import LIGHT, Theme, over


class SidePanel(QFrame):
    """One annotator's tags, with the button that takes them; `asked` (str) carries its action."""

    asked = Signal(str)

    def __init__(self, action: str, key: str, schema: Schema) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._key = key
        self._schema = schema
        self._theme = LIGHT
        self._button = plain_button("")
        self._button.setObjectName(f"decide.{action}")
        self._button.clicked.connect(lambda: self.asked.emit(action))
        self._said = rich_label(f"{action}.text", "Tags")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 8)
        layout.setSpacing(6)
        layout.addWidget(self._button)
        layout.addWidget(self._said)

    def show_side(self, question: Question, side: Side) -> None:
        self._button.setText(f"{self._key}  {side.who}" + ("  ✓" if side.is_taken else ""))
        self._said.setText(self._html(question, side))

    def apply_theme(self, theme: Theme) -> None:
        """Take these colours; what is said takes them when it is shown next."""
        self._theme = theme
        palette = theme.palette()
        palette.setColor(self.backgroundRole(), palette.base().color())
        self.setPalette(palette)

    def _html(self, question: Question, side: Side) -> str:
        if not side.said.runs:
            return f'<span style="color:{self._theme.muted}">no tag</span>'
        before, after = (
            f'<span style="color:{self._theme.muted}">{escape(each)}</span>'
            for each in (question.before, question.after)
        )
        text = "".join(self._run(each) for each in side.said.runs)
        types = " &nbsp; ".join(self._type(each) for each in side.said.types)
        return f"{before}{text}{after}<br>{types}"

    def _run(self, run: Run) -> str:
        text = f"<b>{escape(run.text)}</b>" if run.differs else escape(run.text)
        if run.phi_type is None:
            return text
        ground = over(self._theme.tint(self._schema.colour(run.phi_type)), QColor(self._theme.page))
        look = f"background-color:{ground.name()};text-decoration:underline"
        return f'<span style="{look}">{text}</span>'

    def _type(self, said: TypeSaid) -> str:
        ink = self._theme.ink(self._schema.colour(said.phi_type)).name()
        name = escape(str(said.phi_type))
        name = f"<b>{name}</b>" if said.differs else name
        return f'<span style="color:{ink}">■</span> {name}'


def plain_button(text: str) -> QToolButton:
    """A button as wide as there is room, that leaves the keys to the text."""
    button = QToolButton()
    button.setText(text)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return button


def rich_label(name: str, accessible: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setAccessibleName(accessible)
    label.setTextFormat(Qt.TextFormat.RichText)
    label.setWordWrap(True)
    return label
