"""Which recognizer suggests: a page of the preferences, and what follows when it is another."""

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox, QFormLayout, QLabel, QWidget

from annotator.named_recognizers import named_recognizers
from annotator.pretraining import Pretraining
from annotator.recognizer_process import RecognizerProcess
from annotator.training import PatientTrainer
from shared.widgets.settings.preferences import Preferences, PreferenceStore
from shared.widgets.window.window_preferences import WindowPreferences

_USUAL = "What proves best: the rules, and models beside them"
_NOTE = (
    "A recognizer that is named suggests alone. What has to be trained learns from your finished "
    "patients. Where the project offers rules only, or nothing, that holds."
)


class RecognizerPage(QWidget):
    """A list of all recognizers by name; the choice holds at once."""

    def __init__(self, store: PreferenceStore) -> None:
        super().__init__()
        self._store = store
        self._names = QComboBox()
        self._names.setObjectName("preferredRecognizer")
        self._names.setAccessibleName("Recognizer")
        self._names.addItem(_USUAL, "")
        for name, what in named_recognizers().items():
            self._names.addItem(f"{name}: {what}", name)
        note = QLabel(_NOTE, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        form = QFormLayout(self)
        form.addRow("&Recognizer", self._names)
        form.addRow(note)
        self._show(store.values)
        store.changed.connect(self._show)
        self._names.activated.connect(lambda: store.change(recognizer=self._names.currentData()))

    def _show(self, values: Preferences) -> None:
        at = self._names.findData(values.recognizer)
        if at < 0:  # of a package that is not installed here
            self._names.addItem(values.recognizer, values.recognizer)
            at = self._names.count() - 1
        self._names.setCurrentIndex(at)


class RecognizerChoice(QObject):
    """Tells whoever `follows` which recognizer is wanted, now and whenever that changes.

    Each has an attribute `named`. Signal: `changed` once it is another than before.
    """

    changed = Signal()

    def __init__(
        self,
        preferences: WindowPreferences,
        follows: tuple[RecognizerProcess | PatientTrainer | Pretraining, ...],
    ) -> None:
        super().__init__(preferences)
        self._follows = follows
        self._named = preferences.store.values.recognizer
        preferences.pages["&Suggestions"] = RecognizerPage
        preferences.store.changed.connect(self._take)
        self._tell()

    def _take(self, values: Preferences) -> None:
        if values.recognizer != self._named:
            self._named = values.recognizer
            self._tell()
            self.changed.emit()

    def _tell(self) -> None:
        for each in self._follows:
            each.named = self._named
