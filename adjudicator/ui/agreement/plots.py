"""The plots of a report on the screen, in the colours of the window."""

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from shared.agreement.report.plots import PAPER, Inks, Plot, coloured
from shared.widgets.look.theme import Theme, theme_of

_LIGHT_INKS = PAPER.strong, PAPER.other, PAPER.right
_DARK_INKS = "#56b4e9", "#e69f00", "#2fbf95"
"""As on the page of the report."""


class PlotPage(QScrollArea):
    """Plots one below the other, each under its title."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("agreementPlots")
        self.setWidgetResizable(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)

    def set_plots(self, plots: Sequence[Plot]) -> None:
        """Show these plots and no others."""
        page = QWidget()
        page.setBackgroundRole(QPalette.ColorRole.Base)
        page.setAutoFillBackground(True)
        layout = QVBoxLayout(page)
        layout.setContentsMargins(24, 16, 24, 24)
        layout.setSpacing(8)
        for plot in plots:
            title = QLabel(plot.title, textFormat=Qt.TextFormat.PlainText)
            font = title.font()
            font.setBold(True)
            title.setFont(font)
            layout.addWidget(title)
            layout.addWidget(PlotView(plot))
            layout.addSpacing(16)
        layout.addStretch(1)
        self.setWidget(page)


class PlotView(QWidget):
    """One plot, as large as it was drawn; it follows the colours of the window."""

    def __init__(self, plot: Plot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._plot = plot
        self._renderer = QSvgRenderer(self)
        self.setObjectName("agreementPlot")
        self.setAccessibleName(plot.title)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._draw()

    def sizeHint(self) -> QSize:
        return self._renderer.viewBoxF().size().toSize()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._renderer.render(painter, QRectF(self.rect()))
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._draw()
        super().changeEvent(event)

    def _draw(self) -> None:
        svg = coloured(self._plot.svg, _inks(theme_of(self.palette()), self.font().family()))
        self._renderer.load(QByteArray(svg.encode()))
        self._renderer.setAspectRatioMode(Qt.AspectRatioMode.KeepAspectRatio)
        self.update()


def _inks(theme: Theme, family: str) -> Inks:
    inverse = theme.page if theme.dark else theme.text
    of_window = inverse, theme.text, theme.muted, theme.hairline
    return Inks(*of_window, *(_DARK_INKS if theme.dark else _LIGHT_INKS), f'"{family}"')
