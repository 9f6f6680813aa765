"""A folder is chosen beside whatever else goes on."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton

from shared.widgets.parts.path_line import PathLine


def test_what_is_chosen_stands_there_and_what_is_not_changes_nothing(qtbot, tmp_path):
    line = PathLine("Folder of the project")
    qtbot.addWidget(line)
    line.show()
    line.set_path(tmp_path)
    (tmp_path / "chosen").mkdir()
    for choose in (False, True):
        QTest.mouseClick(line.findChild(QPushButton), Qt.MouseButton.LeftButton)  # comes back
        dialog = line.findChild(QFileDialog)
        assert dialog.isVisible()
        dialog.selectFile(str(tmp_path / "chosen"))
        dialog.accept() if choose else dialog.reject()
        assert line.path == (tmp_path / "chosen" if choose else tmp_path)
        qtbot.waitUntil(lambda: line.findChild(QFileDialog) is None)
