"""Icons, and how they look where their action cannot be carried out."""

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QIcon

from icons import icon_names
from shared.widgets.look.icon_set import load_icon


def ink(icon: QIcon, mode: QIcon.Mode) -> float:
    """How much an icon covers, from 0 to 1."""
    image = icon.pixmap(QSize(24, 24), mode).toImage()
    pixels = [image.pixelColor(x, y).alphaF() for x in range(24) for y in range(24)]
    return sum(pixels) / len(pixels)


@pytest.mark.parametrize("name", icon_names())
def test_a_disabled_icon_is_faint_on_a_page_of_any_colour(qapp, name):
    icon = load_icon(name)
    whole = ink(icon, QIcon.Mode.Normal)
    assert 0 < ink(icon, QIcon.Mode.Disabled) < 0.4 * whole
