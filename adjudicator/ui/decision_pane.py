"""The disagreement to decide: what each annotator says, what differs in bold, keys as buttons."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from adjudicator.decisions import SIDES, DecisionChoice
from adjudicator.difference import TextRun, TypeView
from adjudicator.disagreement_queue import Progress
from adjudicator.questions import Card, Question
from shared.model import Schema
from shared.project.gold_remarks import Remark
from shared.text.harmless import in_sentence
from shared.widgets.look.theme import LIGHT, Theme, over


class DecisionPane(QScrollArea):
    """Shows a question and how far the patient is; it scrolls, so that its window keeps its form.

    Signals: `asked` (str) carries the action of a button; `remarked` (str, bool) a reason, and
    whether this is to be discussed; `left` when the user is done with writing it.
    """

    asked = Signal(str)
    remarked = Signal(str, bool)
    left = Signal()

    def __init__(self, schema: Schema, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("decisionPane")
        self._schema = schema
        self._theme = LIGHT
        self._question: Question | None = None
        self._count = rich_label("decisionCount", "Decided")
        self._bar = QProgressBar(textVisible=False)
        self._bar.setFixedHeight(5)
        self._title = rich_label("decisionTitle", "Kind and place")
        self._notes = rich_label("decisionNotes", "Notes of the annotators")
        self._box = QWidget()
        """All that is about a question, shown and hidden as one, which costs one layout."""
        self._panels = QVBoxLayout()
        self._panels.setSpacing(8)
        self._cards: list[CardPanel] = []
        self._precedent = self._button("accept", "↵  As before")
        self._before = rich_label("decisionBefore", "Decided before")
        self._remark = RemarkLine()
        self._remark.remarked.connect(self.remarked)
        self._remark.left.connect(self.left)
        self._state = rich_label("decisionState", "State")
        self._similar = rich_label("decisionAlike", "Similar")
        self._buttons = {
            name: self._button(name, text)
            for name, text in (
                ("take_both", "3  Both"),
                ("take_neither", "0  No tag"),
                ("edit_decision", "E  Edit"),
            )
        }
        self._lay_out()
        self.set_sides(2)
        self.show_progress(Progress(0, 0))
        self.ask(None)

    def set_sides(self, number: int) -> None:
        """Have room for what so many annotators may say."""
        while len(self._cards) > number:
            panel = self._cards.pop()
            self._panels.removeWidget(panel)
            panel.deleteLater()
        for choice in SIDES[len(self._cards) : number]:
            panel = CardPanel(f"take_{choice.value}", self._schema)
            panel.asked.connect(self.asked)
            panel.apply_theme(self._theme)
            self._panels.addWidget(panel)
            self._cards.append(panel)
        self._buttons["take_both"].setText("3  Both" if number == 2 else "9  All")

    def show_state(self, text: str) -> None:
        """Say how a disagreement stands, until it is asked about again."""
        self._state.setText(escape(text))

    def show_notes(self, notes: Sequence[str]) -> None:
        """Show what was written on the place that is asked about."""
        paragraphs = (escape(each).replace("\n", "<br>") for each in notes)
        self._notes.setText("".join(f"<p>{each}</p>" for each in paragraphs))
        self._notes.setVisible(bool(notes))

    def edit_reason(self) -> None:
        if self._question is not None:
            self._remark.edit()

    def show_progress(self, progress: Progress, *, is_done: bool = False) -> None:
        left = " – changed since the patient was done" if is_done else ""
        whole = " – the patient is done" if is_done else " – Ctrl+D marks the patient as done"
        hint = left if progress.left else whole
        self._count.setText(f"<b>{progress}</b> decided{hint}" if progress.total else "")
        self._bar.setRange(0, max(1, progress.total))
        self._bar.setValue(progress.decided)

    def ask(self, question: Question | None, instead: str = "") -> None:
        """Show a disagreement, or `instead` where there is none to show."""
        self._question = question
        if question is None:
            self._title.setText(escape(instead))
            self._box.hide()
            return
        self._title.setText(f"<b>{escape(question.title)}</b>")
        for number, panel in enumerate(self._cards):
            panel.setVisible(number < len(question.cards))
        for panel, card in zip(self._cards, question.cards, strict=False):
            panel.show_card(question, card)
        self._state.setText(escape(question.state))
        self._before.setText(escape(question.precedent))
        self._before.setVisible(bool(question.precedent))
        self._precedent.setVisible(question.may_take_precedent)
        self._remark.show_remark(question.remark, question.reasons)
        others = "1 other is" if question.similar == 1 else f"{question.similar} others are"
        self._similar.setText(
            f"{others} similar: with Shift, the key lists all {question.similar + 1} first."
        )
        self._similar.setVisible(question.similar > 0)
        self._buttons["take_both"].setEnabled(question.may_take_both)
        self._box.show()

    def say_who_reads(self) -> None:
        """Say that annotators will read the reasons that are given."""
        self._remark.say_who_reads()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        for panel in self._cards:
            panel.apply_theme(theme)
        if self._question is not None:
            self.ask(self._question)

    def _button(self, name: str, text: str) -> QToolButton:
        button = plain_button(name, text)
        button.clicked.connect(lambda: self.asked.emit(name))
        return button

    def _lay_out(self) -> None:
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(8)
        for part in (self._count, self._bar, self._title, self._notes, self._box):
            layout.addWidget(part)
        layout.addStretch()
        inside = QVBoxLayout(self._box)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(8)
        line = QHBoxLayout()
        for button in self._buttons.values():
            line.addWidget(button)
        inside.addLayout(self._panels)
        inside.addWidget(self._before)
        inside.addWidget(self._precedent)
        inside.addLayout(line)
        for part in (self._state, self._similar, self._remark):
            inside.addWidget(part)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.setWidget(page)
        self.setMinimumWidth(page.minimumSizeHint().width())


class CardPanel(QFrame):
    """What some annotators say, with the button that takes it; `asked` (str) carries its action.

    The button stands elsewhere with every text above it, so a click anywhere on the card takes it;
    the second half of a double click, which would be about the next disagreement, does not.
    """

    asked = Signal(str)

    def __init__(self, name: str, schema: Schema) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._action = name
        self._schema = schema
        self._theme = LIGHT
        self._is_pressed = False
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._button = plain_button(name)
        self._button.clicked.connect(lambda: self.asked.emit(self._action))
        self._said = rich_label(f"{name}.text", "Tags")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 8)
        layout.setSpacing(6)
        layout.addWidget(self._button)
        layout.addWidget(self._said)

    def show_card(self, question: Question, card: Card) -> None:
        self._action = f"take_{SIDES[card.digit - 1] if card.digit else DecisionChoice.NEITHER}"
        self._button.setText(f"{card.digit}  {card.who}" + ("  ✓" if card.is_taken else ""))
        self._said.setText(self._html(question, card))

    def apply_theme(self, theme: Theme) -> None:
        """Take these colours; what is said takes them when it is shown next."""
        self._theme = theme
        palette = theme.palette()
        palette.setColor(self.backgroundRole(), palette.base().color())
        self.setPalette(palette)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._is_pressed = event.button() is Qt.MouseButton.LeftButton

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_click = self._is_pressed and self.rect().contains(event.position().toPoint())
        self._is_pressed = False
        if is_click:
            self.asked.emit(self._action)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def _html(self, question: Question, card: Card) -> str:
        if not card.said.runs:
            return f'<span style="color:{self._theme.muted}">no tag</span>'
        before, after = (
            f'<span style="color:{self._theme.muted}">{escape(each)}</span>'
            for each in (question.before, question.after)
        )
        text = "".join(self._run(each) for each in card.said.runs)
        types = " &nbsp; ".join(self._type(each) for each in card.said.types)
        return f"{before}{text}{after}<br>{types}"

    def _run(self, run: TextRun) -> str:
        text = f"<b>{escape(run.text)}</b>" if run.differs else escape(run.text)
        if run.phi_type is None:
            return text
        ground = over(self._theme.tint(self._schema.colour(run.phi_type)), QColor(self._theme.page))
        look = f"background-color:{ground.name()};text-decoration:underline"
        return f'<span style="{look}">{text}</span>'

    def _type(self, said: TypeView) -> str:
        ink = self._theme.ink(self._schema.colour(said.phi_type)).name()
        name = escape(str(said.phi_type))
        name = f"<b>{name}</b>" if said.differs else name
        text = f"“{in_sentence(escape(said.text))}” " if said.text else ""
        return f'<span style="color:{ink}">■</span>&nbsp;{text}{name}'


def plain_button(action: str, text: str = "") -> QToolButton:
    """A button as wide as there is room, that leaves the keys to the text."""
    button = QToolButton()
    button.setObjectName(f"decide.{action}")
    button.setText(text)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return button


def rich_label(name: str, accessible: str) -> QLabel:
    label = QLabel(textFormat=Qt.TextFormat.RichText, wordWrap=True)
    label.setObjectName(name)
    label.setAccessibleName(accessible)
    return label


class RemarkLine(QWidget):
    """Shows a remark; `remarked` (reason, discuss) when the user has changed it.

    `left` when the user is done with writing: Enter keeps what was written, Esc forgets it.
    """

    remarked = Signal(str, bool)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._remark = Remark()
        self._reason = _ReasonField()
        self._reasons = QStringListModel(self)
        insensitive = Qt.CaseSensitivity.CaseInsensitive
        self._reason.setCompleter(QCompleter(self._reasons, self, caseSensitivity=insensitive))
        self._discuss = QCheckBox("Discuss (Q)")
        self._discuss.setObjectName("decisionDiscuss")
        self._discuss.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._reason)
        layout.addWidget(self._discuss)
        self._reason.editingFinished.connect(self._tell)
        self._reason.returnPressed.connect(self.left)
        self._reason.given_up.connect(self._give_up)
        self._discuss.clicked.connect(self._tell)

    def show_remark(self, remark: Remark, reasons: Sequence[str]) -> None:
        """Show a remark; what is written is completed by reasons given before."""
        self._remark = remark
        if list(reasons) != self._reasons.stringList():
            self._reasons.setStringList(list(reasons))
        if self._reason.text() != remark.reason:
            self._reason.setText(remark.reason)
        self._discuss.setChecked(remark.discuss)

    def edit(self) -> None:
        self._reason.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._reason.selectAll()

    def say_who_reads(self) -> None:
        """Say that annotators will read the reasons."""
        self._reason.setPlaceholderText("Reason for annotators (Ctrl+E)")

    def _tell(self) -> None:
        self.remarked.emit(self._reason.text(), self._discuss.isChecked())

    def _give_up(self) -> None:
        self._reason.setText(self._remark.reason)
        self.left.emit()


class _ReasonField(QLineEdit):
    """One line; `given_up` on Esc."""

    given_up = Signal()

    def __init__(self) -> None:
        super().__init__(placeholderText="Reason (Ctrl+E)")
        self.setObjectName("decisionReason")
        self.setAccessibleName("Reason")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
        else:
            super().keyPressEvent(event)
