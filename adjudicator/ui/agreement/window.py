"""The agreement of a project in a window of its own: tables, plots, the tags behind a number."""

from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QMainWindow,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from adjudicator.agreement.tags_behind import TagEvidence, tags_behind
from adjudicator.agreement.view import FilteredReport, FilterOptions, ReportBuilder, StudyFilter
from adjudicator.ui.agreement import work
from adjudicator.ui.agreement.filters import AgreementFilters
from adjudicator.ui.agreement.plots import PlotPage
from adjudicator.ui.agreement.tables import EvidenceTable, FigureTable
from adjudicator.ui.agreement.work import ProgressLine
from adjudicator.ui.latest_task import LatestTask
from shared.agreement.study import Study
from shared.errors import FileError
from shared.project.project import Project
from shared.text.blocks import counted
from shared.widgets.look.theme import theme_of
from shared.widgets.parts.manual_opener import open_manual
from shared.widgets.parts.messages import StatusBanner, Tone, sentence


class AgreementWindow(QMainWindow):
    """Tables and plots of a project's agreement, measured off this thread.

    Signals: `place_chosen` (TagEvidence) when the user wants to see a tag in its record.
    """

    place_chosen = Signal(object)

    def __init__(self, project: Project) -> None:
        super().__init__()
        self._project = project
        self._study: Study | None = None
        self._builder: ReportBuilder | None = None
        self._shown: FilteredReport | None = None
        self._shown_filter = StudyFilter()
        self._hidden = self._is_reading = False
        self._read_at: datetime | None = None
        self._work = LatestTask(self)
        self._listing = LatestTask(self)
        self._banner = StatusBanner()
        self._filters = AgreementFilters()
        self._as_of = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._as_of.setObjectName("agreementAsOf")
        self._again = _button("Measure a&gain", "agreementAgain", "Read the layers again (F5)")
        self._help = _button("Help", "agreementHelp", "Read the manual (Shift+F1)")
        self._export = _button(
            "E&xport…",
            "agreementExport",
            "Write the whole report, as tandem agreement --out does: page, tables, workbook",
        )
        self._contents = QListWidget()
        self._figures = FigureTable()
        self._plots = PlotPage()
        self._pages = QStackedWidget()
        self._behind = EvidenceTable()
        self._progress = ProgressLine(self.statusBar())
        self._arrange()
        self._connect()
        self.setWindowTitle(f"{project.title} – agreement")
        self.resize(1280, 820)

    @property
    def shown(self) -> FilteredReport | None:
        """What is on the screen, None until it is measured."""
        return self._shown

    @property
    def is_busy(self) -> bool:
        """Whether something is read, measured, listed or written."""
        return self._work.is_running or self._listing.is_running

    def measure(self, *, hidden: bool = False) -> None:
        """Read the project and measure it anew; `hidden` numbers the annotators."""
        self._hidden = hidden
        self._banner.clear()
        reading = partial(work.read_study, self._project, hidden=hidden)
        self._is_reading = True
        self._export.setEnabled(False)
        self._work.start(reading, partial(self._take_study, datetime.now().astimezone()))

    def say(self, text: str) -> None:
        """Show a sentence in the status bar."""
        self.statusBar().showMessage(text, 8000)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._banner.apply_theme(theme_of(self.palette()))
        super().changeEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._work.stop()
        self._listing.stop()
        event.accept()

    # ------------------------------------------------------------ arrangement

    def _arrange(self) -> None:
        self._banner.apply_theme(theme_of(self.palette()))
        self._contents.setObjectName("agreementContents")
        self._contents.setAccessibleName("Tables and plots")
        self._contents.setWordWrap(True)
        self._contents.setSpacing(2)
        self._contents.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._pages.addWidget(self._figures)
        self._pages.addWidget(self._plots)
        top = QHBoxLayout()
        top.addWidget(self._filters)
        top.addStretch(1)
        for each in (self._as_of, self._again, self._export, self._help):
            top.addWidget(each)
        self._right = QSplitter(Qt.Orientation.Vertical)
        self._right.addWidget(self._pages)
        self._right.addWidget(self._behind)
        self._right.setSizes([460, 260])
        across = QSplitter()
        across.addWidget(self._contents)
        across.addWidget(self._right)
        across.setSizes([270, 1010])
        across.setStretchFactor(1, 1)
        middle = QWidget()
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(8, 8, 8, 0)
        layout.addLayout(top)
        layout.addWidget(self._banner)
        layout.addWidget(across, 1)
        self.setCentralWidget(middle)
        self._export.setEnabled(False)

    def _connect(self) -> None:
        self._work.progressed.connect(self._tell_progress)
        self._work.ended.connect(self._rest)
        self._work.failed.connect(self._fail)
        self._listing.failed.connect(self._banner.show_error)
        self._progress.cancelled.connect(self._cancel)
        self._filters.changed.connect(self._narrow)
        self._again.clicked.connect(self._measure_again)
        self._export.clicked.connect(self._choose_folder)
        self._contents.currentRowChanged.connect(self._turn_to)
        self._figures.number_chosen.connect(self._list_behind)
        self._figures.list_wanted.connect(self._behind.setFocus)
        self._behind.place_chosen.connect(self.place_chosen)
        self._help.clicked.connect(self._open_manual)
        keys = (
            ("F5", self._measure_again),
            ("Ctrl+W", self.close),
            ("Shift+F1", self._open_manual),
        )
        for key, action in keys:
            QShortcut(QKeySequence(key), self).activated.connect(action)

    def _open_manual(self) -> None:
        self.say(open_manual("project_lead") or "The manual opens in the browser.")

    # ------------------------------------------------------------ measuring

    def _measure_again(self) -> None:
        self.measure(hidden=self._hidden)

    def _take_study(self, begun: datetime, found: tuple[Study, list[FileError]]) -> None:
        study, problems = found
        self._study, self._read_at = study, begun
        self._builder = ReportBuilder(study)
        if problems:
            more = f" {len(problems) - 1} more could not be read." if problems[1:] else ""
            self._banner.show_message(f"{sentence(problems[0])}{more}", Tone.WARNING)
        self._filters.set_options(FilterOptions.of(study))
        self._narrow(self._filters.study_filter)

    def _narrow(self, study_filter: StudyFilter) -> None:
        """Measure a part; what is read meanwhile is measured by what is chosen once it is there."""
        if self._builder is not None and not self._is_reading:
            measuring = partial(work.measure, self._builder, study_filter)
            self._export.setEnabled(False)
            self._work.start(measuring, partial(self._show, study_filter))
        self._compare_filters()

    def _compare_filters(self) -> None:
        """Let nobody take figures for those of another part than was measured."""
        self._pages.setEnabled(self._filters.study_filter == self._shown_filter)

    def _show(self, study_filter: StudyFilter, shown: FilteredReport) -> None:
        self._shown, self._shown_filter = shown, study_filter
        self._as_of.setText(f"As of {self._read_at:%Y-%m-%d %H:%M}" if self._read_at else "")
        self._compare_filters()
        here = self._contents.currentItem()
        title = here.text() if here else "Agreement by measure"
        titles = [table.title for table in shown.report.tables] + [
            f"Plots: {who}" for who in shown.plots
        ]
        self._contents.blockSignals(True)
        self._contents.clear()
        self._contents.addItems(titles)
        self._contents.setCurrentRow(titles.index(title) if title in titles else 0)
        self._contents.blockSignals(False)
        self._turn_to(self._contents.currentRow())
        if not shown.study.sides:
            self._banner.show_message(shown.report.summary[0])

    def _tell_progress(self, what: str, done: int, total: int) -> None:
        if self._work.is_running:
            self._progress.show_progress(what, done, total)

    def _cancel(self) -> None:
        self._work.stop()
        self._go_back_to_shown()
        self.say("Stopped.")

    def _fail(self, error: Exception) -> None:
        self._go_back_to_shown()
        self._banner.show_error(error)

    def _go_back_to_shown(self) -> None:
        """Choose again what the figures are of."""
        self._filters.show_filter(self._shown_filter)
        self._compare_filters()

    def _rest(self) -> None:
        self._is_reading = False
        self._progress.rest()
        self._filters.setEnabled(True)
        self._again.setEnabled(True)
        self._export.setEnabled(self._study is not None)

    # ------------------------------------------------------------ looking

    def _turn_to(self, number: int) -> None:
        shown = self._shown
        if shown is None or number < 0:
            return
        tables, plots = shown.report.tables, list(shown.plots.values())
        self._listing.stop()
        self._behind.clear()
        self._behind.setVisible(number < len(tables))
        if number < len(tables):
            self._figures.set_table(tables[number])
            self._pages.setCurrentWidget(self._figures)
        elif number - len(tables) < len(plots):
            self._plots.set_plots(plots[number - len(tables)])
            self._pages.setCurrentWidget(self._plots)

    def _list_behind(self, index: QModelIndex) -> None:
        model, shown = self._figures.model, self._shown
        if shown is None or model.table is None:
            return
        column = model.columns[index.column()]
        row = model.rows[index.row()]
        words = [cell for cell in row.cells.values() if isinstance(cell, str)]
        title = f"{', '.join(words)}: {column.title} {index.data()}"
        behind = partial(tags_behind, shown.study, model.table, row, column.name)
        self._listing.start(lambda _job: behind(), partial(self._list, title))

    def _list(self, title: str, found: list[TagEvidence]) -> None:
        places = counted(len(found), "place")
        how = " Enter or a double click opens one in its record." if found else ""
        self._behind.set_rows(f"{title} – {places}.{how}", found)

    # ------------------------------------------------------------ export

    def _choose_folder(self) -> None:
        folder = self._project.root / "reports"
        dialog = QFileDialog(self, "Folder for the report", str(folder))
        dialog.setObjectName("agreementFolder")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setLabelText(QFileDialog.DialogLabel.Accept, "Write here")
        dialog.setModal(False)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self._write)
        dialog.show()

    def _write(self, folder: str) -> None:
        if self._work.is_running:  # since the folder was asked for
            self.say("The agreement is still being measured; export it after that.")
        elif self._study is not None and self._read_at is not None:
            self._banner.clear()
            self._filters.setEnabled(False)
            self._again.setEnabled(False)
            read_on = self._read_at.date()
            writing = partial(work.write, self._project, self._study, read_on, Path(folder))
            self._work.start(writing, self._tell_exported)
            self._export.setEnabled(False)

    def _tell_exported(self, written: tuple[Path, str]) -> None:
        folder, problem = written
        more = f" But {problem}." if problem else ""
        self._banner.show_message(f"The report is in {folder}; open agreement.html there.{more}")


def _button(text: str, name: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setObjectName(name)
    button.setToolTip(tip)
    return button
