"""Plots are well formed and show what they are given."""

import pytest
from lxml import etree

from shared.agreement.report.plots import DotPoint, dot_plot, heat_map, histogram, time_plot

SVG = [
    dot_plot([DotPoint("A & B", 0.8, 0.7, 0.9, 12), DotPoint("C", 1.0, 1.0, 1.0, 1)]),
    dot_plot([]),
    histogram([0.0, 0.5, 1.0, 1.0]),
    time_plot([("2026-02-01", 0.8, 0.9), ("2026-03-01", 0.85, 0.95)]),
    heat_map({("A", "A"): 3, ("A", "missed"): 1}, ["A"], ["A", "missed"]),
]


@pytest.mark.parametrize("svg", SVG)
def test_a_plot_is_well_formed(svg: str) -> None:
    assert etree.fromstring(svg).tag == "svg"


def titles(svg: str) -> list[str]:
    return [each.text or "" for each in etree.fromstring(svg).iter("title")]


def test_a_dot_says_its_interval() -> None:
    assert titles(SVG[0])[0] == "A & B: F1 0.8000 (0.7000 to 0.9000), n = 12"


def test_the_best_value_lies_in_the_last_bin() -> None:
    assert titles(SVG[2]) == [
        "0.00 to 0.05: 1 records",
        "0.50 to 0.55: 1 records",
        "0.95 to 1.00: 2 records",
    ]


def test_a_cell_says_its_share() -> None:
    assert titles(SVG[4]) == ["A as A: 3 of 4", "A as missed: 1 of 4"]


def test_points_of_both_measures() -> None:
    assert titles(SVG[3])[0] == "2026-02-01: strict F1 0.8000"
    assert titles(SVG[3])[-1] == "2026-03-01: token F1 0.9500"
