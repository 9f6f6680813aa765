"""What the report says of the whole study: adjudication, and what may be left."""

from dataclasses import replace

from adjudicator.agreement.export import options_of_today
from adjudicator.agreement.view import ReportBuilder, StudyFilter, without_names
from shared.agreement.comparison import Comparison
from shared.agreement.report.export import to_json
from shared.agreement.report.report import make_report
from shared.agreement.study import (
    AdjudicationOutcome,
    AnnotatorPair,
    MissedEstimate,
    Study,
    WholePatientShare,
)
from tests.builders import document, marked_up

SAID = "On [3/4|DATE] [Lee|DOCTOR]."
OPTIONS = replace(options_of_today(), with_official=False, resamples=5)


def study() -> Study:
    found = (Comparison(document(SAID, "110-01"), marked_up(SAID)[1], marked_up(SAID)[1]),)
    names = ("ana", "ben"), ("ana", "gold"), ("ben", "gold")
    return Study("Small", tuple(AnnotatorPair(*each, found) for each in names), frozenset())


def test_what_is_of_the_whole_is_not_shown_of_a_part():
    told = replace(
        study(),
        outcomes=(AdjudicationOutcome("110", "type", "DATE", "ana", "first", "looked at"),),
        adjudication_seconds={"110": 60.0},
        missed=(MissedEstimate("DATE", 3, 1.5, 0.0, float("inf")),),
        whole=(WholePatientShare("ana", "direct identifiers", 1, 2, 0.1, 0.9),),
    )
    of_the_whole = {
        *("adjudication", "adjudication_ways", "adjudication_time"),
        *("missed", "all_or_nothing"),
    }
    builder = ReportBuilder(told)
    for narrowed in (StudyFilter(), StudyFilter(annotator="ana"), StudyFilter(label="DATE")):
        names = {table.name for table in builder.show(narrowed).report.tables}
        assert names & of_the_whole == (of_the_whole if narrowed.is_nothing else set())
    (row,) = builder.show(StudyFilter()).report.table("missed").records()
    assert row["missed"] is row["missed_low"] is row["missed_high"] is None  # no upper end


def test_hidden_annotators_are_hidden_in_what_was_adjudicated_too():
    told = replace(
        study(),
        outcomes=(AdjudicationOutcome("110", "type", "DATE", "ben", "second", "looked at"),),
        whole=(WholePatientShare("ana", "direct identifiers", 1, 2, 0.1, 0.9),),
    )
    said = to_json(make_report(without_names(told), OPTIONS))
    assert "annotator 2" in said
    assert '"ben' not in said
    assert '"ana"' not in said
