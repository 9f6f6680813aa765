"""Contrast by calculation, for everything that is read."""

from itertools import combinations_with_replacement

import pytest
from PySide6.QtGui import QColor, QPalette

from shared.model.schema import OKABE_ITO
from shared.widgets.look.theme import DARK, LIGHT, contrast, over, theme_named

THEMES = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


def test_contrast_is_that_of_the_web_guidelines():
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21)
    assert contrast(QColor("#767676"), QColor("#ffffff")) == pytest.approx(4.54, abs=0.01)


@THEMES
@pytest.mark.parametrize(
    "ground", ["page", "window", "band", "selection", "found", "warning", "error"]
)
def test_text_is_readable_on_every_ground(theme, ground):
    assert contrast(QColor(theme.text), QColor(getattr(theme, ground))) >= 4.5


@THEMES
@pytest.mark.parametrize("ground", ["page", "window", "band"])
def test_muted_text_is_readable(theme, ground):
    assert contrast(QColor(theme.muted), QColor(getattr(theme, ground))) >= 4.5


@THEMES
@pytest.mark.parametrize("pair", list(combinations_with_replacement(OKABE_ITO, 2)))
def test_text_is_readable_on_one_tint_and_on_two(theme, pair):
    ground = over(theme.tint(pair[0]), QColor(theme.page))
    ground = over(theme.tint(pair[1]), ground)
    assert contrast(QColor(theme.text), ground) >= 4.5


@THEMES
def test_the_palette_has_text_that_fits_its_ground(theme):
    palette = theme.palette()
    for text, ground in (("Text", "Base"), ("WindowText", "Window"), ("ButtonText", "Button")):
        roles = QPalette.ColorRole[text], QPalette.ColorRole[ground]
        assert contrast(*map(palette.color, roles)) >= 4.5


def test_a_theme_is_found_by_name():
    assert (theme_named("light"), theme_named("dark")) == (LIGHT, DARK)
    assert theme_named("system") in {LIGHT, DARK}
