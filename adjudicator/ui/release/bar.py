"""Which part of the list of replacements is shown: of which patient, of which type, with words."""

from collections.abc import Iterable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from adjudicator.ui.choice_line import ChoiceLine, offer

_PAUSE_MS = 120


class ReleaseBar(ChoiceLine):
    """A line of choices. `changed` for what is shown, `weekdays_changed` for how dates move."""

    changed = Signal()
    weekdays_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._patient = self._add("&Patient", "releasePatient")
        self._type = self._add("&Type", "releaseType")
        self.words = QLineEdit()
        self.words.setObjectName("releaseFilter")
        self.words.setAccessibleName("Filter")
        self.words.setPlaceholderText("Filter (Ctrl+F)")
        self.words.setClearButtonEnabled(True)
        self.words.setMinimumWidth(200)
        self._line.addWidget(self.words)
        self._weekdays = QCheckBox("Keep days of the &week")
        self._weekdays.setObjectName("releaseWeekdays")
        self._weekdays.setToolTip("Move dates by whole weeks; all dates are drawn anew")
        self._line.addSpacing(8)
        self._line.addWidget(self._weekdays)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self.changed)
        self.words.textChanged.connect(self._pause.start)
        self._patient.activated.connect(self.changed)
        self._type.activated.connect(self.changed)
        self._weekdays.clicked.connect(self.weekdays_changed)

    @property
    def patient_id(self) -> str:
        """The patient that is shown, "" for all."""
        return self._patient.currentData() or ""

    @property
    def type_name(self) -> str:
        """The type that is shown, "" for all."""
        return self._type.currentData() or ""

    @property
    def keeps_weekdays(self) -> bool:
        return self._weekdays.isChecked()

    def offer(
        self, patient_ids: Iterable[str], type_names: Iterable[str], open_one: str = ""
    ) -> None:
        """Offer these, the patient that is open first; what was chosen stays so."""
        ids = sorted(patient_ids, key=lambda each: each != open_one)
        names = [f"{each} (open)" if each == open_one else each for each in ids]
        offer(self._patient, [("All patients", ""), *zip(names, ids, strict=True)])
        offer(self._type, [("All types", ""), *((each, each) for each in type_names)])

    def widen(self) -> None:
        """Leave nothing out."""
        self._patient.setCurrentIndex(0)
        self._type.setCurrentIndex(0)
        self.words.clear()
        self._pause.stop()
