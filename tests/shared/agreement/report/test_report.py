"""What a report says, from a study small enough to count by hand."""

import re
from dataclasses import replace
from datetime import date

import pytest

from shared.agreement.comparison import Comparison
from shared.agreement.folder_comparison import SkippedRecord
from shared.agreement.report.options import ReportOptions
from shared.agreement.report.report import make_report
from shared.agreement.report.table import Cell, Report
from shared.agreement.study import AdjudicationOutcome, AnnotatorPair, Study
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


def test_a_fall_of_agreement_is_told() -> None:
    good, bad = (
        Comparison(document(gold, "1-01"), marked_up(said)[1], marked_up(gold)[1])
        for gold in ("[Lee|DOCTOR] [Kai|DOCTOR] [Wu|DOCTOR] on [3/4|DATE]",)
        for said in (gold, "Lee Kai [Wu|DOCTOR] on 3/4")
    )
    comparisons = tuple(
        replace(each, document=replace(each.document, record_id=f"{at}-01", patient_id=f"{at}"))
        for at, each in enumerate([good] * 8 + [bad] * 8 + [good] * 3)
    )
    days = {f"{at}": date(2026, 1, at + 1) for at in range(19)}
    told = Study("S", (AnnotatorPair("ana", "ben", comparisons, days),), HIPAA)
    found = make_report(told, OPTIONS).table("drift").records()
    assert [(row["from_day"], row["to_day"], row["beside_first"]) for row in found] == [
        ("2026-01-01", "2026-01-08", ""),
        ("2026-01-09", "2026-01-16", "lower"),
    ]
    assert [row["f1"] for row in found] == [1.0, pytest.approx(0.4)]


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
    assert report.summary[1].startswith(
        "ana and ben were compared on 3 records of 2 patients. Counting exact spans and types, "
        "they share 2 tags; 2 more are of ana alone and 3 of ben alone (precision 0.500"
    )
    assert "confusion" not in report.summary[1]  # of what happened once
    assert "the 2 annotators reach on average" in report.summary[-1]


def test_a_confusion_that_recurs_is_named() -> None:
    first, second = (
        " and ".join([f"[{name}|{kind}]" for name in ("Lee", "Kai", "Roe")])
        for kind in ("PATIENT", "DOCTOR")
    )
    comparison = Comparison(document(second), marked_up(first)[1], marked_up(second)[1])
    found = make_report(Study("S", (AnnotatorPair("ana", "ben", (comparison,)),), HIPAA), OPTIONS)
    said = "confusion is NAME:PATIENT by ana where ben has NAME:DOCTOR (3 times)."
    assert found.summary[1].endswith(said)


def test_only_what_somebody_decided_is_said_to_be_settled_by_an_adjudicator(report: Report):
    assert "adjudicator" not in report.summary[0]
    assert "Each was compared with a gold standard: ana and gold" in report.summary[0]
    outcome = AdjudicationOutcome("110", "type", "NAME:DOCTOR", "ben", "second", "looked at")
    decided = make_report(replace(study(), outcomes=(outcome,)), OPTIONS)
    assert "settled by an adjudicator, and each annotator was compared" in decided.summary[0]


def test_the_methods_say_what_was_compared(report: Report) -> None:
    said = report.summary[0]
    assert "was marked by 2 annotators." in said
    assert "ana and ben on 3 records of 2 patients." in said
    assert "ana and gold on 1 record of 1 patient; ben and gold on 2 records of 2 patients." in said
    assert "50 bootstrap samples" in said


@pytest.mark.parametrize(("patients", "is_said"), [(19, True), (20, False)])
def test_intervals_of_few_patients_are_said_to_be_too_narrow(patients: int, is_said: bool) -> None:
    compared = tuple(
        Comparison(document("Lee", f"{number}-01"), (), marked_up("[Lee|PATIENT]")[1])
        for number in range(100, 100 + patients)
    )
    of_gold = AnnotatorPair("ana", "gold", compared)
    said = make_report(Study("S", (of_gold,), HIPAA), OPTIONS).summary[0]
    assert ("; of fewer than 20 patients they are too narrow" in said) is is_said


