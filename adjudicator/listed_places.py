"""Places to look at because they may have been left: found in a release, or suggested beside gold.

They hold text of records and are for the window; a release has none of them.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field

from adjudicator.project_risk import ProjectRisk
from adjudicator.release.folder import ReleaseFolder
from shared.errors import FileFormatError
from shared.model import Span
from shared.outside import MALFORMED
from shared.project.project import Project


@dataclass(frozen=True, slots=True)
class ListedPlace:
    """A place of the project's records; `span` is None where it stands in the release alone."""

    confidence: float
    type_name: str
    text: str = field(repr=False)
    patient_id: str
    record_id: str
    span: Span | None
    found_in: str
    """The name of the release, "" for what a recognizer suggests in the project."""


def suggested_places(found: ProjectRisk) -> list[ListedPlace]:
    """What a recognizer suggests where the gold standard has nothing, the surest first."""
    places = [
        ListedPlace(
            tag.confidence or 0.0, tag.phi_type.name, tag.span.text_in(document.text),
            document.patient_id, document.record_id, tag.span, "",
        )
        for document, tag in found.suggested
    ]  # fmt: skip
    return sorted(places, key=lambda each: -each.confidence)


def suspicious_places(project: Project, release: str) -> list[ListedPlace]:
    """The list that was kept when the release of this name was attacked, in its order.

    Empty where another was attacked since, or none was. Raises FileError.
    """
    folder = ReleaseFolder(project)
    table = folder.suspicious()
    if table is None:
        return []
    patients = {name: each for each in project.patient_ids for name in project.record_ids(each)}
    try:
        return list(_read(table, release, patients))
    except (csv.Error, *MALFORMED):
        raise FileFormatError(
            folder.suspicious_path, "is not a list of places in a release; attack it again"
        ) from None


def _read(table: str, release: str, patients: dict[str, str]) -> Iterator[ListedPlace]:
    for row in csv.DictReader(io.StringIO(table, newline=""), strict=True):
        if row["release"] == release and row["record"] in patients:
            span = Span(int(row["start"]), int(row["end"])) if row["start"] else None
            yield ListedPlace(
                float(row["confidence"]), row["type"], row["text"],
                patients[row["record"]], row["record"], span, release,
            )  # fmt: skip
