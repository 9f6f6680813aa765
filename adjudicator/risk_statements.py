"""What may be left, in the words that data card, window and `tandem risk` share.

No text of a record, no patient and no annotator is named: these sentences leave the hospital.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from math import ceil, floor, isinf

from adjudicator.audit_statements import audit_statement, no_audit
from adjudicator.project_risk import ProjectRisk, project_risk
from shared.errors import FileError, RequestError
from shared.model.phi_traits import Identifier
from shared.project.project import Project
from shared.risk.bounds import interval, share_at_least, share_at_most
from shared.surrogates.residual_risk import RiskStatement
from shared.text.blocks import counted

MISSED, WHOLE = "missed", "all_or_nothing"
_TITLES = {
    MISSED: "PHI that both annotators missed",
    WHOLE: "Patients of whom one annotator found everything",
}
_VERY_ALIKE = 100
_ESTIMATE = ("estimate", "low", "high")
WORDS = {Identifier.DIRECT: "direct identifiers", Identifier.QUASI: "quasi-identifiers"}


def release_statements(
    project: Project,
    patient_ids: Collection[str],
    models: Sequence[str] = (),
    *,
    is_judged: bool = False,
) -> list[RiskStatement]:
    """What can be said of these patients; without a recognizer why not, where it cannot.

    With `models` and `is_judged` as `project_risk` has them. Raises what a recognizer does.
    """
    statements, _ = project_statements(
        project,
        models,
        lambda ids: (one for one in ids if one in patient_ids),
        len(patient_ids),
        is_judged=is_judged,
    )
    return statements


def project_statements(
    project: Project,
    models: Sequence[str],
    watch: Callable[[Sequence[str]], Iterable[str]],
    patients: int | None = None,
    *,
    is_judged: bool = False,
) -> tuple[list[RiskStatement], ProjectRisk | None]:
    """What can be said of the patients that `watch` lets through; of all, where no number is given.

    With what it is said of, None where nothing could be told. Raises what a recognizer does that
    cannot be opened.
    """
    audits = audit_statement(project)
    try:
        found = project_risk(project, models, watch, is_judged=is_judged)
    except RequestError:
        if models:
            raise
        why = (
            "This cannot be told: no patient of these was read by two annotators who were "
            "both done with it before it was adjudicated."
        )
        return untold(why, audits), None
    except FileError:
        why = "This cannot be told: the work of an annotator could not be read."
        return untold(why, audits), None
    count = len(project.patient_ids) if patients is None else patients
    return [*risk_statements(found, count), audits], found


def untold(why: str, audits: RiskStatement | None = None) -> list[RiskStatement]:
    """What a release says of whose readers nothing can be told."""
    unknown = (RiskStatement(key, title, (why,), is_told=False) for key, title in _TITLES.items())
    return [*unknown, audits or no_audit()]


def risk_statements(found: ProjectRisk, patients: int) -> list[RiskStatement]:
    """What the readers of a project of so many patients tell."""
    return [
        RiskStatement(
            MISSED,
            _TITLES[MISSED],
            tuple(_missed_sentences(found, patients)),
            tuple(missed_limits(found, patients)),
            missed_figures(found),
        ),
        RiskStatement(
            WHOLE,
            _TITLES[WHOLE],
            tuple(_whole_sentences(found)),
            tuple(_whole_limits()),
            {"annotators": _unnamed(found)},
        ),
    ]


def missed_figures(found: ProjectRisk) -> dict[str, object]:
    return {
        "patients": found.patients,
        "missed": {
            name: {
                "found": each.found,
                "missed": _plain(each.missed),
                "low": _plain(each.low),
                "high": _plain(each.high),
                "added_in_adjudication": found.added[name],
                "left": dict(zip(_ESTIMATE, map(_plain, found.left[name].ends), strict=True)),
            }
            for name, each in found.missed.items()
        },
        "patients_with_any_left": dict(
            zip(_ESTIMATE, map(_plain, found.patients_with_any()), strict=True)
        ),
        "annotators_alike": None if found.alike is None else _plain(found.alike),
        "suggestions_not_judged": found.unjudged,
    }


def whole_figures(found: ProjectRisk) -> list[dict[str, object]]:
    """By annotator and kind of identifier, of how many patients everything was found."""
    return [
        {
            "reader": each.reader,
            "identifiers": each.identifier.value,
            "whole": each.whole,
            "patients": each.patients,
            "interval": list(interval(each.whole, each.patients)),
        }
        for each in found.whole
    ]


def missed_limits(found: ProjectRisk, patients: int) -> Iterator[str]:
    """What the estimates rest on, in words for who decides on a release."""
    if not found.has_recognizer:
        yield (
            "This assumes that the annotators miss independently of each other. Who reads alike, "
            "or is shown the same suggestions, misses alike: then more is left than this. A third "
            "reader (tandem risk --model) allows for it."
        )
    elif found.unjudged:
        yield (
            f"{counted(found.unjudged, 'suggestion')} of the recognizer lie where the gold "
            "standard has no tag, and nobody has said what of them is PHI: the intervals allow for "
            "all of them and for none, and there is no estimate between. Look at them first."
        )
    elif found.alike is not None and found.alike > _VERY_ALIKE:
        yield (
            "The annotators found so much the same that the recognizer alone tells what both "
            "missed: do not rely on these figures."
        )
    elif found.alike is not None:
        odds = f"{found.alike:.1f}"
        yield f"The annotators found the same with an odds ratio of {odds} (1: by chance)."
    if found.refuted:
        yield (
            "Adjudication added as much or more than the estimate allows for of "
            f"{', '.join(found.refuted)}: the readers miss alike there, and how much more of it is "
            "left cannot be told."
        )
    outside = found.counts.outside.total()
    if outside and not found.unjudged:
        yield (
            f"This rests on somebody's word that {counted(outside, 'suggestion')} of "
            "the recognizer outside the gold standard were looked at and are no PHI."
        )
    if patients > found.patients:
        others = patients - found.patients
        yield (
            f"{counted(others, 'patient')} of {patients} were not read by two annotators, or are "
            "not adjudicated; these figures say nothing of them."
        )
    yield "PHI that no reader of this kind would ever see is in none of these figures."


def _missed_sentences(found: ProjectRisk, patients: int) -> Iterator[str]:
    readers = "Two people and a recognizer" if found.has_recognizer else "Two people"
    there = found.patients
    of_all = f"all {patients}" if there == patients else f"{there} of the {patients}"
    read = f"{readers} read the records of {of_all} patients, each without seeing the others' work."
    if patients == 1:
        read = f"{readers} read the records of the patient, each without seeing the others' work."
    yield (
        f"{read} From what one found and another did not, the PHI that none of them found and "
        f"that is left after adjudication is estimated at {_estimated(found.left['all'].ends)}. "
        f"Patients who have any of it: {_estimated(found.patients_with_any())} of {there}."
    )
    names = [name for name in found.missed if name != "all"]
    if names:
        told = "; ".join(f"{name} {_estimated(found.left[name].ends)}" for name in names)
        yield f"By type: {told}. In brackets: intervals of 95 %."
    if added := found.added["all"]:
        was = (
            "was added in adjudication; it is"
            if added == 1
            else "were added in adjudication; they are"
        )
        yield f"{added:,} PHI that no reader had found {was} taken off."


def _whole_sentences(found: ProjectRisk) -> Iterator[str]:
    readers = list(dict.fromkeys(each.reader for each in found.whole))
    for number, reader in enumerate(readers, start=1):
        said: list[str] = []
        for each in found.whole:
            if each.reader == reader and each.patients:
                low, high = interval(each.whole, each.patients)
                said.append(
                    f"all {WORDS[each.identifier]} of {each.whole} of {each.patients} patients "
                    f"({share_at_least(low)} to {share_at_most(high)})"
                )
        yield f"Annotator {number} found {' and '.join(said) or 'nothing: there was none'}."


def _whole_limits() -> Iterator[str]:
    yield (
        "What one annotator found is compared with the gold standard. What that lacks counts as "
        "nobody's miss, so the true shares may be lower."
    )
    yield (
        "This is about one annotator alone. What is released was read by several and adjudicated."
    )
    yield "In brackets: intervals of 95 %."


def _unnamed(found: ProjectRisk) -> list[dict[str, object]]:
    readers = list(dict.fromkeys(each.reader for each in found.whole))
    return [
        {**row, "reader": f"annotator {readers.index(str(row['reader'])) + 1}"}
        for row in whole_figures(found)
    ]


def _estimated(estimate: tuple[float, float, float]) -> str:
    middle, low, high = estimate
    least, most = f"{floor(low * 10 + 1e-9) / 10:g}", "no upper limit can be told"
    if isinf(high):
        return (
            f"{least} or more; {most}"
            if isinf(middle)
            else f"{middle:.1f} ({least} or more; {most})"
        )
    most = f"{ceil(high * 10 - 1e-9) / 10:g}"
    return f"{least} to {most}" if isinf(middle) else f"{middle:.1f} ({least} to {most})"


def _plain(value: float) -> float | None:
    return None if isinf(value) else round(value, 3)
