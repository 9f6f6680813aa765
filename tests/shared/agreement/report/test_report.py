"""What a report says, from a study small enough to count by hand."""

from dataclasses import replace
from datetime import date

import pytest

from shared.agreement.comparison import Comparison
from shared.agreement.folder_comparison import SkippedRecord
from shared.agreement.report.report import ReportOptions, make_report
from shared.agreement.report.table import Cell, Report
from shared.agreement.study import AnnotatorPair, Study
from shared.model import Origin, Tag
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import document, marked_up

HIPAA = frozenset(each.phi_type for each in I2B2_2014.types() if each.hipaa)
OPTIONS = ReportOptions("1.2.3", date(2026, 3, 4), resamples=50)
RECORDS = {
    "110-01": (
        "By [Lee|PATIENT], [3/4|DATE], [M12|IDNUM]. Kai",
        "By [Lee|DOCTOR], [3/4|DATE], [M12|IDNUM]. [Kai|DOCTOR]",
    ),
    "110-02": ("Nothing.", "Nothing."),
    "111-01": ("On [3/4/2061|DATE].", "On [3/4|DATE]/2061."),
}


def study(**left_out: str) -> Study:
    comparisons = tuple(
        Comparison(document(theirs, name), marked_up(ours)[1], marked_up(theirs)[1])
        for name, (ours, theirs) in RECORDS.items()
    )
    done_on = {"110": date(2026, 2, 1), "111": date(2026, 3, 1)}
    offered = {"110": "on / rules", "111": "off"}
    both = AnnotatorPair("ana", "ben", comparisons, done_on, offered)
    gold = AnnotatorPair("ana", "gold", comparisons[:1])
    return Study(
        "Small",
        (both, gold, AnnotatorPair("ben", "gold", comparisons[1:])),
        HIPAA,
        tuple(SkippedRecord(name.replace("_", "-"), reason) for name, reason in left_out.items()),
    )


@pytest.fixture
def report() -> Report:
    return make_report(study(), OPTIONS)


def rows(report: Report, name: str, **wanted: Cell) -> list[dict[str, Cell]]:
    records = report.table(name).records()
    return [row for row in records if all(row[key] == value for key, value in wanted.items())]


def test_how_much_was_compared(report: Report) -> None:
    (row,) = rows(report, "records", first="ana", second="ben")
    assert (row["patients"], row["records"], row["first_tags"], row["second_tags"]) == (2, 3, 4, 5)


def test_strict_figures(report: Report) -> None:
    (row,) = rows(report, "agreement", second="ben", measure="strict", types="all")
    assert (row["tp"], row["fp"], row["fn"]) == (2, 2, 3)
    assert row["f1"] == pytest.approx(4 / 9)
    assert row["macro_f1"] == pytest.approx((4 / 7 + 1 + 0) / 3)
    assert 0 <= row["f1_low"] <= row["f1"] <= row["f1_high"] <= 1


def test_hipaa_figures_count_idnum(report: Report) -> None:
    (row,) = rows(report, "agreement", second="ben", measure="strict", types="HIPAA")
    assert (row["tp"], row["fp"], row["fn"]) == (2, 2, 1)


def test_without_a_type_of_hipaas_there_is_no_row_of_hipaa():
    without = make_report(replace(study(), hipaa=frozenset()), OPTIONS)
    for table, column in (("agreement", "types"), ("gold_average", "types"), ("official", "block")):
        assert without.table(table).records()
        assert not [row for row in without.table(table).records() if "HIP" in str(row[column])]


def test_a_category_and_its_type(report: Report) -> None:
    (name,) = rows(report, "by_type", second="ben", type="NAME")
    (doctor,) = rows(report, "by_type", second="ben", type="NAME:DOCTOR")
    assert (name["tp"], name["fn"]) == (1, 1)
    assert (doctor["tp"], doctor["fn"]) == (0, 2)


def test_the_average_is_of_the_annotators(report: Report) -> None:
    (row,) = rows(report, "gold_average", measure="strict", types="all")
    assert row["f1"] == pytest.approx((4 / 7 + 0) / 2)
    (date_row,) = rows(report, "gold_average_by_type", type="DATE:DATE")
    assert date_row["f1"] == 0.5


