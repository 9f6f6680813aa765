"""What part of the agreement is shown: by annotator, PHI type and day."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from adjudicator.agreement.view import FilterOptions, StudyFilter
from adjudicator.ui.filter_row import FilterRow, choose, offer


class AgreementFilters(FilterRow):
    """The lists of annotators, types and days. `changed` (StudyFilter) when the user chose."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._annotator = self._add("&Annotator", "agreementAnnotator")
        self._label = self._add("&Type", "agreementType")
        self._first_day = self._add("Done &from", "agreementFrom")
        self._last_day = self._add("&until", "agreementUntil")
        self._boxes = self._annotator, self._label, self._first_day, self._last_day
        for box in self._boxes:
            box.activated.connect(self._change)
        self._all = QPushButton("Show a&ll")
        self._all.setObjectName("agreementEverything")
        self._all.setToolTip("Remove all filters")
        self._all.clicked.connect(self._widen)
        self._line.addWidget(self._all)
        self._tell_all()

    @property
    def study_filter(self) -> StudyFilter:
        """What is chosen now."""
        return StudyFilter(
            self._annotator.currentData() or "",
            self._label.currentData() or "",
            self._first_day.currentData(),
            self._last_day.currentData(),
        )

    def set_options(self, choices: FilterOptions) -> None:
        """Offer these; what was chosen stays so where it is still there. Says nothing."""
        names = [("Everybody", ""), *((name, name) for name in choices.annotators)]
        labels = [("Everything", ""), *((_indented(each), each) for each in choices.labels)]
        days = [("Any day", None), *((day.isoformat(), day) for day in choices.days)]
        for box, offered in zip(self._boxes, (names, labels, days, days), strict=True):
            offer(box, offered)
        self._tell_all()

    def show_filter(self, shown: StudyFilter) -> None:
        """Choose this, as far as it is offered. Says nothing."""
        chosen = shown.annotator, shown.label, shown.first_day, shown.last_day
        for box, value in zip(self._boxes, chosen, strict=True):
            choose(box, value)
        self._tell_all()

    def _change(self) -> None:
        self._tell_all()
        self.changed.emit(self.study_filter)

    def _widen(self) -> None:
        for box in self._boxes:
            box.setCurrentIndex(0)
        self._change()

    def _tell_all(self) -> None:
        self._all.setEnabled(not self.study_filter.is_nothing)


def _indented(label: str) -> str:
    _, _, name = label.partition(":")
    return f"    {name}" if name else label
