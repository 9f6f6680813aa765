"""What the agreement window shows: a study, narrowed, and the report on it.

A number of the window is the number that the report of the narrowed study has.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache

from adjudicator.agreement.export import options_of_today
from shared.agreement.comparison import Comparison
from shared.agreement.measures import label_name
from shared.agreement.report.comparison_counts import counting
from shared.agreement.report.plots import Plot, plots_of
from shared.agreement.report.report import Watch, make_report
from shared.agreement.report.table import Report
from shared.agreement.study import GOLD, AnnotatorPair, Study
from shared.model import PhiType


@dataclass(frozen=True, slots=True)
class StudyFilter:
    """What part of a study is measured; "" and None leave nothing out.

    `label` is a category (`NAME`) or a type (`NAME:PATIENT`). `first_day` and `last_day` are days
    on which both were done with a patient, the two included; a patient whose day is not known is
    left out as soon as one of them is given.
    """

    annotator: str = ""
    label: str = ""
    first_day: date | None = None
    last_day: date | None = None

    @property
    def is_nothing(self) -> bool:
        return self == StudyFilter()

    def of(self, study: Study) -> Study:
        """Return the study of what is not left out, sides without a record too."""
        sides = (self._narrowed(each) for each in study.sides if self._has(each))
        kept = tuple(each for each in sides if each.comparisons)
        if self.is_nothing:
            return replace(study, sides=kept)
        # these are about the whole, and not about what it was narrowed to
        study = replace(study, sides=kept, outcomes=(), adjudication_seconds={})
        return replace(study, missed=(), whole=(), released=None)

    def _has(self, sides: AnnotatorPair) -> bool:
        return self.annotator in ("", sides.first, sides.second)

    def _narrowed(self, sides: AnnotatorPair) -> AnnotatorPair:
        kept = (each for each in sides.comparisons if self._is_in_time(each, sides.done_on))
        if self.label:
            is_wanted = cache(self._is_wanted)
            kept = (each.only(is_wanted) for each in kept)
        return replace(sides, comparisons=tuple(kept))

    def _is_in_time(self, comparison: Comparison, days: Mapping[str, date]) -> bool:
        if self.first_day is None and self.last_day is None:
            return True
        day = days.get(comparison.document.patient_id)
        return day is not None and (self.first_day or day) <= day <= (self.last_day or day)

    def _is_wanted(self, phi_type: PhiType) -> bool:
        return self.label in (phi_type.category, label_name(phi_type))


@dataclass(frozen=True, slots=True)
class FilterOptions:
    """What a study can be narrowed to."""

    annotators: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    days: tuple[date, ...] = ()

    @classmethod
    def of(cls, study: Study) -> "FilterOptions":
        types = {
            tag.phi_type
            for sides in study.sides
            for each in sides.comparisons
            for tag in (*each.candidate, *each.reference)
        }
        labels = {each.category for each in types} | {label_name(each) for each in types}
        names = {name for sides in study.sides for name in (sides.first, sides.second)} - {GOLD}
        days = {day for sides in study.sides for day in sides.done_on.values()}
        return cls(tuple(sorted(names)), tuple(sorted(labels)), tuple(sorted(days)))


@dataclass(frozen=True, slots=True)
class FilteredReport:
    """A narrowed study, its report, and the plots of the report by the two sides."""

    study: Study
    report: Report
    plots: Mapping[str, tuple[Plot, ...]] = field(default_factory=dict[str, tuple[Plot, ...]])


class ReportBuilder:
    """Measures parts of one study; what two of them have in common is counted once.

    Of those narrowed to a label the counts of the last label are kept, and of no other.
    """

    def __init__(self, study: Study) -> None:
        self._whole = study
        self._count = counting(study.hipaa.__contains__)
        self._labelled = "", study, self._count

    def show(self, study_filter: StudyFilter, watch: Watch = iter) -> FilteredReport:
        """Measure the part of the study that is wanted; `watch` may look on."""
        label = study_filter.label
        study, count = self._whole, self._count
        if label:
            if self._labelled[0] != label:
                count = counting(study.hipaa.__contains__)
                self._labelled = label, StudyFilter(label=label).of(study), count
            _, study, count = self._labelled
        narrowed = replace(study_filter, label="").of(study)
        options = replace(options_of_today(), with_official=False)
        report = make_report(narrowed, options, watch, count)
        return FilteredReport(narrowed, report, plots_of(report))


def without_names(study: Study) -> Study:
    """Return the study with the annotators numbered, for whoever must not know who did what."""
    names = sorted({name for sides in study.sides for name in (sides.first, sides.second)} - {GOLD})
    called = {name: f"annotator {number}" for number, name in enumerate(names, start=1)}
    called[GOLD] = GOLD
    sides = (
        replace(each, first=called[each.first], second=called[each.second]) for each in study.sides
    )
    outcomes = (replace(each, annotator=called.get(each.annotator, "")) for each in study.outcomes)
    whole = (
        replace(each, annotator=called.get(each.annotator, each.annotator)) for each in study.whole
    )
    return replace(study, sides=tuple(sides), outcomes=tuple(outcomes), whole=tuple(whole))
