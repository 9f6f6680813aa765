"""The plots of a report as SVG, drawn from its tables, with what is drawn as a table.

Colours come from the page, so that it can be light or dark. None tells alone what is what: on paper
that is grey, markers, dashes and hatches do.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from shared.agreement.error_classes import MISSED, SPURIOUS
from shared.agreement.report.table import Cell, Report, ReportTable, counts, ratios, text

_LEFT, _WIDTH, _RIGHT = 60, 560, 70
_LETTER = 8.0
"""The width of a letter on average, for margins that hold the longest label."""
_ROW = 22
_BINS = 20
_CELL = 34
_SLANT, _OVERHANG = 0.85, 0.7
_STRONG = 0.55
"""The share of its row from which on a cell is so strong that its number changes colour."""
_AXIS = 24
_MARKER = 8
_DASHES = "7 4"
_HATCHES = 4
_NAMESPACE = "http://www.w3.org/2000/svg"

Scale = Callable[[float], float]


@dataclass(frozen=True, slots=True)
class DotPoint:
    """A value from 0 to 1 with its interval; `size` is how much it is measured on."""

    label: str
    value: float
    low: float
    high: float
    size: int


def dot_plot(dots: Sequence[DotPoint]) -> str:
    """Return a row for each dot, with the interval as a line."""
    base = _base(dot.low for dot in dots)
    height = len(dots) * _ROW
    left = _margin(dot.label for dot in dots)
    x = _across(base, left)
    parts = [*_upright_grid(x, base, height)]
    for number, dot in enumerate(dots):
        parts += _dot_row(dot, number * _ROW + _ROW / 2, x, base)
    width = left + _WIDTH + _RIGHT
    return drawing(parts, width, height + _AXIS, "F1 by type with 95 % intervals")


def histogram(values: Sequence[float]) -> str:
    """Return how many records have an F1 in each twentieth."""
    bins = _binned(values)
    height, tallest = 160, max(bins)
    parts = [*_upright_grid(_across(0.0), 0.0, height)]
    for place, number in enumerate(bins):
        if number:
            parts += _bar(place, number, number / tallest * (height - 18), height)
    return drawing(parts, _LEFT + _WIDTH + _RIGHT, height + _AXIS, "F1 of the records")


def time_plot(points: Sequence[tuple[str, float, float]]) -> str:
    """Return strict and token F1 over days; a point is the day, strict and token."""
    height = 180
    base = _base(min(strict, token) for _, strict, token in points)
    step = _WIDTH / max(1, len(points) - 1)

    def y(value: float) -> float:
        return height - (value - base) / (1 - base) * (height - 10)

    parts = [*_level_grid(y, base)]
    for name, values in (
        ("strict", [(day, strict) for day, strict, _ in points]),
        ("token", [(day, token) for day, _, token in points]),
    ):
        parts += _line(name, values, step, y)
    parts += [
        words(_LEFT + number * step, height + 18, points[number][0], kind="faint")
        for number in sorted({0, len(points) - 1})
    ]
    return drawing(parts, _LEFT + _WIDTH + _RIGHT, height + _AXIS, "F1 over time")


def heat_map(
    numbers: dict[tuple[str, str], int], rows: Sequence[str], columns: Sequence[str]
) -> str:
    """Return a grid of `numbers` by row and column; a cell is the stronger, the more of its row."""
    left, head = _margin(rows), _margin(columns) * _SLANT
    parts = [
        element(
            "text",
            escape(column),
            class_="label",
            transform=f"translate({left + place * _CELL + 20:.0f},{head - 8:.0f}) rotate(-55)",
        )
        for place, column in enumerate(columns)
    ]
    for line, row in enumerate(rows):
        y = head + line * _CELL
        whole = sum(numbers.get((row, column), 0) for column in columns) or 1
        parts.append(words(left - 8, y + _CELL / 2 + 4, row, "end"))
        parts += [
            _cell((row, column), numbers.get((row, column), 0), whole, left + place * _CELL, y)
            for place, column in enumerate(columns)
        ]
    width = left + len(columns) * _CELL + head * _OVERHANG
    return drawing(parts, width, head + len(rows) * _CELL + 4, "Confusion matrix")


def _binned(values: Iterable[float]) -> list[int]:
    """How many values each twentieth from 0 to 1 has."""
    bins = [0] * _BINS
    for value in values:
        bins[min(_BINS - 1, int(value * _BINS))] += 1
    return bins


def _dot_row(dot: DotPoint, y: float, x: Scale, base: float) -> Iterator[str]:
    yield words(x(base) - 8, y + 4, dot.label, "end")
    yield tooltip(
        f"{dot.label}: F1 {dot.value:.4f} ({dot.low:.4f} to {dot.high:.4f}), n = {dot.size}",
        element("line", class_="range", x1=x(dot.low), x2=x(dot.high), y1=y, y2=y),
        element("circle", class_="dot", cx=x(dot.value), cy=y, r=4),
    )
    yield words(x(1.0) + 8, y + 4, f"{dot.size}", "start", "faint")


def _bar(place: int, number: int, tall: float, height: float) -> Iterator[str]:
    x, low, high = _across(0.0), place / _BINS, (place + 1) / _BINS
    bar = element(
        "rect",
        class_="bar",
        x=x(low) + 1,
        y=height - tall,
        width=x(high) - x(low) - 2,
        height=tall,
    )
    yield tooltip(f"{low:.2f} to {high:.2f}: {number} records", bar)
    yield words((x(low) + x(high)) / 2, height - tall - 4, f"{number}", kind="faint")


def _line(name: str, values: Sequence[tuple[str, float]], step: float, y: Scale) -> Iterator[str]:
    places = [(_LEFT + number * step, y(value)) for number, (_, value) in enumerate(values)]
    path = " ".join(f"{left:.1f},{top:.1f}" for left, top in places)
    dashes = {"stroke_dasharray": _DASHES} if name == "token" else {}
    yield element("polyline", class_=f"line {name}", points=path, **dashes)
    for (left, top), (day, value) in zip(places, values, strict=True):
        yield tooltip(f"{day}: {name} F1 {value:.4f}", _marker(name, left, top))
    yield words(_LEFT + _WIDTH + 8, places[-1][1] + 4, name, "start", name)


def _marker(name: str, x: float, y: float) -> str:
    """A square for tokens, else a disc."""
    if name != "token":
        return element("circle", class_=f"dot {name}", cx=x, cy=y, r=_MARKER / 2)
    x, y = x - _MARKER / 2, y - _MARKER / 2
    return element("rect", class_=f"dot {name}", x=x, y=y, width=_MARKER, height=_MARKER)


def _cell(names: tuple[str, str], number: int, whole: int, x: float, y: float) -> str:
    square = element(
        "rect",
        class_="cell right" if names[0] == names[1] else "cell wrong",
        x=x,
        y=y,
        width=_CELL - 2,
        height=_CELL - 2,
        fill_opacity=number / whole,
    )
    if names[0] != names[1] and number:
        square += _hatches(x, y)
    kind = "inverse" if number / whole > _STRONG else "label"
    figure = words(x + _CELL / 2 - 1, y + _CELL / 2 + 4, f"{number}", kind=kind) if number else ""
    return tooltip(f"{names[0]} as {names[1]}: {number} of {whole}", square, figure)


def _hatches(x: float, y: float) -> str:
    """Lines over the corners of a cell, so that its number stays free."""
    side = _CELL - 2
    steps = [side * (each + 1) / 2 / _HATCHES for each in range(_HATCHES)]
    near = (f"M{x:.1f} {y + each:.1f}L{x + each:.1f} {y:.1f}" for each in steps[:-1])
    far = (
        f"M{x + side - each:.1f} {y + side:.1f}L{x + side:.1f} {y + side - each:.1f}"
        for each in steps[:-1]
    )
    return element("path", class_="hatch", d="".join((*near, *far)))


def _base(lowest: Iterator[float]) -> float:
    """Return where the axis begins: a tenth at or below all that is shown, 0.9 at most."""
    return int(min([0.9, *lowest]) * 10) / 10


def _across(low: float, left: float = _LEFT) -> Scale:
    return lambda value: left + (value - low) / (1 - low) * _WIDTH


def _margin(labels: Iterable[str]) -> float:
    return max([_LEFT, *(len(label) * _LETTER + 12 for label in labels)])


def _ticks(base: float) -> list[float]:
    return [tenth / 10 for tenth in range(round(base * 10), 11)]


def _upright_grid(x: Scale, base: float, height: float) -> Iterator[str]:
    for tick in _ticks(base):
        yield element("line", class_="grid", x1=x(tick), x2=x(tick), y1=0, y2=height)
        yield words(x(tick), height + 16, f"{tick:.1f}", kind="faint")


def _level_grid(y: Scale, base: float) -> Iterator[str]:
    for tick in _ticks(base):
        at = y(tick)
        yield element("line", class_="grid", x1=_LEFT, x2=_LEFT + _WIDTH, y1=at, y2=at)
        yield words(_LEFT - 8, at + 4, f"{tick:.1f}", "end", "faint")


def element(name: str, content: str = "", **attributes: str | float) -> str:
    """Return an element; `class_` stands for class, `text_anchor` for text-anchor, and so on."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        if isinstance(value, str)
        else f' {key.replace("_", "-")}="{value:.4g}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def words(x: float, y: float, what: str, anchor: str = "middle", kind: str = "label") -> str:
    return element("text", escape(what), class_=kind, x=x, y=y, text_anchor=anchor)


