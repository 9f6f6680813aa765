"""Plots in the colours of the window."""

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from adjudicator.ui.agreement.plots import PlotView
from shared.widgets.look.theme import DARK, LIGHT, Theme
from tests.adjudicator.agreement_reader import Reader


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_plots_are_drawn_in_the_colours_of_the_window(
    hand, reader: Reader, qtbot: QtBot, theme: Theme
):
    reader.turn_to("Plots: ana and ben")
    hand.window.apply_theme(theme)
    views = reader.window.findChildren(PlotView)
    assert len(views) == 3
    for view in views:
        qtbot.waitUntil(lambda view=view: pixels(view)[0] == QColor(theme.page).rgb())
        assert len(set(pixels(view))) > 3


def pixels(view: PlotView) -> list[int]:
    picture = view.grab().toImage()
    return [
        picture.pixel(x, y) for x in range(0, picture.width(), 2) for y in range(picture.height())
    ]
