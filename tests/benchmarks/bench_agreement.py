"""How long scoring takes: the official evaluator, our own measures, agreement of two annotators.

Run it as a program: `python tests/benchmarks/bench_agreement.py`. The records and both sides are
fabricated, the sides by simulated annotators. "official" is all 42 blocks of the i2b2 evaluator
on two folders, files read and all; "slow" does the same the way the published script does, with an
object for every tag and token, compared by its own method, 42 times over. "own" is every measure,
typed and binary, for all types and those of HIPAA, on folders too. "report" is the whole report of
the two with 1,000 bootstrap samples, all its files made in memory. "narrow" is what the agreement
window shows when it is first narrowed to a category, once the whole is measured. Figures are
seconds.
"""

import re
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from pathlib import Path

from adjudicator.agreement.view import ReportBuilder, StudyFilter
from shared.agreement.folder_comparison import compare_folders
from shared.agreement.official.i2b2_2014 import evaluate
from shared.agreement.official.i2b2_2014_counts import CATEGORIES, is_hipaa
from shared.agreement.official.i2b2_2014_report import as_text
from shared.agreement.official.raw_file import RawFile, RawTag
from shared.agreement.report.export import to_csv, to_json, to_markdown, to_xlsx
from shared.agreement.report.html_page import to_html
from shared.agreement.report.latex import table_to_latex, to_latex
from shared.agreement.report.options import ReportOptions
from shared.agreement.report.report import make_report
from shared.agreement.score_tables import measure_all
from shared.agreement.study import AnnotatorPair, Study
from shared.formats.i2b2_xml import format_record, read_record
from shared.garbage import collection_paused
from shared.model.i2b2_2014 import I2B2_2014
from shared.synthetic import fabricate
from shared.synthetic.annotators import annotate

SIZES = ((30, 100), (296, 1304), (2960, 13040))
SLOW_UP_TO = 1304
HIPAA = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa)


def write_sides(root: Path, patients: int, records: int) -> None:
    for side in ("ana", "ben"):
        (root / side).mkdir(parents=True)
    for fabricated in fabricate(patients, 1, records=records):
        for side in ("ana", "ben"):
            layers = annotate(fabricated, side, 1)
            for document in fabricated.patient.documents:
                data = format_record(document.text, layers[document.record_id], bare=True)
                (root / side / f"{document.record_id}.xml").write_bytes(data)


def official(root: Path) -> int:
    return sum(1 for _ in as_text(evaluate(root / "ana", root / "ben")))


def own(root: Path) -> object:
    return measure_all(compare_folders(root / "ana", root / "ben").comparisons, HIPAA.__contains__)


def report(root: Path) -> int:
    """Make the report and all its files; return how many bytes they have."""
    comparisons = compare_folders(root / "ana", root / "ben").comparisons
    study = Study("bench", (AnnotatorPair("ana", "ben", comparisons),), HIPAA)
    made = make_report(study, ReportOptions("bench", date(2026, 1, 1)))
    texts = [to_html(made), to_json(made), to_markdown(made), to_latex(made)]
    texts += [each(table) for table in made.tables for each in (to_csv, table_to_latex)]
    return sum(map(len, texts)) + len(to_xlsx(made))


def narrow(root: Path) -> float:
    """Measure the whole, then a category of it; return how long the latter took."""
    comparisons = compare_folders(root / "ana", root / "ben").comparisons
    builder = ReportBuilder(Study("bench", (AnnotatorPair("ana", "ben", comparisons),), HIPAA))
    builder.show(StudyFilter())
    begun = time.perf_counter()
    with collection_paused():
        builder.show(StudyFilter(label="NAME"))
    return time.perf_counter() - begun


class Item:
    """A tag or token the way the script has them: equal by a key that is made on every look."""

    fields = ("name", "start", "end", "kind")

    def __init__(self, name: str, kind: str, start: int, end: int) -> None:
        self.name, self.kind, self.start, self.end = name, kind, str(start), str(end)

    def key(self) -> tuple[str, ...]:
        return tuple(str(getattr(self, field)).upper() for field in self.fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Item) and self.key() == other.key() and other.key() == self.key()

    def __hash__(self) -> int:
        return hash(self.key())