def tooltip(what: str, *parts: str) -> str:
    """Return the parts as one thing, which says `what` it is when the pointer rests on it."""
    return element("g", element("title", escape(what)) + "".join(parts))


def drawing(parts: Iterable[str], width: float, height: float, name: str) -> str:
    """Return the whole, which is `name` to a screen reader."""
    return element(
        "svg",
        "".join(parts),
        role="img",
        aria_label=name,
        viewBox=f"0 0 {width:.0f} {height:.0f}",
        width=width,
        font_size=12,
    )


_DRAWN = frozenset({"by_type", "documents", "confusion", "days"})
_MOST_DOTS = 40

Rows = Sequence[dict[str, Cell]]


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as SVG without colours of its own, and `data`, a row for each thing that it shows."""

    title: str
    svg: str
    data: ReportTable

    def on_paper(self) -> str:
        """The plot as a file of its own, black on white but for what is told by hatches too."""
        return coloured(self.svg, PAPER)


@dataclass(frozen=True, slots=True)
class Inks:
    """The colours of a plot as CSS has them, and the font of its words.

    `inverse` is what can be read on the strong ones.
    """

    inverse: str
    text: str
    faint: str
    line: str
    strong: str
    other: str
    right: str
    family: str = "sans-serif"


PAPER = Inks("#000", "#000", "#444", "#bbb", "#0072b2", "#d55e00", "#009e73")


def style_of(inks: Inks) -> str:
    """Return the rules that give the classes of plots their colours."""
    return f"""
