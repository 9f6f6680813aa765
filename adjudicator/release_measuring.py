"""A release measured: attacked, learnt from, its data card said anew, and a list to look at.

The card says all of what may be left anew, so that nothing in it is of another day than the rest.
"""

from collections.abc import Sequence
from pathlib import Path

from adjudicator.release.card import own_digest, rewrite_card, work_digest
from adjudicator.release.folder import ReleaseFolder
from adjudicator.release.source import Watch, no_progress
from adjudicator.release_risk import ReleaseRisk, places_table, release_risk
from adjudicator.release_statements import attack_statements
from adjudicator.risk_statements import release_statements
from shared.project.project import Project


def measure_release(
    project: Project,
    out: Path,
    day: str,
    watch: Watch = no_progress,
    models: Sequence[str] = (),
    *,
    is_judged: bool = False,
) -> tuple[ReleaseRisk, Path]:
    """Measure a release, let its card say so, and keep the list of places in the project.

    What the readers tell goes into the card too, with a recognizer where there are `models`. Raises
    RequestError where the release was not made from the project as it is, FileError.
    """
    found = release_risk(project, out, watch)
    work = work_digest(project, found.patient_ids)
    read = release_statements(project, found.patient_ids, models, is_judged=is_judged)
    rewrite_card(out, [*read, *attack_statements(found)], day)
    folder = ReleaseFolder(project)
    folder.keep_asked(own_digest(out), found.patient_ids, work)
    return found, folder.write_suspicious(places_table(found.places, out.name))
