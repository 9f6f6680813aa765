"""What `tandem risk --release` says of a release: in its card, in a list in the project, here."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from adjudicator.release.card import rewrite_card
from adjudicator.release.folder import ReleaseFolder
from adjudicator.release_risk import ReleaseRisk, places_table, release_risk
from adjudicator.release_statements import attack_figures, attack_statements, utility_figures
from shared.commands.output import counted, progress
from shared.project.project import Project


def measure_release(project: Project, out: Path) -> tuple[ReleaseRisk, Path]:
    """Measure a release, let its card say so, and keep the list of places in the project.

    Raises RequestError where it was not made from the project as it is, FileError.
    """
    found = release_risk(project, out, _watch)
    rewrite_card(out, attack_statements(found))
    return found, ReleaseFolder(project).write_suspicious(places_table(found.places, out.name))


def print_release(found: ReleaseRisk, kept: Path) -> None:
    for statement in attack_statements(found):
        print(f"\n{statement.title}:")
        for sentence in statement.says:
            print(sentence)
        for limit in statement.limits:
            print(f"Limit: {limit}")
    print(f"\n{kept}: {counted(len(found.places), 'place')} to look at, the likeliest first")
    if found.places:
        print("Tag what is PHI in the gold standard, then release again.")


def release_as_json(found: ReleaseRisk, kept: Path) -> dict[str, object]:
    return {
        "attack": attack_figures(found),
        "utility": utility_figures(found),
        "limits": [limit for each in attack_statements(found) for limit in each.limits],
        "suspicious_places": str(kept),
    }


def _watch(what: str, items: Iterable[Any]) -> Iterator[Any]:
    return progress(list(items), what.lower())