svg text {{ fill: {inks.text}; font-family: {inks.family}; }}
svg text.faint {{ fill: {inks.faint}; }} svg text.inverse {{ fill: {inks.inverse}; }}
.grid {{ stroke: {inks.line}; }} .range {{ stroke: {inks.strong}; stroke-width: 2; }}
.dot, .bar {{ fill: {inks.strong}; }}
.line {{ fill: none; stroke: {inks.strong}; stroke-width: 2; }}
polyline.token {{ stroke: {inks.other}; }} rect.token {{ fill: {inks.other}; }}
svg text.strict {{ fill: {inks.strong}; }} svg text.token {{ fill: {inks.other}; }}
.cell {{ stroke: {inks.line}; }} .right {{ fill: {inks.right}; }} .wrong {{ fill: {inks.other}; }}
.hatch {{ fill: none; stroke: {inks.text}; stroke-width: 1; }}
"""


def coloured(svg: str, inks: Inks) -> str:
    """Return a plot with its classes in these colours, as a document of its own."""
    head, _, rest = svg.partition(">")
    return f'{head} xmlns="{_NAMESPACE}"><style>{style_of(inks)}</style>{rest}'


def plots_of(report: Report) -> dict[str, tuple[Plot, ...]]:
    """Return the plots of each two sides, by `first and second`."""
    by_name = {each.name: _by_sides(each) for each in report.tables if each.name in _DRAWN}
    return {
        sides: tuple(_plots({name: tables.get(sides, ()) for name, tables in by_name.items()}))
        for sides in by_name.get("by_type", {})
    }


def _plots(tables: Mapping[str, Rows]) -> Iterator[Plot]:
    yield _by_type(tables["by_type"])
    yield _records(tables["documents"])
    if tables["confusion"]:
        yield _confusion(tables["confusion"])
    days = [row for row in tables["days"] if row["day"] != "unknown"]
    if len(days) > 1:
        yield _over_time(days)


def _by_sides(table: ReportTable) -> dict[str, list[dict[str, Cell]]]:
    found: dict[str, list[dict[str, Cell]]] = defaultdict(list)
    for row in table.records():
        found[f"{row.get('first')} and {row.get('second')}"].append(row)
    return found


def _by_type(rows: Rows) -> Plot:
    title = "F1 by type with 95 % intervals"
    dots = [
        DotPoint(
            _short(str(row["type"])),
            *(_float(row["f1"]), _float(row["f1_low"]), _float(row["f1_high"])),
            int(_float(row["tp"]) + _float(row["fn"])),
        )
        for row in rows
        if ":" in str(row["type"])
    ]
    dots = sorted(dots, key=lambda dot: (-dot.size, dot.label))[:_MOST_DOTS]
    columns = (text("type", "type"), *ratios(("f1", "F1"), ("f1_low", "from"), ("f1_high", "to")))
    cells = [(dot.label, dot.value, dot.low, dot.high, dot.size) for dot in dots]
    data = ReportTable.of("f1_by_type", title, (*columns, *counts(("tags", "tags"))), cells)
    return Plot(title, dot_plot(dots), data)


def _short(label: str) -> str:
    """Return DATE for DATE:DATE."""
    category, _, name = label.partition(":")
    return category if category == name else label


def _records(rows: Rows) -> Plot:
    title, values = "F1 of the records", [float(row["f1"] or 0) for row in rows]
    cells = [(at / _BINS, (at + 1) / _BINS, each) for at, each in enumerate(_binned(values))]
    columns = (*ratios(("from", "from"), ("to", "to")), *counts(("records", "records")))
    return Plot(title, histogram(values), ReportTable.of("f1_of_records", title, columns, cells))


def _confusion(rows: Rows) -> Plot:
    title = "Types of the second (rows) as types of the first (columns), hatched where they differ"
    cells = [
        (str(row["second_type"]), str(row["first_type"]), int(_float(row["tags"]))) for row in rows
    ]
    numbers = {(second, first): tags for second, first, tags in cells}
    types = sorted({name for pair in numbers for name in pair} - {MISSED, SPURIOUS})
    lines = [*types, *([SPURIOUS] if any(row == SPURIOUS for row, _ in numbers) else [])]
    columns = [*types, *([MISSED] if any(column == MISSED for _, column in numbers) else [])]
    heads = (text("second_type", "second"), text("first_type", "first"), *counts(("tags", "tags")))
    data = ReportTable.of("confusion", title, heads, cells)
    return Plot(title, heat_map(numbers, lines, columns), data)


def _over_time(days: Rows) -> Plot:
    title = "F1 over time"
    points = [(str(row["day"]), _float(row["f1"]), _float(row["token_f1"])) for row in days]
    columns = (text("day", "day"), *ratios(("strict_f1", "strict F1"), ("token_f1", "token F1")))
    data = ReportTable.of("f1_over_time", title, columns, points)
    return Plot(title, time_plot(points), data)


def _float(cell: Cell) -> float:
    return float(cell) if cell is not None else 0.0
