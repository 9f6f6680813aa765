"""What part of the agreement is shown: by annotator, PHI type and day."""

from collections.abc import Iterable
from datetime import date

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QWidget

from adjudicator.agreement.view import Choices, Narrowing


class AgreementFilters(QWidget):
    """A line of lists to choose from. `changed` (Narrowing) when the user chose another part."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)
        self._annotator = self._add("&Annotator", "agreementAnnotator")
        self._label = self._add("&Type", "agreementType")
        self._first_day = self._add("Done &from", "agreementFrom")
        self._last_day = self._add("&until", "agreementUntil")
        self._all = QPushButton("Show a&ll")
        self._all.setObjectName("agreementEverything")
        self._all.setToolTip("Leave nothing out")
        self._all.clicked.connect(self._widen)
        self._line.addWidget(self._all)
        self._tell_all()

    @property
    def narrowing(self) -> Narrowing:
        """What is chosen now."""
        return Narrowing(
            self._annotator.currentData() or "",
            self._label.currentData() or "",
            self._first_day.currentData(),
            self._last_day.currentData(),
        )

    def set_choices(self, choices: Choices) -> None:
        """Offer these; what was chosen stays so where it is still there. Says nothing."""
        names = [("Everybody", ""), *((name, name) for name in choices.annotators)]
        labels = [("Everything", ""), *((_indented(each), each) for each in choices.labels)]
        days = [(day.isoformat(), day) for day in choices.days]
        for box, offered in (
            (self._annotator, names),
            (self._label, labels),
            (self._first_day, [("Any day", None), *days]),
            (self._last_day, [("Any day", None), *days]),
        ):
            _fill(box, offered)
        self._tell_all()

    def _add(self, title: str, name: str) -> QComboBox:
        box = QComboBox()
        box.setObjectName(name)
        box.setAccessibleName(title.replace("&", ""))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.activated.connect(self._change)
        label = QLabel(title)
        label.setBuddy(box)
        self._line.addWidget(label)
        self._line.addWidget(box)
        self._line.addSpacing(8)
        return box

    def _change(self) -> None:
        self._tell_all()
        self.changed.emit(self.narrowing)

    def _widen(self) -> None:
        for box in (self._annotator, self._label, self._first_day, self._last_day):
            box.setCurrentIndex(0)
        self._change()

    def _tell_all(self) -> None:
        self._all.setEnabled(not self.narrowing.is_nothing)


def _fill(box: QComboBox, offered: Iterable[tuple[str, str | date | None]]) -> None:
    chosen = box.currentData()
    box.clear()
    for text, value in offered:
        box.addItem(text, value)
        if value == chosen:
            box.setCurrentIndex(box.count() - 1)


def _indented(label: str) -> str:
    _, _, name = label.partition(":")
    return f"    {name}" if name else label
