"""The colours of the windows, light and dark.

Text keeps a contrast of at least 4.5:1 (WCAG 2.2, 1.4.3) on all it can stand on, strokes that
carry meaning at least 3:1 (1.4.11). Category colours are adapted to the page here, never elsewhere.
"""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette

TINT = 0.22
STROKE_CONTRAST = 3.0


@dataclass(frozen=True, slots=True)
class Theme:
    """One set of colours, as `#rrggbb`."""

    name: str
    dark: bool
    page: str
    window: str
    text: str
    muted: str
    band: str
    hairline: str
    selection: str
    accent: str
    found: str
    warning: str
    error: str

    def tint(self, colour: str) -> QColor:
        """Return what a tag of this category colour is filled with."""
        tint = QColor(colour)
        tint.setAlphaF(TINT)
        return tint

    def ink(self, colour: str) -> QColor:
        """Return the category colour, drawn towards that of text until it stands out."""
        page, text = QColor(self.page), QColor(self.text)
        for share in range(0, 100, 5):
            text.setAlphaF(share / 100)
            ink = over(text, QColor(colour))
            if contrast(ink, page) >= STROKE_CONTRAST:
                return ink
        return QColor(self.text)

    def palette(self) -> QPalette:
        """Return the palette for all widgets."""
        palette = QPalette()
        for roles, colour in (
            ("Window Button AlternateBase", self.window),
            ("Base", self.page),
            ("ToolTipBase", self.band),
            ("WindowText Text ButtonText ToolTipText HighlightedText BrightText", self.text),
            ("PlaceholderText", self.muted),
            ("Highlight", self.selection),
            ("Link LinkVisited Accent", self.accent),
            ("Mid Midlight", self.hairline),
            ("Dark", mixed(self.hairline, self.muted)),
            ("Shadow", self.hairline),
            ("Light", self.band),
        ):
            for role in roles.split():
                palette.setColor(QPalette.ColorRole[role], QColor(colour))
        for role in ("WindowText", "Text", "ButtonText"):
            palette.setColor(
                QPalette.ColorGroup.Disabled,
                QPalette.ColorRole[role],
                QColor(mixed(self.muted, self.window)),
            )
        return palette


def mixed(one: str, other: str) -> str:
    """Return the colour half-way between two."""
    a, b = QColor(one), QColor(other)
    return QColor(
        (a.red() + b.red()) // 2, (a.green() + b.green()) // 2, (a.blue() + b.blue()) // 2
    ).name()


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of two opaque colours, 1 to 21, as WCAG 2.2 defines it."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def over(tint: QColor, ground: QColor) -> QColor:
    """Return what a translucent colour looks like on an opaque ground."""
    share = tint.alphaF()
    return QColor.fromRgbF(
        tint.redF() * share + ground.redF() * (1 - share),
        tint.greenF() * share + ground.greenF() * (1 - share),
        tint.blueF() * share + ground.blueF() * (1 - share),
    )


LIGHT = Theme(
    name="light",
    dark=False,
    page="#ffffff",
    window="#f4f5f7",
    text="#1c2127",
    muted="#5b6470",
    band="#eef1f5",
    hairline="#d3d8df",
    selection="#b7d4f2",
    accent="#1f5fa8",
    found="#ffe69a",
    warning="#fdf0cd",
    error="#fbdcd6",
)
DARK = Theme(
    name="dark",
    dark=True,
    page="#1d2026",
    window="#25282f",
    text="#e6e8ec",
    muted="#a6adb8",
    band="#2a2e36",
    hairline="#414752",
    selection="#2d5078",
    accent="#7db4f0",
    found="#5f5115",
    warning="#4a3d14",
    error="#5a2620",
)


def theme_named(name: str) -> Theme:
    """Return the theme "light" or "dark"; for anything else what the system asks for."""
    if name in {"light", "dark"}:
        return DARK if name == "dark" else LIGHT
    return system_theme()


def theme_of(palette: QPalette) -> Theme:
    """Return the theme that a palette was made from."""
    return DARK if palette.color(QPalette.ColorRole.Base).lightness() < 128 else LIGHT


def system_theme() -> Theme:
    """Return the theme that fits the system's colour scheme; light where it does not say."""
    return DARK if QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT


def _luminance(colour: QColor) -> float:
    red, green, blue = (
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4
        for each in (colour.redF(), colour.greenF(), colour.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
