"""A step of making a project."""

from collections.abc import Callable

from PySide6.QtWidgets import QFormLayout, QVBoxLayout, QWizardPage

from shared.errors import TandemError
from shared.widgets.look.theme import Theme
from shared.widgets.parts.messages import StatusBanner, Tone, sentence


class StepPage(QWizardPage):
    """A step that says in a banner what is missing before the next one."""

    def __init__(self, title: str, explained: str, theme: Theme) -> None:
        super().__init__()
        self.setTitle(title)
        self.setSubTitle(explained)
        self.banner = StatusBanner()
        self.banner.apply_theme(theme)
        self.form = QFormLayout()
        self.body = QVBoxLayout(self)
        self.body.addWidget(self.banner)
        self.body.addLayout(self.form)

    def focus_first(self) -> None:
        """Put the cursor into the first field."""
        first = self.form.itemAt(0, QFormLayout.ItemRole.FieldRole)
        field = first.widget() if first else None
        if field is not None:
            field.setFocus()

    def passes(self, check: Callable[[], object]) -> bool:
        """True where `check` raises nothing; what it raises is said."""
        try:
            check()
        except TandemError as error:
            self.banner.show_message(sentence(error), Tone.WARNING)
            return False
        self.banner.clear()
        return True