def test_every_number_of_the_paragraphs_stands_in_a_table(report: Report) -> None:
    cells = {
        f"{cell:.3f}" if isinstance(cell, float) else str(cell)
        for table in report.tables
        for row in table.records()
        for cell in row.values()
    }
    said = " ".join(report.summary).replace("0.895 and 0.930 (Stubbs and Uzuner 2015, table 2", "")
    for fixed in (
        "95 %",
        "50 bootstrap samples",
        "fewer than 20 patients",
        "2014 i2b2",
        "Tandem 1.2.3",
    ):
        assert fixed in said
        said = said.replace(fixed, "")
    numbers = re.findall(r"(?<![\w.])\d[\d,.]*\d|(?<![\w.])\d(?!\w)", said)
    assert len([each for each in numbers if "." in each]) > 15
    assert len([each for each in numbers if "." not in each]) > 15
    # the mean over annotators is that of the last paragraph
    assert [each for each in numbers if each not in cells] == []


def test_the_corpus(report: Report) -> None:
    by_name = {row["what"]: row for row in report.table("corpus").records()}
    assert [by_name[each]["total"] for each in ("records", "tokens", "tags")] == [3, 8, 5]
    tags = by_name["tags"]
    assert (tags["per_record"], tags["record_least"], tags["record_most"]) == (5 / 3, 0, 4)
    assert (tags["per_patient"], tags["patient_least"], tags["patient_most"]) == (2.5, 1, 4)
    (dates,) = rows(report, "corpus_by_type", type="DATE:DATE")
    assert (dates["tags"], dates["records_with"], dates["patients_with"]) == (2, 2, 2)
    assert not [row for row in report.table("corpus_by_type").records() if not row["tags"]]


def test_error_classes_have_their_share(report: Report) -> None:
    found = {row["error"]: row for row in rows(report, "error_classes", second="ben")}
    assert {error: row["tags"] for error, row in found.items()} == {
        "type": 1,
        "missing": 1,
        "extent long": 1,
    }
    assert all(row["share"] == pytest.approx(1 / 3) for row in found.values())
    assert "example_1" not in found["type"]


def test_examples_of_errors_stand_in_context_on_request() -> None:
    options = ReportOptions("1.2.3", date(2026, 3, 4), resamples=5, with_text=True)
    found = rows(make_report(study(), options), "error_classes", second="ben")
    assert {row["error"]: (row["example_1"], row["example_2"]) for row in found} == {
        "type": ("…By [{Lee}], 3/4, M12. Kai… (NAME:DOCTOR / NAME:PATIENT)", ""),
        "missing": ("…By Lee, 3/4, M12. [Kai]… (NAME:DOCTOR / –)", ""),
        "extent long": ("…On [{3/4]/2061}.… (DATE / DATE)", ""),
    }


def test_what_the_adjudicator_decided() -> None:
    names = "type", "NAME:DOCTOR, NAME:PATIENT", "ben", "second"
    outcomes = (
        AdjudicationOutcome("110", *names, "looked at"),
        AdjudicationOutcome("110", *names, "as before"),
        AdjudicationOutcome("111", "extent", "DATE", "", "edited", "looked at"),
    )
    told = replace(study(), outcomes=outcomes, adjudication_seconds={"110": 50.0, "111": 40.0})
    found = make_report(told, OPTIONS)
    assert found.table("adjudication").records() == [
        {"kind": "extent", "types": "DATE", "annotator_1": 0, "both": 0, "neither": 0, "edited": 1},
        {
            "kind": "type",
            "types": "NAME:DOCTOR, NAME:PATIENT",
            "annotator_1": 2,
            "both": 0,
            "neither": 0,
            "edited": 0,
        },
    ]
    assert [each.title for each in found.table("adjudication").columns][2] == "ben"
    ways = {row["way"]: row["decisions"] for row in found.table("adjudication_ways").records()}
    assert ways == {"as before": 1, "looked at": 2}
    (time,) = found.table("adjudication_time").records()
    assert (time["hours"], time["seconds_per_patient"]) == (0.025, 45)
    assert time["seconds_per_decision"] == 30


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
    digests = [
        dict(make_report(each, OPTIONS).about)["data (SHA-256)"] for each in (one, same, other)
    ]
    assert digests[0] == digests[1] != digests[2]
    assert len(digests[0]) == 64
