"""Plots are well formed and show what they are given."""

import re

import pytest
from lxml import etree

from shared.agreement.report.plots import (
    PAPER,
    DotPoint,
    Plot,
    coloured,
    dot_plot,
    heat_map,
    histogram,
    plots_of,
    time_plot,
)
from shared.agreement.report.report import make_report
from tests.shared.agreement.report.test_report import OPTIONS, study

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


def without_colours(svg: str) -> list[tuple[str, frozenset[tuple[str, str]]]]:
    """Every shape as it is on paper that is grey: without what a style sheet gives its class."""
    bare = {"class", "fill-opacity"}
    return [
        (str(each.tag), frozenset((k, str(v)) for k, v in each.attrib.items() if k not in bare))
        for each in etree.fromstring(svg).iter("polyline", "circle", "rect", "path")
    ]


def test_without_colours_lines_and_points_of_the_two_measures_differ() -> None:
    strict, *discs, token, square, other = without_colours(SVG[3])
    assert [strict[0], token[0], *(name for name, _ in discs)] == ["polyline"] * 2 + ["circle"] * 2
    assert {square[0], other[0]} == {"rect"}
    assert "stroke-dasharray" in dict(token[1])
    assert "stroke-dasharray" not in dict(strict[1])


def test_without_colours_cells_of_what_differs_are_hatched_and_others_not() -> None:
    def hatched(numbers: dict[tuple[str, str], int]) -> bool:
        return any(name == "path" for name, _ in without_colours(heat_map(numbers, *["AB"] * 2)))

    assert hatched({("A", "B"): 1})
    assert not hatched({("A", "A"): 1, ("B", "B"): 2})


def drawn_plots() -> dict[str, Plot]:
    found = plots_of(make_report(study(), OPTIONS))["ana and ben"]
    return {each.data.name: each for each in found}


def test_beside_a_plot_are_the_numbers_that_it_shows() -> None:
    plots = drawn_plots()
    assert [*plots] == ["f1_by_type", "f1_of_records", "confusion", "f1_over_time"]
    by_type, of_records, confusion, over_time = (each.data.records() for each in plots.values())
    assert titles(plots["f1_by_type"].svg) == [
        f"{row['type']}: F1 {row['f1']:.4f} ({row['f1_low']:.4f} to {row['f1_high']:.4f}), "
        f"n = {row['tags']}"
        for row in by_type
    ]
    assert titles(plots["f1_of_records"].svg) == [
        f"{row['from']:.2f} to {row['to']:.2f}: {row['records']} records"
        for row in of_records
        if row["records"]
    ]
    told = {
        re.sub(r" of \d+$", "", each)
        for each in titles(plots["confusion"].svg)
        if ": 0 of" not in each
    }
    assert told == {
        f"{row['second_type']} as {row['first_type']}: {row['tags']}" for row in confusion
    }
    assert sorted(titles(plots["f1_over_time"].svg)) == sorted(
        f"{row['day']}: {name} F1 {row[f'{name}_f1']:.4f}"
        for row in over_time
        for name in ("strict", "token")
    )


def test_a_plot_on_paper_is_a_document_that_loads_nothing() -> None:
    for plot in drawn_plots().values():
        written = plot.on_paper()
        assert etree.fromstring(written).tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(" not in written
        assert not re.search(r"href|url\(|@import", written)


def test_a_plot_in_colours_keeps_its_words() -> None:
    svg = coloured('<svg viewBox="0 0 1 1"><text class="label">NAME</text></svg>', PAPER)
    assert svg.endswith('<text class="label">NAME</text></svg>')
    assert PAPER.strong in svg