def test_errors(report: Report) -> None:
    (doctor,) = rows(report, "errors", second="ben", type="NAME:DOCTOR")
    assert (doctor["type_only"], doctor["missing"]) == (1, 1)
    (dates,) = rows(report, "errors", second="ben", type="DATE")
    assert (dates["correct"], dates["extent_long"]) == (1, 1)


def test_confusions(report: Report) -> None:
    (row,) = rows(report, "confusion", second="ben", first_type="NAME:PATIENT")
    assert (row["second_type"], row["tags"]) == ("NAME:DOCTOR", 1)


@pytest.mark.parametrize(
    ("change", "days"),
    [
        (None, ["2026-02-01", "2026-03-01"]),
        (date(2026, 2, 15), ["before 2026-02-15", "from 2026-02-15"]),
    ],
)
def test_over_time(change: date | None, days: list[str]) -> None:
    options = ReportOptions("1.2.3", date(2026, 3, 4), resamples=5, change=change)
    found = rows(make_report(study(), options), "days", second="ben")
    assert [row["day"] for row in found] == days
    assert [row["f1"] for row in found] == [pytest.approx(4 / 7), 0.0]


def test_days_that_nobody_knows(report: Report) -> None:
    assert [row["day"] for row in rows(report, "days", first="ana", second="gold")] == ["unknown"]


def test_agreement_by_what_was_suggested(report: Report) -> None:
    found = {row["suggestions"]: row for row in rows(report, "suggestions")}
    assert [found[each]["records"] for each in ("off", "on / rules")] == [1, 2]
    assert found["on / rules"]["f1"] == pytest.approx(4 / 7)
    assert found["off"]["f1"] == 0


def test_origins() -> None:
    comparison = Comparison(
        document("By [Lee|DOCTOR] [Wu|DOCTOR]"),
        tuple(
            Tag(tag.span, tag.phi_type, origin=origin)
            for tag, origin in zip(
                marked_up("By [Lee|DOCTOR] [Wu|PATIENT]")[1],
                (Origin.HAND, Origin.SUGGESTION),
                strict=True,
            )
        ),
        marked_up("By [Lee|DOCTOR] [Wu|DOCTOR]")[1],
    )
    found = make_report(Study("S", (AnnotatorPair("a", "b", (comparison,)),), HIPAA), OPTIONS)
    shares = {row["origin"]: row["share"] for row in found.table("origins").records()}
    assert shares == {"hand": 1.0, "suggestion": 0.0}


def test_the_official_evaluator_forgets_idnum(report: Report) -> None:
    (row,) = rows(report, "official", second="ben", block="HIPAA Strict")
    assert row["official_f1"] == pytest.approx(2 / 5)
    assert row["f1"] == pytest.approx(4 / 7)


def test_disagreements_show_no_text(report: Report) -> None:
    found = report.table("disagreements").records()
    assert [row["kind"] for row in found[:3]] == ["type", "only second", "extent"]
    assert "text" not in found[0]


def test_disagreements_show_text_on_request() -> None:
    options = ReportOptions("1.2.3", date(2026, 3, 4), resamples=5, with_text=True)
    found = make_report(study(), options).table("disagreements").records()
    assert [row["text"] for row in found[:3]] == ["Lee", "Kai", "3/4/2061"]


def test_the_summary_reads_like_a_result_section(report: Report) -> None:
    assert report.summary[0].startswith(
        "ana and ben were compared on 3 records of 2 patients. Counting exact spans and types, "
        "they share 2 tags; 2 are in the first alone and 3 in the second alone (precision 0.500"
    )
    assert "NAME:PATIENT in the first for NAME:DOCTOR in the second (1)" in report.summary[0]
    assert "the 2 annotators reach on average" in report.summary[-1]


def test_what_is_left_out_is_listed() -> None:
    found = make_report(study(r112_01="nobody finished it"), OPTIONS)
    assert found.table("left_out").records() == [
        {"record": "r112-01", "reason": "nobody finished it"}
    ]


def test_a_report_on_nothing_says_so() -> None:
    found = make_report(Study("Empty", (), HIPAA), OPTIONS)
    assert found.tables == ()
    assert "nothing to measure" in found.summary[0]


def test_the_digest_is_of_what_is_compared() -> None:
    one, same = study(), study()
    other = Study(one.title, one.sides[:1], HIPAA)
    assert one.digest() == same.digest() != other.digest()
