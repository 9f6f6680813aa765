"""What the agreement window shows: the report of a narrowed study, and the tags behind a number."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudicator.agreement.export import PAGE, export, options_of_today
from adjudicator.agreement.tags_behind import has_tags_behind, is_counted, tags_behind
from adjudicator.agreement.view import (
    FilteredReport,
    FilterOptions,
    ReportBuilder,
    StudyFilter,
    without_names,
)
from shared.agreement import measures
from shared.agreement.comparison import Comparison
from shared.agreement.measures import Measure
from shared.agreement.report.comparison_counts import ComparisonCounts
from shared.agreement.report.export import to_json
from shared.agreement.report.report import make_report
from shared.agreement.report.table import Column, ColumnKind, ReportTable, TableRow, counts, text
from shared.agreement.study import AnnotatorPair, Study
from shared.model import Document, Origin, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import document, marked_up, phi

HIPAA = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa)
RECORDS = {
    "110-01": (
        "By [Lee|PATIENT] on [3/4|DATE] at [Mercy|HOSPITAL] General. Kai",
        "By [Lee|DOCTOR] on [3/4|DATE] at [Mercy General|HOSPITAL]. [Kai|DOCTOR]",
    ),
    "110-02": ("Nothing.", "Nothing."),
    "111-01": ("On [3/4/61|DATE] [Lee|DOCTOR].", "On [3/4|DATE]/61 [Lee|DOCTOR]."),
}
OPTIONS = replace(options_of_today(), with_official=False)
DAYS = {"110": date(2026, 2, 1), "111": date(2026, 3, 1)}


def study() -> Study:
    found = tuple(
        Comparison(document(theirs, name), marked_up(ours)[1], marked_up(theirs)[1])
        for name, (ours, theirs) in RECORDS.items()
    )
    pair = AnnotatorPair("ana", "ben", found, DAYS, {"110": "on", "111": "off"})
    with_gold = (AnnotatorPair(name, "gold", found[:1], DAYS) for name in ("ana", "ben"))
    return Study("Small", (pair, *with_gold), HIPAA)


def show(whole: Study, study_filter: StudyFilter) -> FilteredReport:
    return ReportBuilder(whole).show(study_filter)


def found_behind(table_name: str, column: str, **wanted: str):
    shown = show(study(), StudyFilter())
    table = shown.report.table(table_name)
    (row,) = (
        row for row in table.rows() if all(row.cells[key] == each for key, each in wanted.items())
    )
    return tags_behind(shown.study, table, row, column)


# ---------------------------------------------------------------- numbers


def test_nothing_left_out_is_the_report_itself():
    shown = show(study(), StudyFilter())
    assert to_json(shown.report) == to_json(make_report(study(), OPTIONS))


def test_every_count_of_the_report_has_as_many_places_behind_it():
    shown = show(study(), StudyFilter())
    counted = 0
    for table in shown.report.tables:
        for row in table.rows():
            for column in table.columns:
                if column.kind is ColumnKind.COUNT:
                    found = tags_behind(shown.study, table, row, column.name)
                    number = row.cells[column.name]
                    assert not is_counted(table, column.name) or len(found) == number
                    counted += is_counted(table, column.name)
    assert counted > 100


marks = st.lists(
    st.builds(
        lambda start, length, kind: Tag(Span(start, min(start + length, 40)), phi(kind)),
        st.integers(0, 39),
        st.integers(1, 9),
        st.sampled_from(["PATIENT", "DOCTOR", "DATE", "IDNUM"]),
    ),
    max_size=8,
)


@given(marks, marks)
def test_whatever_the_tags_the_places_are_as_many_as_were_counted(one, other):
    text = Document("110-01", "110", "Seen by John Smith, MD, on 6/03/04 again")
    pair = AnnotatorPair("ana", "ben", (Comparison(text, tuple(one), tuple(other)),))
    whole = Study("Small", (pair,), HIPAA)
    report = make_report(whole, replace(options_of_today(), resamples=2))
    for name in ("agreement", "by_type", "documents", "errors", "confusion", "origins", "records"):
        for table in (each for each in report.tables if each.name == name):
            counts = [each.name for each in table.columns if is_counted(table, each.name)]
            for row in table.rows():
                for column in (each for each in counts if isinstance(row.cells[each], int)):
                    assert len(tags_behind(whole, table, row, column)) == row.cells[column]


def pairs_half_shared(ours, theirs):
    """Of a tag and one within it that is at least half as long."""
    return [
        (one, other)
        for one in ours
        for other in theirs
        if one[0] <= other[0] and other[1] <= one[1] <= 2 * other[1] - other[0]
    ]


def test_a_measure_whose_name_ends_like_another_lists_its_own_tags(monkeypatch):
    half = Measure("half_overlap", "same type, half of it", pairs_half_shared)
    monkeypatch.setattr(measures, "MEASURES", (*measures.MEASURES, half))
    ours, theirs = "By [Ann Lee|DOCTOR], [Jo Park|DOCTOR]", "By Ann [L|DOCTOR]ee, Jo [Park|DOCTOR]"
    compared = Comparison(document(ours), marked_up(ours)[1], marked_up(theirs)[1])
    whole = Study("Small", (AnnotatorPair("ana", "ben", (compared,)),), HIPAA)
    table = make_report(whole, OPTIONS).table("agreement")
    (row,) = (
        row
        for row in table.rows()
        if (row.cells["measure"], row.cells["types"]) == ("half overlap", "all")
    )
    found = {each: tags_behind(whole, table, row, each) for each in ("tp", "fp", "fn")}
    assert {each: len(places) for each, places in found.items()} == {"tp": 1, "fp": 1, "fn": 1}
    assert [each.text for each in found["tp"]] == ["Jo Park"]
    assert all(len(places) == row.cells[each] for each, places in found.items())


def test_what_is_listed_does_not_hang_on_the_words_that_are_shown():
    found = show(study(), StudyFilter()).report.table("agreement")
    row = next(each for each in found.rows() if each.cells["second"] == "ben")
    said = TableRow({**row.cells, "measure": "binary token", "types": "HIPAA"}, row.key)
    wanted = tags_behind(study(), found, row, "fn")
    assert wanted
    assert tags_behind(study(), found, said, "fn") == wanted


# ---------------------------------------------------------------- tags behind


def test_behind_a_bad_f1_is_what_did_not_match_first_and_then_the_rest():
    found = found_behind("by_type", "f1", first="ana", second="ben", type="NAME:DOCTOR")
    assert [(each.record_id, each.how) for each in found] == [
        ("110-01", "second only"),
        ("110-01", "second only"),
        ("111-01", "matched"),
    ]


def test_what_did_not_match_tells_what_the_other_side_has_there():
    found = found_behind("by_type", "fn", first="ana", second="ben", type="NAME:DOCTOR")
    assert [(each.first_types, each.second_types, each.text) for each in found] == [
        ("NAME:PATIENT", "NAME:DOCTOR", "Lee"),
        ("", "NAME:DOCTOR", "Kai"),
    ]


def test_precision_is_about_the_tags_of_the_first():
    found = found_behind("by_type", "precision", first="ana", second="ben", type="NAME")
    assert {each.how for each in found} == {"matched"}


def test_a_category_matches_past_the_type():
    (found,) = found_behind("by_type", "tp", first="ana", second="gold", type="NAME")
    assert (found.first_types, found.second_types) == ("NAME:PATIENT", "NAME:DOCTOR")


def test_behind_a_token_is_the_whole_token():
    found = found_behind("agreement", "fn", first="ana", second="ben", measure="token", types="all")
    assert "General." in [each.text for each in found]


def test_behind_overlap_is_the_place_of_both_tags():
    found = found_behind(
        "agreement", "tp", first="ana", second="gold", measure="overlap", types="all"
    )
    assert ("Mercy General", Span(17, 30)) in [(each.text, each.span) for each in found]


def test_behind_a_mean_are_the_tags_of_all_annotators():
    found = found_behind("gold_average", "f1", measure="strict", types="all")
    assert {(each.first, each.second) for each in found} == {("ana", "gold"), ("ben", "gold")}


def test_behind_a_confusion_are_both_types():
    (found,) = found_behind(
        *("confusion", "tags"),
        first="ana",
        second="ben",
        first_type="missed",
        second_type="NAME:DOCTOR",
    )
    assert (found.how, found.first_types, found.text) == ("missing", "", "Kai")


def test_behind_an_error_class_are_its_tags():
    (found,) = found_behind("errors", "extent_long", first="ana", second="ben", type="DATE")
    assert (found.record_id, found.how, found.text) == ("111-01", "extent long", "3/4/61")


def test_behind_an_origin_are_its_tags():
    found = found_behind("origins", "tags", first="ana", second="gold", origin=str(Origin.HAND))
    assert len(found) == 3


def test_behind_a_day_are_the_records_of_that_day():
    found = found_behind("days", "f1", first="ana", second="ben", day="2026-03-01")
    assert {each.record_id for each in found} == {"111-01"}


def test_behind_what_was_suggested_are_the_records_with_it():
    found = found_behind("suggestions", "f1", first="ana", second="ben", suggestions="off")
    assert {each.record_id for each in found} == {"111-01"}


@pytest.mark.parametrize(
    ("table", "column"),
    [("records", "patients"), ("days", "records"), ("chance", "tokens"), ("by_type", "type")],
)
def test_what_is_not_counted_from_tags_lists_none(table: str, column: str):
    shown = show(study(), StudyFilter())
    found = shown.report.table(table)
    assert not is_counted(found, column)
    assert tags_behind(shown.study, found, found.rows()[0], column) == []


@pytest.mark.parametrize(
    ("table", "row", "column", "leads"),
    [
        ("by_type", {"f1": 0.0}, "f1", True),
        ("by_type", {"fp": 0}, "fp", False),
        ("by_type", {"fp": 1}, "fp", True),
        ("by_type", {"type": "NAME"}, "type", False),
        ("disagreements", {"start": 0}, "start", True),
        ("left_out", {"record": "110-01"}, "record", False),
    ],
)
def test_what_leads_on_to_tags(table: str, row: dict[str, object], column: str, leads: bool):
    columns = (
        Column("f1", "F1", ColumnKind.RATIO),
        *counts(("fp", "first only"), ("start", "start")),
    )
    columns = (*columns, text("type", "type"), text("record", "record"))
    assert has_tags_behind(ReportTable.of(table, "", columns, ()), TableRow(row), column) is leads


# ---------------------------------------------------------------- filters


def test_a_type_leaves_all_others_out():
    shown = show(study(), StudyFilter(label="DATE:DATE"))
    assert {row["type"] for row in shown.report.table("by_type").records()} == {"DATE", "DATE:DATE"}


def test_a_category_keeps_its_types():
    shown = show(study(), StudyFilter(label="NAME"))
    types = {row["type"] for row in shown.report.table("by_type").records()}
    assert types == {"NAME", "NAME:DOCTOR", "NAME:PATIENT"}


def test_an_annotator_keeps_the_sides_that_have_one():
    shown = show(study(), StudyFilter(annotator="ben"))
    assert [(each.first, each.second) for each in shown.study.sides] == [
        ("ana", "ben"),
        ("ben", "gold"),
    ]


@pytest.mark.parametrize(
    ("first", "last", "records"),
    [
        (date(2026, 2, 2), None, 1),
        (None, date(2026, 2, 1), 2),
        (date(2026, 2, 1), date(2026, 3, 1), 3),
        (date(2026, 3, 2), None, 0),
    ],
)
def test_days_are_both_included(first: date | None, last: date | None, records: int):
    narrowed = StudyFilter(first_day=first, last_day=last).of(study())
    counts = [len(each.comparisons) for each in narrowed.between]
    assert sum(counts) == records


def test_a_patient_without_a_day_is_left_out_once_days_count():
    undated = replace(study(), sides=(replace(study().sides[0], done_on={}),))
    assert StudyFilter(first_day=date(2000, 1, 1)).of(undated).sides == ()
    assert StudyFilter().of(undated) == undated


def test_where_all_is_left_out_the_report_says_that_there_is_nothing():
    shown = show(study(), StudyFilter(annotator="nobody"))
    assert "nothing to measure" in shown.report.summary[0]
    assert shown.report.tables == ()


def test_what_can_be_chosen_is_what_is_there():
    choices = FilterOptions.of(study())
    assert choices.annotators == ("ana", "ben")
    assert choices.days == (date(2026, 2, 1), date(2026, 3, 1))
    assert "NAME" in choices.labels
    assert "NAME:DOCTOR" in choices.labels
    assert "AGE" not in choices.labels


def test_without_names_no_name_is_in_the_report():
    shown = show(without_names(study()), StudyFilter())
    words = {
        str(cell)
        for table in shown.report.tables
        for row in table.records()
        for cell in row.values()
    }
    assert not words & {"ana", "ben"}
    assert {"annotator 1", "annotator 2", "gold"} <= words


# ---------------------------------------------------------------- export


def test_the_files_of_the_report_are_those_of_the_whole_study(tmp_path):
    export(study(), options_of_today(resamples=5), tmp_path / "out")
    names = {str(path.relative_to(tmp_path / "out")) for path in (tmp_path / "out").rglob("*.*")}
    assert {PAGE, "agreement.xlsx", "agreement.tex", "tables/by_type.csv"} <= names
    plots = sorted(each for each in names if each.startswith("plots/"))
    assert "plots/01_ana_and_ben_f1_by_type.svg" in plots
    assert {each[:-4] for each in plots if each.endswith(".svg")} == {
        each[:-4] for each in plots if each.endswith(".csv")
    }


def test_the_comparisons_are_watched_while_they_are_measured():
    seen = []

    def watch(comparisons):
        for each in comparisons:
            seen.append(each.record_id)
            yield each

    ReportBuilder(study()).show(StudyFilter(), watch)
    assert seen == ["110-01", "110-02", "111-01", "110-01", "110-01"]


NARROWINGS = [
    StudyFilter(label="NAME"),
    StudyFilter(annotator="ana"),
    StudyFilter(label="NAME", last_day=date(2026, 2, 1)),
    StudyFilter(label="DATE:DATE"),
    StudyFilter(first_day=date(2026, 3, 1)),
    StudyFilter(label="NAME"),
    StudyFilter(),
]


def test_whatever_was_measured_before_a_part_has_the_numbers_of_its_own_report():
    builder = ReportBuilder(study())
    for study_filter in NARROWINGS:
        alone = make_report(study_filter.of(study()), OPTIONS)
        assert to_json(builder.show(study_filter).report) == to_json(alone)


def test_what_was_counted_is_not_counted_again(monkeypatch):
    builder = ReportBuilder(study())
    builder.show(StudyFilter())
    named = builder.show(StudyFilter(label="NAME"))
    monkeypatch.setattr(ComparisonCounts, "of", None)
    builder.show(StudyFilter(annotator="ana"))
    builder.show(StudyFilter(first_day=date(2026, 3, 1)))
    again = builder.show(StudyFilter(label="NAME"))
    assert to_json(again.report) == to_json(named.report)