class Near(Item):
    """Equal where the ends are near."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Near):
            return False
        ours, theirs = (dict(zip(self.fields, each.key(), strict=True)) for each in (self, other))
        near = abs(int(ours.pop("end")) - int(theirs.pop("end"))) <= 2
        return near and ours == theirs

    def __hash__(self) -> int:
        return hash(tuple(dict(zip(self.fields, self.key(), strict=True), end=True).values()))


class Place(Item):
    """Equal where they stand in one place."""

    fields = ("start", "end")


def slow(root: Path) -> int:
    ours, theirs = (
        {path.stem: raw(path) for path in (root / side).iterdir()} for side in ("ana", "ben")
    )
    both = [(ours[name], theirs[name]) for name in ours.keys() & theirs.keys()]
    filters: list[Callable[[RawTag], bool]] = [
        lambda _: True,
        lambda tag: is_hipaa(tag.name, tag.type),
    ]
    found = 0
    for keep in filters:
        for kind in (Item, Near, Place):
            found += slow_block(both, keep, kind, tokens=False)
        for kind in (Item, Place):
            found += slow_block(both, keep, kind, tokens=True)
        for name in CATEGORIES:
            only = lambda tag, name=name, keep=keep: tag.name == name and keep(tag)  # noqa: E731
            found += slow_block(both, only, Item, tokens=False)
            found += slow_block(both, only, Item, tokens=True)
    return found


def slow_block(
    both: Iterable[tuple[RawFile, RawFile]],
    keep: Callable[[RawTag], bool],
    kind: type[Item],
    *,
    tokens: bool,
) -> int:
    found = 0
    for ours, theirs in both:
        one, other = (set(slow_items(side, keep, kind, tokens=tokens)) for side in (ours, theirs))
        found += len(one & other) + len(one - other) + len(other - one)
    return found


def slow_items(
    file: RawFile, keep: Callable[[RawTag], bool], kind: type[Item], *, tokens: bool
) -> list[Item]:
    text = file.text or ""
    items: list[Item] = []
    for tag in file.tags:
        if not tokens and keep(tag):
            items.append(kind(tag.name, tag.type, tag.start, tag.end))
        elif tokens:
            at = tag.start
            pieces = re.split("([a-zA-Z0-9]+)", text[tag.start : tag.end])
            made = [kind(tag.name, tag.type, at + len(piece), at) for piece in pieces]
            items += made if keep(tag) else []
    return items


def raw(path: Path) -> RawFile:
    record = read_record(path)
    tags = (
        RawTag(t.phi_type.category, str(t.start), str(t.end), t.phi_type.name, t.start, t.end)
        for t in record.tags
    )
    return RawFile(record.text, tuple(tags))


def timed(action: Callable[[Path], object], root: Path, times: int = 3) -> float:
    figures: list[float] = []
    for _ in range(times):
        begun = time.perf_counter()
        action(root)
        figures.append(time.perf_counter() - begun)
    return min(figures)


def print_row(cells: Sequence[str]) -> None:
    print("".join(f"{cell:>12}" for cell in cells), flush=True)


def main() -> None:
    print_row(
        [
            *("records", "tags", "official", "per record", "slow", "times"),
            *("own", "per record", "report", "per record", "narrow"),
        ]
    )
    for patients, records in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            write_sides(root, patients, records)
            tags = sum(
                len(each.candidate)
                for each in compare_folders(root / "ana", root / "ben").comparisons
            )
            quick, mine = timed(official, root), timed(own, root)
            row = [f"{records}", f"{tags}", f"{quick:.3f}", f"{quick / records * 1e6:.0f} µs"]
            if records <= SLOW_UP_TO:
                long = timed(slow, root, 1)
                row += [f"{long:.2f}", f"{long / quick:.0f}"]
            else:
                row += ["", ""]
            row += [f"{mine:.3f}", f"{mine / records * 1e6:.0f} µs"]
            whole = timed(report, root, 1)
            row += [f"{whole:.2f}", f"{whole / records * 1e6:.0f} µs", f"{narrow(root):.2f}"]
            print_row(row)


if __name__ == "__main__":
    main()
